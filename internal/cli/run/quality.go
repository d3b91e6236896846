package run

import (
	"fmt"
	"math"
	"strings"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// quality is how the steps of a run went, those of earlier sessions included.
type quality struct {
	steps       int
	last        int     // step
	solves      bool    // steps have a residual and a tolerance
	unconverged []int   // the steps that did not reach the tolerance, without those that are contradicted
	contradicts []int   // the steps that did but for contacts that are proven to contradict each other
	spent       []int   // of the unconverged, those whose budget was spent
	residual    float64 // the largest [m/s]
	at          int     // and its step
	ahead       runfolder.Ahead
	losses      []runfolder.Loss
	contacts    int     // the most in a step
	gap         float64 // the smallest [m]; +Inf without contacts
	crossings   int     // the most in a step
	crossed     []int   // steps with crossings
	through     []int   // steps in which triangles of smooth surfaces cross
	infeasible  []int   // steps with contacts that contradict each other
	frozen      []int   // steps in a row in which the fail-safe took too much from a body
	yarns       bool    // it is a run of yarns, and then
	slips       int     // how often yarns passed through each other
	slipped     []int   // steps by which they had
}

// judge sums up the statistics of a run.
func judge(f *runfolder.Folder) (*quality, error) {
	table, err := f.Stats()
	if err != nil {
		return nil, err
	}
	q := &quality{steps: table.Rows(), gap: math.Inf(1)}
	q.solves, q.yarns = table.Column("residual") != nil, table.Column("slips") != nil
	at := func(column string, row int) float64 {
		if c := table.Column(column); c != nil {
			return c[row]
		}
		return 0 // a run of an older version
	}
	for row := range q.steps {
		step := int(at("step", row))
		q.last = step
		if at("contradicted", row) > 0 {
			q.contradicts = append(q.contradicts, step)
		} else if q.solves && at("converged", row) == 0 {
			q.unconverged = append(q.unconverged, step)
		}
		if at("spent", row) > 0 {
			q.spent = append(q.spent, step)
		}
		// A residual that is not a number is the worst there is.
		if r := at("residual", row); r > q.residual || math.IsNaN(r) {
			q.residual, q.at = r, step
		}
		q.contacts = max(q.contacts, int(at("contacts", row)))
		if gap := at("worst gap", row); q.solves && at("contacts", row) > 0 && gap < q.gap {
			q.gap = gap
		}
		if n := int(at("crossings", row)); n > 0 {
			q.crossings, q.crossed = max(q.crossings, n), append(q.crossed, step)
		}
		if at("smooth crossings", row) > 0 {
			q.through = append(q.through, step)
		}
		if n := int(at("slips", row)); n > 0 {
			q.slips, q.slipped = q.slips+n, append(q.slipped, step)
		}
		if at("infeasible", row) > 0 {
			q.infeasible = append(q.infeasible, step)
		}
	}
	q.ahead, q.losses = table.Ahead(), table.Losses()
	first, rows := runfolder.Frozen(table.Column("failsafe taken"))
	for row := first; row < first+rows; row++ {
		q.frozen = append(q.frozen, int(at("step", row)))
	}
	return q, nil
}

// doubts says why a run is not what its scene says; nothing if it is. What crosses at the start and comes apart is no
// doubt.
func (q *quality) doubts() (all []string) {
	began := 0 // the first steps, as long as something crosses without a break
	for began < len(q.crossed) && q.crossed[began] == began+1 {
		began++
	}
	if n := len(q.crossed); n > began || n > 0 && n == q.last {
		all = append(all, "something crosses in "+words.Count(n, "step")+" ("+someSteps(q.crossed)+")")
	}
	if len(q.frozen) > 0 {
		all = append(all, fmt.Sprintf("the fail-safe held a body back in %s in a row (%s)",
			words.Count(len(q.frozen), "step"), someSteps(q.frozen)))
	}
	return all
}

// share returns how many of the steps converged, from 0 to 1.
func (q *quality) share() float64 {
	if q.steps == 0 {
		return 1
	}
	return 1 - float64(len(q.unconverged)+len(q.contradicts))/float64(q.steps)
}

// someSteps names the first few steps of a list.
func someSteps(steps []int) string {
	const shown = 4
	var names []string
	for _, s := range steps[:min(shown, len(steps))] {
		names = append(names, words.Thousands(s))
	}
	text := strings.Join(names, ", ")
	if len(steps) > shown {
		text += ", …"
	}
	return text
}

// say prints the quality of a run.
func (q *quality) say(t *cli.Term, stats string) {
	// without a solver there are contacts and slips of yarns alone
	if !q.solves {
		if q.contacts > 0 {
			t.Say("Contacts   up to %s", words.Thousands(q.contacts))
		}
		if q.slips > 0 {
			t.Say("%s", t.Paint(cli.Yellow,
				fmt.Sprintf("Slips      %s: yarns passed through each other before steps %s",
					words.Thousands(q.slips), someSteps(q.slipped))))
		} else if q.yarns {
			t.Say("Slips      none: no yarn passed through another")
		}
		return
	}
	q.sayResiduals(t, stats)
	// how far one more linearization would move points, and what was lost
	if q.ahead.Steps > 0 {
		t.Say("           One more linearization of a step would move points by %s in the mean, %s at worst.",
			words.Length(q.ahead.Mean), words.Length(q.ahead.Worst))
	}
	for i := range q.losses {
		title := "Lost       "
		if body := q.losses[i].Body; body != "" {
			title = "           " + body + ": "
		}
		t.Say("%s%s", title, &q.losses[i])
	}
	// contacts, steps in which the fail-safe held a body back, and what crosses
	if q.contacts > 0 {
		t.Say("Contacts   up to %s; the smallest gap is %s", words.Thousands(q.contacts), words.Length(q.gap))
	}
	if len(q.frozen) > 0 {
		t.Say("%s", t.Paint(cli.Yellow,
			fmt.Sprintf("Fail-safe  held a body back by more than 1 %% of its weight in %s in a row (%s)",
				words.Count(len(q.frozen), "step"), someSteps(q.frozen))))
	}
	if len(q.crossed) > 0 {
		t.Say("%s", t.Paint(cli.Yellow, fmt.Sprintf("Crossings  up to %s at a time, in %s (%s)",
			words.Thousands(q.crossings), words.Count(len(q.crossed), "step"), someSteps(q.crossed))))
	} else {
		t.Say("Crossings  none")
	}
	if len(q.through) > 0 {
		t.Say("%s", t.Paint(cli.Yellow, fmt.Sprintf("Smooth     triangles of smooth surfaces cross others in %s (%s)",
			words.Count(len(q.through), "step"), someSteps(q.through))))
	}
	// contacts that contradict each other
	if len(q.infeasible) > 0 {
		t.Say(
			"%s",
			t.Paint(
				cli.Yellow,
				fmt.Sprintf("Conflicts  contacts contradict each other in %s (%s), as is proven; "+
					"their impulses were bounded",
					words.Count(len(q.infeasible), "step"), someSteps(q.infeasible)),
			),
		)
		t.Say("           all else reached the tolerance in %s of them", words.Thousands(len(q.contradicts)))
	}
}

// sayResiduals prints how well steps were solved.
func (q *quality) sayResiduals(t *cli.Term, stats string) {
	residual := "Residuals  every step reached the tolerance"
	switch n := len(q.unconverged); {
	case n > 0:
		residual = t.Paint(
			cli.Yellow,
			fmt.Sprintf("Residuals  %s of steps reached the tolerance; %s did not (%s): see the column converged of %s",
				words.Percent(q.share()), words.Thousands(n), someSteps(q.unconverged), stats),
		)
	case len(q.contradicts) > 0:
		residual = t.Paint(cli.Yellow,
			fmt.Sprintf("Residuals  %s of steps reached the tolerance, the others but for conflicts",
				words.Percent(q.share())))
	case q.steps > 0:
		residual += fmt.Sprintf("; the largest is %.1e m/s, in step %s", q.residual, words.Thousands(q.at))
	}
	t.Say("%s", residual)
	if len(q.unconverged)+len(q.contradicts) > 0 {
		t.Say("           the largest is %.1e m/s, in step %s", q.residual, words.Thousands(q.at))
	}
	if n := len(q.spent); n > 0 {
		t.Say("           %s ended when the budget (contact.budget) was spent: %s",
			words.Count(n, "step"), someSteps(q.spent))
	}
}
