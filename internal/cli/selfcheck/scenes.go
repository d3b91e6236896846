package selfcheck

import (
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"

	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/r3"
)

//go:embed scenes/*.yaml
var scenes embed.FS

// played is where a scene led to.
type played struct {
	Hash  string // of all places and velocities
	Place r3.Vec // mean of all places [m]
}

// play plays one of the scenes of this package.
func play(name string) (played, error) {
	file := name + ".yaml"
	data, err := scenes.ReadFile("scenes/" + file)
	if err != nil {
		return played{}, err
	}
	s, err := scenefile.Parse(file, data, nil, nil)
	if err != nil {
		return played{}, err
	}
	if s.HasYarns() {
		return playYarns(s)
	}
	return playBodies(s)
}

func playBodies(s *scenefile.Scene) (_ played, err error) {
	b, err := build.World(s)
	if err != nil {
		return played{}, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	w := b.World
	if err := w.Advance(s.Time.End, s.Time.Step, nil); err != nil {
		return played{}, err
	}
	var x, v []r3.Vec
	for id := range engine.ClothID(w.Cloths()) {
		x, v = append(x, w.Positions(id)...), append(v, w.Velocities(id)...)
	}
	for id := range engine.BodyID(w.Bodies()) {
		x, v = append(x, w.BodyPositions(id)...), append(v, w.BodyVelocities(id)...)
	}
	return told(x, v), nil
}

func playYarns(s *scenefile.Scene) (_ played, err error) {
	b, err := build.Yarns(s, 0)
	if err != nil {
		return played{}, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := b.World.Advance(s.Time.End, b.Pace, nil); err != nil {
		return played{}, err
	}
	return told(b.World.Positions(), b.World.Velocities()), nil
}

// told returns what is compared of places and velocities.
func told(x, v []r3.Vec) played {
	sum := sha256.New()
	for _, list := range [][]r3.Vec{x, v} {
		for _, p := range list {
			for _, c := range [...]float64{p.X, p.Y, p.Z} {
				_ = binary.Write(sum, binary.LittleEndian, math.Float64bits(c)) // never fails
			}
		}
	}
	var mean r3.Vec
	for _, p := range x {
		mean = mean.Add(p)
	}
	return played{hex.EncodeToString(sum.Sum(nil)[:16]), mean.Scale(1 / float64(len(x)))}
}
