package scenefile

import (
	"encoding/json"

	"github.com/toile-sim/toile/internal/knit"
	"github.com/toile-sim/toile/meshio"
)

// The types of a scene file that are about yarns. Tags as in types.go.

// YarnPiece is a knitted piece, or the yarns of a file.
type YarnPiece struct {
	Name       string    `json:"name" need:"yes" pattern:"name" doc:"letters, digits, - and _; each body and obstacle its own"`
	Pattern    string    `json:"pattern,omitempty" doc:"its stitches by name: stockinette, garter, seed, moss, rib 2x2, basket 4x4"`
	Chart      string    `json:"chart,omitempty" pattern:"chart" doc:"its stitches in rows of k and p, the last course on top; repeated to the sides and upwards"`
	File       string    `json:"file,omitempty" doc:"yarns as they are in a file (.bcc) in the folder of the scene"`
	Up         string    `json:"up,omitempty" one:"y z" doc:"the axis that is up in the file; by default as the file says"`
	Unit       float64   `json:"unit,omitempty" dim:"length" range:"[1e-6,1e6]" doc:"length of one unit of the file, 1 m by default"`
	Size       *[2]int   `json:"size,omitempty" range:"[1,1000000]" doc:"number of wales, which are the columns of loops, and of courses, the rows; by default that of the chart"`
	Form       string    `json:"form,omitempty" one:"flat courses tube helix" doc:"flat: one yarn to and fro, the default; courses: flat, with a yarn for each course; tube: courses are rings; helix: a tube of one yarn"`
	Open       []string  `json:"open,omitempty" one:"bottom top" len:"[0,2]" doc:"edges without the thread that holds their loops"`
	Place      Place     `json:"place" doc:"where it starts"`
	Yarn       YarnKind  `json:"yarn" doc:"what it is knitted from: the name of a preset, or a mapping"`
	Rest       string    `json:"rest" one:"straight laid" doc:"the shape without bending forces: straight yarn, or as it is laid"`
	LoopLength float64   `json:"loop-length,omitempty" dim:"length" range:"[1e-4,1]" doc:"yarn in a loop, that all loops get; by default as they are laid"`
	Ease       float64   `json:"ease,omitempty" dim:"time" range:"[0,100]" doc:"time in which loops get their length, 0.2 s by default"`
	Pins       []YarnPin `json:"pins,omitempty" len:"[0,10000]" doc:"points that are held or moved"`

	placed
	chart  *knit.Chart
	curves *meshio.Curves // of a file
	made   *knit.Fabric   // of a chart, in its own axes
}

// YarnKind is what yarns are made of and how their contact is computed: a preset, changed where wanted.
type YarnKind struct {
	Preset    string       `json:"preset" one:"kaldor worsted" doc:"the yarn to start from; the other keys replace its figures"`
	Radius    *float64     `json:"radius,omitempty" dim:"length" range:"[1e-5,0.1]" doc:"half its diameter"`
	Density   *float64     `json:"density,omitempty" dim:"linear-density" range:"[1e-7,100]" doc:"mass of a metre"`
	Bend      *float64     `json:"bend,omitempty" dim:"flexural-rigidity" range:"[0,1]" doc:"moment over curvature"`
	Twist     *float64     `json:"twist,omitempty" dim:"flexural-rigidity" range:"[0,1]" doc:"torque over twist by length"`
	Contact   *float64     `json:"contact,omitempty" dim:"stiffness" range:"(0,1e6]" doc:"stiffness of the repulsion between yarns"`
	Friction  *float64     `json:"friction,omitempty" range:"[0,100]" doc:"coefficient of friction of yarn on yarn; that with obstacles is of the scene"`
	Plastic   *Plasticity  `json:"plastic,omitempty" doc:"how its rest shape follows its shape; none: it never does"`
	Damping   *YarnDamping `json:"damping,omitempty" doc:"what slows it down"`
	Model     string       `json:"model" one:"sets linear pairs" doc:"contact forces: exact ones of contact sets, linear models of these, or exact ones of pairs of segments, without friction"`
	Tolerance *float64     `json:"tolerance,omitempty" range:"[0,1]" doc:"with model: linear: how far a model may deform before it is made anew, 0.04 by default"`

	placed
}

// Plasticity is how the rest shape of a yarn follows its shape. Angles are those between segments.
type Plasticity struct {
	Yield float64 `json:"yield" need:"yes" dim:"angle" range:"[0,10]" doc:"angle that the shape may be away from the rest shape, which follows beyond"`
	Most  float64 `json:"most" need:"yes" dim:"angle" range:"[0,10]" doc:"largest angle of the rest shape"`

	placed
}

// YarnDamping is what slows yarns down.
type YarnDamping struct {
	Rate     *float64 `json:"rate,omitempty" dim:"rate" range:"[0,1e6]" doc:"share of the motion within a block of 4 by 4 loops that is lost in a second; the motion of the block as a whole is kept"`
	Constant *float64 `json:"constant,omitempty" dim:"acceleration" range:"[0,1e6]" doc:"such motion is slowed down by so much at the least"`
	Normal   *float64 `json:"normal,omitempty" dim:"contact-damping" range:"[0,1e9]" doc:"against yarns that come closer to each other"`
	Tangent  *float64 `json:"tangent,omitempty" dim:"contact-damping" range:"[0,1e9]" doc:"against yarns that slide on each other"`
}

// YarnPin holds points of yarns.
type YarnPin struct {
	Select YarnSelect `json:"select" need:"yes" doc:"which points"`
	Motion string     `json:"motion,omitempty" doc:"name of a motion; without one the points stay"`

	placed
}

// YarnSelect names control points of yarns: a word, or a mapping with one key. Places are those of the start, after
// placing.
type YarnSelect struct {
	Word   string  `json:"-"`
	Box    *Box    `json:"box,omitempty" doc:"points in a box"`
	Sphere *Sphere `json:"sphere,omitempty" doc:"points in a ball"`
	Near   *Vec    `json:"near,omitempty" dim:"length" range:"[-1e6,1e6]" doc:"the one point nearest to a place"`
	IDs    []int   `json:"ids,omitempty" range:"[0,2e9]" len:"[1,1000000]" doc:"numbers of control points from 0, along one yarn after the other"`

	placed
}

// MarshalJSON writes a selection the way a scene file does.
func (s YarnSelect) MarshalJSON() ([]byte, error) {
	if s.Word != "" {
		return json.Marshal(s.Word)
	}
	type mapping YarnSelect
	return json.Marshal(mapping(s))
}
