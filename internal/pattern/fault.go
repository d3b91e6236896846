package pattern

import (
	"fmt"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// Fault is one thing wrong with a pattern: what is concerned, as far as it is known, and what to do about it.
type Fault struct {
	Panel string // name of the panel, or empty
	Edge  string // name of the edge, dart or pleat of the panel, or empty
	Seam  string // name of the seam, or empty
	Msg   string
}

// Error says where and what.
func (f *Fault) Error() string {
	var where []string
	if f.Seam != "" {
		where = append(where, "seam "+f.Seam)
	}
	if f.Panel != "" {
		where = append(where, "panel "+f.Panel)
	}
	if f.Edge != "" {
		where = append(where, f.Edge)
	}
	if len(where) == 0 {
		return f.Msg
	}
	return strings.Join(where, ", ") + ": " + f.Msg
}

// Faults is everything wrong with a pattern that one stage of the work can see.
type Faults []*Fault

// Error lists the faults, one a line.
func (l Faults) Error() string {
	lines := make([]string, len(l))
	for i, f := range l {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.As the single faults.
func (l Faults) Unwrap() []error {
	errs := make([]error, len(l))
	for i, f := range l {
		errs[i] = f
	}
	return errs
}

// millimetres shows a length.
func millimetres(l float64) string { return fmt.Sprintf("%.4g mm", 1000*l) }

// showPoint shows a point of a panel.
func showPoint(p r3.Vec2) string { return fmt.Sprintf("(%.4g, %.4g) mm", 1000*p.X, 1000*p.Y) }

// showVec shows a point of space or a direction.
func showVec(v r3.Vec) string { return fmt.Sprintf("(%.4g, %.4g, %.4g)", v.X, v.Y, v.Z) }
