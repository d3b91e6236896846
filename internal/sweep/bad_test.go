package sweep

import (
	"errors"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/scenefile"
)

// badSweeps are sweep files that must be refused: the text, the place of the first fault, and a part of the message.
var badSweeps = [][3]string{
	{"", "1:1", "empty"},
	{"sweep: 1", "1:1", "scene"},
	{"scene: ramp.yaml", "1:1", "sweep"},
	{"sweep: 2\nscene: ramp.yaml", "1:8", "at most 1"},
	{"sweep: one\nscene: ramp.yaml", "1:8", "number"},
	{"sweep: 1\nscene: 7.5.yaml\naxis: []", "3:1", "axes"},
	{"sweep: 1\nscene: ramp.yaml\nscene: ramp.yaml", "3:1", "twice"},
	{"sweep: 1\nscene: /etc/passwd", "2:8", "relative"},
	{"sweep: 1\nscene: ../ramp.yaml", "2:8", "leads out"},
	{"sweep: 1\nscene: 'a\\b.yaml'", "2:8", "forward slashes"},
	{"sweep: 1\nscene: C:/ramp.yaml", "2:8", "relative"},
	{"sweep: 1\nscene: []", "2:8", "single value"},
	{"sweep: 1\nscene: ramp.yaml\nset: friction=1", "3:6", "list"},
	{"sweep: 1\nscene: ramp.yaml\naxes: {path: a}", "3:7", "list"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [a]", "3:8", "mapping"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default}]", "3:8", "one of values"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{values: [1]}]", "3:8", "path"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, paths: [b], values: [1]}]", "3:8", "path"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a=b, values: [1]}]", "3:15", "write such as"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, values: []}]", "3:41", "items"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, values: 3}]", "3:41", "list"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, values: [1], range: {from: 1, to: 2, count: 2}}]", "3:8", "values and range"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, range: {from: 1, to: 2}}]", "3:25", "count"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, range: {from: 1, to: 2, count: 1}}]", "3:49", "at least 2"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, range: {from: 1, to: 2, count: 2.5}}]", "3:49", "whole"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, range: {from: x, to: 2, count: 2}}]", "3:32", "number"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, range: {from: 1, to: [2], count: 2}}]", "3:39", "number"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, range: {from: 1 mm, to: 2 m, count: 2}}]", "3:42", "same unit"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, range: {from: 1, to: 1, count: 2}}]", "3:39", "same number"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, range: {form: 1, to: 1, count: 2}}]", "3:", "from"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, log: {from: 0, to: 1, count: 2}}]", "3:30", "positive"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, log: {from: -1, to: 1, count: 2}}]", "3:30", "positive"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, random: {from: 0, to: 1, count: 2}}]", "3:26", "seed"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, random: {from: 0, to: 1, seed: 1}}]", "3:26", "count"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, random: {from: 0, to: 1, seed: -1, count: 3}}]", "3:49", "at least 0"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, random: {from: 0, to: 1, seed: 1, count: 3, log: true}}]", "3:33", "positive"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, random: {from: 0, to: 1, seed: 1, count: 3, log: 1}}]", "3:67", "true or false"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, random: {from: 1, to: 2, seed: 1, count: 2e7}}]", "3:59", "at most"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{zip: [{path: a, values: [1]}]}]", "3:14", "items"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{zip: [{path: a, values: [1]}, {path: b, values: [1, 2]}]}]", "3:", "as many"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: c, zip: [{path: a, values: [1]}, {path: b, values: [1]}]}]", "3:8", "of its own"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{zip: [{path: a, values: [1]}, {zip: [{path: b, values: [1]}, {path: c, values: [1]}]}]}]", "3:", "zip within"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, name: a, values: [1]}, {path: gravity, name: a, values: [1]}]", "3:", "second column"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, name: run, values: [1]}]", "3:", "second column"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, name: a b, values: [1]}]", "3:", "not a name"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: a, range: {from: 1, to: 2, count: 2000}}, {path: b, range: {from: 1, to: 2, count: 2000}}]", "3:", "runs"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: frction.default, values: [1]}]", "3:41", "friction"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, values: [0.1, -1]}]", "3:47", "at least 0"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: friction.default, values: [0.1, {x: 1}]}]", "3:", "run 1"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: cloths.square.material, values: [coton]}]", "3:", "cotton"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: cloths.circle.material, values: [cotton]}]", "3:", "circle"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: time.end, range: {from: -1 s, to: 1 s, count: 2}}]", "3:", "above 0"},
	{"sweep: 1\nscene: ramp.yaml\nset: [friction]", "3:6", "path=value"},
	{"sweep: 1\nscene: ramp.yaml\nset: [friction=-1]", "3:6", "at least"},
	{"sweep: 1\nscene: ramp.yaml\nkeep: some", "3:7", "every:10"},
	{"sweep: 1\nscene: ramp.yaml\nkeep: every:0", "3:7", "every:10"},
	{"sweep: 1\nscene: ramp.yaml\nstop: [crossings]", "3:7", "compares"},
	{"sweep: 1\nscene: ramp.yaml\nstop: [crossings > many]", "3:7", "not a number"},
	{"sweep: 1\nscene: ramp.yaml\nstop: ['clock solve > 1']", "3:7", "clocks"},
	{"sweep: 1\nscene: ramp.yaml\nstop: ['crossings > 1 for -1 s']", "3:7", "time in seconds"},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{name: a}]", "3:12", "one of last"},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{last: crossings, mean: crossings}]", "3:12", "one of last"},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{last: clock solve}]", "3:19", "differs from run to run"},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{last: centroid square}]", "3:19", "probe"},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{last: crossings}, {last: crossings}]", "3:", "second column"},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{lst: crossings}]", "3:13", "last"},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{last: crossigns}]", "3:19", `no column "crossigns"`},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{last: centroid circle x}]", "3:19", `no "circle"`},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{last: force square hill x}]", "3:19", `no "hill"`},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{last: pin square 0 x}]", "3:19", "yarns"},
	{"sweep: 1\nscene: ramp.yaml\noutcomes: [{last: vertex square 25 x}]", "3:19", "0 to 8"},
	{"sweep: 1\nscene: ramp.yaml\naxes: [{path: cloths.square.shape.grid.cells, values: [[9, 9], [4, 4]]}]\noutcomes: [{last: vertex square 25 x}]", "4:19", "run 1"},
	{"sweep: 1\nscene: ramp.yaml\nstop: [crossigns > 0]", "3:7", `no column "crossigns"`},
	{"sweep: 1\nscene: ramp.yaml\naxes: [", "3:", "YAML"},
	{"sweep: 1\nscene: !!str ramp.yaml", "2:8", "tags"},
	{"\x00", "1:1", "text"},
}

func TestBadSweepsAreRefused(t *testing.T) {
	if len(badSweeps) < 60 {
		t.Errorf("only %d", len(badSweeps))
	}
	for _, c := range badSweeps {
		s, err := Load(write(t, c[0]))
		if err == nil {
			_, err = s.Runs()
		}
		var faults scenefile.Faults
		if !errors.As(err, &faults) {
			t.Errorf("%q: error %v", c[0], err)
			continue
		}
		text := faults.Error()
		_, at, _ := strings.Cut(text, "sweep.yaml:")
		if !strings.HasPrefix(at, c[1]) || !strings.Contains(text, c[2]) {
			t.Errorf("%q: want %q at %s, got\n%s", c[0], c[2], c[1], text)
		}
	}
}

// FuzzSweep looks for files that are neither read nor refused.
func FuzzSweep(f *testing.F) {
	for _, c := range badSweeps {
		f.Add([]byte(c[0]))
	}
	f.Add([]byte("sweep: 1\nscene: ramp.yaml\nkeep: every:3\nstop: [crossings > 0]\naxes:\n  - {path: a, log: {from: 1 mm, to: 2 mm, count: 3}}\noutcomes: [{last: force a b x}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("sweep.yaml", data)
		var faults scenefile.Faults
		if err != nil && !errors.As(err, &faults) {
			t.Errorf("%v is no fault", err)
		}
		if err != nil {
			return
		}
		if n := s.Count(); n < 1 || n > maxRuns {
			t.Errorf("%d runs", n)
		}
		if len(s.Axes()) != len(s.file.axisNames()) {
			t.Errorf("axes %q of %q", s.Axes(), s.file.axisNames())
		}
	})
}
