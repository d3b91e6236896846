package player

import (
	"context"
	"encoding/json"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
)

// Simulation is what can be played: it advances in steps of its own, its state can be kept and had again to the bit,
// and it can be drawn. Nothing else of it is known here.
type Simulation interface {
	// Settings are what bears on the result and is not in the scene, as JSON, for run.json.
	Settings() (json.RawMessage, error)
	// Columns are the names, with units, of what Step.Cells tells of a step; stats.csv has them after its number, its
	// frame and its time. Those without a unit are whole numbers. Clocks, if there are any, come last.
	Columns() []string

	// Begin does what comes before frame 0, in a run that is not resumed, and returns what a person should know of it.
	// If ctx is cancelled on the way, its error wraps ErrInterrupted, and the next session begins again.
	Begin(ctx context.Context) (notes []string, err error)
	// Advance moves on by h [s], in one step or in several, and tells of each. If ctx is cancelled on the way, it may
	// end with an error; the state is then that in which it began.
	Advance(ctx context.Context, h float64, tell func(*Step)) error
	// Time returns the time reached [s], Steps how many steps led there.
	Time() float64
	Steps() int

	// Hash is equal for equal states.
	Hash() engine.Hash
	// Checkpoint returns the state; Step, Hash and State are filled in, of which Step is Steps.
	Checkpoint() (*runfolder.Checkpoint, error)
	// Restore sets the state to that of a checkpoint, or leaves it and says why it cannot be.
	Restore(c *runfolder.Checkpoint) error
	// Bodies are what frames show, in their order. Only those whose meshes keep their shape need have them.
	Bodies() []runfolder.Body
	// Frame returns what there is to see in the frame of that number, from 0. It is called once for each frame that is
	// written, and the state that is kept is that after it. It may share memory with the simulation and with the next
	// frame.
	Frame(number int) *runfolder.Frame
}

// Step tells how a step went. It is not changed afterwards.
type Step struct {
	Number  int       // from 1; of yarns, the last of several short steps that are told of as one
	Time    float64   // at its end [s]
	Values  []float64 // one for each column, NaN where there is none; nil of cloth, which has its own columns
	Summary string    // of what matters most, for people, such as "23,186 contacts"; empty of cloth
	Notes   []string  // what a person should know, such as a step halved many times

	// World and Stats are those of a job that plays a World; nil in others. The world may be asked for the contacts and
	// forces of the step and must not be changed.
	World *engine.World
	Stats *engine.Stats
}
