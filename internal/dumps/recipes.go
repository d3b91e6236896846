package dumps

import (
	"fmt"
	"slices"
	"strings"
)

// recipe is a world and the steps whose contact problems are kept.
type recipe struct {
	name     string
	friction float64
	h        float64 // step [s]
	moments  []moment
	build    builder
}

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

var (
	oneFriction  = []float64{0.5}
	allFrictions = []float64{0.2, 0.5, 0.8}
)

// book collects recipes.
type book struct {
	h   float64 // of those that are added
	all []recipe
}

// add adds a world with every friction.
func (b *book) add(name string, frictions []float64, build builder, moments ...moment) {
	for _, friction := range frictions {
		b.all = append(b.all, recipe{name, friction, b.h, moments, build})
	}
}

func later(name string, step int) moment { return moment{name, step, false} }

func soon(name string, step int) moment { return moment{name, step, true} }

func rigidRecipes() []recipe {
	b := book{h: usualStep}
	tower := func(cubes int, top, gap float64) builder { return func(s *stage) { s.tower(cubes, top, gap) } }
	pile := func(cubes, across int) builder { return func(s *stage) { s.pile(cubes, across, 0) } }
	jumble := func(cubes, across int) builder { return func(s *stage) { s.pile(cubes, across, 0.25) } }
	b.add("tower-30", oneFriction, tower(30, 1, 0), soon("start", 1), soon("rest", 60))
	b.add("tower-heavy-30", oneFriction, tower(30, 1000, 0), soon("start", 1), soon("rest", 60))
	b.add("tower-light-30", oneFriction, tower(30, 1e-3, 0), later("start", 1), later("rest", 60))
	b.add("tower-100", oneFriction, tower(100, 1, 0), later("start", 1), later("rest", 60))
	b.add("tower-falls-100", oneFriction, tower(100, 1, fallHeight), later("early", 10), later("late", 20))
	b.add("pile-20", oneFriction, pile(20, 4), soon("landing", 60), soon("rest", 100))
	b.add("pile-64", allFrictions, pile(64, 4), later("landing", 100), later("rest", 150))
	b.add("pile-164", allFrictions, pile(164, 4), later("landing", 160), later("rest", 300))
	b.add("pile-500", oneFriction, pile(500, 8), later("landing", 130), later("rest", 250))
	b.add("jumble-20", oneFriction, jumble(20, 4), soon("landing", 90))
	b.add("jumble-64", allFrictions, jumble(64, 4), later("landing", 100), later("settling", 130))
	b.add("jumble-164", oneFriction, jumble(164, 4), later("landing", 130), later("settling", 170))
	b.add("jumble-500", oneFriction, jumble(500, 8), later("landing", 80))
	return b.all
}

func softRecipes() []recipe {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	b := book{h: usualStep}
	letters := func(text string, size float64) builder { return func(s *stage) { s.letterHeap(text, size) } }
	towers := func(count, blocks, cells int) builder { return func(s *stage) { s.softTowers(count, blocks, cells) } }
	block := func(tets int) builder { return func(s *stage) { s.softBlock(tets) } }
	mixed := func(layers int) builder { return func(s *stage) { s.mixedTower(layers, 4) } }
	b.add("letters-5", oneFriction, letters("TOILE", 0.03), soon("landing", 45), soon("rest", 120))
	b.add("letters-26", allFrictions, letters(alphabet, 0.03), later("falling", 80), later("lying", 200))
	b.add("letters-fine-26", oneFriction, letters(alphabet, 0.012), later("falling", 80))
	b.add("soft-4", oneFriction, towers(1, 4, 4), soon("landing", 8), soon("rest", 40))
	b.add("soft-10", allFrictions, towers(1, 10, 6), later("landing", 20), later("swaying", 50))
	b.add("soft-yard", oneFriction, towers(9, 4, 6), later("landing", 8), later("rest", 25))
	b.add("block-5k", oneFriction, block(5_000), later("landing", 8), later("rest", 25))
	b.add("block-88k", oneFriction, block(88_000), later("landing", 8))
	b.add("mixed-6", allFrictions, mixed(6), later("landing", 8), later("later", 14))
	b.add("mixed-12", oneFriction, mixed(12), later("landing", 8))
	return b.all
}

func clothRecipes() []recipe {
	b := book{h: longerStep}
	napkins := func(count, cells int) builder { return func(s *stage) { s.napkins(count, cells) } }
	drape := func(cells int) builder { return func(s *stage) { s.drape(cells) } }
	folding := func(cells int) builder { return func(s *stage) { s.folding(cells) } }
	carpet := func(cells int) builder { return func(s *stage) { s.carpet(cells) } }
	b.add("napkins-3", []float64{0.2, 0.5}, napkins(3, 12), later("impact", 4), later("lying", 12))
	b.add("napkins-5", oneFriction, napkins(5, 16), later("impact", 3))
	b.add("drape", allFrictions, drape(50), later("early", 60), later("folds", 90))
	b.add("drape-small", oneFriction, drape(25), soon("folds", 70))
	b.add("folds", oneFriction, folding(30), soon("early", 60), later("later", 100), later("heap", 120))
	for _, cells := range []int{40, 70, 100, 140} {
		b.add(fmt.Sprintf("carpet-%d", cells), []float64{0.3}, carpet(cells), later("early", 3), later("later", 10))
	}
	return b.all
}
