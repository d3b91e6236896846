package runfolder

import (
	"fmt"
	"math"
	"strings"
)

// Loss is what stats.csv has of what steps take of angular momentum and energy by themselves.
type Loss struct {
	Body string // its name; empty: all bodies that have elements, together
	Steps,
	Unknown int // of how many steps it is known; without any there is nothing to say; and of how many it is not
	Seconds    float64 // that these took
	Turning    float64 // the sum of angular momentum times the length of a step [J s²]
	SpinLost   float64 // [J s]
	EnergyLost float64 // [J]
	Damped     float64 // by damping, as it should [J]
	Kinetic    float64 // the largest kinetic energy of everything in the run, before and after these steps [J]
}

// Rate returns the share of the angular momentum that steps take in a second, in the mean [1/s]; 0 of what does not
// turn.
func (l *Loss) Rate() float64 {
	if l.Turning == 0 {
		return 0
	}
	return l.SpinLost / l.Turning
}

// String says it to people.
func (l *Loss) String() string {
	verb, rate := "take", 100*l.Rate()
	if rate < 0 {
		verb, rate = "give", -rate
	}
	text := fmt.Sprintf("steps %s %.2g %% of the angular momentum a second (%.2g J s in the mean), and ", verb, rate, l.Turning/max(l.Seconds, math.SmallestNonzeroFloat64))
	verb = "took"
	if l.EnergyLost < 0 {
		verb = "gave"
	}
	text += fmt.Sprintf("%s %.2g J of energy; damping took %.2g J", verb, math.Abs(l.EnergyLost), l.Damped)
	if l.Body == "" {
		text += fmt.Sprintf("; the kinetic energy was at most %.2g J", l.Kinetic)
	}
	return text
}

// lossColumns are those of losses, with their units. Those of a body have its name behind that.
var lossColumns = [4]string{"spin [J s]", "spin lost [J s]", "energy lost [J]", "damped [J]"}

// LossColumns returns the columns of the losses of a body. What a name may not have in a header is written as _.
func LossColumns(body string) []string {
	body = strings.Map(func(r rune) rune {
		if strings.ContainsRune(",\"`\\[]", r) || r < ' ' {
			return '_'
		}
		return r
	}, body)
	out := make([]string, len(lossColumns))
	for i, column := range lossColumns {
		bare, unit, _ := strings.Cut(column, " [")
		out[i] = bare + " " + body + " [" + unit
	}
	return out
}

// Losses sums up the columns of what steps take by themselves: that of all bodies first, and each of them if there are
// several. It is empty if nothing is known.
func (t *Table) Losses() (all []Loss) {
	for c, name := range t.Columns {
		body, ok := strings.CutPrefix(name, "spin lost")
		if !ok {
			continue
		}
		body, _, _ = strings.Cut(body, " [")
		if l := t.lossOf(c, strings.TrimPrefix(body, " ")); l.Steps > 0 {
			all = append(all, l)
		}
	}
	if len(all) == 2 {
		all = all[:1]
	}
	return all
}

// lossOf sums up the columns around that of the spin that is lost.
func (t *Table) lossOf(column int, body string) Loss {
	l := Loss{Body: body}
	if column == 0 || column+2 >= len(t.Columns) {
		return l
	}
	length, kinetic := t.Column("h"), t.Column("kinetic")
	if length == nil || kinetic == nil {
		return l
	}
	for row, lost := range t.Values[column] {
		l.Kinetic = max(l.Kinetic, kinetic[row])
		if math.IsNaN(lost) {
			l.Unknown++
			continue
		}
		l.Steps++
		l.Seconds += length[row]
		l.Turning += t.Values[column-1][row] * length[row]
		l.SpinLost += lost
		l.EnergyLost += t.Values[column+1][row]
		l.Damped += t.Values[column+2][row]
	}
	return l
}
