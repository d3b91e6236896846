package player

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// falling is the least that can be played: a yarn of two points that falls, in two steps for each that is asked for.
type falling struct {
	time, height, speed float64
	steps               int
	begun               *int // counts calls of Begin
}

func (f *falling) Settings() (json.RawMessage, error) {
	return json.RawMessage(`{"gravity":9.81}`), nil
}

func (f *falling) Columns() []string {
	return []string{"points", "height [m]", "bounce [m]", "clock step [s]"}
}

func (f *falling) Begin(context.Context) ([]string, error) {
	*f.begun++
	return []string{"it begins"}, nil
}

func (f *falling) Advance(_ context.Context, h float64, tell func(*Step)) error {
	for range 2 {
		f.speed -= 9.81 * h / 2
		f.height += f.speed * h / 2
		f.time += h / 2
		f.steps++
		s := &Step{Number: f.steps, Time: f.time, Values: []float64{2, f.height, math.NaN(), 0.25}, Summary: "falls"}
		if f.height < -100 {
			return errors.New("too deep")
		}
		if f.steps == 3 {
			s.Notes = []string{"the third step"}
		}
		tell(s)
	}
	return nil
}

func (f *falling) Time() float64 { return f.time }

func (f *falling) Steps() int { return f.steps }

func (f *falling) state() []byte {
	var b []byte
	for _, x := range []float64{f.time, f.height, f.speed, float64(f.steps)} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

func (f *falling) Hash() engine.Hash { return engine.Hash(f.state()[8:24]) }

func (f *falling) Checkpoint() (*runfolder.Checkpoint, error) {
	return &runfolder.Checkpoint{Step: f.steps, Hash: f.Hash(), State: f.state()}, nil
}

func (f *falling) Restore(c *runfolder.Checkpoint) error {
	if len(c.State) != 32 {
		return errors.New("not a state")
	}
	var x [4]float64
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(c.State[8*i:]))
	}
	f.time, f.height, f.speed, f.steps = x[0], x[1], x[2], int(x[3])
	return nil
}

func (f *falling) Bodies() []runfolder.Body { return nil }

func (f *falling) Frame(number int) *runfolder.Frame {
	return &runfolder.Frame{
		Number: number, Time: f.time, Step: f.steps, Hash: f.Hash().String(),
		Bodies: []runfolder.Body{runfolder.YarnsOf(&meshio.Curves{
			Name: "yarn", Points: []r3.Vec{r3.V(0, 0, f.height), r3.V(1, 0, f.height)},
			Counts: []int32{2}, Closed: []bool{false}, Radius: 0.01,
		})},
	}
}

func fallingJob(begun *int) Job {
	return Job{
		Simulation: &falling{begun: begun}, Name: "falling", Scene: json.RawMessage(`{"falls":true}`),
		FPS: 10, Step: 0.02, End: 1,
	}
}

// What is no cloth is played with the same code: interrupted after every few steps and resumed, it comes out the same.
func TestPlaysAnySimulation(t *testing.T) {
	want, begun := t.TempDir(), 0
	var notes []string
	opt := DefaultOptions(want)
	opt.Progress = func(p Progress) {
		if p.Note != "" {
			notes = append(notes, p.Note)
		}
	}
	sum, err := Play(context.Background(), fallingJob(&begun), opt)
	if err != nil || sum.Frames != 11 || sum.Steps != 100 || !sum.Complete {
		t.Fatal(sum, err)
	}
	if !slices.Equal(sum.Notes, []string{"it begins"}) || !slices.Equal(notes, []string{"the third step"}) {
		t.Errorf("notes %q and %q", sum.Notes, notes)
	}
	dir, sessions := t.TempDir(), 0
	for begun = 0; ; sessions++ {
		ctx, cancel := context.WithCancel(context.Background())
		opt := DefaultOptions(dir)
		left := 7
		opt.EachStep = func(*Step, int) {
			if left--; left == 0 {
				cancel()
			}
		}
		_, err := Play(ctx, fallingJob(&begun), opt)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	}
	if begun != 1 || sessions < 10 {
		t.Errorf("it began %d times in %d sessions", begun, sessions)
	}
	sameFolder(t, want, dir)
	if d, err := Diff(want, dir); err != nil || !d.Same {
		t.Error(d, err)
	}
	folder, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := folder.Stats()
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows() != 100 || table.Column("height")[99] > -4 || !math.IsNaN(table.Column("bounce")[3]) {
		t.Errorf("%d rows, the last at %v", table.Rows(), table.Column("height"))
	}
}

// breaking fails in the middle of a step in which the run is interrupted, too.
type breaking struct {
	*falling
	interrupt func()
	broken    error
}

func (b *breaking) Advance(ctx context.Context, h float64, tell func(*Step)) error {
	b.interrupt()
	b.height -= 1
	return b.broken
}

// A failure is told even if the run was interrupted at the same time, and the state in which it failed is not kept.
func TestFailureIsNoInterruption(t *testing.T) {
	for _, c := range []struct{ broken, want error }{
		{io.ErrUnexpectedEOF, io.ErrUnexpectedEOF}, {fmt.Errorf("stopped: %w", context.Canceled), ErrInterrupted},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		begun := 0
		job := fallingJob(&begun)
		job.Simulation = &breaking{falling: &falling{begun: &begun}, interrupt: cancel, broken: c.broken}
		if _, err := Play(ctx, job, DefaultOptions(t.TempDir())); !errors.Is(err, c.want) {
			t.Errorf("%v: %v", c.broken, err)
		}
		cancel()
	}
}

func TestJobsOfOneSimulation(t *testing.T) {
	begun := 0
	both := testJob(t, 1)
	both.Simulation = fallingJob(&begun).Simulation
	for name, job := range map[string]Job{"both": both, "none": {FPS: 1, Step: 1, Scene: json.RawMessage("{}")}} {
		if _, err := Play(context.Background(), job, DefaultOptions(t.TempDir())); err == nil ||
			!strings.Contains(err.Error(), "either a world or another simulation") {
			t.Errorf("%s: %v", name, err)
		}
	}
	opt := DefaultOptions(t.TempDir())
	opt.Dump = []int{1}
	if _, err := Play(context.Background(), fallingJob(&begun), opt); err == nil ||
		!strings.Contains(err.Error(), "no contact problems") {
		t.Error(err)
	}
}
