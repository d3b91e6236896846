package scenefile

import "github.com/toile-sim/toile/internal/engine"

// Path returns the motion as a path of a handle or an obstacle.
func (m *Motion) Path() *engine.Path {
	path := &engine.Path{Center: m.About.R3(), Smooth: m.Smooth}
	for _, k := range m.Keys {
		key := engine.Key{At: k.At, Translate: k.Translate.R3()}
		if k.Rotate != nil {
			key.Axis, key.Angle = k.Rotate.Axis.R3(), k.Rotate.Angle
		}
		path.Keys = append(path.Keys, key)
	}
	return path
}
