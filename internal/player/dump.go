package player

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
)

// dump writes the contact problems of chosen steps.
type dump struct {
	want    []int // numbers of steps
	folder  *runfolder.Writer
	written []int
	empty   []int // without contacts
	step    int   // that is being taken, 0 if its problem is not wanted
	problem bytes.Buffer
}

// begin has the problem of the next step kept, if it is wanted.
func (d *dump) begin(w *engine.World) {
	d.step = 0
	if next := w.Steps() + 1; slices.Contains(d.want, next) {
		d.step = next
		d.problem.Reset()
		w.DumpNext(&d.problem)
	}
}

// end writes the problem of the step that was taken.
func (d *dump) end(w *engine.World) error {
	if d.step == 0 {
		return nil
	}
	w.DumpNext(nil)
	if d.problem.Len() == 0 {
		d.empty = append(d.empty, d.step)
		return nil
	}
	d.written = append(d.written, d.step)
	return d.folder.WriteProblem(d.step, d.problem.Bytes())
}

// notes says which of the steps have no problem written, and why.
func (d *dump) notes() []string {
	var out []string
	for _, n := range d.want {
		switch {
		case slices.Contains(d.written, n):
		case slices.Contains(d.empty, n):
			out = append(out, fmt.Sprintf("step %d has no contacts, so that there is no contact problem to write", n))
		default:
			out = append(
				out,
				fmt.Sprintf(
					"the contact problem of step %d was not written: the step was not taken in this session, or is a part of one that was halved",
					n,
				),
			)
		}
	}
	return out
}
