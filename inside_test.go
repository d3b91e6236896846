package toile

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
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
// for forms of two solvers, and two that nobody has to set.
func TestOptionsGoThereAndBack(t *testing.T) {
	var all Options
	fillIn(reflect.ValueOf(&all).Elem(), new(int))
	if back := optionsOf(all.engine()); back != all {
		t.Errorf("options come back as %+v, sent were %+v", back, all)
	}
	inside := []string{"Relaxation", "Staggered", "MaxSweeps", "Prune"}
	for _, pair := range [][2]reflect.Type{
		{reflect.TypeFor[Options](), reflect.TypeFor[engine.Options]()},
		{reflect.TypeFor[LinearOptions](), reflect.TypeFor[engine.LinearOptions]()},
		{reflect.TypeFor[ContactOptions](), reflect.TypeFor[engine.ContactOptions]()},
	} {
		for i := range pair[1].NumField() {
			name := pair[1].Field(i).Name
			if _, has := pair[0].FieldByName(name); !has && !slices.Contains(inside, name) {
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

// stranger is a body of a kind that has no handle.
type stranger struct{ *body.Rigid }

// TestAdoptKnowsEveryBody: a press is an obstacle in an adopted world, and a body without a handle is named.
func TestAdoptKnowsEveryBody(t *testing.T) {
	e, err := engine.New(engine.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	plate := engine.Obstacle{
		Name: "plate", Place: r3.Still(), Shape: shape.Box{Half: r3.V(1, 1, 0.1)},
		Press: &engine.Press{Axis: r3.V(0, 0, -1), Force: 1, Mass: 1, Stop: 1},
	}
	if _, err := e.AddObstacle(plate); err != nil {
		t.Fatal(err)
	}
	if _, ok := adopt(e).Find("plate").(*Obstacle); !ok {
		t.Errorf("the press is a %T", adopt(e).Find("plate"))
	}
	b, err := body.NewRigid(body.Ball(0.1, 500), r3.Still().R, r3.Vec{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.AddBody("stranger", stranger{b}, make([]r3.Vec, 2), make([]r3.Vec, 2)); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if said, _ := recover().(string); !strings.Contains(said, "no handle for toile.stranger") {
			t.Errorf("adopting a stranger ends with %q", said)
		}
	}()
	adopt(e)
}
