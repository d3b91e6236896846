package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/toile-sim/toile/farm/internal/servers"
)

// counts returns how many runs of a sweep are done and have failed.
func (f *site) counts(ctx context.Context, id string) (done, failed int, err error) {
	out, err := f.farm(ctx, "status", id)
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(out) {
		if _, err := fmt.Sscanf(line, "done %d, failed %d", &done, &failed); err == nil {
			return done, failed, nil
		}
	}
	return 0, 0, fmt.Errorf("status says nothing of what is done:\n%s", out)
}

// waitFor waits until so many runs of a sweep are done.
func (f *site) waitFor(ctx context.Context, id string, runs int, patience time.Duration) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if done, _, err := f.counts(ctx, id); err != nil || done >= runs {
			return err
		}
	}
	return errNotEnded
}

// turns submits a small sweep while a large one fills the queue of the only worker. It tells how many runs of the large
// one are played until the first of the small one is, and counts those from there to the last.
func turns(ctx context.Context, s *settings) error {
	const few, most = 10, 2
	if err := os.RemoveAll(s.dir); err != nil { // known runs would not be played
		return err
	}
	f, err := open(ctx, s)
	defer f.close()
	if err != nil {
		return err
	}
	large, err := s.writeSweep("large", s.runs, s.end)
	if err != nil {
		return err
	}
	small, err := s.writeSweep("small", few, "0.21 s") // of another length, so that none is a run of the large one
	if err != nil {
		return err
	}
	if err := f.startWorkers(1, 1); err != nil {
		return err
	}
	first, err := f.submit(ctx, large)
	if err != nil {
		return err
	}
	if err := f.waitFor(ctx, first, 3, 5*time.Minute); err != nil {
		return err
	}
	second, err := f.submit(ctx, small)
	if err != nil {
		return err
	}
	var played [3]int // of the large one: when the small one is submitted, at its first run and at its last
	for i, done := range []int{0, 1, few} {
		if err := f.waitFor(ctx, second, done, 10*time.Minute); err != nil {
			return err
		}
		if played[i], _, err = f.counts(ctx, first); err != nil {
			return err
		}
	}
	fmt.Printf("of a large sweep with %d of %d runs left: %d until the first run of a small one was played, %d until the other %d were\n",
		s.runs-played[0], s.runs, played[1]-played[0], played[2]-played[1], few-1)
	if played[2]-played[1] > most*(few-1) {
		return fmt.Errorf("not as promised: at most %d times as many", most)
	}
	return nil
}

// keys gives the farm keys that are wrong, and lets good ones expire while runs are played: the store is opened by others
// for a while. Commands say so, no run fails for it, and all are done when the keys are good again.
func keys(ctx context.Context, s *settings) error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	f, err := open(ctx, s)
	defer f.close()
	if err != nil {
		return err
	}
	file, err := s.writeSweep("keys", s.runs, s.end)
	if err != nil {
		return err
	}
	if err := f.startWorkers(1, 1); err != nil {
		return err
	}
	id, err := f.submit(ctx, file)
	if err != nil {
		return err
	}
	if err := f.waitFor(ctx, id, 1, 5*time.Minute); err != nil {
		return err
	}
	good := f.store
	changed, err := servers.S3Changed(s.dir, s.port+storePort)
	if err != nil {
		return err
	}
	good.Kill()
	if err := changed.Start(ctx); err != nil {
		return err
	}
	f.store = changed
	_, err = f.farm(ctx, "status", id)
	if err == nil {
		return errors.New("status takes keys that are not good any more")
	}
	fmt.Printf("with keys that are not good any more: %v\n", err)
	if strings.Contains(err.Error(), servers.S3Secret) {
		return errors.New("a message tells the secret")
	}
	time.Sleep(3 * f.heartbeat)
	changed.Kill()
	if err := good.Start(ctx); err != nil {
		return err
	}
	f.store = good
	if err := f.wait(ctx, id, 10*time.Minute); err != nil {
		return err
	}
	done, failed, err := f.counts(ctx, id)
	if err != nil {
		return err
	}
	fmt.Printf("with good keys again: %d of %d runs done, %d failed\n", done, s.runs, failed)
	if done != s.runs || failed > 0 {
		return errors.New("not as promised: all runs")
	}
	return nil
}
