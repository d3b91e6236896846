package runfolder

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Condition ends a run early: a column of the statistics is above or below a limit, in every step for some time. The
// run then goes on to the next frame, which is its last.
type Condition struct {
	Column string  // with or without its unit; no clock
	Below  bool    // or above
	Limit  float64 // in the unit of the column
	For    float64 // how long [s]; 0: once is enough
}

// conditionSyntax is such as "max speed < 1e-4 for 0.2 s".
var conditionSyntax = regexp.MustCompile(`^(.*?) *([<>]) *([^ ]+)(?: +for +([^ ]+)(?: *s)?)?$`)

// ParseCondition reads a condition such as "crossings > 0" or "max speed < 1e-4 for 0.2 s".
func ParseCondition(text string) (Condition, error) {
	fault := func(format string, args ...any) (Condition, error) {
		return Condition{}, fmt.Errorf(`%q: %s; write such as "max speed < 1e-4 for 0.2 s"`, text, fmt.Sprintf(format, args...))
	}
	// column, sign and numbers
	parts := conditionSyntax.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil || parts[1] == "" {
		return fault("a condition compares a column of the statistics with a number")
	}
	// column, which must be the same in every run
	c := Condition{Column: strings.Join(strings.Fields(parts[1]), " "), Below: parts[2] == "<"}
	if strings.ContainsAny(c.Column, ",<>\"\n") {
		return fault("%q is not a column", c.Column)
	}
	if IsClock(c.Column) {
		return fault("clocks differ from run to run and cannot end one")
	}
	// limit
	number := func(text string) (float64, bool) {
		x, err := strconv.ParseFloat(text, 64)
		return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
	}
	var ok bool
	if c.Limit, ok = number(parts[3]); !ok {
		return fault("%q is not a number", parts[3])
	}
	// how long it must hold
	if parts[4] == "" {
		return c, nil
	}
	if c.For, ok = number(strings.TrimSuffix(parts[4], "s")); !ok || c.For < 0 {
		return fault("%q is not a time in seconds", parts[4])
	}
	return c, nil
}

// String writes c as ParseCondition reads it, in the same way however it was written.
func (c Condition) String() string {
	sign := ">"
	if c.Below {
		sign = "<"
	}
	text := fmt.Sprintf("%s %s %g", c.Column, sign, c.Limit)
	if c.For > 0 {
		text += fmt.Sprintf(" for %g s", c.For)
	}
	return text
}

// MarshalText is for run.json.
func (c Condition) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (c *Condition) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCondition(string(text))
	return err
}

// stopper looks at the rows of the statistics, one after the other, for the first that meets a condition. What it finds
// depends on the rows alone, so that a run that is resumed finds the same.
type stopper struct {
	conditions []Condition
	columns    []int     // of the conditions
	since      []float64 // when each began to hold [s]; NaN: it does not
	met        *Condition
}

// newStopper returns a stopper of rows with the given columns, or nil if there are no conditions.
func newStopper(conditions []Condition, columns []string) (*stopper, error) {
	if len(conditions) == 0 {
		return nil, nil
	}
	s := &stopper{conditions: conditions}
	for i := range conditions {
		at := columnAt(columns, conditions[i].Column)
		if at < 0 {
			return nil, fmt.Errorf("%s has no column %q, which is to end the run; it has: %s", StatsName, conditions[i].Column, bareNames(columns))
		}
		s.columns, s.since = append(s.columns, at), append(s.since, math.NaN())
	}
	return s, nil
}

// timeColumn is where rows have the time at the end of the step.
const timeColumn = 2

// look takes the next row. A cell that is empty meets no condition.
func (s *stopper) look(cells []float64) {
	if s == nil || s.met != nil {
		return
	}
	t := cells[timeColumn]
	for i := range s.conditions {
		c, x := &s.conditions[i], cells[s.columns[i]]
		if !(c.Below && x < c.Limit || !c.Below && x > c.Limit) {
			s.since[i] = math.NaN()
			continue
		}
		if math.IsNaN(s.since[i]) {
			s.since[i] = t
		}
		// Times are multiples of the step, up to rounding.
		if t-s.since[i] >= c.For*(1-1e-9) {
			s.met = c
			return
		}
	}
}
