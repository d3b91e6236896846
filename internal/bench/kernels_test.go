package bench

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// TestCountsOfTriangle has three rows that are all coupled: 9 blocks, of which L has 3, and one product of them.
func TestCountsOfTriangle(t *testing.T) {
	a := sparse.NewBSR(3, [][2]int32{{0, 1}, {1, 2}, {2, 0}})
	for p := range a.Val {
		a.Val[p] = r3.Diagonal(-1)
	}
	for _, p := range a.Diag {
		a.Val[p] = r3.Diagonal(4)
	}
	want := map[string]Count{
		"product A":    {844, 844, 162},
		"product thin": {844, 844, 162},
		"solve thin":   {1160, 760, 171},
		"factor thin":  {952, 952, 405},
		"solve A":      {1160, 760, 171},
		"factor A":     {952, 952, 405},
		"vectors":      {4032, 936, 405},
		"iteration":    {6036, 2252, 738},
	}
	got := Kernels(&solve.ContactProblem{A: a, B: make([]r3.Vec, 3), Set: &contact.Set{}})
	if len(got) != len(want) {
		t.Errorf("%d kernels, want %d", len(got), len(want))
	}
	for i := range got {
		k := &got[i]
		if k.Count != want[k.Name] {
			t.Errorf("%s counts %+v, want %+v", k.Name, k.Count, want[k.Name])
		}
	}
}

func TestTimedKernels(t *testing.T) {
	store, c := newStore(t), small("[3, 3]")
	if err := store.Make(t.Context(), &c, 1, func(int) {}); err != nil {
		t.Fatal(err)
	}
	path, _, err := store.State(&c)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Problem(t.Context(), &Order{Folder: filepath.Dir(path), State: path, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if p.A.N != 16 || p.Set.Len() < 16 {
		t.Errorf("a sheet of 16 vertices on a floor is a problem of %d blocks and %d contacts", p.A.N, p.Set.Len())
	}
	for _, k := range Kernels(p) {
		for _, workers := range []int{1, 2} {
			watch := k.Watch(workers)
			watch.Round()
			if r := watch.Times(); r.Repeats < 3 || !(r.Best > 0) || r.Median < r.Best || !(r.Cache > 0) {
				t.Errorf("%s with %d workers took %+v", k.Name, workers, r)
			}
		}
	}
}

func TestBodiesHaveNoProblem(t *testing.T) {
	store := newStore(t)
	c := Case{Name: "knee", Scene: "knee", files: func() files { return knee(16) }}
	path, _, err := store.State(&c)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Problem(t.Context(), &Order{Folder: filepath.Dir(path), State: path, Workers: 1})
	if err == nil || !strings.Contains(err.Error(), "no contact problem") {
		t.Errorf("a body gives %v", err)
	}
}
