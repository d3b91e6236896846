package view

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkFrame asks over a socket for position, normal and a quantity of a frame of 50,000 vertices that is not kept.
func BenchmarkFrame(b *testing.B) {
	dir := b.TempDir()
	const frames = 12 // more than are kept
	newFilm(b, dir, "film", frames, 224).next(frames)
	s := newSite(b, dir, Options{})
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		status, _, body := s.get(fmt.Sprintf("/api/frames/%d?fields=position,normal,_STRETCH", n%frames))
		if status != 200 {
			b.Fatalf("status %d", status)
		}
		b.SetBytes(int64(len(body)))
		n++
	}
}

// BenchmarkKept asks for a frame that is kept, as a page does that changes its colours.
func BenchmarkKept(b *testing.B) {
	dir := b.TempDir()
	newFilm(b, dir, "film", 1, 224).next(1)
	s := newSite(b, dir, Options{})
	for b.Loop() {
		if status, _, _ := s.get("/api/frames/0?fields=position,normal,_STRETCH"); status != 200 {
			b.Fatalf("status %d", status)
		}
	}
}

// TestLargeRun measures a run of 1,000 frames of 50,000 vertices in a process of its own: the time to the first frame,
// the latency of scrubbing and the memory of the server. It needs 5 GB of disk in the folder that TOILE_VIEW_LARGE
// names, which is filled if it is empty, and TOILE_VIEW_BINARY, a toile binary.
func TestLargeRun(t *testing.T) {
	dir, binary := os.Getenv("TOILE_VIEW_LARGE"), os.Getenv("TOILE_VIEW_BINARY")
	if dir == "" || binary == "" {
		t.Skip("TOILE_VIEW_LARGE names no folder for 5 GB, or TOILE_VIEW_BINARY no binary")
	}
	const frames = 1000
	if _, err := os.Stat(framePath(dir, frames-1)); err != nil {
		newFilm(t, dir, "a large film", frames, 224).next(frames)
	}
	began := time.Now()
	cmd := exec.Command(binary, "view", dir, "--no-open", "--json", "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}()
	line := make([]byte, 4096)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	_, url, _ := strings.Cut(string(line[:n]), `"url":"`)
	url, _, _ = strings.Cut(url, `"`)
	client := &http.Client{}
	get := func(address string) time.Duration {
		start := time.Now()
		r, err := client.Get(strings.TrimSuffix(url, "/") + address)
		if err != nil {
			t.Fatal(err)
		}
		size, err := io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
		if err != nil || r.StatusCode != 200 || size == 0 {
			t.Fatalf("%s: status %d, %d bytes, %v", address, r.StatusCode, size, err)
		}
		return time.Since(start)
	}
	listening := time.Since(began)
	facts := get("/api/run")
	first := get("/api/frames/0?fields=topology,position,normal")
	t.Logf(
		"listening after %v, facts after another %v, first frame with topology after another %v",
		listening,
		facts,
		first,
	)
	t.Logf("resident after the first frame: %s", resident(cmd.Process.Pid))
	for _, fields := range []string{"position,_STRETCH", "position,normal,_STRETCH"} {
		var laps []time.Duration
		random, busy := rand.New(rand.NewPCG(1, 2)), processorTime(cmd.Process.Pid)
		for range 500 {
			laps = append(laps, get(fmt.Sprintf("/api/frames/%d?fields=%s", random.IntN(frames), fields)))
		}
		slices.Sort(laps)
		t.Logf(
			"scrubbing, %s: median %v, 95 %% %v, largest %v; processor time of each %v; resident %s",
			fields,
			laps[250],
			laps[475],
			laps[499],
			(processorTime(cmd.Process.Pid)-busy)/time.Duration(len(laps)),
			resident(cmd.Process.Pid),
		)
	}
	began = time.Now()
	for n := range frames {
		get(fmt.Sprintf("/api/frames/%d?fields=position,normal,_STRETCH", n))
	}
	t.Logf(
		"all frames in order: %.3g a second; resident %s",
		frames/time.Since(began).Seconds(),
		resident(cmd.Process.Pid),
	)
}

// resident returns the memory that a process has and the most that it had, where the system tells.
func resident(pid int) string {
	if runtime.GOOS != "linux" {
		return "unknown"
	}
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "VmHWM") {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(out, ", ")
}

// processorTime returns the time that a process has computed, whatever else the machine did; 0 where the system does
// not tell.
func processorTime(pid int) time.Duration {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may have spaces
	words := strings.Fields(rest)
	var ticks int
	for _, w := range words[11:13] { // utime and stime, in hundredths of a second
		n, err := strconv.Atoi(w)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}
