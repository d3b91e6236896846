// Package remesh holds sizing fields and the loop that brings a sheet to them: triangles become small where the cloth
// bends, moves, is compressed or touches something, and large where it does not.
package remesh

import (
	"errors"
	"fmt"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Sheet is a cloth as it is remeshed: its connectivity with everything that lives on its vertices and triangles. Remesh
// puts a new Mesh and new slices in place of the old, which it leaves as they are; if there was nothing to do, only a
// new Size.
type Sheet struct {
	Mesh    *mesh.Mesh
	X, V    []r3.Vec  // of vertices [m], [m/s]
	Mass    []float64 // of vertices [kg]: a third of the mass of each triangle around
	UID     []int64   // of vertices: what stays keeps its own, none is used twice
	NextUID int64     // of the next new vertex

	// Keep marks vertices that stay: held by a handle, sewn, clamped, painted where a map changes. An edge between two
	// of them stays too.
	Keep []bool

	Vertex   [][]float64 // further values at vertices, by attribute: interpolated linearly in material space
	Triangle [][]float64 // further values at triangles, by attribute: inherited; the lines where one changes are kept like seams
	Density  float64     // [kg/m²], unless DensityByTriangle

	DensityByTriangle bool // Triangle[0] is the density [kg/m²]

	// Size is the sizing field at material points, as the last call left it: part of the state. Nil stands for none
	// yet.
	Size []Tensor
}

// Tensor is a symmetric 2x2 matrix in material space [1/m²]. As a sizing field M it wants edges e with e·M e at most 1.
type Tensor struct{ XX, XY, YY float64 }

// ContactMetric is a way to size triangles near what they may touch.
type ContactMetric int

// The metrics. Proximity is that of [Li18] equations (15) and (16), Obstacle the older one of equation (14), which
// looks at obstacles from vertices only and does not see cloth.
const (
	Proximity ContactMetric = iota
	Obstacle
	NoContact
)

// Options are what a sheet is remeshed to.
type Options struct {
	Min, Max    float64       // lengths of edges [m], 0 < Min <= Max
	Angle       float64       // by how much the normal may turn along an edge [rad], > 0
	Velocity    float64       // by how much the velocity may change along an edge [m/s], > 0
	Compression float64       // an edge that is compressed by a small share ε may be Compression/√ε long [m], > 0
	Aspect      float64       // least ratio of the shorter and the longer size at a place, in (0, 1]; 1 is isotropic
	Contact     ContactMetric // for triangles near what they may touch
	Reach       float64       // how near that is [m], >= 0
	Ratio       float64       // two places of one sheet touch if their distance is below this multiple of their distance in the material, [Li18]: 0.1
	Fade        float64       // share of a size that outlives a call once it is no longer wanted, in [0, 1): refining is at once, coarsening by and by
}

// DefaultOptions returns sizes of 10 to 200 mm and the criteria of [Narain12], [Narain13] and [Li18] at values in the
// middle of what they use.
func DefaultOptions() Options {
	return Options{
		Min: 0.01, Max: 0.2, Angle: 0.4, Velocity: 1, Compression: 0.01, Aspect: 0.2,
		Contact: Proximity, Reach: 4e-3, Ratio: 0.1, Fade: 0.9,
	}
}

// Validate lists everything that is wrong with the options.
func (o *Options) Validate() error {
	var faults []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(format, args...))
		}
	}
	check(
		o.Min > 0 && o.Max >= o.Min && o.Max < 1e6,
		"sizes from %g to %g m: want 0 < smallest <= largest",
		o.Min,
		o.Max,
	)
	check(o.Angle > 0, "angle %g rad: want > 0", o.Angle)
	check(o.Velocity > 0, "velocity %g m/s: want > 0", o.Velocity)
	check(o.Compression > 0, "compression %g m: want > 0", o.Compression)
	check(o.Aspect > 0 && o.Aspect <= 1, "aspect %g: want one in (0, 1]", o.Aspect)
	check(
		o.Contact >= Proximity && o.Contact <= NoContact,
		"contact metric %d: want Proximity, Obstacle or NoContact",
		o.Contact,
	)
	check(o.Reach >= 0, "reach %g m: want >= 0", o.Reach)
	check(o.Ratio > 0 && o.Ratio < 1, "ratio %g: want one in (0, 1)", o.Ratio)
	check(o.Fade >= 0 && o.Fade < 1, "fade %g: want one in [0, 1)", o.Fade)
	return errors.Join(faults...)
}

// Surroundings are what a sheet may touch besides itself, where it is now.
type Surroundings struct {
	// Thickness is the distance that surfaces keep from each other [m]. No operation brings them closer than it finds
	// them, below this.
	Thickness float64
	Surfaces  []Surface    // meshes: of obstacles, of bodies and of other sheets
	Fields    []geom.Field // shapes, placed in the world
}

// Surface is a mesh in space.
type Surface struct {
	X     []r3.Vec // [m]
	Tri   [][3]int32
	Cloth bool // a sheet, not an obstacle or a body
}

// Counts are what a call has done and what it has refused to do.
type Counts struct {
	Flips, Splits, Collapses int
	Refused                  Refusals
}

// Refusals count operations that the sizes wanted and a guard did not allow.
type Refusals struct {
	Kept     int // a vertex or an edge that stays
	Shape    int // a border or seam would change its shape, a triangle turn over in the material or become too thin
	Crossing int // surfaces would cross or come closer
}

// Operations is how many operations were done.
func (c Counts) Operations() int { return c.Flips + c.Splits + c.Collapses }
