package sweep

import (
	"path"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
)

// The types of a sweep file. Tags are those of scene files, see package scene.

// Version is the number that a sweep file gives under the key sweep.
const Version = 1

// File is a sweep file.
type File struct {
	Sweep    int       `json:"sweep" need:"yes" range:"[1,1]" doc:"version of the sweep format; write 1"`
	Name     string    `json:"name,omitempty" doc:"title of the sweep, for people"`
	Scene    string    `json:"scene" need:"yes" doc:"the scene file, in the folder of the sweep or below it"`
	Set      []string  `json:"set,omitempty" len:"[0,1000]" doc:"values that all runs have: path=value, as of toile run --set"`
	Axes     []Axis    `json:"axes,omitempty" len:"[0,100]" doc:"what differs between runs; every combination is a run, and the last axis changes first"`
	Stop     []string  `json:"stop,omitempty" len:"[0,100]" doc:"conditions of which any ends a run early, such as \"max speed < 1e-4 for 0.2 s\""`
	Keep     string    `json:"keep,omitempty" doc:"frames that runs keep: all, last, stats (none) or every:N"`
	Outcomes []Outcome `json:"outcomes,omitempty" len:"[0,1000]" doc:"what is collected of every run"`

	scenefile.Placed
}

// Axis is something that differs between runs. It has one of values, range, log, random and zip.
type Axis struct {
	Name   string            `json:"name,omitempty" pattern:"name" doc:"heading in tables; without it, the last words of the path"`
	Path   string            `json:"path,omitempty" doc:"value of the scene that is replaced, as of toile run --set: cloths.shirt.material.density"`
	Paths  []string          `json:"paths,omitempty" len:"[1,100]" doc:"several values of the scene that are all replaced by the same; instead of path"`
	Values []scenefile.Value `json:"values,omitempty" len:"[1,100000]" doc:"the values, of any kind that the scene takes there"`
	Range  *Range            `json:"range,omitempty" doc:"numbers at equal distances"`
	Log    *Range            `json:"log,omitempty" doc:"positive numbers at equal ratios"`
	Random *Random           `json:"random,omitempty" doc:"random numbers, the same ones for the same seed and name"`
	Zip    []Axis            `json:"zip,omitempty" len:"[2,100]" doc:"axes of equal length that change together"`

	scenefile.Placed
}

// Range is numbers from one to another, both with the same unit if they have one.
type Range struct {
	From  scenefile.Value `json:"from" need:"yes" doc:"the first number"`
	To    scenefile.Value `json:"to" need:"yes" doc:"the last number"`
	Count int             `json:"count" need:"yes" range:"[2,100000]" doc:"how many"`

	scenefile.Placed
}

// Random is random numbers, even between two or, with log, even in their logarithms.
type Random struct {
	From  scenefile.Value `json:"from" need:"yes" doc:"the least number"`
	To    scenefile.Value `json:"to" need:"yes" doc:"the largest number"`
	Count int             `json:"count" need:"yes" range:"[1,1000000]" doc:"how many"`
	Seed  int             `json:"seed" need:"yes" range:"[0,1e9]" doc:"chooses the numbers"`
	Log   bool            `json:"log,omitempty" doc:"all orders of magnitude are as likely"`

	scenefile.Placed
}

// Outcome is a number that is collected of every run. It has one of last, largest, least, mean and change, each of
// which names a column of the statistics.
type Outcome struct {
	Name    string `json:"name,omitempty" pattern:"name" doc:"heading in tables; without it, what is collected"`
	Last    string `json:"last,omitempty" doc:"the value of a column after the last step"`
	Largest string `json:"largest,omitempty" doc:"the largest value of a column"`
	Least   string `json:"least,omitempty" doc:"the least value of a column"`
	Mean    string `json:"mean,omitempty" doc:"the mean of a column over time"`
	Change  string `json:"change,omitempty" doc:"the last value of a column less the first"`

	scenefile.Placed
}

// ways are what can be collected of a column.
var ways = []string{"last", "largest", "least", "mean", "change"}

// way returns how the outcome is made of its column.
func (o *Outcome) way() string {
	for _, w := range ways {
		if o.Given(w) {
			return w
		}
	}
	return ""
}

func (o *Outcome) column() string {
	return map[string]string{"last": o.Last, "largest": o.Largest, "least": o.Least, "mean": o.Mean, "change": o.Change}[o.way()]
}

// label is the heading of the outcome in tables.
func (o *Outcome) label() string {
	if o.Name != "" {
		return o.Name
	}
	name, _ := runfolder.ColumnName(o.column())
	return o.way() + "_" + name
}

// checkScene keeps the scene in the folder of the sweep.
func (f *File) checkScene() *scenefile.Fault {
	switch {
	case strings.Contains(f.Scene, `\`):
		return f.Fault("scene", "scene %q: write folders with forward slashes", f.Scene)
	case path.IsAbs(f.Scene) || len(f.Scene) > 1 && f.Scene[1] == ':':
		return f.Fault("scene", "scene %q: write a path relative to the folder of the sweep", f.Scene)
	case slices.Contains(strings.Split(f.Scene, "/"), ".."):
		return f.Fault("scene", "scene %q leads out of the folder of the sweep; it must be inside it", f.Scene)
	}
	return nil
}

// checkOutcomes looks for outcomes that cannot be, or not be told apart.
func (f *File) checkOutcomes(add func(*scenefile.Fault)) {
	// names of columns that are taken
	seen := map[string]bool{}
	for _, name := range fixedColumns {
		seen[name] = true
	}
	for _, name := range f.axisNames() {
		seen[name] = true
	}
	for i := range f.Outcomes {
		o := &f.Outcomes[i]
		// one way to make a number of a column
		var given []string
		for _, w := range ways {
			if o.Given(w) {
				given = append(given, w)
			}
		}
		if len(given) != 1 {
			add(o.Fault("", "outcome %d must have one of %s, not %d of them", i, strings.Join(ways, ", "), len(given)))
			continue
		}
		// a column that can be an outcome
		column := o.column()
		switch {
		case runfolder.IsClock(column):
			add(o.Fault(given[0], "%q differs from run to run, so that it is no outcome", column))
		case strings.ContainsAny(column, ",\"\n`\\"):
			add(o.Fault(given[0], "%q is not a column of the statistics", column))
		case !plainColumn(column):
			add(o.Fault(given[0], "%q is not a column of the statistics; write one of stats.csv, such as crossings, or a probe: centroid BODY x, vertex BODY NUMBER z, force BODY BODY z", column))
		}
		// a name of its own
		if label := o.label(); seen[label] {
			add(o.Fault("name", "a second column %q; give the outcome another name", label))
		} else {
			seen[label] = true
		}
	}
}

// plainColumn tells whether a column may be there: a probe that is complete, or something that is none.
func plainColumn(column string) bool {
	first, _, more := strings.Cut(column, " ")
	kinds := []runfolder.ProbeKind{runfolder.ProbeVertex, runfolder.ProbeCentroid, runfolder.ProbeForce}
	if !more || !slices.Contains(kinds, runfolder.ProbeKind(first)) {
		return column != ""
	}
	_, ok := runfolder.ProbeOf(column)
	return ok
}

// axisNames returns the names of all axes, those that are zipped too.
func (f *File) axisNames() []string {
	var names []string
	for i := range f.Axes {
		if z := f.Axes[i].Zip; len(z) > 0 {
			for k := range z {
				names = append(names, z[k].label())
			}
			continue
		}
		names = append(names, f.Axes[i].label())
	}
	return names
}

// label is the heading of the axis in tables: the end of its path, with the name of the thing it is of.
func (a *Axis) label() string {
	if a.Name != "" {
		return a.Name
	}
	p := a.Path
	if p == "" && len(a.Paths) > 0 {
		p = a.Paths[0]
	}
	words := strings.Split(p, ".")
	return strings.Join(words[max(0, len(words)-2):], "_")
}

// Schema returns the JSON Schema of sweep files, for editors.
func Schema() []byte {
	return scenefile.SchemaOf("Toile sweep", &File{})
}
