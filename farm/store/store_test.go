package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/toile-sim/toile/farm/internal/servers"
)

const key = "0123456789abcdef"

// onEach runs a test on a folder and, if there is one, on a real S3.
func onEach(t *testing.T, test func(t *testing.T, open func() *Store)) {
	t.Run("file", func(t *testing.T) {
		dir := t.TempDir()
		test(t, opener(t, "file://"+dir+"?prefix=tenant"))
	})
	t.Run("s3", func(t *testing.T) {
		if _, err := servers.Find("versitygw"); err != nil {
			t.Skip("no versitygw; bash farm/real servers builds it")
		}
		port, err := servers.FreePort()
		if err != nil {
			t.Fatal(err)
		}
		s3, err := servers.S3(t.TempDir(), port)
		if err != nil {
			t.Fatal(err)
		}
		if err := s3.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s3.Kill)
		for _, v := range servers.S3Environment() {
			name, value, _ := strings.Cut(v, "=")
			t.Setenv(name, value)
		}
		test(t, opener(t, servers.S3Address(s3, "tenant")))
	})
}

func opener(t *testing.T, address string) func() *Store {
	return func() *Store {
		s, err := Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
}

func write(t *testing.T, folder, name, text string) {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestFilesComeBackOrAreRefused(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *Store) {
		s, ctx, folder := open(), t.Context(), t.TempDir()
		for _, text := range []string{"", "short", strings.Repeat("long", worthAsking/3)} {
			write(t, folder, "in", text)
			f, err := s.PutFile(ctx, filepath.Join(folder, "in"), "sub/out")
			if err != nil {
				t.Fatal(err)
			}
			if err := s.GetFile(ctx, f, folder); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(folder, "sub", "out")); err != nil || string(got) != text {
				t.Errorf("%d bytes came back as %d, %v", len(text), len(got), err)
			}
			poison := []byte(strings.Repeat("x", len(text)))
			if len(text) == 0 {
				poison = []byte("x")
			}
			if err := s.write(ctx, f.blob(), poison); err != nil {
				t.Fatal(err)
			}
			f.Name = "poisoned"
			if err := s.GetFile(ctx, f, folder); !errors.Is(err, ErrPoisoned) {
				t.Errorf("a poisoned blob of %d bytes gives %v", len(text), err)
			}
			if _, err := os.Stat(filepath.Join(folder, "poisoned")); err == nil {
				t.Error("a poisoned blob was written to its place")
			}
		}
	})
}

func TestHostileManifestsAreRefused(t *testing.T) {
	s, ctx := opener(t, "file://"+t.TempDir())(), t.Context()
	hash := strings.Repeat("0", 64)
	for name, text := range map[string]string{
		"not JSON":         `{`,
		"another run":      `{"key":"ffffffffffffffff"}`,
		"leads up":         `{"key":"` + key + `","files":[{"name":"../x","sha256":"` + hash + `"}]}`,
		"absolute":         `{"key":"` + key + `","files":[{"name":"/etc/x","sha256":"` + hash + `"}]}`,
		"no hash":          `{"key":"` + key + `","files":[{"name":"x","sha256":"../../x"}]}`,
		"negative size":    `{"key":"` + key + `","files":[{"name":"x","size":-1,"sha256":"` + hash + `"}]}`,
		"huge size, empty": `{"key":"` + key + `","files":[{"name":"x","size":1e30,"sha256":"` + hash + `"}]}`,
	} {
		if err := s.write(ctx, "runs/"+key, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Run(ctx, key); !errors.Is(err, ErrPoisoned) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, bad := range []string{"", "../../etc", "UPPER123", "a/b/c/d/e", strings.Repeat("a", 200)} {
		if _, _, err := s.Run(ctx, bad); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("the key %q was taken: %v", bad, err)
		}
	}
}

func TestOneManifestStays(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *Store) {
		ctx := t.Context()
		for round := range 10 {
			key := fmt.Sprintf("%s%02d", key, round)
			hashes := make([]string, 20)
			var group sync.WaitGroup
			for i := range hashes {
				s := open()
				group.Go(func() {
					var err error
					if hashes[i], err = s.PutRun(ctx, &Manifest{Key: key, Stamp: fmt.Sprint(i)}); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			_, want, err := open().Run(ctx, key)
			if err != nil {
				t.Fatal(err)
			}
			for i, h := range hashes {
				if h != want {
					t.Errorf("writer %d was told of manifest %.8s; %.8s stays", i, h, want)
				}
			}
		}
	})
}

func TestNewestTwoCheckpointsAreKept(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *Store) {
		s, ctx := open(), t.Context()
		for _, step := range []int{9, 10, 1000, 101, 5} {
			if err := s.PutCheckpoint(ctx, &Manifest{Key: key, Stamp: "build", Step: step}); err != nil {
				t.Fatal(err)
			}
		}
		found, _, err := s.Checkpoints(ctx, key, "build")
		if err != nil || len(found) != 2 || found[0].Step != 1000 || found[1].Step != 101 {
			t.Errorf("kept %v, %v", found, err)
		}
		if found, _, err = s.Checkpoints(ctx, key, "another build"); err != nil || len(found) != 0 {
			t.Errorf("another build is offered %v, %v", found, err)
		}
		if err := s.RemoveCheckpoints(ctx, key); err != nil {
			t.Fatal(err)
		}
		if found, _, err = s.Checkpoints(ctx, key, "build"); err != nil || len(found) != 0 {
			t.Errorf("after removal: %v, %v", found, err)
		}
	})
}

func TestUnchangedFilesAreSkipped(t *testing.T) {
	s, ctx, folder := opener(t, "file://"+t.TempDir())(), t.Context(), t.TempDir()
	s.period = 24 * 365 * time.Hour
	u := s.NewUploader()
	write(t, folder, "a", "first")
	f, err := u.Put(ctx, folder, "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.remove(ctx, f.blob()); err != nil {
		t.Fatal(err)
	}
	uploads := func() bool {
		f, err := u.Put(ctx, folder, "a")
		if err != nil {
			t.Fatal(err)
		}
		size, err := s.size(ctx, f.blob())
		return err == nil && size >= 0
	}
	if uploads() {
		t.Error("an unchanged file was uploaded again")
	}
	write(t, folder, "a", "second, longer")
	if !uploads() {
		t.Error("a changed file was not uploaded")
	}
	s.period /= 2
	f.Period = s.currentPeriod() - 1
	u.known["a"] = uploaded{f, u.known["a"].size, u.known["a"].changed}
	if again, err := u.Put(ctx, folder, "a"); err != nil || !s.fresh(&again) {
		t.Errorf("a file of an earlier period was not uploaded again: %+v, %v", again, err)
	}
}

// TestCollectorAndUploads lets many submit the same contents again and again while gc collects all that is older than a
// moment and no sweep names. What a kept sweep names must be whole at every time.
func TestCollectorAndUploads(t *testing.T) {
	onEach(t, func(t *testing.T, open func() *Store) {
		const moment = 400 * time.Millisecond
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		var checked, removed atomic.Int64
		var group sync.WaitGroup
		for writer := range 4 {
			s := open()
			s.period = moment / 2
			folder := t.TempDir()
			group.Go(func() {
				for round := 0; ctx.Err() == nil; round++ {
					id := fmt.Sprintf("sweep-%d-%d", writer, round)
					if submitAndForget(t, s, folder, id, moment/2) {
						checked.Add(1)
					}
				}
			})
		}
		s := open()
		s.period, s.youngest = moment/2, moment
		if s.s3 != nil {
			s.youngest += time.Second // to which S3 cuts its times
		}
		group.Go(func() {
			for ctx.Err() == nil {
				c, err := s.Collect(t.Context(), false)
				if err != nil {
					t.Error(err)
				}
				removed.Add(int64(c.Objects))
				time.Sleep(moment / 10)
			}
		})
		group.Wait()
		if checked.Load() == 0 || removed.Load() == 0 {
			t.Errorf("%d sweeps checked, %d objects removed: nothing was tried", checked.Load(), removed.Load())
		}
		t.Logf("%d sweeps whole while %d objects were removed", checked.Load(), removed.Load())
	})
}

// submitAndForget stores a sweep of one run, whose contents others store too, checks that it is whole, and forgets it.
// A writer that is stopped for longer than a period between upload and manifest breaks the rule that gc relies on; that
// is not checked.
func submitAndForget(t *testing.T, s *Store, folder, id string, period time.Duration) bool {
	ctx := t.Context()
	fail := func(err error) bool {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
		return err != nil
	}
	key := fmt.Sprintf("%s%d", key, time.Now().UnixMilli()/700)
	if err := s.PutSweep(ctx, &Sweep{ID: id}, [][]Entry{{{Key: key}}}); fail(err) {
		return false
	}
	states, err := s.States(ctx, []string{key})
	if fail(err) {
		return false
	}
	if states[0] == Unknown {
		write(t, folder, "shared", fmt.Sprint("contents ", time.Now().Unix()/2))
		began := time.Now()
		f, err := s.PutFile(ctx, filepath.Join(folder, "shared"), "shared")
		if fail(err) {
			return false
		}
		_, err = s.PutRun(ctx, &Manifest{Key: key, Files: []File{f}})
		if time.Since(began) > period {
			_ = s.Forget(ctx, id)
			return false
		}
		if fail(err) {
			return false
		}
	}
	time.Sleep(time.Duration(len(id)%5) * period / 3)
	m, _, err := s.Run(ctx, key)
	if fail(err) || fail(s.GetFile(ctx, m.Files[0], folder)) {
		return false
	}
	return !fail(s.Forget(ctx, id))
}

func TestCollectorSparesTheYoungAndTheNamed(t *testing.T) {
	s, ctx, folder := opener(t, "file://"+t.TempDir())(), t.Context(), t.TempDir()
	put := func(text string) File {
		write(t, folder, "f", text)
		f, err := s.PutFile(ctx, filepath.Join(folder, "f"), "f")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	named, lost := key+"named", key+"lost"
	for key, f := range map[string]File{named: put("named"), lost: put("lost")} {
		if _, err := s.PutRun(ctx, &Manifest{Key: key, Files: []File{f}}); err != nil {
			t.Fatal(err)
		}
		if err := s.PutCheckpoint(ctx, &Manifest{Key: key, Files: []File{f}}); err != nil {
			t.Fatal(err)
		}
	}
	scene := put("scene")
	if err := s.PutSweep(ctx, &Sweep{ID: "kept", Files: []File{scene}}, [][]Entry{{{Key: named}}}); err != nil {
		t.Fatal(err)
	}
	if c, err := s.Collect(ctx, false); err != nil || c.Objects != 0 {
		t.Errorf("young objects were removed: %+v, %v", c, err)
	}
	s.youngest = 0
	if c, err := s.Collect(ctx, true); err != nil || c.Objects != 4 {
		t.Errorf("dry: %+v, %v; run, checkpoint and blob of the lost run and the checkpoint of a finished one were expected", c, err)
	}
	if c, err := s.Collect(ctx, false); err != nil || c.Objects != 4 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, _, err := s.Run(ctx, lost); !errors.Is(err, ErrNotFound) {
		t.Errorf("the lost run: %v", err)
	}
	m, _, err := s.Run(ctx, named)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []File{m.Files[0], scene} {
		if err := s.GetFile(ctx, f, folder); err != nil {
			t.Error(err)
		}
	}
}

func TestWrongAddressesAndKeys(t *testing.T) {
	for _, bad := range []string{"", "nonsense", "ftp://x", "s3://user:secret@bucket", "file://%zz"} {
		_, err := Open(t.Context(), bad)
		if err == nil {
			t.Errorf("%q was opened", bad)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the error of %q tells the secret: %v", bad, err)
		}
	}
	onEach(t, func(t *testing.T, open func() *Store) {
		if err := open().Check(t.Context()); err != nil {
			t.Errorf("with the right key: %v", err)
		}
		s := open()
		if s.s3 == nil {
			return
		}
		t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
		if err := open().Check(t.Context()); err == nil {
			t.Error("a wrong key was taken")
		} else if strings.Contains(err.Error(), servers.S3Secret) {
			t.Errorf("the error tells the secret: %v", err)
		}
	})
}
