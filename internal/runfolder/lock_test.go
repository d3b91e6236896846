package runfolder

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// childEnv names the folder that a child process of the tests is to hold.
const childEnv = "TOILE_CACHE_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		w, err := Begin(dir, testManifest(), false)
		fmt.Println("begun", err)
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until killed
		_ = w.Close()
		return
	}
	if os.Getenv(sayProgram) != "" {
		sum, err := Program()
		fmt.Print(sum)
		if err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func TestOneWriterInAProcess(t *testing.T) {
	dir := t.TempDir()
	var wins, refusals int
	var mu sync.Mutex
	var wg sync.WaitGroup
	release := make(chan struct{})
	var tried sync.WaitGroup
	for range 8 {
		tried.Add(1)
		wg.Go(func() {
			w, err := Begin(dir, testManifest(), false)
			mu.Lock()
			switch {
			case err == nil:
				wins++
			case errors.Is(err, ErrLocked):
				refusals++
			default:
				t.Error(err)
			}
			mu.Unlock()
			tried.Done()
			<-release
			if err == nil {
				_ = w.Close()
			}
		})
	}
	tried.Wait()
	close(release)
	wg.Wait()
	if wins != 1 || refusals != 7 {
		t.Errorf("%d writers had the folder at once, %d were refused", wins, refusals)
	}
	w, err := Begin(dir, testManifest(), false)
	if err != nil {
		t.Fatal("the folder was not given back:", err)
	}
	_ = w.Close()
}

// The lock of a process that was killed does not stay.
func TestLockEndsWithItsProcess(t *testing.T) {
	dir := t.TempDir()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "begun <nil>\n" {
		t.Fatal(line, err)
	}
	_, err = Begin(dir, testManifest(), false)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", child.Process.Pid)) {
		t.Errorf("while another process writes: %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	w, err := Begin(dir, testManifest(), false)
	if err != nil {
		t.Fatal("after the other was killed:", err)
	}
	_ = w.Close()
}
