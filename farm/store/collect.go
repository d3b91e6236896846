package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Collection is what gc removed.
type Collection struct {
	Objects int
	Bytes   int64
}

const (
	collecting = "collecting" // the object that says that gc removes things
	// renewal is how often gc renews that object, and patience how old it may be before gc is taken for dead.
	renewal  = time.Minute
	patience = 10 * renewal
	// aDay is the age below which nothing is removed: uploads in progress are younger.
	aDay = 24 * time.Hour
)

// Collect removes what no kept sweep names: manifests, failures, checkpoints, blobs, files that a dead writer left. It
// spares what is younger than a day. That is also what keeps it from uploads in progress: their blobs are of the
// running period (see halfDay). Manifests of others are safe because it says that it is at work before it reads the
// sweeps, and those who look runs up wait meanwhile. Dry, it removes nothing, and forgotten sweeps count as gone.
func (s *Store) Collect(ctx context.Context, dry bool, forgotten ...string) (Collection, error) {
	c := collector{store: s, dry: dry, keys: map[string]bool{}, blobs: map[string]bool{}}
	if !dry {
		if err := c.announce(ctx); err != nil {
			return c.done, err
		}
		defer func() { _ = s.remove(context.WithoutCancel(ctx), collecting) }()
	}
	if err := c.readSweeps(ctx, forgotten); err != nil {
		return c.done, err
	}
	for _, prefix := range []string{"runs/", "failed/", "checkpoints/", "sweeps/", "blobs/"} {
		if err := s.list(ctx, prefix, func(o object) error { return c.visit(ctx, o) }); err != nil {
			return c.done, err
		}
	}
	return c.done, nil
}

type collector struct {
	store   *Store
	dry     bool
	keys    map[string]bool // runs that kept sweeps name
	blobs   map[string]bool // files that kept sweeps and runs name
	sweeps  map[string]bool
	renewed time.Time
	done    Collection
}

// announce says that gc is at work, and goes on saying so.
func (c *collector) announce(ctx context.Context) error {
	if time.Since(c.renewed) < renewal {
		return nil
	}
	c.renewed = time.Now()
	return c.store.write(ctx, collecting, []byte(c.renewed.UTC().Format(time.RFC3339)))
}

func (c *collector) readSweeps(ctx context.Context, forgotten []string) error {
	ids, err := c.store.Sweeps(ctx)
	if err != nil {
		return err
	}
	c.sweeps = map[string]bool{}
	for _, id := range ids {
		if slices.Contains(forgotten, id) {
			continue
		}
		err := c.readSweep(ctx, id)
		if errors.Is(err, ErrNotFound) {
			if size, asking := c.store.size(ctx, "sweeps/"+id); asking == nil && size < 0 {
				continue // forgotten meanwhile
			}
		}
		if err != nil {
			return fmt.Errorf("sweep %s is not whole, and nothing is removed: %w", id, err)
		}
	}
	return nil
}

func (c *collector) readSweep(ctx context.Context, id string) error {
	sweep, err := c.store.Sweep(ctx, id)
	if err != nil {
		return err
	}
	c.sweeps[id] = true
	c.name(sweep.Files)
	for i := range sweep.Batches {
		entries, err := c.store.Batch(ctx, id, i)
		if err != nil {
			return err
		}
		for _, e := range entries {
			c.keys[e.Key] = true
		}
	}
	return nil
}

func (c *collector) name(files []File) {
	for i := range files {
		c.blobs[files[i].blob()] = true
	}
}

// visit removes one object unless something names it or it is young. Manifests come before blobs in the order of
// listings, so that what they name is known by then.
func (c *collector) visit(ctx context.Context, o object) error {
	if !c.dry {
		if err := c.announce(ctx); err != nil {
			return err
		}
	}
	old := time.Since(o.changed) > c.store.youngest
	keep, err := c.needed(ctx, o.name, old)
	if err != nil || keep {
		return err
	}
	c.done.Objects++
	c.done.Bytes += o.size
	if c.dry {
		return nil
	}
	return c.store.remove(ctx, o.name)
}

// needed reports whether an object stays, and notes the blobs that it names if it does.
func (c *collector) needed(ctx context.Context, name string, old bool) (bool, error) {
	if strings.HasSuffix(name, unfinished) {
		return !old, nil
	}
	kind, rest, _ := strings.Cut(name, "/")
	switch kind {
	case "blobs":
		return !old || c.blobs[name], nil
	case "sweeps":
		id, _, _ := strings.Cut(rest, ".")
		return !old || c.sweeps[id], nil
	case "failed":
		return !old || c.keys[rest], nil
	}
	key, _, _ := strings.Cut(rest, "/")
	if old && !c.keys[key] {
		return false, nil
	}
	if kind == "checkpoints" && old {
		if size, err := c.store.size(ctx, "runs/"+key); err != nil || size >= 0 {
			return false, err // the run is finished; a writer that was late left it
		}
	}
	m, _, err := c.store.readManifest(ctx, name, key)
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrPoisoned) {
		return true, nil // gone meanwhile, or for a person to look at
	}
	if err == nil {
		c.name(m.Files)
	}
	return true, err
}

// waitForCollector returns when gc is not at work.
func (s *Store) waitForCollector(ctx context.Context) error {
	for {
		data, err := s.read(ctx, collecting, 1000)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		since, err := time.Parse(time.RFC3339, string(data))
		if err != nil || time.Since(since) > patience {
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
