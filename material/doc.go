// Package material has what cloth and soft bodies are made of: fabrics and soft materials by name, each with the source
// of its figures, and the types to write others.
package material
