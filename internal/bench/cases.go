// Package bench is the suite of benchmarks: what is timed, the states it is timed from, and the clock.
//
// A case is a state of a scene, a number of steps after its start. States are made once and kept in a folder, with the
// scene beside them, so that any build can be timed on the same ones.
package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Case is one row of the suite.
type Case struct {
	Name  string
	About string // what happens there, in a few words
	Scene string // its name; cases with the same one differ in the step only
	Step  int    // number of the step that the state is taken after
	Timed int    // steps that are timed if nobody says how many
	Slow  bool   // takes so long to make or to time that it is left to those who ask for it by its whole name

	files func() files
}

// Warmup is how many steps are taken before the timed ones: a world that was just restored fills its caches.
const Warmup = 2

// Cases returns the suite.
func Cases() []Case {
	tunic := func() files { return exampleScene("tunic.yaml", "size: 36 mm", "size: 19.2 mm") } // 2,364 vertices once sewn
	demo := func() files { return exampleScene("tunic.yaml") }
	heap := func() files { return exampleScene("letters-heap.yaml") }
	gripper := func() files { return exampleScene("gripper.yaml") }
	pinch := func() files { return exampleScene("pinch.yaml") }
	drape := func() files { return onlyScene(BallDrape()) }
	cone := func() files { return exampleScene("box-and-cone.yaml") }
	all := []Case{
		{"drape-60", "a sheet begins to fold over a ball", "drape", 60, 20, false, drape},
		{"drape-100", "the sheet swings in", "drape", 100, 20, false, drape},
		{"drape-200", "its folds touch each other", "drape", 200, 15, false, drape},
		{"drape-400", "its folds swing on", "drape", 400, 15, false, drape},
		{"cone-early", "a remeshed sheet lands on a box and a cone", "cone", 120, 15, false, cone},
		{"cone-crumpled", "it crumples between them", "cone", 240, 3, false, cone},
		{"cone-late", "it slides off the box", "cone", 300, 3, false, cone},
		{"cone-rest", "it hangs on the cone, nearly at rest", "cone", 1900, 3, true, cone},
		{"napkins-7", "three napkins land on each other", "napkins", 7, 8, false, napkins},
		{"napkins-62", "they stick to each other", "napkins", 62, 8, false, napkins},
		{"folds-60", "a cloth that falls makes its first folds", "folds", 60, 5, false, folds},
		{"folds-110", "its folds lie on each other", "folds", 110, 5, false, folds},
		{"tunic", "a tunic walks", "tunic", 40, 15, false, tunic},
		{"belt", "a belt on cylinders that turn", "belt", 300, 30, false, belt},
		{"cylinder", "a cloth of 2,048 triangles slides on a cylinder", "cylinder", 30, 50, false, overCylinder},
		{"pinch", "a press holds a cloth", "pinch", 200, 60, false, pinch},
		{"stack", "20 sheets lie on each other", "stack", 20, 5, false, stack},
		{"clap", "two sheets of 20,000 vertices meet", "clap", 1, 1, true, clap},
		{"cards", "a house of cards stands", "cards", 50, 30, false, cards},
		{"letters", "164 soft letters land on each other", "letters", 34, 2, true, heap},
		{"block", "a cloth settles on a soft block", "block", 20, 60, false, softBlock},
		{"napkin", "a napkin of 441 vertices is folded by its corner", "napkin", 60, 60, false, napkin},
		{"gripper", "two fingers lift a soft block", "gripper", 100, 60, false, gripper},
		{"cube", "a rigid cube stands", "cube", 20, 400, false, cube},
		{"press", "a press closes on two soft bodies and a brick", "press", 2, 6, false, press},
		{"demo-tunic", "a tunic of 683 vertices walks", "demo-tunic", 40, 60, false, demo},
	}
	for _, n := range []int{1, 2, 4, 8} {
		vertices := n * n * tileNodes * tileNodes
		all = append(all, Case{
			fmt.Sprintf("tiles-%d", vertices), "patches of a sheet sink over balls", fmt.Sprintf("tiles-%d", vertices),
			20, max(3, 24/(n*n)), false, func() files { return onlyScene(TiledDrape(n)) },
		})
	}
	for _, n := range []int{1, 2, 4, 8} {
		vertices := n * n * tileNodes * tileNodes
		all = append(all, Case{
			fmt.Sprintf("folded-%d", vertices), "folded patches fall on themselves", fmt.Sprintf("folded-%d", vertices),
			8, max(3, 12/(n*n)), n == 8, func() files { return foldedTiles(n) },
		})
	}
	for _, s := range []struct{ thousands, around int }{{10, 64}, {30, 110}, {100, 202}, {300, 348}} {
		name := fmt.Sprintf("space-%d000", s.thousands)
		all = append(all, Case{
			name, "space is made in a knee", name, 0, max(2, 100/s.thousands), false, func() files { return knee(s.around) },
		})
	}
	return all
}

// Select returns the cases whose names begin with one of the given words, in the order of the suite; without words,
// those that are not slow. A word that nothing begins with is an error.
func Select(words []string) ([]Case, error) {
	all := Cases()
	for _, w := range words {
		if !slices.ContainsFunc(all, func(c Case) bool { return strings.HasPrefix(c.Name, w) }) {
			return nil, fmt.Errorf("no case begins with %q; there are %s", w, names(all))
		}
	}
	return slices.DeleteFunc(all, func(c Case) bool {
		if len(words) == 0 {
			return c.Slow
		}
		return !slices.ContainsFunc(words, func(w string) bool {
			return c.Name == w || strings.HasPrefix(c.Name, w) && !c.Slow
		})
	}), nil
}

func names(cases []Case) string {
	var out []string
	for i := range cases {
		out = append(out, cases[i].Name)
	}
	return strings.Join(out, ", ")
}
