package main

import (
	"os"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/verify"
)

// TestTable holds the recorded table to the rule: a bar that leaves room for more than verify.Wide times what was
// measured says where it comes from.
func TestTable(t *testing.T) {
	data, err := os.ReadFile("../../docs/bars.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := compare(string(data), nil); err != nil {
		t.Error(err)
	}
}

func TestCompare(t *testing.T) {
	wide := verify.Row{Quantity: "a | b", Measured: 1, Bar: verify.AtMost, Limit: 1000}
	result := &verify.Result{ID: "C1", Rows: []verify.Row{wide}}
	found := map[string]*verify.Result{"C1": result}
	if err := compare(string(page("", found)), found); err == nil || !strings.Contains(err.Error(), "wide without a reason") {
		t.Error(err)
	}
	result.Rows[0].From = "theory"
	table := string(page("", found))
	if err := compare(table, found); err != nil {
		t.Error(err)
	}
	if again := string(page(table, nil)); again != table {
		t.Errorf("%s\nis not\n%s", again, table)
	}
	result.Rows = append(result.Rows, verify.Row{Quantity: "new", Bar: verify.AtMost})
	if err := compare(table, found); err == nil || !strings.Contains(err.Error(), "not in the table") {
		t.Error(err)
	}
}
