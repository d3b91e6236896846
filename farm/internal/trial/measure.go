package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	sdk "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/toile-sim/toile/farm/flow"
	"github.com/toile-sim/toile/farm/store"
)

// spent is the processor time of the parts of a farm.
type spent struct{ engine, database, worker, store time.Duration }

func (f *site) spent(worker int) spent {
	s := spent{engine: processor(f.engine.PID(), false), worker: processor(worker, false), store: processor(f.store.PID(), false)}
	if f.database != nil {
		if pid, err := f.database.PID(); err == nil {
			s.database = processor(pid, true)
		}
	}
	return s
}

func (s spent) since(b spent, runs int) spent {
	n := time.Duration(runs)
	return spent{(s.engine - b.engine) / n, (s.database - b.database) / n, (s.worker - b.worker) / n, (s.store - b.store) / n}
}

// cost plays short runs on one worker and tells what each costs beside its simulation.
func cost(ctx context.Context, s *settings) error {
	f, err := open(ctx, s)
	defer f.close()
	if err != nil {
		return err
	}
	file, err := s.writeSweep(fmt.Sprintf("cost-%d", time.Now().Unix()), s.runs, s.end)
	if err != nil {
		return err
	}
	if err := f.startWorkers(1, 2); err != nil {
		return err
	}
	time.Sleep(10 * time.Second) // to rest after starting
	pid := f.workers[0].cmd.Process.Pid
	before := f.spent(pid)
	const idle = 20 * time.Second
	time.Sleep(idle)
	rest := f.spent(pid).since(before, 1)
	before, began := f.spent(pid), time.Now()
	if _, err := f.farm(ctx, "submit", file, "--in-flight", "50", "--wait"); err != nil {
		return err
	}
	took := time.Since(began)
	// What the servers do without any run is not a run's.
	share := func(d time.Duration) time.Duration {
		return time.Duration(float64(d) * took.Seconds() / idle.Seconds())
	}
	fmt.Printf("without runs, in %v: engine %v, database %v, worker %v\n", idle, rest.engine, rest.database, rest.worker)
	before.engine += share(rest.engine)
	before.database += share(rest.database)
	before.worker += share(rest.worker)
	each := f.spent(pid).since(before, s.runs)
	now, most := memory(pid)
	total := each.engine + each.database + each.worker
	fmt.Printf("%d runs in %v\n", s.runs, took.Round(time.Second))
	fmt.Printf("processor time a run: engine %v, database %v, worker %v: %v together; store %v\n",
		each.engine, each.database, each.worker, total, each.store)
	fmt.Printf("worker: %d MB, at most %d MB\n", now>>20, most>>20)
	if total > 20*time.Millisecond || most > 60<<20 {
		return errors.New("not as promised: at most 20 ms and 60 MB")
	}
	return nil
}

// known submits a sweep whose runs are all in the store.
func known(ctx context.Context, s *settings) error {
	f, err := open(ctx, s)
	defer f.close()
	if err != nil {
		return err
	}
	file, err := s.writeSweep("known", s.runs, s.end)
	if err != nil {
		return err
	}
	id, err := f.submit(ctx, file) // without a worker: only to have the keys
	if err != nil {
		return err
	}
	kept, err := openStore(ctx, f)
	if err != nil {
		return err
	}
	defer func() { _ = kept.Close() }()
	sweep, err := kept.Sweep(ctx, id)
	if err != nil {
		return err
	}
	for batch := range sweep.Batches {
		entries, err := kept.Batch(ctx, id, batch)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if _, err := kept.PutRun(ctx, &store.Manifest{Key: e.Key, Stamp: sweep.Stamp}); err != nil {
				return err
			}
		}
	}
	if err := f.startWorkers(1, 1); err != nil {
		return err
	}
	if err := f.wait(ctx, id, time.Hour); err != nil {
		return err
	}
	began := time.Now()
	if _, err := f.farm(ctx, "submit", file, "--wait"); err != nil {
		return err
	}
	took := time.Since(began)
	fmt.Printf("%d known runs answered in %v\n", s.runs, took.Round(100*time.Millisecond))
	if took > time.Minute {
		return errors.New("not as promised: at most a minute")
	}
	return nil
}

// empty sends runs through the engine that do nothing.
func empty(ctx context.Context, s *settings) error {
	f, err := open(ctx, s)
	defer f.close()
	if err != nil {
		return err
	}
	engine, err := f.dial()
	if err != nil {
		return err
	}
	defer engine.Close()
	w := nothingWorker(engine, s.runs)
	if err := w.Start(); err != nil {
		return err
	}
	defer w.Stop()
	size := func() int64 {
		if f.database == nil {
			return 0
		}
		n, _ := f.database.Size("temporal")
		return n
	}
	bytesBefore, before, began := size(), f.spent(os.Getpid()), time.Now() // what the servers do at rest counts here
	batches := (s.runs + flow.BatchSize - 1) / flow.BatchSize
	const lanes = 4
	order := flow.Order{Sweep: "empty", Stamp: "none", Batches: batches, Stride: lanes, InFlight: 100, Heartbeat: time.Minute}
	var started []client.WorkflowRun
	for order.Batch = range min(lanes, batches) {
		id := fmt.Sprintf("empty-%d.%d", began.Unix(), order.Batch)
		run, err := engine.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: id, TaskQueue: flow.Queue()}, flow.LaneName, order)
		if err != nil {
			return err
		}
		started = append(started, run)
	}
	played := 0
	for _, run := range started {
		var counts flow.Counts
		if err := run.Get(ctx, &counts); err != nil {
			return err
		}
		played += counts.Played
	}
	took := time.Since(began)
	each := f.spent(os.Getpid()).since(before, s.runs)
	now, most := memory(f.engine.PID())
	fmt.Printf("%d empty runs in %v: %.0f a second\n", played, took.Round(time.Second), float64(played)/took.Seconds())
	fmt.Printf("processor time a run: engine %v, database %v, worker %v\n", each.engine, each.database, each.worker)
	fmt.Printf("database: %d bytes more, %d a run; engine: %d MB, at most %d MB\n",
		size()-bytesBefore, (size()-bytesBefore)/int64(s.runs), now>>20, most>>20)
	if played != s.runs {
		return errors.New("runs were lost")
	}
	return nil
}

// nothingWorker takes the workflows of a farm, with runs that end at once.
func nothingWorker(engine client.Client, runs int) sdk.Worker {
	w := sdk.New(engine, flow.Queue(), sdk.Options{})
	w.RegisterWorkflowWithOptions(flow.Lane, workflow.RegisterOptions{Name: flow.LaneName})
	w.RegisterActivityWithOptions(func(_ context.Context, _ string, batch int) (flow.Plan, error) {
		var p flow.Plan
		for i := range min(flow.BatchSize, runs-batch*flow.BatchSize) {
			p.Small = append(p.Small, i)
		}
		return p, nil
	}, activity.RegisterOptions{Name: flow.LookupName})
	play := sdk.New(engine, flow.RunQueue("none", flow.Small), sdk.Options{DisableWorkflowWorker: true})
	play.RegisterActivityWithOptions(func(context.Context, flow.Task) (string, error) {
		return strings.Repeat("0", 64), nil
	}, activity.RegisterOptions{Name: flow.PlayName})
	return both{w, play}
}

// both is two workers as one.
type both struct {
	sdk.Worker
	second sdk.Worker
}

func (b both) Start() error { return errors.Join(b.Worker.Start(), b.second.Start()) }

func (b both) Stop() {
	b.Worker.Stop()
	b.second.Stop()
}

// same plays one sweep by toile sweep and by the farm, and compares the tables.
func same(ctx context.Context, s *settings) error {
	f, err := open(ctx, s)
	defer f.close()
	if err != nil {
		return err
	}
	if _, err := s.writeSweep("unused", 2, s.end); err != nil { // for the scene beside it
		return err
	}
	file := filepath.Join(s.dir, "same.yaml")
	text := fmt.Sprintf(`sweep: 1
name: friction, fabric and mesh of the ramp
scene: ramp.yaml
set: ["time.end=%s"]
axes:
  - {name: mu, path: friction, range: {from: 0.15, to: 0.2, count: %d}}
  - {name: fabric, path: cloths.square.material, values: [cotton, silk, denim, wool, paper]}
  - {name: cells, path: cloths.square.shape.grid.cells, values: [[8, 8], [12, 12]]}
keep: last
outcomes:
  - {name: x, change: centroid square x}
`, s.end, max(2, s.runs/10))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	alone := exec.CommandContext(ctx, filepath.Join(s.bin, "toile"), "sweep", file, "-o", filepath.Join(s.dir, "sweep"))
	if out, err := alone.CombinedOutput(); err != nil {
		return fmt.Errorf("toile sweep: %w\n%s", err, out)
	}
	if err := f.startWorkers(2, 1); err != nil {
		return err
	}
	id, err := f.submit(ctx, file)
	if err != nil {
		return err
	}
	if err := f.wait(ctx, id, 2*time.Hour); err != nil {
		return err
	}
	if _, err := f.farm(ctx, "fetch", id, "-o", filepath.Join(s.dir, "farm")); err != nil {
		return err
	}
	for _, name := range []string{"table.csv", "table.parquet"} {
		a, err := os.ReadFile(filepath.Join(s.dir, "sweep", name))
		if err != nil {
			return err
		}
		b, err := os.ReadFile(filepath.Join(s.dir, "farm", name))
		if err != nil {
			return err
		}
		if !bytes.Equal(a, b) {
			return fmt.Errorf("%s differs", name)
		}
		fmt.Printf("%s: the same %d bytes\n", name, len(a))
	}
	return nil
}
