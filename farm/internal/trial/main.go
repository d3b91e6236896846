// Command trial puts a farm on real servers, the Temporal server on PostgreSQL and an S3, to the test: farm/real runs
// it. Each stage prints what it measured and fails if that is not what was promised. What a stage has done stays in its
// folder, and it goes on from there.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/toile-sim/toile/farm/internal/servers"
)

// settings of a trial.
type settings struct {
	dir         string
	bin         string // with toile and toile-farm
	development bool   // Temporal's development server instead of the one on PostgreSQL

	port                           int
	runs, workers                  int
	end                            string // of each run's scene
	kills, serverKills, storeKills int
	pause                          time.Duration // between kills
	heartbeat                      time.Duration
}

var stages = map[string]func(context.Context, *settings) error{
	"kills": kills, "cost": cost, "known": known, "empty": empty, "same": same, "turns": turns, "keys": keys,
}

func main() {
	var s settings
	flag.StringVar(&s.dir, "dir", filepath.Join(servers.CacheFolder(), "trial"), "folder of the trials")
	flag.StringVar(&s.bin, "bin", filepath.Join(servers.CacheFolder(), "bin"), "folder of toile and toile-farm")
	flag.BoolVar(&s.development, "dev", false, "use the development server")
	flag.IntVar(&s.port, "port", 25000, "first port of the servers")
	flag.IntVar(&s.runs, "runs", 1000, "runs of the stage")
	flag.IntVar(&s.workers, "workers", 4, "workers, of one slot each")
	flag.StringVar(&s.end, "end", "10 s", "simulated time of a run")
	flag.IntVar(&s.kills, "kills", 200, "kills of workers")
	flag.IntVar(&s.serverKills, "server-kills", 10, "kills of the engine")
	flag.IntVar(&s.storeKills, "store-kills", 10, "kills of the store")
	flag.DurationVar(&s.pause, "pause", 3*time.Second, "time between kills")
	flag.DurationVar(&s.heartbeat, "heartbeat", 15*time.Second, "heartbeat timeout")
	flag.Parse()
	stage, ok := stages[flag.Arg(0)]
	if !ok {
		fmt.Fprintln(os.Stderr, "trial: name a stage: kills, cost, known, empty, same, turns or keys")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s.dir = filepath.Join(s.dir, flag.Arg(0))
	if err := stage(ctx, &s); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		os.Exit(1)
	}
}

// site is a farm under trial: servers, and workers that can be killed.
type site struct {
	*settings
	database *servers.Postgres // nil with the development server
	engine   *servers.Process
	store    *servers.Process
	workers  []*worker
}

type worker struct {
	cmd    *exec.Cmd
	folder string // of its runs
	log    string
}

// Ports of the trial's servers, from the first one on.
const (
	databasePort = iota * 1000
	storePort
	enginePort
)

// open starts the servers of a stage.
func open(ctx context.Context, s *settings) (*site, error) {
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return nil, err
	}
	f := &site{settings: s}
	var err error
	if f.store, err = servers.S3(s.dir, s.port+storePort); err != nil {
		return nil, err
	}
	if err := f.store.Start(ctx); err != nil {
		return nil, err
	}
	if s.development {
		f.engine, err = servers.Development(s.dir, s.port+enginePort)
	} else {
		if f.database, err = servers.NewPostgres(s.dir, s.port+databasePort); err != nil {
			return f, err
		}
		if err = f.database.Start(); err == nil {
			f.engine, err = servers.Server(s.dir, f.database, s.port+enginePort)
		}
	}
	if err != nil {
		return f, err
	}
	if err := f.engine.Start(ctx); err != nil {
		return f, err
	}
	return f, servers.MakeNamespace(ctx, f.engine.Address)
}

// close ends all that the site started.
func (f *site) close() {
	if f == nil {
		return
	}
	for _, w := range f.workers {
		w.kill()
	}
	if f.engine != nil {
		f.engine.Kill()
	}
	f.store.Kill()
	if f.database != nil {
		if err := f.database.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

func (f *site) environment() []string {
	env := append(os.Environ(), servers.S3Environment()...)
	return append(env, "PATH="+f.bin+":"+os.Getenv("PATH"), "TEMPORAL_ADDRESS="+f.engine.Address, "TOILE_FARM_STORE="+f.address())
}

func (f *site) address() string { return servers.S3Address(f.store, "trial") }

// farm runs toile-farm and returns what it says.
func (f *site) farm(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(f.bin, "toile-farm"), args...)
	cmd.Env = f.environment()
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("toile-farm %s: %w\n%s", args[0], err, said.String())
	}
	return strings.TrimSpace(out.String()), nil
}

// startWorkers starts workers of some slots each.
func (f *site) startWorkers(number, slots int) error {
	for i := range number {
		w := &worker{folder: filepath.Join(f.dir, fmt.Sprintf("work-%d", i)), log: filepath.Join(f.dir, fmt.Sprintf("worker-%d.log", i))}
		f.workers = append(f.workers, w)
		if err := f.startWorker(w, slots); err != nil {
			return err
		}
	}
	return nil
}

func (f *site) startWorker(w *worker, slots int) error {
	out, err := os.OpenFile(w.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	w.cmd = exec.Command(filepath.Join(f.bin, "toile-farm"), "worker", "--small", fmt.Sprint(slots), "--checkpoint", "1s", "--work", w.folder)
	w.cmd.Env = f.environment()
	w.cmd.Stdout, w.cmd.Stderr = out, out
	return w.cmd.Start()
}

// kill ends a worker as a machine that loses power does.
func (w *worker) kill() {
	if w.cmd == nil || w.cmd.Process == nil {
		return
	}
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait() // how it ended is known
}

// running returns the keys of the runs that a worker has under way.
func (w *worker) running() []string {
	found, _ := filepath.Glob(filepath.Join(w.folder, "worker-*", "*-*"))
	var keys []string
	for _, path := range found {
		if key, _, _ := strings.Cut(filepath.Base(path), "-"); len(key) == 64 {
			keys = append(keys, key)
		}
	}
	return keys
}

// submit gives a sweep to the farm and returns its name.
func (f *site) submit(ctx context.Context, file string) (string, error) {
	for {
		id, err := f.farm(ctx, "submit", file, "--in-flight", "50", "--heartbeat", f.heartbeat.String())
		if err == nil || ctx.Err() != nil {
			return id, err
		}
		fmt.Fprintln(os.Stderr, err)
		time.Sleep(time.Second)
	}
}

// errNotEnded is a sweep that is not done in time.
var errNotEnded = errors.New("the sweep has not ended")

// wait waits until a sweep has nothing left to do.
func (f *site) wait(ctx context.Context, id string, patience time.Duration) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Second) {
		out, err := f.farm(ctx, "status", id)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil && strings.Contains(out, "to do 0") && !strings.Contains(out, "lanes running") {
			return nil
		}
	}
	return errNotEnded
}

// writeSweep writes a sweep of the ramp: friction over number values, with runs of the given length.
func (f *settings) writeSweep(name string, number int, end string) (string, error) {
	scene, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/toile-sim/toile/internal/engine").Output()
	if err != nil {
		return "", fmt.Errorf("the trial is run in the folder farm: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(scene)), "scenes", "ramp.yaml"))
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(f.dir, "ramp.yaml"), text, 0o644); err != nil {
		return "", err
	}
	path := filepath.Join(f.dir, name+".yaml")
	sweep := fmt.Sprintf(`sweep: 1
name: %s
scene: ramp.yaml
set: ["time.end=%s"]
axes:
  - {name: mu, path: friction, range: {from: 0.15, to: 0.2, count: %d}}
keep: last
outcomes:
  - {name: x, change: centroid square x}
`, name, end, number)
	return path, os.WriteFile(path, []byte(sweep), 0o644)
}
