package bench

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"path/filepath"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/untangle"
	"github.com/toile-sim/toile/mesh"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// bodyFile is the name of a body to make space in. A case that has one has no scene.
const bodyFile = "body.obj"

// knee is the bent limb of verification M2.
func knee(around int) files {
	l := mannequin.Limb{Radius: 0.06, Bone: 6 * 0.06, Around: around, Along: around, Blend: 0.2}
	x, tri := l.Bent(120 * math.Pi / 180)
	return files{bodyFile: objText(&mesh.Mesh{Tri: tri}, x)}
}

// spaceBody makes space in a body again and again, each time as it was given. The sixth of its vertices that is nearest
// to the joint is free to move.
type spaceBody struct {
	space *untangle.Space
	x, u  []r3.Vec
	opt   untangle.SpaceOptions
}

func openBody(o *Order) (*spaceBody, error) {
	m, err := meshio.ReadFile(filepath.Join(o.Folder, bodyFile), meshio.DefaultReadOptions())
	if err != nil {
		return nil, err
	}
	b := &spaceBody{x: m.Positions, u: make([]r3.Vec, len(m.Positions)), opt: untangle.DefaultSpaceOptions()}
	if b.space, err = untangle.NewSpace(len(b.x), m.Triangles); err != nil {
		return nil, err
	}
	b.opt.Team = par.New(o.Workers)
	order := make([]int, len(b.x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(b.x[i].Norm2(), b.x[j].Norm2()) })
	free := make([]bool, len(b.x))
	for _, i := range order[:len(b.x)/6] {
		free[i] = true
	}
	b.space.SetRegion(free)
	return b, nil
}

func (b *spaceBody) close() {}

// hash returns that of the correction.
func (b *spaceBody) hash() string {
	sum := sha256.New()
	for _, u := range b.u {
		var bytes []byte
		for _, v := range []float64{u.X, u.Y, u.Z} {
			bytes = binary.LittleEndian.AppendUint64(bytes, math.Float64bits(v))
		}
		sum.Write(bytes)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// step makes space once. Contacts are the vertices that are free to move, linear are steps of conjugate gradients.
// A few iterations are all that is asked for, so that it always counts as converged.
func (b *spaceBody) step(w *watch) error {
	clear(b.u)
	var stats untangle.SpaceStats
	last := time.Now()
	phases := map[string]*time.Duration{
		"place": &w.laps.Pose, "inside": &w.laps.Detect, "near": &w.laps.Detect, "solve": &w.laps.Solve, "count": &w.laps.Check,
	}
	b.opt.Lap = func(phase string) {
		now := time.Now()
		if sum := phases[phase]; sum != nil {
			*sum += now.Sub(last)
		}
		last = now
	}
	_ = w.clock(func() error { // nothing fails
		last = time.Now()
		stats = b.space.Open(b.x, b.u, b.opt)
		return nil
	})
	r := &w.result
	r.Vertices = len(b.x)
	r.Contacts += float64(stats.Active)
	r.MostContacts = max(r.MostContacts, stats.Active)
	r.Rounds += float64(stats.Rounds)
	r.Linear += float64(stats.Solves)
	r.Crossings = max(r.Crossings, stats.CrossingsAfter)
	w.converged++
	return nil
}
