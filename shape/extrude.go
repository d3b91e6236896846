package shape

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/polygon"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Outline is a piece of the plane: a polygon without those of its holes [m]. Either way round will do.
type Outline struct {
	Outer []r3.Vec2
	Holes [][]r3.Vec2
}

// maxExtruded is the largest number of points on an outline or in a layer that Extrude makes.
const maxExtruded = 1 << 22

// Extrude returns the solid that an outline in the xy plane sweeps between -depth/2 and depth/2 along z, in tets with
// sides of about size [m]. Corners of the outline are vertices.
func Extrude(o Outline, depth, size float64) (*mesh.Tets, error) {
	// sizes
	if !(depth > 0) || !(size > 0) || math.IsInf(depth, 1) || math.IsInf(size, 1) {
		return nil, fmt.Errorf("an extrusion with a depth of %g m and tets of %g m; both must be positive", depth, size)
	}
	// the outline and its holes, divided into sides
	outer, err := divided("the outline", o.Outer, size)
	if err != nil {
		return nil, err
	}
	loops := [][]r3.Vec2{outer}
	for i, hole := range o.Holes {
		loop, err := divided(fmt.Sprintf("hole %d", i), hole, size)
		if err != nil {
			return nil, err
		}
		loops = append(loops, loop)
	}
	// layers, not too many points
	layers := math.Max(1, math.Round(depth/size))
	if cells := enclosed(outer) / (size * size) * layers; !(cells < maxExtruded) {
		return nil, fmt.Errorf("an extrusion with tets of %g m has about %.3g points, more than %d", size, cells, maxExtruded)
	}
	// triangles of the outline
	at, tri, ok := polygon.Fill(loops, size)
	if !ok {
		return nil, errors.New("the outline touches or crosses itself or its holes, or a hole is not inside it")
	}
	// prisms of them, layer by layer
	s := &mesh.Tets{Tet: prisms(tri, len(at), int(layers))}
	for l := range int(layers) + 1 {
		for _, p := range at {
			s.X = append(s.X, r3.V(p.X, p.Y, depth*(float64(l)/layers-0.5)))
		}
	}
	return s, nil
}

// divided returns a loop counter-clockwise with its sides divided into parts of about size.
func divided(what string, loop []r3.Vec2, size float64) ([]r3.Vec2, error) {
	// corners that make a loop
	if len(loop) < 3 {
		return nil, fmt.Errorf("%s has %d corners; it needs 3 or more", what, len(loop))
	}
	for i, p := range loop {
		if !p.Finite() {
			return nil, fmt.Errorf("corner %d of %s is at %v, which is not finite", i, what, p)
		}
		if p == loop[(i+1)%len(loop)] {
			return nil, fmt.Errorf("corner %d of %s is at the same place as the next one, %v", i, what, p)
		}
	}
	// counter-clockwise
	loop = slices.Clone(loop)
	if enclosed(loop) < 0 {
		slices.Reverse(loop)
	}
	// sides in parts of about this size
	var out []r3.Vec2
	for i, a := range loop {
		b := loop[(i+1)%len(loop)]
		parts := math.Max(1, math.Round(b.Sub(a).Norm()/size))
		if !(float64(len(out))+parts < maxExtruded) {
			return nil, fmt.Errorf("%s has more than %d points with tets of %g m", what, maxExtruded, size)
		}
		for k := range int(parts) {
			out = append(out, a.Add(b.Sub(a).Scale(float64(k)/parts)))
		}
	}
	return out, nil
}

// enclosed returns the area inside a loop [m²], negative if it goes clockwise.
func enclosed(loop []r3.Vec2) float64 {
	sum := 0.0
	for i, p := range loop {
		sum += p.Sub(loop[0]).Cross(loop[(i+1)%len(loop)].Sub(loop[0])) / 2
	}
	return sum
}
