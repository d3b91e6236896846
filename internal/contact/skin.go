package contact

import (
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/smooth"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/r3"
)

// Skins: what detection, the certificate and untangling see of bodies and obstacles.
//
// A skin is made of points, and of features between them: triangles, and free edges and free points, which belong to no
// triangle, such as the axis of a capsule or a point mass. Points, not blocks of unknowns, have positions, thickness
// and friction. What moves a point is one of three things:
//
//   - it is a block: the vertices of a cloth, or of a solid;
//   - several blocks carry it: the two of a rigid body, the four of a tetrahedron that it is embedded in, the control
//     points of a smooth surface. The velocity of the point is Σ M v over its carriers;
//   - its motion is prescribed, perhaps riding on a block, as a press does. Such a skin is an obstacle; where nothing
//     is said, skins in this package are those that move.
//
// Points are numbered for all bodies together. Point p below the number of blocks is block p, whether some skin has it
// or not; carried points follow. So where every point is a block, the positions of the points are those of the blocks,
// and nothing is copied. Points of prescribed skins have no numbers here: their positions come with the skin.
//
// Search works on points alone. Carriers come in when a contact is written: its row has W E M at each block that
// carries a point of weight W, with E the frame, and the terms of one block are added up.

// Skin is a surface of points, or a shape. The slices of a skin must not change until the step has ended.
type Skin struct {
	Surface int32

	// Of points. Features name them by their place in the skin, from 0.
	Tri    [][3]int32
	Edges  [][2]int32 // free edges
	Dots   []int32    // free points
	Points int        // how many points there are; those that no feature has are not looked at
	First  int32      // point i of the skin is point First+i of the motion

	// Made is where its points were when it was made, up to a motion as a whole [m]: from it comes what must not depend
	// on when detection first saw the skin, its size and which side of it is inside. nil: from the first motion.
	Made []r3.Vec

	// What carries its points; empty if point First+i is block First+i.
	Carriers Carriers

	// Rest tells neighbours from layers where the skin comes near itself. One that does not touch itself needs none: a
	// rigid skin, or one with NoSelfContact, whose body looks after that by other means.
	Rest          RestLengths
	Rigid         bool
	NoSelfContact bool

	// Radius makes the free edges and free points of a skin that does not touch itself round: capsules and balls
	// (round.go) [m].
	Radius float64

	// Smooth has points of other skins meet the smooth surface of its triangles in place of these (smooth.go); nil:
	// they meet the triangles. It must be the same pointer in every step.
	Smooth *smooth.Options

	// Of a skin that is only moved, which has either a Field, or X0 and X1 in place of points of the motion.
	Field    geom.Field // the shape in its own axes
	X0, X1   []r3.Vec   // positions at the start and at the end, without the motion of Block [m]
	From, To r3.Pose    // where its axes are at the start and at the end of the step, without the motion of Block
	Deforms  bool       // X1 is not the rigid motion To∘From⁻¹ of X0
	Block    int32      // a block whose velocity is added to that motion (a press), or None
	Friction []float64  // its own coefficient: by point, of a shape one number; nil: none
}

// Prescribed tells a skin that is only moved from one that takes part in the solve.
func (s *Skin) Prescribed() bool { return s.Field != nil || s.X0 != nil }

// TouchesItself reports whether points of the skin may touch others of it.
func (s *Skin) TouchesItself() bool { return !s.Rigid && !s.NoSelfContact }

// MadeAt returns where the points of the skin were when it was made; if it does not say, where they are now.
func (s *Skin) MadeAt(now []r3.Vec) []r3.Vec {
	if s.Made == nil {
		return now
	}
	return s.Made
}

// Carriers are the blocks that carry the points of a skin: those of its point i are By[Start[i]:Start[i+1]].
type Carriers struct {
	Start []int32
	By    []Carrier
}

// Carrier is a block that carries a point: it adds M times its velocity to that of the point. Of a point at the lever p
// of a rigid body these are 1 at the velocity of the body and −[p]×/ρ at its spin ρ ω; of one in a tetrahedron w 1 at
// each corner. They are those of the start of the step.
type Carrier struct {
	Block int32
	M     r3.Mat
	// PerLength is 1/ρ of a block that is a spin [1/m], which moves a place d from the point by −[d]×/ρ more; 0 for
	// others.
	PerLength float64
}

// Share is the part of the point's translation that a carrier stands for.
func (c *Carrier) Share() float64 { return c.M.Trace() / 3 }

// RestLengths knows the edges of a skin at rest. Its dynamic type must be comparable: skins with the same one, and the
// same features, are taken for the same.
type RestLengths interface {
	// RestLength returns the length of the side opposite to a corner of triangle i; from len(Tri) on, of a free edge,
	// whose corner is 2 [m].
	RestLength(i, corner int) float64
}

// flat is a mesh as it was cut.
type flat struct{ *mesh.Mesh }

func (m flat) RestLength(i, corner int) float64 {
	v := m.Corner[i]
	return m.Material[v[(corner+2)%3]].Sub(m.Material[v[(corner+1)%3]]).Norm()
}

// ClothSkin returns the skin of a cloth whose vertex i is block first+i.
func ClothSkin(surface, first int32, m *mesh.Mesh) Skin {
	return Skin{Surface: surface, First: first, Points: m.Verts, Tri: m.Tri, Rest: flat{m}}
}

// Share is the weight of a point: in a feature they add up to 1; in a contact, positive on side A and negative on B.
type Share struct {
	Point int32
	W     float64
}

// Motion is one step as detection sees it.
type Motion struct {
	H, Theta float64 // length [s], and weight of the end velocity, in (0, 1]
	// X0, V0 and X1 are, by point, the start [m], the start velocity [m/s] and the predicted (or solved) end [m]. Of a
	// block that an obstacle rides on only X1−X0 and V0 matter.
	X0, V0, X1 []r3.Vec
	// Fixed tells points that do not give way; nil: none. Contacts between such, or of one with an obstacle that rides
	// on no block, are not wanted.
	Fixed []bool
}

// Past is a contact of the last committed step.
type Past struct {
	ID        ID
	Normal    r3.Vec
	Node      int32   // block of its first side
	Prevented float64 // how much nearer its sides would have come without its impulse [m]
}
