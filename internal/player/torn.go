package player

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// mostTurned is how far a joint may be turned in ways that it does not allow before it counts as open [rad].
const mostTurned = 0.01

// open reports whether what is joined is apart by more than the thickness of contact, or turned.
func open(w *engine.World, distance, angle float64) bool {
	return !(distance <= w.Options().Contact.Thickness) || !(angle <= mostTurned)
}

// openJoint says which joint or attachment is open most, empty if none is.
func openJoint(w *engine.World) string {
	text, most := "", 0.0
	look := func(kind, name string, distance, angle float64) {
		size := max(distance/w.Options().Contact.Thickness, angle/mostTurned)
		if open(w, distance, angle) && (size > most || math.IsNaN(size)) {
			text, most = fmt.Sprintf("%s %s is %.3g mm and %.3g degrees open", kind, name, 1e3*distance, angle*180/math.Pi), size
		}
	}
	for i := range w.Joints() {
		distance, angle := w.JointGap(engine.JointID(i))
		look("joint", w.Joint(engine.JointID(i)).Name, distance, angle)
	}
	for i := range w.Attachments() {
		look("attachment", w.Attachment(engine.AttachmentID(i)).Name, w.AttachmentGap(engine.AttachmentID(i)), 0)
	}
	return text
}

// tornBy looks for joints and attachments that do not hold, such as those of bodies whose motions lead apart, and
// returns a note of the first step in which they do not.
func (p *worldSim) tornBy(s *engine.Stats) (note string) {
	if s.Converged || !open(p.job.World, s.JointGap, s.JointAngle) {
		return ""
	}
	if p.torn++; p.torn > 1 {
		return ""
	}
	return fmt.Sprintf("from step %d at t = %.6g s on something joined does not hold: do motions, pins and other joints contradict it?",
		s.Step, s.Time)
}

// recallTorn counts the steps of earlier sessions in which something joined did not hold.
func (p *worldSim) recallTorn(t *runfolder.Table) {
	gap, angle := t.Column("joint gap"), t.Column("joint angle")
	for row, converged := range t.Column("converged") {
		if converged == 0 && open(p.job.World, gap[row], angle[row]) {
			p.torn++
		}
	}
}

// whatTore says what did not hold, at the end or on the way; empty if all did.
func (p *worldSim) whatTore() string {
	if text := openJoint(p.job.World); text != "" {
		return text + " at the end"
	}
	if p.torn > 0 {
		return fmt.Sprintf("something joined was open in %s", words.Count(p.torn, "step"))
	}
	return ""
}
