package scenefile

import (
	"encoding/json"

	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// Pose returns the rigid part of the place, which follows on the scaling.
func (p *Place) Pose() r3.Pose {
	pose := r3.Translation(p.Translate.R3())
	if r := p.Rotate; r != nil {
		pose.R = r3.Rotation(r.Axis.R3(), r.Angle)
	}
	return pose
}

// fileMesh is a mesh file that was read.
type fileMesh struct{ *meshio.Mesh }

// Input is a file that a scene was made from.
type Input struct {
	Path   string `json:"path"`   // relative to the folder of the scene, with forward slashes
	SHA256 string `json:"sha256"` // of its bytes, in hexadecimal
}

// Place is where a cloth or an obstacle starts: scaled, then turned about the origin, then moved.
type Place struct {
	Scale     float64 `json:"scale" range:"[1e-6,1e6]" doc:"size, of the rest shape too"`
	Rotate    *Rotate `json:"rotate,omitempty" doc:"rotation about the origin"`
	Translate Vec     `json:"translate" dim:"length" range:"[-1e6,1e6]" doc:"shift after scaling and turning"`
}

// Rotate is a rotation about an axis through a center that is given elsewhere.
type Rotate struct {
	Axis  Vec     `json:"axis" need:"yes" range:"[-1e6,1e6]" doc:"direction of the axis, of any length but zero"`
	Angle float64 `json:"angle" need:"yes" dim:"angle" range:"[-1e6,1e6]" doc:"how far, counter-clockwise seen against the axis"`

	placed
}

// Select names vertices: the word corners or boundary, or a mapping with one key. Places are those of
// the start, after placing.
type Select struct {
	Word   string  `json:"-"`
	Box    *Box    `json:"box,omitempty" doc:"vertices in a box"`
	Sphere *Sphere `json:"sphere,omitempty" doc:"vertices in a ball"`
	Group  string  `json:"group,omitempty" doc:"a named group of the mesh file"`
	IDs    []int   `json:"ids,omitempty" range:"[0,2e9]" len:"[1,1000000]" doc:"vertex numbers from 0"`
	Near   *Vec    `json:"near,omitempty" dim:"length" range:"[-1e6,1e6]" doc:"the one vertex nearest to a point"`

	Map     string   `json:"map,omitempty" doc:"vertices where an image (.png, .jpg) over the UVs of the cloth, or an attribute of its file, is above a value"`
	Above   *float64 `json:"above,omitempty" range:"[0,1]" doc:"with map: the value, of 0 (black) to 1 (white); 0.5 by default"`
	Channel string   `json:"channel,omitempty" one:"luminance red green blue alpha" doc:"with map: which part of a colour is taken; luminance by default"`

	placed
	source mapSource
}

// Box is an axis-aligned box.
type Box struct {
	Min Vec `json:"min" need:"yes" dim:"length" range:"[-1e6,1e6]" doc:"lower corner"`
	Max Vec `json:"max" need:"yes" dim:"length" range:"[-1e6,1e6]" doc:"upper corner"`

	placed
}

// Sphere is a ball.
type Sphere struct {
	Center Vec     `json:"center" need:"yes" dim:"length" range:"[-1e6,1e6]" doc:"center"`
	Radius float64 `json:"radius" need:"yes" dim:"length" range:"[0,1e6]" doc:"radius"`
}

// Motion is a keyframed motion: a list of keys, or a mapping.
type Motion struct {
	About  Vec   `json:"about" dim:"length" range:"[-1e6,1e6]" doc:"the point that rotations turn about"`
	Smooth bool  `json:"smooth" doc:"start and stop softly at every key instead of moving evenly in between"`
	Keys   []Key `json:"keys" need:"yes" len:"[1,100000]" doc:"where the motion is and when; held before the first key and after the last"`

	placed
}

// Key is where a motion is at one moment.
type Key struct {
	At        float64 `json:"at" need:"yes" dim:"time" range:"[-1e6,1e6]" doc:"when"`
	Translate Vec     `json:"translate" dim:"length" range:"[-1e6,1e6]" doc:"shift from the start"`
	Rotate    *Rotate `json:"rotate,omitempty" doc:"rotation from the start, about the motion's point"`

	placed
}

// Vec is a vector of the file.
type Vec [3]float64

// R3 returns v as a vector of space.
func (v Vec) R3() r3.Vec { return r3.V(v[0], v[1], v[2]) }

// MarshalJSON writes a selection the way a scene file does.
func (s Select) MarshalJSON() ([]byte, error) {
	if s.Word != "" {
		return json.Marshal(s.Word)
	}
	type mapping Select
	return json.Marshal(mapping(s))
}
