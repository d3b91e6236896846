package verify_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/r3"
)

var states = flag.String("states", "", "folder of saved states, for TestOneStep")

// savedStep is a state and the step that one version of the program took from it.
type savedStep struct {
	State     []byte
	V         [][]r3.Vec // by cloth
	Residual  float64
	Crossings int
}

// TestOneStep compares two versions of the program where a change of arithmetic changes golden hashes: the first that
// runs writes the states of all golden scenes before their last step, and what that step leads to; the second takes the
// same step from the same states and reports how much the velocities differ.
//
//	go test ./internal/verify -run TestOneStep -states DIR -v
func TestOneStep(t *testing.T) {
	if *states == "" {
		t.Skip("needs -states")
	}
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			file := filepath.Join(*states, strings.ReplaceAll(g.name, " ", "-")+".gob")
			c := verify.Case{ID: "one step", Body: func(tr *verify.Trial) { g.oneStep(t, tr, file) }}
			if r := c.Run(context.Background(), verify.Options{Workers: 1}); r.Err != "" {
				t.Fatal(r.Err)
			}
		})
	}
}

func (g *golden) oneStep(t *testing.T, tr *verify.Trial, file string) {
	w, move := g.make(tr)
	data, err := os.ReadFile(file)
	written := err == nil
	var saved savedStep
	if written {
		tr.Must(gob.NewDecoder(bytes.NewReader(data)).Decode(&saved))
		var state engine.Snapshot
		tr.Must(state.UnmarshalBinary(saved.State))
		tr.Must(w.Restore(&state))
	} else {
		for k := range g.steps - 1 {
			if move != nil {
				move(k + 1)
			}
			tr.Must(w.Advance(g.h, g.h, nil))
		}
		saved.State, err = w.Snapshot().MarshalBinary()
		tr.Must(err)
	}
	if move != nil {
		move(g.steps)
	}
	stats, err := w.Step(g.h)
	tr.Must(err)
	if !written {
		for id := range engine.ClothID(w.Cloths()) {
			saved.V = append(saved.V, append([]r3.Vec(nil), w.Velocities(id)...))
		}
		saved.Residual, saved.Crossings = stats.Residual, stats.Crossings
		out, err := os.Create(file)
		tr.Must(err)
		tr.Must(gob.NewEncoder(out).Encode(saved))
		tr.Must(out.Close())
		return
	}
	most := 0.0
	for id := range engine.ClothID(w.Cloths()) {
		v := w.Velocities(id)
		if len(v) != len(saved.V[id]) {
			t.Errorf("cloth %d has %d vertices, before %d", id, len(v), len(saved.V[id]))
			continue
		}
		for i := range v {
			most = max(most, v[i].Sub(saved.V[id][i]).Norm())
		}
	}
	t.Logf("velocities differ by %.2g m/s; residual %.2g, before %.2g m/s; crossings %d, before %d",
		most, stats.Residual, saved.Residual, stats.Crossings, saved.Crossings)
}
