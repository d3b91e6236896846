package cli

import (
	"slices"
	"testing"
)

func TestTable(t *testing.T) {
	rows := &Table{Right: []bool{false, true}}
	rows.Add("name", "n", "µ")
	rows.Add("ä", "10", "")
	if got, want := rows.Lines(), []string{"name   n  µ", "ä     10"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
