package scenefile

import (
	"strings"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// MannequinShape is a body of given measures that moves.
type MannequinShape struct {
	Size     string        `json:"size" one:"S M L" doc:"size that measures which are not given are of"`
	Measures *BodyMeasures `json:"measures,omitempty" doc:"single measures, instead of those of the size"`
	Motion   string        `json:"motion" one:"dressing stand twist walk slow-dance fast-dance nod shake-head raise-arm arm-through-chest sit" doc:"what it does, from t = 0 on"`
	Tempo    float64       `json:"tempo" range:"[0.01,10]" doc:"how fast the motion is; 2 is twice as fast"`
	Depth    float64       `json:"depth" dim:"length" range:"[0,0.05]" doc:"how deep the forearm goes into the chest with motion: arm-through-chest"`
	Lead     float64       `json:"lead" dim:"time" range:"[0,1e3]" doc:"time before t = 0 in which it goes from the dressing pose to the first pose of its motion"`
	Hold     float64       `json:"hold" dim:"time" range:"[0,1e3]" doc:"time before t = 0 in which it waits in the first pose"`
	Vertices int           `json:"vertices" range:"[2000,100000]" doc:"about how many vertices it has"`

	placed
	made *shape.Film // once it is asked for
}

// BodyMeasures are measures of a body; those that are not given are those of its size.
type BodyMeasures struct {
	Height   float64 `json:"height,omitempty" dim:"length" doc:"from the floor to the top of the head"`
	Head     float64 `json:"head,omitempty" dim:"length" doc:"around the head above the eyes"`
	Neck     float64 `json:"neck,omitempty" dim:"length" doc:"around the neck"`
	Shoulder float64 `json:"shoulder,omitempty" dim:"length" doc:"width from shoulder point to shoulder point"`
	Chest    float64 `json:"chest,omitempty" dim:"length" doc:"around the chest below the armpits"`
	Waist    float64 `json:"waist,omitempty" dim:"length" doc:"around the waist"`
	Hip      float64 `json:"hip,omitempty" dim:"length" doc:"around the seat"`
	Arm      float64 `json:"arm,omitempty" dim:"length" doc:"from the shoulder point to the wrist"`
	UpperArm float64 `json:"upper-arm,omitempty" dim:"length" doc:"around the upper arm"`
	Wrist    float64 `json:"wrist,omitempty" dim:"length" doc:"around the wrist"`
	Thigh    float64 `json:"thigh,omitempty" dim:"length" doc:"around the thigh below the crotch"`
	Calf     float64 `json:"calf,omitempty" dim:"length" doc:"around the calf"`
	Ankle    float64 `json:"ankle,omitempty" dim:"length" doc:"around the ankle"`
	Inseam   float64 `json:"inseam,omitempty" dim:"length" doc:"from the crotch to the floor"`

	placed
}

func (m *MannequinShape) setDefaults() {
	o := shape.DefaultMotionOptions()
	m.Size, m.Motion, m.Tempo, m.Depth, m.Lead, m.Vertices = "M", "stand", o.Tempo, o.Depth, 1, shape.DefaultVertices
}

func (m *MannequinShape) check(d *decoder) {
	if err := m.measures().Validate(); err != nil {
		for line := range strings.Lines(err.Error()) {
			line = strings.TrimSuffix(line, "\n")
			at := m.at
			if name, _, _ := strings.Cut(line, " "); m.Measures != nil && m.Measures.given(name) {
				at = m.Measures.key(name)
			}
			d.faults.add(at, "%s", line)
		}
	}
	if m.given("depth") && m.Motion != "arm-through-chest" {
		d.faults.add(m.key("depth"), "depth is for motion: arm-through-chest, but the motion is %s", m.Motion)
	}
}

// measures returns the measures of the body.
func (m *MannequinShape) measures() shape.Measures {
	all, err := shape.MeasuresOf(m.Size)
	if err != nil {
		panic("scene: " + err.Error()) // the size is one of the words allowed
	}
	b := m.Measures
	if b == nil {
		return all
	}
	given := map[string]float64{
		"height":    b.Height,
		"head":      b.Head,
		"neck":      b.Neck,
		"shoulder":  b.Shoulder,
		"chest":     b.Chest,
		"waist":     b.Waist,
		"hip":       b.Hip,
		"arm":       b.Arm,
		"upper-arm": b.UpperArm,
		"wrist":     b.Wrist,
		"thigh":     b.Thigh,
		"calf":      b.Calf,
		"ankle":     b.Ankle,
		"inseam":    b.Inseam,
	}
	for _, name := range shape.MeasureNames() {
		if b.given(name) {
			*all.Named(name) = given[name]
		}
	}
	return all
}

// film makes the body and its motion, once.
func (m *MannequinShape) film() (*shape.Film, error) {
	if m.made != nil {
		return m.made, nil
	}
	body, err := shape.NewMannequin(m.measures(), m.Vertices)
	if err != nil {
		return nil, err
	}
	motion, err := shape.MotionOf(m.Motion, shape.MotionOptions{Tempo: m.Tempo, Depth: m.Depth, Body: body})
	if err != nil {
		return nil, err
	}
	m.made = &shape.Film{Body: body, Motion: motion, Lead: m.Lead, Hold: m.Hold}
	return m.made, nil
}

// placedFilm is a moving body in its place.
type placedFilm struct {
	*shape.Film
	scale float64
	pose  r3.Pose
}

// At implements toile.Deformation.
func (p *placedFilm) At(t float64, out []r3.Vec) error {
	if err := p.Film.At(t, out); err != nil {
		return err
	}
	for i, x := range out {
		out[i] = p.pose.Apply(x.Scale(p.scale))
	}
	return nil
}
