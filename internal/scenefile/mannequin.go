package scenefile

import (
	"strings"

	"github.com/toile-sim/toile/internal/mannequin"
)

func (m *MannequinShape) setDefaults() {
	o := mannequin.DefaultMotionOptions()
	m.Size, m.Motion, m.Tempo, m.Depth, m.Lead = "M", "stand", o.Tempo, o.Depth, 1
	m.Vertices = mannequin.DefaultVertices
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
func (m *MannequinShape) measures() mannequin.Measures {
	// measures of the size
	all, err := mannequin.MeasuresOf(m.Size)
	if err != nil {
		panic("scene: " + err.Error()) // the size is one of the words allowed
	}
	b := m.Measures
	if b == nil {
		return all
	}
	// those that the file gives instead
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
	for _, name := range mannequin.MeasureNames() {
		if b.given(name) {
			*all.Named(name) = given[name]
		}
	}
	return all
}

// Film makes the body and its motion, once.
func (m *MannequinShape) Film() (*mannequin.Film, error) {
	if m.made != nil {
		return m.made, nil
	}
	body, err := mannequin.NewMannequin(m.measures(), m.Vertices)
	if err != nil {
		return nil, err
	}
	motion, err := mannequin.MotionOf(m.Motion, mannequin.MotionOptions{Tempo: m.Tempo, Depth: m.Depth, Body: body})
	if err != nil {
		return nil, err
	}
	m.made = &mannequin.Film{Body: body, Motion: motion, Lead: m.Lead, Hold: m.Hold}
	return m.made, nil
}
