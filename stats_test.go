package toile

import (
	"reflect"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
)

// TestEnergiesAreAllThere: every kind of energy of the engine has a field and is in the total, and none is there twice.
func TestEnergiesAreAllThere(t *testing.T) {
	var e engine.Energy
	want := 0.0
	for kind := range e {
		e[kind] = float64(int(1) << kind)
		want += e[kind]
	}
	public := energyOf(e)
	if got := public.Total(); got != want {
		t.Errorf("the total is %b, that of the engine %b", int(got), int(want))
	}
	sum, fields := 0.0, reflect.ValueOf(public)
	for i := range fields.NumField() {
		sum += fields.Field(i).Float()
	}
	if sum != want {
		t.Errorf("the fields add up to %b, those of the engine to %b", int(sum), int(want))
	}
}
