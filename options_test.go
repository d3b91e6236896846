package toile

import (
	"reflect"
	"slices"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/solve"
)

// fillIn gives every field that is a number, a flag or a vector another value than its zero.
func fillIn(v reflect.Value, next *int) {
	*next++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillIn(v.Field(i), next)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(1 + *next%3)) // also a linear method and a contact solver that there is
	case reflect.Float64:
		v.SetFloat(float64(*next))
	default:
		panic("no value for " + v.Kind().String())
	}
}

// TestOptionsGoThereAndBack: no option is lost on the way to the engine, and the engine has none that cannot be set, but
// for forms of two solvers.
func TestOptionsGoThereAndBack(t *testing.T) {
	var all Options
	fillIn(reflect.ValueOf(&all).Elem(), new(int))
	if back := optionsOf(all.engine()); back != all {
		t.Errorf("options come back as %+v, sent were %+v", back, all)
	}
	forms := []string{"Relaxation", "Staggered"} // of these solvers
	for _, pair := range [][2]reflect.Type{
		{reflect.TypeFor[Options](), reflect.TypeFor[engine.Options]()},
		{reflect.TypeFor[LinearOptions](), reflect.TypeFor[engine.LinearOptions]()},
		{reflect.TypeFor[ContactOptions](), reflect.TypeFor[engine.ContactOptions]()},
	} {
		for i := range pair[1].NumField() {
			name := pair[1].Field(i).Name
			if _, has := pair[0].FieldByName(name); !has && !slices.Contains(forms, name) {
				t.Errorf("%v has no %s", pair[0], name)
			}
		}
	}
}

// TestSolversAreThoseOfTheEngine: every contact solver of the engine has a constant, under its name and in its order,
// and no other is accepted.
func TestSolversAreThoseOfTheEngine(t *testing.T) {
	var got []string
	for s := Nodal; ; s++ {
		opt := DefaultOptions()
		opt.Contact.Solver = s
		if opt.Validate() != nil {
			break
		}
		got = append(got, s.String())
	}
	if !slices.Equal(got, solve.Names()) {
		t.Errorf("solvers %v, the engine has %v", got, solve.Names())
	}
	for s, name := range map[ContactSolver]string{
		Nodal: "nodal", Dual: "dual", Relaxation: "relaxation", Staggered: "staggered",
	} {
		if s.String() != name {
			t.Errorf("%s is called %s", name, s)
		}
	}
	if def := DefaultOptions().Contact.Solver.String(); def != solve.Names()[0] {
		t.Errorf("the default is %s, that of the engine %s", def, solve.Names()[0])
	}
}
