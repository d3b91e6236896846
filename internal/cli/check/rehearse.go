// Rehearsals: what a run will take, from playing some of it.
//
// How long a step takes depends on what touches then, which nothing but playing tells. A rehearsal plays the scene to
// its end with most of its steps put together into few long ones, and times ordinary steps in between: long steps bring
// the cloth about to where it will be, ordinary ones tell what a step costs there.

package check

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/bench"
	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/cli/sewn"
	"github.com/toile-sim/toile/internal/dress"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/player"
	"github.com/toile-sim/toile/internal/report"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
	"github.com/toile-sim/toile/internal/yarn"
)

// effort is what work takes, on the wall and of all cores together [s].
type effort struct{ wall, cpu float64 }

func (e effort) plus(o effort) effort        { return effort{e.wall + o.wall, e.cpu + o.cpu} }
func (e effort) times(factor float64) effort { return effort{factor * e.wall, factor * e.cpu} }

// pace is what steps take.
type pace struct {
	steps int
	took  effort
}

func (p *pace) add(took effort) { p.steps, p.took = p.steps+1, p.took.plus(took) }
func (p *pace) mean() effort    { return p.took.times(1 / float64(max(1, p.steps))) }

// clocked returns what work takes. Where the system does not tell the time of cores, it is that on the wall.
func clocked(work func() error) (effort, error) {
	begin, worked := time.Now(), bench.CPUTime()
	err := work()
	e := effort{wall: time.Since(begin).Seconds(), cpu: (bench.CPUTime() - worked).Seconds()}
	if worked == 0 {
		e.cpu = e.wall
	}
	return e, err
}

// rehearsal is what a rehearsal says about a run.
type rehearsal struct {
	before effort // sewing, the way to the first pose, and settling
	steps  effort // all steps
	whole  bool   // everything was rehearsed; else the rest is taken to go on like the last part
	panels uint64 // in use when garments hung as panels [byte]
	worn   uint64 // and in steps of the run, at most; 0: there was no time for these
	live   uint64 // the most that was in use at once [byte]
}

func (r *rehearsal) total() effort { return r.before.plus(r.steps).plus(reporting) }

// reporting is about what frames and the report take after the last step: its pictures are as many and as large for
// all.
var reporting = effort{wall: 0.9, cpu: 0.9}

// words says how long a run takes, in steps that take so long on so many cores.
func (r *rehearsal) words(step effort, cores int) string {
	text := "about " + words.Seconds(r.total().wall)
	if r.before.wall > 0 {
		text += fmt.Sprintf(", %s of it before the first frame", words.Seconds(r.before.wall))
	}
	text += fmt.Sprintf(" (%s a step on %s", words.Seconds(step.wall), words.Count(cores, "core"))
	if !r.whole {
		text += "; not all of it was tried: --rehearse gives it more time"
	}
	return text + ")"
}

// memory estimates the memory that a run with so many points of yarn takes [byte].
func (r *rehearsal) memory(points int) int64 {
	kept, each := report.TubesInMemory(points)
	return memoryAtLeast + int64(memoryFactor*float64(r.live)) + int64(memoryPerKept*kept+memoryPerDrawn*each)
}

const (
	memoryAtLeast = 55 << 20 // of a program that has played something and drawn its report
	memoryFactor  = 2        // that the collector lets a heap grow by

	// What the report takes for a vertex of a tube that it keeps and for one that it draws [byte]. Fitted to runs of
	// 3,300 to 116,000 control points, which take 0.28 to 2.3 GB; the collector makes equal runs differ by up to a
	// third.
	memoryPerKept  = 145
	memoryPerDrawn = 690
)

// A station of a rehearsal is a long step, steps to calm down after it, and steps that are timed: at least timedSteps,
// and more until they have taken as long as the way to them, since some steps take many times as long as others.
const (
	calmingSteps  = 3
	timedSteps    = 2
	leastStride   = 2 * (calmingSteps + timedSteps) // steps of the run for a station, at least
	leastStations = 20
)

// plan is what is to be rehearsed.
type plan struct {
	job  *player.Job
	cost scenefile.Cost
	step float64         // length of a step [s]
	sewn *runfolder.Sewn // may be nil
	// coarser returns the same with garments of larger triangles; nil where there is no such thing.
	coarser func() (*plan, error)
}

// Garments that there is no time to put on are rehearsed with triangles of coarserSides times their sides. What a run
// takes grows with the number of their vertices to the power of garmentGrowth: of six garments at 36 and at 20 mm,
// dressing took as many seconds to the power of 0.98 to 1.34.
const (
	coarserSides  = 2
	garmentGrowth = 1.2
	finerShare    = 1.0 / 3 // of the time, for garments as they are
	keptShare     = 2       // the same where they are kept for the run once they are sewn
)

// planOf returns what toile check is to rehearse of a scene.
func planOf(path string, f *checkFlags, s *scenefile.Scene, job *player.Job) *plan {
	p := &plan{
		job: job, cost: s.Cost(), step: 1 / (s.Time.FPS * float64(s.Time.StepsPerFrame())), sewn: sewn.Folder(f.sewn),
	}
	larger := slices.Clone(f.sets)
	for i := range s.Cloths {
		if g := s.Cloths[i].Shape.Garment; g != nil {
			larger = append(larger, fmt.Sprintf("cloths.%d.shape.garment.size=%g m", i, coarserSides*g.Size))
		}
	}
	if len(larger) == len(f.sets) {
		return p
	}
	p.coarser = func() (*plan, error) {
		s, err := scenefile.Load(path, larger)
		if err != nil {
			return nil, err
		}
		job, err := player.FromScene(s, f.work)
		return &plan{job: &job, cost: s.Cost(), step: p.step}, err
	}
	return p
}

// dressingShare is the share of a rehearsal's time in which garments are to be put on.
func (p *plan) dressingShare() float64 {
	switch {
	case p.sewn != nil:
		return keptShare
	case p.coarser != nil:
		return finerShare
	default:
		return 1
	}
}

// rehearse plays some of a run for about as long as it may.
func rehearse(p *plan, may time.Duration) (*rehearsal, error) {
	r := &rehearsal{whole: true}
	begin := time.Now()
	job, w := p.job, p.job.World
	if job.Dress != nil {
		patience := time.Duration(p.dressingShare() * float64(may))
		dressed, open, err := r.dress(p, patience)
		switch {
		case err != nil:
			return r, fmt.Errorf("dressing before the first frame: %w", err)
		case dressed != nil:
			defer func() { _ = open.Close() }() // read only
			w = dressed
			if p.sewn != nil {
				begin = time.Now() // dressing has a time of its own
			}
		case p.coarser != nil:
			r.guessFromCoarser(p, time.Duration((1-finerShare)*float64(may)))
			return r, nil
		case r.steps.wall > 0: // guessed
			return r, nil
		}
	}
	if job.Settle != nil {
		if err := r.settle(w, *job.Settle, may); err != nil {
			return r, fmt.Errorf("settling before the first frame: %w", err)
		}
	}
	left := max(may-time.Since(begin), may/3)
	if err := r.play(w, p.cost.Steps, p.step, left); err != nil {
		return r, fmt.Errorf("the first step fails: %w", err)
	}
	return r, nil
}

// guessFromCoarser guesses from a rehearsal of the same with larger triangles. What is in use when garments are worn,
// beyond what it was with their panels, grows with the number of vertices; obstacles are the same. Where these cannot
// be rehearsed, such as where they are too large for the garment, what was guessed before stays. It stays for steps too
// where it is less: triangles that are large for the body are held by contacts that contradict each other, and may cost
// more than many small ones, 80 times as much for a tunic.
func (r *rehearsal) guessFromCoarser(p *plan, may time.Duration) {
	coarser, err := p.coarser()
	if err != nil {
		return
	}
	tried, err := rehearse(coarser, may)
	if err != nil || tried.steps.wall == 0 {
		return
	}
	growth := math.Pow(float64(p.cost.Vertices)/float64(coarser.cost.Vertices), garmentGrowth)
	r.before = tried.before.times(growth)
	if grown := tried.steps.times(growth); r.steps.cpu == 0 || grown.cpu < r.steps.cpu {
		r.steps = grown
	}
	more := float64(
		max(tried.worn, tried.panels)-tried.panels,
	) * float64(p.cost.Vertices) / float64(coarser.cost.Vertices)
	r.live = max(r.live, tried.live, r.panels+uint64(more))
}

// settle finds the equilibrium, or as much of it as there is time for.
func (r *rehearsal) settle(w *engine.World, opt engine.SettleOptions, may time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), may)
	defer cancel()
	w.SetContext(ctx)
	defer w.SetContext(context.Background())
	took, err := clocked(func() error {
		_, err := w.Settle(opt)
		return err
	})
	r.before = r.before.plus(took)
	if ctx.Err() != nil {
		r.whole, err = false, nil
	}
	return err
}

// play takes the stations of steps of h. The first is a single step, which is taken in any case: it knows nothing of
// contacts yet, and may take many times as long as others. So the next are ordinary steps, for which there is time in
// any case.
func (r *rehearsal) play(w *engine.World, steps int, h float64, may time.Duration) error {
	deadline := time.Now().Add(may)
	first, err := station(w, 1, 1, h)
	if err != nil {
		return err
	}
	each := first.mean() // what a step takes
	r.steps, r.worn = r.steps.plus(each), max(r.worn, r.collect())
	if grace := time.Now().Add(time.Duration(timedSteps * each.wall * float64(time.Second))); grace.After(deadline) {
		deadline = grace
	}
	ctx, cancel := context.WithDeadline(context.Background(), deadline)
	defer cancel()
	w.SetContext(ctx)
	defer w.SetContext(context.Background())
	for left, stride := steps-1, timedSteps; left > 0; {
		begin, from := time.Now(), w.Time()
		now, err := station(w, min(stride, left), left, h)
		taken := int(math.Round((w.Time() - from) / h))
		if now.steps > 0 {
			each = now.mean()
			r.steps = r.steps.plus(each.times(float64(taken)))
			left -= taken
		}
		if err != nil { // the time is up, or long steps fail; the run with its short ones may well go on
			r.whole = false
			r.steps = r.steps.plus(each.times(float64(left)))
			return nil
		}
		r.worn = max(r.worn, r.collect())
		// What comes later tends to take longer: half of the time that is left is for that.
		stride = max(leastStride, steps/leastStations)
		if stations := time.Until(deadline).Seconds() / 2 / time.Since(begin).Seconds(); stations > 0 {
			stride = min(stride, max(leastStride, int(float64(left)/stations)))
		}
	}
	return nil
}

// station goes on by so many steps of h, most of them in one, or some more, and returns what those take that it timed.
func station(w *engine.World, stride, most int, h float64) (timed pace, err error) {
	begin := time.Now()
	calm := min(max(0, stride-timedSteps), calmingSteps)
	if long := float64(stride-timedSteps-calm) * h; long > 0 {
		err = w.Advance(long, long, nil)
	}
	if err == nil && calm > 0 {
		err = w.Advance(float64(calm)*h, h, nil)
	}
	way := time.Since(begin).Seconds()
	before := max(0, stride-timedSteps)
	for err == nil && before+timed.steps < most && (before+timed.steps < stride || timed.took.wall < way) {
		var took effort
		if took, err = clocked(func() error { return w.Advance(h, h, nil) }); err == nil {
			timed.add(took)
		}
	}
	return timed, err
}

// collect notes and returns how much is in use [byte].
func (r *rehearsal) collect() uint64 {
	runtime.GC()
	return r.look()
}

// look notes and returns how much was in use when the collector last looked [byte].
func (r *rehearsal) look() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	live := sample[0].Value.Uint64()
	r.live = max(r.live, live)
	return live
}

// Guesses for dressing that there is no time to try. Panels hang free while threads are long, and touch once they are
// drawn in and worn: at two sizes of triangles a step then took 7 to 15 times as long for tunic, trousers, skirt and
// one hood, and 40 times for another.
const (
	drawnIn    = 0.55 // share of the steps of dressing before that
	lateSewing = 12.0 // what a step takes after that, in the first ones
)

// dress puts garments on if there is time for it, and returns their world then, and what that reads from. If there is
// not, it guesses what the rest and the steps of the run take.
func (r *rehearsal) dress(p *plan, may time.Duration) (*engine.World, io.Closer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), may)
	defer cancel()
	drawn := int(math.Ceil(drawnIn * float64(p.cost.Dressing))) // after so many steps
	var early, late pace
	at := 0
	begin, worked := time.Now(), bench.CPUTime()
	how := dress.Options{Tell: func(now dress.Dressing) {
		sum := effort{time.Since(begin).Seconds(), (bench.CPUTime() - worked).Seconds()}
		took := sum.plus(r.before.times(-1))
		r.before = sum
		if at = now.Steps; at <= drawn {
			early.add(took)
		} else {
			late.add(took)
		}
		if r.panels == 0 {
			r.panels = r.collect()
		}
		r.look()
	}}
	p.job.ShareSewn(p.sewn, &how)
	world, open, _, err := p.job.Dress(ctx, nil, how)
	if err == nil || ctx.Err() == nil {
		return world, open, err
	}
	r.whole = false
	if at == 0 {
		return nil, nil, nil
	}
	each := late.mean()
	if late.steps == 0 {
		each = early.mean().times(lateSewing)
	}
	r.before = r.before.plus(
		early.mean().times(float64(max(0, drawn-at))),
	).plus(each.times(float64(max(0, p.cost.Dressing-max(at, drawn)))))
	r.steps = each.times(float64(p.cost.Steps)) // garments are worn late in dressing, and then
	return nil, nil, nil
}

// The time of a scene of yarns is played in yarnStations parts, or in more of at most yarnPart of the longest steps.
const (
	yarnStations = 50
	yarnPart     = 16
)

// rehearseYarns plays yarns until they have reached the end or there is no more time, and returns how many steps the
// whole takes if it goes on like that. The first step tells how close yarns start.
func rehearseYarns(
	built *build.BuiltYarns, end float64, may time.Duration, pieces []yarnReport,
) (*rehearsal, int, error) {
	// simulated time of a part, after each of which the clock is read
	r := &rehearsal{whole: true}
	deadline := time.Now().Add(may)
	steps, reached := 0, 0.0
	part := max(built.Pace.Most, min(end/yarnStations, yarnPart*built.Pace.Most))
	// parts until the end or the deadline
	for end-reached > 1e-9*end && (reached == 0 || time.Now().Before(deadline)) {
		took, err := clocked(func() error {
			return built.World.Advance(min(part, end-reached), built.Pace, func(st *yarn.Stats) {
				if c := st.Contact.Closest; steps == 0 && c < yarnsTooClose {
					pieces[0].Warnings = append(pieces[0].Warnings,
						fmt.Sprintf(
							"yarns start as close as %.2f of their diameter, and may pass through each other", c,
						))
				}
				steps++
			})
		})
		// yarns that fail at once have no cost; later it is a warning
		if err != nil && reached == 0 {
			return r, 0, built.Explain(err)
		}
		if err != nil {
			pieces[0].Warnings = append(pieces[0].Warnings,
				fmt.Sprintf("it fails at t = %.4g s: %v", built.World.Time(), built.Explain(err)))
			break
		}
		r.steps = r.steps.plus(took)
		r.look()
		reached = built.World.Time()
	}
	// what the rest would take
	all := end / reached
	r.whole, r.steps = end-reached <= 1e-9*end, r.steps.times(all)
	return r, int(math.Round(float64(steps) * all)), nil
}
