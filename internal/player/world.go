package player

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
)

// worldSim plays the world of a job.
type worldSim struct {
	job      *Job
	recorder *runfolder.Recorder // once the world is the one that is played
	open     io.Closer           // what the dressed world reads from
	dump     dump

	crossed      bool // a person has been told of crossings
	safe, forced bool // and of what the fail-safe did, and could not do
	torn         int  // steps of the run in which something joined did not hold
	lost         []engine.BodyLoss
}

// simulation returns what a job plays.
func (j *Job) simulation() Simulation {
	if j.World != nil {
		return &worldSim{job: j}
	}
	return j.Simulation
}

// recordedOptions is what run.json says about settings.
type recordedOptions struct {
	World  worldOptions          `json:"world"`
	Settle *engine.SettleOptions `json:"settle,omitempty"`
}

// worldOptions hides the number of workers, which does not change results.
type worldOptions struct {
	engine.Options
	Workers *struct{} `json:",omitempty"`
}

func (p *worldSim) Settings() (json.RawMessage, error) {
	return json.Marshal(
		recordedOptions{World: worldOptions{Options: p.job.World.Options()}, Settle: p.job.Settle},
	)
}

func (p *worldSim) Columns() []string { return nil }

// close lets the world go, and closes what it reads from if it was dressed.
func (p *worldSim) close() {
	p.job.World.SetContext(context.Background())
	if p.open != nil {
		_ = p.open.Close() // read only
	}
}

func (p *worldSim) Time() float64 { return p.job.World.Time() }

func (p *worldSim) Steps() int { return p.job.World.Steps() }

func (p *worldSim) Hash() engine.Hash { return p.job.World.Snapshot().Hash() }

func (p *worldSim) Checkpoint() (*runfolder.Checkpoint, error) {
	s := p.job.World.Snapshot()
	state, err := s.MarshalBinary()
	return &runfolder.Checkpoint{Step: s.Steps(), Hash: s.Hash(), State: state}, err
}

func (p *worldSim) Restore(c *runfolder.Checkpoint) error {
	var s engine.Snapshot
	if err := s.UnmarshalBinary(c.State); err != nil {
		return err
	}
	if s.Hash() != engine.Hash(c.Hash) || s.Steps() != c.Step {
		return errors.New("its state is not the one it was made of")
	}
	return p.job.World.Restore(&s)
}

func (p *worldSim) Bodies() []runfolder.Body { return p.recorder.Bodies() }

func (p *worldSim) Frame(number int) *runfolder.Frame { return p.recorder.Frame(number) }
