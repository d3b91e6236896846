// Package untangle un-crosses what is crossed.
//
// Separate pulls layers apart: sheets whose order is known, from each other and from bodies. Contours undoes crossings
// whose order is not known. Space opens up a body that goes through itself. Count says what crosses, by the exact test,
// for each pair of surfaces.
package untangle

import (
	"errors"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// Surface is a surface of cloth. Its triangles are counter-clockwise seen from outside.
type Surface struct {
	Tri       [][3]int32
	X         []r3.Vec // where its vertices are [m]
	Fixed     []bool   // vertices that must not move; nil: none
	Layer     int      // 1 is the innermost; 0: it has no place in the order, and does not move
	Thickness float64  // distance kept from bodies; two sheets keep the mean of theirs [m]
}

// Body is what sheets are worn on: a shape, or a mesh whose triangles are counter-clockwise seen from outside. It does
// not move.
type Body struct {
	Field geom.Field // nil for a mesh
	Tri   [][3]int32
	X     []r3.Vec // where the vertices of the mesh are [m]
}

// Options are the settings of Separate.
type Options struct {
	// Depth is how far one surface may be on the wrong side of another and still be brought back [m]. More than the
	// distance between parts that belong apart, such as an arm and the chest, must not be asked for.
	Depth float64
	// Iterations bounds the work.
	Iterations int
	// Team does the work; nil: the caller alone. It does not change results.
	Team *par.Team
}

// DefaultOptions returns the settings for garments: overlaps of up to 5 cm.
func DefaultOptions() Options { return Options{Depth: 0.05, Iterations: 60} }

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	var faults []error
	if !(o.Depth > 0) || math.IsInf(o.Depth, 1) {
		faults = append(faults, fmt.Errorf("depth %g m is not positive", o.Depth))
	}
	if o.Iterations < 1 {
		faults = append(faults, fmt.Errorf("iterations %d are fewer than 1", o.Iterations))
	}
	return errors.Join(faults...)
}

// Stats tells how Separate went.
type Stats struct {
	Before, After           int     // crossings of different layers, and of layers with bodies
	OtherBefore, OtherAfter int     // crossings within one layer, or with sheets that have none
	Near                    int     // places where layers are still nearer than their thickness, or on the wrong side
	Move                    float64 // the furthest that a vertex has moved [m]
	Iterations              int
}

// checkSheets panics on meshes that are none.
func checkSheets(sheets []Surface, bodies []Body) {
	triangles := func(tri [][3]int32, n int) {
		for _, t := range tri {
			if min(t[0], t[1], t[2]) < 0 || int(max(t[0], t[1], t[2])) >= n {
				panic(fmt.Sprintf("untangle: a triangle %v of a surface of %d vertices", t, n))
			}
		}
	}
	for i := range sheets {
		s := &sheets[i]
		triangles(s.Tri, len(s.X))
		if s.Fixed != nil && len(s.Fixed) != len(s.X) {
			panic("untangle: a sheet has another number of marks than of vertices")
		}
		if !(s.Thickness > 0) {
			panic("untangle: the thickness of a sheet must be positive")
		}
	}
	for i := range bodies {
		if (bodies[i].Field == nil) == (len(bodies[i].Tri) == 0) {
			panic("untangle: a body must be either a shape or a mesh with triangles")
		}
		triangles(bodies[i].Tri, len(bodies[i].X))
	}
}
