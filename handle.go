package toile

import (
	"fmt"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/r3"
)

// HandleSpec holds vertices of a cloth or of a soft body and moves them like one rigid thing. Without a limit the
// vertices are exactly where the handle is; with one they are drawn there by a force of at most that size.
type HandleSpec struct {
	Name     string
	On       Deformable
	Vertices []int32
	Path     *Path                   // where it goes; nil: it stays until MoveTo
	Guide    func(t float64) r3.Pose // where it goes at a time [s], instead of a path; nil: none
	Follow   *Follow                 // an obstacle that it rides on instead; nil: none
	Limit    *ForceLimit             // nil: exact
}

// ForceLimit makes a handle weak. Each of its n vertices is drawn by a spring of Stiffness/n whose force is at most
// Force/n: pulled further away, it slips.
type ForceLimit struct {
	Force     float64 // of the whole handle, at most [N]
	Stiffness float64 // of the whole handle [N/m]
	// ForceAt and StiffnessAt, unless nil, say for each vertex of the handle what the whole handle would have if all
	// its vertices were like that one.
	ForceAt, StiffnessAt []float64
}

// Follow makes a handle ride on an obstacle, which must not be a press.
type Follow struct {
	Obstacle *Obstacle
	Gap      *float64 // the distance from the surface that is wanted [m], which needs a limit; nil: as it is
}

// Handle is a handle in a world.
type Handle struct {
	w    *World
	name string
	id   engine.HandleID
}

// AddHandle adds a handle. Its vertices are taken where they are now.
func (w *World) AddHandle(spec HandleSpec) (*Handle, error) {
	h := engine.Handle{Name: spec.Name, Vertices: spec.Vertices, Path: spec.Path.engine(), Guide: spec.Guide}
	if err := w.owned(fmt.Sprintf("handle %q", spec.Name), spec.On); err != nil {
		return nil, err
	}
	h.Cloth, h.Body = spec.On.bearer()
	if f := spec.Follow; f != nil {
		if f.Obstacle == nil {
			return nil, fmt.Errorf("handle %q follows nothing", spec.Name)
		}
		if err := w.owned(fmt.Sprintf("handle %q", spec.Name), f.Obstacle); err != nil {
			return nil, err
		}
		h.Follow = &engine.Follow{Obstacle: f.Obstacle.id, Gap: f.Gap}
	}
	if l := spec.Limit; l != nil {
		limit := engine.ForceLimit(*l)
		h.Limit = &limit
	}
	id, err := w.e.AddHandle(h)
	if err != nil {
		return nil, err
	}
	return &Handle{w: w, name: spec.Name, id: id}, nil
}

// Name returns the name that it was added with.
func (h *Handle) Name() string { return h.name }

// MoveTo says where it is to be at the end of the next step or Advance: pose maps the place where each vertex was when
// the handle was added. It ends a path that it was on. It panics if the handle follows an obstacle.
func (h *Handle) MoveTo(pose r3.Pose) { h.w.e.MoveHandle(h.id, pose) }

// Release lets go of its vertices for good.
func (h *Handle) Release() { h.w.e.Release(h.id) }

// Force returns the force that it exerted on its vertices in the last step [N].
func (h *Handle) Force() r3.Vec { return h.w.e.HandleForce(h.id) }

// Slipping returns how many of its vertices are pulled with the most force that its limit allows, and so are left
// behind; 0 for an exact handle. It loses none of them: it goes on pulling. To let them drop, Release it, or Drive
// Holds below 0.5.
func (h *Handle) Slipping() int { return h.w.e.HandleSlips(h.id) }

// LoadSpec is a force that vertices share equally, on top of what SetForce applies.
type LoadSpec struct {
	Name     string
	On       Deformable
	Vertices []int32
	Force    r3.Vec // all of them together [N]
}

// Load is a load in a world. Drive changes it over time.
type Load struct {
	w  *World
	id engine.LoadID
}

// AddLoad adds a load.
func (w *World) AddLoad(spec LoadSpec) (*Load, error) {
	if err := w.owned(fmt.Sprintf("load %q", spec.Name), spec.On); err != nil {
		return nil, err
	}
	l := engine.Load{Name: spec.Name, Vertices: spec.Vertices, Force: spec.Force}
	l.Cloth, l.Body = spec.On.bearer()
	id, err := w.e.AddLoad(l)
	if err != nil {
		return nil, err
	}
	return &Load{w: w, id: id}, nil
}
