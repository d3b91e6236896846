package dumps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile"
)

// recipe is a world and the steps whose contact problems are kept.
type recipe struct {
	name     string
	friction float64
	h        float64 // step [s]
	moments  []moment
	build    builder
}

// builder makes a world, which uses so many cores.
type builder func(friction float64, workers int) (*toile.World, error)

// moment is a step of a recipe whose problem is kept.
type moment struct {
	name  string
	step  int  // from 1
	quick bool // it is small, and soon there
}

func (r *recipe) problem(m moment) string { return fmt.Sprintf("%s-%g-%s", r.name, r.friction, m.name) }

// recipes returns all that have moments that are wanted, with these only.
func recipes(of Choice) []recipe {
	var all []recipe
	for _, r := range slices.Concat(rigidRecipes(), softRecipes(), clothRecipes()) {
		r.moments = slices.DeleteFunc(slices.Clone(r.moments), func(m moment) bool {
			begins := func(w string) bool { return strings.HasPrefix(r.problem(m), w) }
			return of.Quick && !m.quick || len(of.Words) > 0 && !slices.ContainsFunc(of.Words, begins)
		})
		if len(r.moments) > 0 {
			all = append(all, r)
		}
	}
	return all
}

// Names returns those of the problems that are wanted, in the order in which they are made.
func Names(of Choice) []string {
	var names []string
	for _, r := range recipes(of) {
		for _, m := range r.moments {
			names = append(names, r.problem(m))
		}
	}
	return names
}

const (
	usualStep  = 2e-3 // [s]
	longerStep = 4e-3
)

var allFrictions = []float64{0.2, 0.5, 0.8}

func rigidRecipes() []recipe {
	var all []recipe
	towers := func(name string, cubes int, top, gap float64, moments ...moment) {
		all = append(all, recipe{name, 0.5, usualStep, moments, func(friction float64, workers int) (*toile.World, error) {
			return tower(cubes, top, gap, friction, workers)
		}})
	}
	piles := func(name string, cubes, across int, tilt float64, frictions []float64, moments ...moment) {
		for _, friction := range frictions {
			all = append(all, recipe{name, friction, usualStep, moments, func(friction float64, workers int) (*toile.World, error) {
				return Pile(cubes, across, tilt, friction, workers)
			}})
		}
	}
	stands := []moment{{"start", 1, true}, {"rest", 60, true}}
	towers("tower-30", 30, 1, 0, stands...)
	towers("tower-heavy-30", 30, 1000, 0, stands...)
	towers("tower-light-30", 30, 1e-3, 0, moment{"start", 1, false}, moment{"rest", 60, false})
	towers("tower-100", 100, 1, 0, moment{"start", 1, false}, moment{"rest", 60, false})
	towers("tower-falls-100", 100, 1, 5e-4, moment{"early", 10, false}, moment{"late", 20, false})
	piles("pile-20", 20, 4, 0, []float64{0.5}, moment{"landing", 60, true}, moment{"rest", 100, true})
	piles("pile-64", 64, 4, 0, allFrictions, moment{"landing", 100, false}, moment{"rest", 150, false})
	piles("pile-164", 164, 4, 0, allFrictions, moment{"landing", 160, false}, moment{"rest", 300, false})
	piles("pile-500", 500, 8, 0, []float64{0.5}, moment{"landing", 130, false}, moment{"rest", 250, false})
	piles("jumble-20", 20, 4, 0.25, []float64{0.5}, moment{"landing", 90, true})
	piles("jumble-64", 64, 4, 0.25, allFrictions, moment{"landing", 100, false}, moment{"settling", 130, false})
	piles("jumble-164", 164, 4, 0.25, []float64{0.5}, moment{"landing", 130, false}, moment{"settling", 170, false})
	piles("jumble-500", 500, 8, 0.25, []float64{0.5}, moment{"landing", 80, false})
	return all
}

func softRecipes() []recipe {
	var all []recipe
	add := func(name string, frictions []float64, build builder, moments ...moment) {
		for _, friction := range frictions {
			all = append(all, recipe{name, friction, usualStep, moments, build})
		}
	}
	half := []float64{0.5}
	letters := func(text string, size float64) builder {
		return func(friction float64, workers int) (*toile.World, error) {
			return letterHeap(text, size, friction, workers)
		}
	}
	towers := func(yards, blocks, cells int) builder {
		return func(friction float64, workers int) (*toile.World, error) {
			return softTowers(yards, blocks, cells, friction, workers)
		}
	}
	mixed := func(layers int) builder {
		return func(friction float64, workers int) (*toile.World, error) {
			return mixedTower(layers, 4, friction, workers)
		}
	}
	block := func(tets int) builder {
		return func(friction float64, workers int) (*toile.World, error) { return SoftBlock(tets, friction, workers) }
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	add("letters-5", half, letters("TOILE", 0.03), moment{"landing", 45, true}, moment{"rest", 120, true})
	add("letters-26", allFrictions, letters(alphabet, 0.03), moment{"falling", 80, false}, moment{"lying", 200, false})
	add("letters-fine-26", half, letters(alphabet, 0.012), moment{"falling", 80, false})
	add("soft-4", half, towers(1, 4, 4), moment{"landing", 8, true}, moment{"rest", 40, true})
	add("soft-10", allFrictions, towers(1, 10, 6), moment{"landing", 20, false}, moment{"swaying", 50, false})
	add("soft-yard", half, towers(9, 4, 6), moment{"landing", 8, false}, moment{"rest", 25, false})
	add("block-5k", half, block(5_000), moment{"landing", 8, false}, moment{"rest", 25, false})
	add("block-88k", half, block(88_000), moment{"landing", 8, false})
	add("mixed-6", allFrictions, mixed(6), moment{"landing", 8, false}, moment{"later", 14, false})
	add("mixed-12", half, mixed(12), moment{"landing", 8, false})
	return all
}

func clothRecipes() []recipe {
	var all []recipe
	add := func(name string, frictions []float64, build builder, moments ...moment) {
		for _, friction := range frictions {
			all = append(all, recipe{name, friction, longerStep, moments, build})
		}
	}
	half := []float64{0.5}
	add("napkins-3", []float64{0.2, 0.5}, func(friction float64, workers int) (*toile.World, error) {
		return napkins(3, 12, friction, workers)
	}, moment{"impact", 4, false}, moment{"lying", 12, false})
	add("napkins-5", half, func(friction float64, workers int) (*toile.World, error) {
		return napkins(5, 16, friction, workers)
	}, moment{"impact", 3, false})
	add("drape", allFrictions, func(friction float64, workers int) (*toile.World, error) {
		return drape(50, friction, workers)
	}, moment{"early", 60, false}, moment{"folds", 90, false})
	add("drape-small", half, func(friction float64, workers int) (*toile.World, error) {
		return drape(25, friction, workers)
	}, moment{"folds", 70, true})
	add("folds", half, func(friction float64, workers int) (*toile.World, error) {
		return folding(30, friction, workers)
	}, moment{"early", 60, true}, moment{"later", 100, false}, moment{"heap", 120, false})
	for _, cells := range []int{40, 70, 100, 140} {
		add(fmt.Sprintf("carpet-%d", cells), []float64{0.3}, func(friction float64, workers int) (*toile.World, error) {
			return carpet(cells, friction, workers)
		}, moment{"early", 3, false}, moment{"later", 10, false})
	}
	return all
}
