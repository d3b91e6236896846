package report

import (
	"cmp"
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// conclude says in a sentence and a few numbers how the run went.
func (v *view) conclude(f *runfolder.Folder, s *series, frames []int, complete bool) {
	switch {
	case v.Failure != "":
		v.State = "failed"
	case complete:
		v.State = "finished"
	default:
		v.State = "unfinished"
	}
	v.Verdict = s.verdict()
	v.tiles(&f.Manifest.Time, s, len(frames), complete)
}

// verdict says in a sentence or two how the steps went.
func (s *series) verdict() (verdict string) {
	// whether steps reached the tolerance
	switch above := len(s.unconverged); {
	case s.rows == 0:
		verdict = "No step has been taken."
	case !s.solves:
		verdict = words.Count(s.steps, "step") + " were taken" + s.slips.verdict()
	case above == 0 && s.contradicts == 0:
		verdict = "Every step reached the tolerance"
	case above == 0:
		verdict = fmt.Sprintf("%s of steps reached the tolerance; in the others contacts contradict each other",
			percent(s.converged()))
	default:
		verdict = fmt.Sprintf(
			"%s of steps reached the tolerance; %s did not",
			percent(s.converged()),
			words.Thousands(above),
		)
	}
	if s.spent > 0 {
		verdict += fmt.Sprintf(", %s of them because their budget was spent", words.Thousands(s.spent))
	}
	// crossings
	if s.rows > 0 && s.solves {
		if s.crossings == 0 {
			verdict += ", and nothing crosses."
		} else {
			verdict += fmt.Sprintf(". There are crossings in %s.", words.Count(s.crossed, "step"))
		}
	}
	// what is lost, and how often the fail-safe had to hold bodies back
	if s.ahead.Steps > 0 {
		verdict += fmt.Sprintf(" One more linearization of a step would move points by %s in the mean, %s at worst.",
			length(s.ahead.Mean), length(s.ahead.Worst))
	}
	if len(s.losses) > 0 {
		all := s.losses[0].String()
		verdict += " By themselves, " + all + "."
	}
	if s.frozen > 0 {
		verdict += fmt.Sprintf(" The fail-safe held a body back by more than 1 %% of its weight in %s in a row.",
			words.Count(s.frozen, "step"))
	}
	return verdict
}

// tiles shows a few numbers.
func (v *view) tiles(t *runfolder.Timing, s *series, frames int, complete bool) {
	// how far the run is
	reached := 0.0
	if len(s.time) > 0 {
		reached = s.time[len(s.time)-1]
	}
	v.Tiles = []tile{
		{
			Label:  "Simulated",
			Value:  short(reached) + " s",
			Detail: fmt.Sprintf("%s of %s frames", words.Thousands(frames), words.Thousands(t.Frames)),
			Bad:    !complete,
		},
		{
			Label:  "Steps",
			Value:  words.Thousands(s.steps),
			Detail: s.paceWords(t),
		},
	}
	// how well steps were solved
	if s.solves {
		v.Tiles = append(v.Tiles,
			tile{
				Label:  "At tolerance",
				Value:  percent(s.converged()),
				Detail: "largest " + short(s.residual) + " m/s",
				Bad:    len(s.unconverged)+s.contradicts > 0,
			},
			tile{
				Label: "Crossings", Value: words.Thousands(s.crossings), Detail: "most in a step", Bad: s.crossings > 0,
			},
		)
	}
	// slips of yarns
	if s.slips.known {
		v.Tiles = append(v.Tiles, s.slips.tile())
	}
	// contacts
	v.Tiles = append(v.Tiles, tile{Label: "Contacts", Value: words.Thousands(s.contacts), Detail: s.mostWords()})
	if !math.IsInf(s.gap, 1) {
		v.Tiles = append(v.Tiles, tile{Label: "Smallest gap", Value: length(s.gap), Detail: "at the start of a step"})
	}
	// time
	if s.clock > 0 {
		v.Tiles = append(
			v.Tiles,
			tile{
				Label: "Time of " + cmp.Or(s.onlyPhase(), "steps"), Value: words.FineSeconds(s.clock),
				Detail: words.FineSeconds(s.clock/float64(s.steps)) + " a step",
			},
		)
	}
}

// bodyWords are the words for kinds of bodies.
var bodyWords = map[runfolder.Kind]string{
	runfolder.KindCloth: "Cloth", runfolder.KindSolid: "Soft body", runfolder.KindRigid: "Rigid body",
	runfolder.KindYarn: "Yarn",
}

// facts lists what was run, with what and by which build.
func (v *view) facts(f *runfolder.Folder, frames []int) {
	// facts without a value are left out
	m := &f.Manifest
	add := func(label, value string, code bool) {
		if value != "" {
			v.Facts = append(v.Facts, fact{label, value, code})
		}
	}
	// what the last frame holds
	if n := len(frames); n > 0 {
		if last, err := f.Frame(frames[n-1]); err == nil {
			add(fmt.Sprintf("State at frame %d", last.Number), last.Hash, true)
			for i := range last.Bodies {
				b := &last.Bodies[i]
				if b.Kind.Obstacle() {
					add("Obstacle", fmt.Sprintf("%s: %s", b.Name, b.Kind), false)
					continue
				}
				if c := b.Curves; c != nil {
					add(
						bodyWords[b.Kind],
						fmt.Sprintf(
							"%s: %s, %s of %s mm radius",
							b.Name,
							words.Count(len(c.Points), "control point"),
							words.Count(len(c.Counts), "yarn"),
							short(1e3*c.Radius),
						),
						false,
					)
					continue
				}
				add(
					bodyWords[b.Kind],
					fmt.Sprintf(
						"%s: %s vertices, %s triangles",
						b.Name,
						words.Thousands(len(b.Mesh.Positions)),
						words.Thousands(len(b.Mesh.Triangles)),
					),
					false,
				)
			}
		}
	}
	// where the run comes from
	add("State at the start", m.Start, true)
	if m.Source != nil {
		add("Scene file", m.Source.Path, true)
		add("its SHA-256", m.Source.SHA256, true)
	}
	for _, in := range m.Inputs {
		add("Input", in.Path+"  "+in.SHA256, true)
	}
	// how it was made
	add("Frames a second", short(m.Time.FPS), false)
	add("Build", buildWords(&m.Build), false)
	add("run.json", m.Digest, true)
}
