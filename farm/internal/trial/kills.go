package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	enums "go.temporal.io/api/enums/v1"

	"github.com/toile-sim/toile/farm/flow"
	"github.com/toile-sim/toile/farm/store"
)

// kill is one thing that was killed.
type kill struct {
	What    string        `json:"what"` // worker, engine or store
	Time    time.Time     `json:"time"`
	Outage  time.Duration `json:"outage"`  // until it answered again
	Running []string      `json:"running"` // keys of runs that it hit
}

// kills plays a sweep while workers and servers are killed, and looks at what came of it.
func kills(ctx context.Context, s *settings) error {
	f, err := open(ctx, s)
	defer f.close()
	if err != nil {
		return err
	}
	file, err := s.writeSweep("kills", s.runs, s.end)
	if err != nil {
		return err
	}
	if err := f.startWorkers(s.workers, 1); err != nil {
		return err
	}
	id, err := f.submit(ctx, file)
	if err != nil {
		return err
	}
	began := time.Now()
	log, err := f.killAll(ctx, id)
	if err != nil {
		return err
	}
	fmt.Printf("killed: %d things in %v; waiting for the rest\n", len(log), time.Since(began).Round(time.Second))
	if err := f.wait(ctx, id, 6*time.Hour); err != nil {
		return err
	}
	return f.judge(ctx, id, log)
}

func (f *site) killLog() string { return filepath.Join(f.dir, "kills.json") }

// killAll kills until the numbers are reached or the sweep ends, in a random order.
func (f *site) killAll(ctx context.Context, id string) ([]kill, error) {
	var log []kill
	if text, err := os.ReadFile(f.killLog()); err == nil {
		if err := json.Unmarshal(text, &log); err != nil {
			return nil, err
		}
	}
	var todo []string
	for what, number := range map[string]int{"worker": f.kills, "engine": f.serverKills, "store": f.storeKills} {
		for _, k := range log {
			if k.What == what {
				number--
			}
		}
		for range number {
			todo = append(todo, what)
		}
	}
	rand.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	for _, what := range todo {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Duration((0.5 + rand.Float64()) * float64(f.pause))):
		}
		if out, err := f.farm(ctx, "status", id); err == nil && !regexp.MustCompile(`lanes running`).MatchString(out) {
			fmt.Println("the sweep ended before all was killed")
			break
		}
		k, err := f.killOne(ctx, what)
		if err != nil {
			return nil, err
		}
		log = append(log, k)
		text, err := json.Marshal(log)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(f.killLog(), text, 0o644); err != nil {
			return nil, err
		}
	}
	return log, nil
}

func (f *site) killOne(ctx context.Context, what string) (kill, error) {
	k := kill{What: what, Time: time.Now()}
	var err error
	switch what {
	case "worker":
		w := f.workers[rand.IntN(len(f.workers))]
		for range 100 { // one that has work
			if k.Running = w.running(); len(k.Running) > 0 {
				break
			}
			time.Sleep(100 * time.Millisecond)
			w = f.workers[rand.IntN(len(f.workers))]
		}
		k.Time = time.Now()
		w.kill()
		err = f.startWorker(w, 1)
	case "engine", "store":
		for _, w := range f.workers {
			k.Running = append(k.Running, w.running()...)
		}
		server := f.engine
		if what == "store" {
			server = f.store
		}
		server.Kill()
		err = server.Start(ctx)
	}
	k.Outage = time.Since(k.Time)
	return k, err
}

// judge compares what the farm made with single runs, and counts attempts, manifests and resumed runs.
func (f *site) judge(ctx context.Context, id string, log []kill) error {
	kept, err := openStore(ctx, f)
	if err != nil {
		return err
	}
	defer func() { _ = kept.Close() }()
	equal, err := f.compareAlone(ctx, kept, id)
	if err != nil {
		return err
	}
	attempts, runs, err := f.attempts(ctx, id)
	if err != nil {
		return err
	}
	hit := 0
	killed := map[string]int{}
	for _, k := range log {
		killed[k.What]++
		if k.What == "worker" || k.What == "engine" && k.Outage > f.heartbeat {
			hit += len(k.Running)
		}
	}
	late, resumed, err := f.resumed(log)
	if err != nil {
		return err
	}
	fmt.Printf("runs %d, of these with the hash they have alone %d\n", f.runs, equal)
	fmt.Printf("killed: workers %d, engine %d, store %d\n", killed["worker"], killed["engine"], killed["store"])
	fmt.Printf("attempts %d for %d runs: %d beyond the first; hit by a kill or a long outage: %d\n", attempts, runs, attempts-runs, hit)
	fmt.Printf("kills at least 2 s after the first checkpoint: %d, resumed: %d\n", late, resumed)
	if equal != f.runs || float64(attempts-runs) > 1.05*float64(hit) || float64(resumed) < 0.9*float64(late) {
		return errors.New("not as promised")
	}
	return nil
}

// compareAlone plays every run alone, once, and counts those whose last frame has the same bytes as in the store.
func (f *site) compareAlone(ctx context.Context, kept *store.Store, id string) (int, error) {
	sweep, err := kept.Sweep(ctx, id)
	if err != nil {
		return 0, err
	}
	equal := 0
	for batch := range sweep.Batches {
		entries, err := kept.Batch(ctx, id, batch)
		if err != nil {
			return 0, err
		}
		for _, e := range entries {
			want, err := f.alone(ctx, &e)
			if err != nil {
				return 0, err
			}
			m, _, err := kept.Run(ctx, e.Key)
			if err != nil {
				return 0, err
			}
			got, err := lastFrame(ctx, kept, m, filepath.Join(f.dir, "fetched"))
			if err != nil {
				return 0, err
			}
			if got == want {
				equal++
			} else {
				fmt.Printf("run %d: %.12s in the farm and %.12s alone\n", e.Index, got, want)
			}
		}
	}
	return equal, nil
}

// alone plays a run as a user would, and returns the hash of its last frame. What was played stays.
func (f *site) alone(ctx context.Context, e *store.Entry) (string, error) {
	record := filepath.Join(f.dir, "alone", e.Key)
	if text, err := os.ReadFile(record); err == nil {
		return string(text), nil
	}
	if err := os.MkdirAll(filepath.Dir(record), 0o755); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(f.dir, "single-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	args := replaceFolders(e.Args, f.dir, folder)
	if out, err := exec.CommandContext(ctx, filepath.Join(f.bin, "toile"), args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("alone: %w\n%s", err, out)
	}
	hash, err := hashFrames(folder)
	if err != nil {
		return "", err
	}
	return hash, os.WriteFile(record, []byte(hash), 0o644)
}

// attempts counts, in the histories of all lanes, how often runs were started.
func (f *site) attempts(ctx context.Context, id string) (attempts, runs int, err error) {
	engine, err := f.dial()
	if err != nil {
		return 0, 0, err
	}
	defer engine.Close()
	for lane := 0; ; lane++ {
		events := engine.GetWorkflowHistory(ctx, flow.LaneID(id, lane), "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for first := true; events.HasNext(); first = false {
			e, err := events.Next()
			if err != nil && first && lane > 0 {
				return attempts, runs, nil // there is no such lane
			}
			if err != nil {
				return 0, 0, err
			}
			if a := e.GetActivityTaskScheduledEventAttributes(); a != nil && a.ActivityType.Name == flow.PlayName {
				runs++
			}
			if a := e.GetActivityTaskStartedEventAttributes(); a != nil {
				attempts += int(a.Attempt)
			}
		}
		attempts-- // the lookup of the batch
	}
}

var line = regexp.MustCompile(`^time=(\S+) level=\S+ msg=(playing|checkpoint|resumed|played) run=([0-9a-z]+)`)

// resumed counts kills that hit a run at least 2 s after its first checkpoint was in the store, and of these the ones
// after which it was resumed.
func (f *site) resumed(log []kill) (late, resumed int, err error) {
	first := map[string]time.Time{}
	again := map[string][]time.Time{}
	for _, w := range f.workers {
		file, err := os.Open(w.log)
		if err != nil {
			return 0, 0, err
		}
		defer func() { _ = file.Close() }()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			m := line.FindStringSubmatch(lines.Text())
			if m == nil {
				continue
			}
			when, err := time.Parse(time.RFC3339Nano, m[1])
			if err != nil {
				return 0, 0, err
			}
			switch m[2] {
			case "checkpoint":
				if t, ok := first[m[3]]; !ok || when.Before(t) {
					first[m[3]] = when
				}
			case "resumed":
				again[m[3]] = append(again[m[3]], when)
			}
		}
	}
	for _, k := range log {
		for _, key := range k.Running {
			t, ok := first[key]
			if k.What != "worker" || !ok || k.Time.Sub(t) < 2*time.Second {
				continue
			}
			late++
			for _, when := range again[key] {
				if when.After(k.Time) {
					resumed++
					break
				}
			}
		}
	}
	return late, resumed, nil
}
