// Package storm plays random scenes and has every frame judged by a referee of its own.
//
// A seed makes a scene: the text of a scene file, and of the files that it names. It is played by package run as any
// other. The referee looks at where things are in each frame, not at how they came there, and shares no code with the
// engine's contact but the exact sign of four points: it finds what crosses and what is inside something else. What it
// finds and the run does not report is a fault of the engine.
package storm

// Depth is how far things must overlap to count [m]: up to it they touch. Places of rigid bodies are rounded when
// they are turned, and bodies that start flush may overlap by as much.
const Depth = 1e-9
