package runfolder

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// The rate is over the steps in which something is known, each with its length, and every body has its own.
func TestLossesOfATable(t *testing.T) {
	none := math.NaN()
	table := Table{
		Columns: append([]string{"step", "h [s]", lossColumns[0], lossColumns[1], lossColumns[2], lossColumns[3], "kinetic [J]"},
			append(LossColumns("a, b"), LossColumns("c")...)...),
		Values: [][]float64{
			{1, 2, 3},
			{0.5, 0.25, 0.25},
			{2, none, 4},
			{0.5, none, 0.5},
			{3, none, -1},
			{1, none, 2},
			{7, 9, 8},
			{2, none, 2},
			{0.5, none, 0.25},
			{3, none, -2},
			{0, none, 1},
			{none, none, 2},
			{none, none, 0.25},
			{none, none, 1},
			{none, none, 1},
		},
	}
	all := table.Losses()
	want := []Loss{
		{Steps: 2, Unknown: 1, Seconds: 0.75, Turning: 2, SpinLost: 1, EnergyLost: 2, Damped: 3, Kinetic: 9},
		{Body: "a_ b", Steps: 2, Unknown: 1, Seconds: 0.75, Turning: 1.5, SpinLost: 0.75, EnergyLost: 1, Damped: 1, Kinetic: 9},
		{Body: "c", Steps: 1, Unknown: 2, Seconds: 0.25, Turning: 0.5, SpinLost: 0.25, EnergyLost: 1, Damped: 1, Kinetic: 9},
	}
	if !reflect.DeepEqual(all, want) {
		t.Fatalf("%+v, want %+v", all, want)
	}
	if text := all[0].String(); all[0].Rate() != 0.5 || !strings.HasPrefix(text, "steps take 50 % of the angular momentum a second (2.7 J s in the mean), and took 2 J of energy") {
		t.Errorf("%s", text)
	}
	all[0].SpinLost, all[0].EnergyLost = -1, -2
	if text := all[0].String(); !strings.HasPrefix(text, "steps give 50 % of the angular momentum a second (2.7 J s in the mean), and gave 2 J of energy") {
		t.Errorf("%s", text)
	}
	if all := (&Table{Columns: []string{"step"}, Values: [][]float64{{1}}}).Losses(); all != nil {
		t.Errorf("%+v of a table without such columns", all)
	}
	alone := Table{Columns: table.Columns[:11], Values: table.Values[:11]}
	if all := alone.Losses(); len(all) != 1 || all[0].Body != "" {
		t.Errorf("%+v of one body", all)
	}
}
