package sweep

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/portable"
	"github.com/toile-sim/toile/internal/scenefile"
)

// axis is one of the axes that runs are the combinations of: one part, or several that change together.
type axis struct {
	count int
	parts []part
}

// part is a list of values, and the paths of the scene that they go to.
type part struct {
	axis   int // number of the axis it belongs to
	name   string
	paths  []string
	values []placedValue
	log    bool // at equal ratios
	random bool
}

// placedValue is a value, and what reports a fault where the file has it.
type placedValue struct {
	Value
	fault func(msg string) *scenefile.Fault
}

// Limits of what a sweep may be.
const (
	maxRuns = 1_000_000
	maxText = 10_000 // of a value, written out
)

// expand lists the values of all axes.
func (f *File) expand(add func(*scenefile.Fault)) []axis {
	var out []axis
	// names of columns that are taken
	names := map[string]bool{}
	for _, name := range fixedColumns {
		names[name] = true
	}
	// axes and how many runs they make together
	runs := 1.0
	for i := range f.Axes {
		a := f.Axes[i].expand(i, add)
		// a column for each part, under a name of its own
		for k := range a.parts {
			at, name := &f.Axes[i], a.parts[k].name
			if len(at.Zip) > 0 {
				at = &at.Zip[k]
			}
			if names[name] {
				add(at.Fault("name", "a second column %q; give the axis another name", name))
			}
			names[name] = true
		}
		if a.count > 0 {
			out, runs = append(out, a), runs*float64(a.count)
		}
		// too many runs
		if runs > maxRuns {
			add(f.Axes[i].Fault("", "up to here there are %.0f runs; at most %d are allowed", runs, maxRuns))
			return nil
		}
	}
	return out
}

// expand lists the values of an axis; none come with a fault.
func (a *Axis) expand(number int, add func(*scenefile.Fault)) axis {
	// one way to give values
	if !a.one(add, "values", "range", "log", "random", "zip") {
		return axis{}
	}
	// an axis alone
	if len(a.Zip) == 0 {
		p, ok := a.part(number, add)
		if !ok {
			return axis{}
		}
		return axis{count: len(p.values), parts: []part{p}}
	}
	// a zip has nothing but axes
	if a.Given("path") || a.Given("paths") || a.Given("name") {
		add(a.Fault("", "an axis with zip has no path and no name of its own; the axes in it have"))
		return axis{}
	}
	// axes that go together, with as many values each
	out := axis{}
	for i := range a.Zip {
		z := &a.Zip[i]
		if len(z.Zip) > 0 {
			add(z.Fault("zip", "a zip within a zip; write all axes into one"))
			return axis{}
		}
		if !z.one(add, "values", "range", "log", "random") {
			return axis{}
		}
		p, ok := z.part(number, add)
		if !ok {
			return axis{}
		}
		if i > 0 && len(p.values) != out.count {
			add(z.Fault("", "%d values, and %d in the first axis of the zip; they must be as many", len(p.values), out.count))
			return axis{}
		}
		out.count, out.parts = len(p.values), append(out.parts, p)
	}
	return out
}

// one checks that exactly one of the keys is given.
func (a *Axis) one(add func(*scenefile.Fault), keys ...string) bool {
	var given []string
	for _, k := range keys {
		if a.Given(k) {
			given = append(given, k)
		}
	}
	if len(given) != 1 {
		got := "none of them"
		if len(given) > 1 {
			got = strings.Join(given, " and ")
		}
		add(a.Fault("", "an axis must have one of %s, not %s", strings.Join(keys, ", "), got))
	}
	return len(given) == 1
}

// part lists the values of an axis that is no zip.
func (a *Axis) part(number int, add func(*scenefile.Fault)) (part, bool) {
	// name and scale
	p := part{axis: number, name: a.label(), paths: a.Paths, random: a.Random != nil}
	p.log = a.Log != nil || p.random && a.Random.Log
	// values of the scene that it replaces
	if a.Given("path") == a.Given("paths") {
		add(a.Fault("", "an axis must say which value of the scene it replaces: path, or paths if there are several"))
		return p, false
	}
	if a.Given("path") {
		p.paths = []string{a.Path}
	}
	for _, path := range p.paths {
		if path == "" || strings.ContainsAny(path, "=\n\r") {
			add(a.Fault("path", "path %q: write such as cloths.shirt.material.density", path))
			return p, false
		}
	}
	// the name is that of a column
	if strings.ContainsAny(p.name, ",\"\n`\\[] ") {
		add(a.Fault("path", "the axis needs a name of letters, digits, - and _: name: ..."))
		return p, false
	}
	// the values
	var fault *scenefile.Fault
	switch {
	case a.Given("values"):
		p.values, fault = a.listed()
	case a.Range != nil:
		p.values, fault = a.Range.numbers(false)
	case a.Log != nil:
		p.values, fault = a.Log.numbers(true)
	case a.Random != nil:
		p.values, fault = a.Random.numbers(p.name)
	}
	if fault != nil {
		add(fault)
	}
	// each value knows its axis
	for i := range p.values {
		p.values[i].Axis = p.name
	}
	return p, fault == nil
}

// listed returns the values of a list.
func (a *Axis) listed() ([]placedValue, *scenefile.Fault) {
	out := make([]placedValue, len(a.Values))
	for i, v := range a.Values {
		text := v.String()
		if len(text) > maxText {
			return nil, v.Fault("a value of %d characters; at most %d are allowed", len(text), maxText)
		}
		out[i].Value = Value{Text: text}
		out[i].Number, out[i].Unit, out[i].Numeric = v.Number()
		out[i].fault = func(msg string) *scenefile.Fault { return v.Fault("%s", msg) }
	}
	return out, nil
}

// ends returns two numbers and the unit of both.
func ends(from, to scenefile.Value, log bool) (lo, hi float64, unit string, fault *scenefile.Fault) {
	lo, unit, ok := from.Number()
	if !ok {
		return 0, 0, "", from.Fault("from must be a number, maybe with a unit, not %s", from)
	}
	hi, second, ok := to.Number()
	switch {
	case !ok:
		return 0, 0, "", to.Fault("to must be a number, maybe with a unit, not %s", to)
	case unit != second:
		return 0, 0, "", to.Fault("from and to must have the same unit, not %q and %q", unit, second)
	case lo == hi:
		return 0, 0, "", to.Fault("from and to are the same number")
	case log && !(lo > 0 && hi > 0):
		return 0, 0, "", from.Fault("equal ratios need positive numbers, not %g to %g", lo, hi)
	}
	return lo, hi, unit, nil
}

// between returns the number at a share of the way from lo to hi, rounded to the 12 digits that a person may want to
// read. Ends are what they are.
func between(lo, hi, share float64, log bool) float64 {
	x := lo + (hi-lo)*share
	if log {
		x = lo * portable.Pow(hi/lo, share)
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64)
	if err != nil {
		return x // too large for it
	}
	return rounded
}

func (r *Range) numbers(log bool) ([]placedValue, *scenefile.Fault) {
	lo, hi, unit, fault := ends(r.From, r.To, log)
	if fault != nil {
		return nil, fault
	}
	out := make([]placedValue, r.Count)
	for i := range out {
		x := between(lo, hi, float64(i)/float64(r.Count-1), log)
		if i == r.Count-1 {
			x = hi
		}
		out[i] = numbered(x, unit, &r.Placed)
	}
	return out, nil
}

// numbers draws from a generator that the seed and the name choose, so that axes with one seed differ.
func (r *Random) numbers(name string) ([]placedValue, *scenefile.Fault) {
	lo, hi, unit, fault := ends(r.From, r.To, r.Log)
	if fault != nil {
		return nil, fault
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // it never fails
	source := rand.New(rand.NewPCG(uint64(r.Seed), h.Sum64()))
	out := make([]placedValue, r.Count)
	for i := range out {
		out[i] = numbered(between(lo, hi, source.Float64(), r.Log), unit, &r.Placed)
	}
	return out, nil
}

func numbered(x float64, unit string, at *scenefile.Placed) placedValue {
	text := strconv.FormatFloat(x, 'g', -1, 64)
	if unit != "" {
		text += " " + unit
	}
	return placedValue{
		Value{Text: text, Number: x, Unit: unit, Numeric: true},
		func(msg string) *scenefile.Fault { return at.Fault("", "%s", msg) },
	}
}

// Words says which run it is, for people: friction 0.3, material silk.
func (r *Run) Words() string {
	words := make([]string, len(r.Values))
	for i, v := range r.Values {
		words[i] = fmt.Sprintf("%s %s", v.Axis, v.Text)
	}
	return strings.Join(words, ", ")
}
