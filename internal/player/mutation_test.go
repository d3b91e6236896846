package player

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/solve"
)

// mutate spoils data: cuts it short, flips a bit, loses or doubles some of it, or leaves zeros or an older file's bytes
// where the rest should be, as a write that was cut off would.
func mutate(r *rand.Rand, data, older []byte) []byte {
	at := r.IntN(len(data))
	to := min(len(data), at+1+r.IntN(64))
	switch r.IntN(7) {
	case 0:
		return data[:at]
	case 1:
		data[at] ^= 1 << r.IntN(8)
	case 2:
		clear(data[at:])
	case 3:
		copy(data[at:], older[min(at, len(older)):])
	case 4:
		return append(data[:at:at], data[to:]...)
	case 5:
		return append(data[:to:to], data[at:]...)
	case 6:
		data[at] = byte('0' + r.IntN(10)) // the least that a number can change by
	}
	return data
}

// mutated is a file that is to be damaged, an older one like it to mix in, and how it is read: what is found in it, or
// why it is refused.
type mutated struct {
	path, older string
	read        func() (any, error)
}

// refuseMutations damages each file in as many ways and asks that reading says so, and which file it is, or finds the
// same in it as before.
func refuseMutations(t *testing.T, r *rand.Rand, ways int, files []mutated) {
	t.Helper()
	for _, f := range files {
		name := filepath.Base(f.path)
		good, err := os.ReadFile(f.path)
		if err != nil {
			t.Fatal(err)
		}
		older, err := os.ReadFile(f.older)
		if err != nil {
			t.Fatal(err)
		}
		want, err := f.read()
		if err != nil {
			t.Fatal("refused without a mutation:", err)
		}
		harmless := 0
		for n := 0; n < ways; {
			bad := mutate(r, bytes.Clone(good), older)
			if bytes.Equal(bad, good) {
				continue
			}
			n++
			if err := os.WriteFile(f.path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			switch got, err := f.read(); {
			case err == nil && !reflect.DeepEqual(got, want):
				t.Fatalf("mutation %d of %s is accepted", n, name)
			case err == nil:
				harmless++
			case !strings.Contains(err.Error(), name):
				t.Fatalf("mutation %d of %s: %v, which does not name it", n, name, err)
			}
		}
		if err := os.WriteFile(f.path, good, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Logf("%-16s %d mutations: %d refused, %d change nothing that is read", name, ways, ways-harmless, harmless)
	}
}

// readers returns how the files of a run folder are read.
func readers(t *testing.T, dir string) (manifest, stats, checkpoint func() (any, error), frame func(int) func() (any, error)) {
	t.Helper()
	folder, err := runfolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	manifest = func() (any, error) { f, err := runfolder.Open(dir); return f, err }
	stats = func() (any, error) {
		table, err := folder.Stats()
		if err != nil {
			return nil, err
		}
		// Text, because empty cells are NaN; what no checkpoint vouches for is called so.
		for c := range table.Values {
			table.Values[c] = table.Values[c][:table.Checked]
		}
		return fmt.Sprint(table), nil
	}
	checkpoint = func() (any, error) {
		accept := func(c *runfolder.Checkpoint) error { return new(engine.Snapshot).UnmarshalBinary(c.State) }
		c, skipped, err := folder.Newest(accept)
		if len(skipped) > 0 {
			err = errors.Join(err, skipped[0])
			if _, end := folder.End(); end == nil {
				err = nil // the run must not be called unfinished
			}
		}
		return c, err
	}
	frame = func(n int) func() (any, error) {
		return func() (any, error) {
			again, err := runfolder.Open(dir) // which has not read obstacles.glb yet
			if err != nil {
				return nil, err
			}
			one, err := again.Frame(n)
			_, raw := again.RawReader().Frame(n)
			if (err == nil) != (raw == nil) {
				t.Fatalf("read whole: %v; for the viewer: %v", err, raw)
			}
			return one, err
		}
	}
	return manifest, stats, checkpoint, frame
}

// No mutation of any file of a run is accepted, nor of the files that a run begins with: some dozens of each, or as
// many as TOILE_MUTATIONS says.
func TestMutationsOfARunAreRefused(t *testing.T) {
	ways := countOf(t, "TOILE_MUTATIONS", 40)
	r := rand.New(rand.NewPCG(5, 6))

	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.CopyFS(dir, os.DirFS(sharedContacts(t))); err != nil {
		t.Fatal(err)
	}
	manifest, stats, checkpoint, frame := readers(t, dir)
	problem := func() (any, error) {
		f, err := os.Open(at("problems/000000031.problem"))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		p, err := solve.ReadProblem(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		var again bytes.Buffer
		err = solve.WriteProblem(&again, p)
		return again.Bytes(), err
	}
	refuseMutations(t, r, ways, []mutated{
		{at("run.json"), at("run.json"), manifest},
		{at("stats.csv"), at("stats.csv"), stats},
		{at("frames/000005.glb"), at("frames/000004.glb"), frame(5)},
		{at("obstacles.glb"), at("frames/000000.glb"), frame(5)},
		{at("checkpoints/000000060.ckpt"), at("checkpoints/000000000.ckpt"), checkpoint},
		{at("problems/000000031.problem"), at("problems/000000030.problem"), problem},
	})

	// A run that was killed has rows that no checkpoint vouches for.
	killed := t.TempDir()
	if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(killed, "checkpoints/000000060.ckpt")); err != nil {
		t.Fatal(err)
	}
	_, stats, _, _ = readers(t, killed)
	path := filepath.Join(killed, "stats.csv")
	refuseMutations(t, r, ways, []mutated{{path, path, stats}})
}

// No mutation of what dressing leaves is taken for it: the run says that it dresses again.
func TestMutationsOfDressingAreRefused(t *testing.T) {
	ways := countOf(t, "TOILE_MUTATIONS", 40)
	r := rand.New(rand.NewPCG(7, 8))
	dir := t.TempDir()
	interrupted := func(after int) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		opt := DefaultOptions(dir)
		opt.Dressing = func(dress.Dressing) {
			if after--; after == 0 {
				cancel()
			}
		}
		opt.EachStep = func(*Step, int) { cancel() }
		if _, err := Play(ctx, jobOf(t, dressedScene, 1), opt); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	}
	state := func(name string, get func(*runfolder.Writer) ([]byte, error)) mutated {
		path := filepath.Join(dir, name)
		return mutated{path, path, func() (any, error) {
			folder, err := runfolder.Open(dir)
			if err != nil {
				return nil, err
			}
			w, err := runfolder.Begin(dir, folder.Manifest, false)
			if err != nil {
				return nil, err
			}
			defer w.Close()
			data, err := get(w)
			if err == nil && data == nil {
				err = errors.New(strings.Join(w.Notes, "\n"))
			}
			return data, err
		}}
	}
	interrupted(5)
	refuseMutations(t, r, ways, []mutated{state(runfolder.DressingName, (*runfolder.Writer).Dressing)})
	interrupted(-1)
	refuseMutations(t, r, ways, []mutated{state(runfolder.DressedName, (*runfolder.Writer).Dressed)})

	sewn := &runfolder.Sewn{Dir: t.TempDir()}
	if err := sewn.Put("key", "a skirt", bytes.Repeat([]byte("state"), 1000)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(sewn.Dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	refuseMutations(t, r, ways, []mutated{{files[0], files[0], func() (any, error) {
		data := sewn.Get("key")
		list, err := sewn.List()
		if data == nil && err == nil && list[0].Scene == "(damaged)" {
			err = errors.New(filepath.Base(files[0]))
		}
		return data, err
	}}})
}
