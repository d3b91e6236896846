package player

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// namespaceEnv is set in a process that has a namespace of its own.
const namespaceEnv = "TOILE_RUN_NAMESPACE"

// mayMount reports whether this process may mount disks. If not, it runs the test again in a process
// that may, in a namespace of its own, and skips it if there is none to be had.
func mayMount(t *testing.T) bool {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k")
	if err == nil {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Fatal(err)
		}
		return true
	}
	if os.Getenv(namespaceEnv) != "" {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), namespaceEnv+"=1")
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	switch {
	case errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL):
		t.Skipf("cannot have a namespace with a small disk: %v", err)
	case err != nil:
		t.Errorf("in a namespace of its own: %v\n%s", err, out)
	default:
		t.Logf("in a namespace of its own:\n%s", out)
	}
	return false
}

// smallDisk mounts a disk of the given size [KiB].
func smallDisk(t *testing.T, kib int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill leaves about the given room [byte] on the disk that dir is on and returns the file that takes
// up the rest.
func fill(t *testing.T, dir string, room int64) string {
	t.Helper()
	path := filepath.Join(dir, "ballast")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, err := io.Copy(f, zeros{})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(n, err)
	}
	if err := f.Truncate(max(0, n-room)); err != nil {
		t.Fatal(err)
	}
	return path
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// However full the disk is, Play stops with a clean error, the checkpoint written before is whole, and
// with room again the run comes out as if nothing had happened.
func TestFullDisk(t *testing.T) {
	if !mayMount(t) {
		return
	}
	want, _ := reference(t)
	stopped := 0
	rooms := []int64{0, 20 << 10, 4 << 10, 12 << 10, 40 << 10, 60 << 10, 80 << 10} // [byte]
	if testing.Short() {
		rooms = rooms[:2]
	}
	for _, room := range rooms {
		disk := smallDisk(t, 1024)
		dir := filepath.Join(disk, "run")
		if _, err := interruptAfter(t, dir, 12); !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
		before := newest(t, dir)
		ballast := fill(t, disk, room)

		_, err := Play(context.Background(), testJob(t, 1), Options{Dir: dir, EveryFrames: 3, Every: 1 << 62})
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
		if !strings.Contains(err.Error(), "disk is full") || strings.Contains(err.Error(), "\n") {
			t.Errorf("room for %d bytes: unclear: %v", room, err)
		}
		stopped++
		if temps, _ := filepath.Glob(filepath.Join(dir, "*", ".*.tmp")); len(temps) > 0 {
			t.Errorf("room for %d bytes: %v left behind", room, temps)
		}
		if after := newest(t, dir); after.Step < before.Step {
			t.Errorf("room for %d bytes: the checkpoint of step %d is gone", room, before.Step)
		}
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
		sum, err := Play(context.Background(), testJob(t, 1), DefaultOptions(dir))
		if err != nil || !sum.Resumed || len(sum.Notes) > 0 {
			t.Fatalf("room for %d bytes: with room again: %+v, %v", room, sum, err)
		}
		sameFolder(t, want, dir)
	}
	t.Logf("stopped cleanly and resumed %d times", stopped)
}

// A disk with no room at all for a run is an error, not a crash.
func TestFullDiskFromTheStart(t *testing.T) {
	if !mayMount(t) {
		return
	}
	disk := smallDisk(t, 64)
	fill(t, disk, 0)
	_, err := Play(context.Background(), testJob(t, 1), DefaultOptions(filepath.Join(disk, "run")))
	if !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
}
