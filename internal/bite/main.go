// Bite shows which rows of verifications can fail: it runs quick cases as they are and with the answers of all steps
// falsified, one way after another until every row has failed once, and lists the rows that never did.
//
//	go run ./internal/bite            all cases, hours
//	go run ./internal/bite L2 A3      these
//
// A case of a solver, of geometry or of yarns has no steps to falsify, or not only; what its rows miss is up to
// internal/mutants.
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"

	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/solve"
	"github.com/toile-sim/toile/verify"
)

// spoil is a way to falsify answers: of the velocity v of a block in a step of h.
type spoil struct {
	name   string
	change func(rng *rand.Rand, v r3.Vec, h float64) r3.Vec
}

var spoils = []spoil{
	{"off by 10 tolerances", func(rng *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.AddScaled(1e-7, anywhere(rng)) }},
	{"slower by 2 %", func(_ *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.Scale(0.98) }},
	{"faster by 1 %", func(_ *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.Scale(1.01) }},
	{"a fifth more gravity", func(_ *rand.Rand, v r3.Vec, h float64) r3.Vec { return v.Add(r3.V(0, 0, -0.2*9.81*h)) }},
	{"pushed along x by g", func(_ *rand.Rand, v r3.Vec, h float64) r3.Vec { return v.Add(r3.V(9.81*h, 0, 0)) }},
	{"pushed along y by g", func(_ *rand.Rand, v r3.Vec, h float64) r3.Vec { return v.Add(r3.V(0, 9.81*h, 0)) }},
	{"off by 1 mm/s", func(rng *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.AddScaled(1e-3, anywhere(rng)) }},
	{"off by 0.1 m/s", func(rng *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.AddScaled(0.1, anywhere(rng)) }},
	{"at rest", func(*rand.Rand, r3.Vec, float64) r3.Vec { return r3.Vec{} }},
	{"off by 3 m/s", func(rng *rand.Rand, v r3.Vec, _ float64) r3.Vec { return v.AddScaled(3, anywhere(rng)) }},
}

// anywhere returns a vector that is one long.
func anywhere(rng *rand.Rand) r3.Vec {
	return r3.V(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()).Unit()
}

func main() {
	cases, err := verify.Find(os.Args[1:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Println("| case | rows | seen to fail | by | never failed |")
	fmt.Println("|---|---|---|---|---|")
	rows, never := 0, 0
	for i := range cases {
		b := bitten(&cases[i])
		fmt.Println(b.line(cases[i].ID))
		rows, never = rows+len(b.rows), never+len(b.left())
	}
	fmt.Printf("\n%d of %d rows were seen to fail.\n", rows-never, rows)
}

// bite is what spoils do to a case.
type bite struct {
	rows   []string        // by what they are about
	failed map[string]bool // of them
	by     []string        // spoils that made another row fail
	steps  int             // that were spoilt
}

func bitten(c *verify.Case) *bite {
	b := &bite{failed: map[string]bool{}}
	as := c.Run(context.Background(), verify.Options{Workers: 1})
	b.rows = names(&as)
	for k := range spoils {
		if len(b.left()) == 0 {
			break
		}
		rng := rand.New(rand.NewPCG(40, uint64(k)))
		steps := 0
		got := c.Run(context.Background(), verify.Options{Workers: 1, Spoil: func(p *solve.ContactProblem) {
			steps++
			for i := range p.V {
				if p.Fixed == nil || !p.Fixed[i] {
					p.V[i] = spoils[k].change(rng, p.V[i], p.H)
				}
			}
		}})
		if steps == 0 {
			break
		}
		b.steps += steps
		before := len(b.failed)
		for i, name := range names(&got) {
			if !got.Rows[i].Pass() {
				b.failed[name] = true
			}
		}
		if len(b.failed) > before {
			b.by = append(b.by, spoils[k].name)
		}
	}
	return b
}

var figures = regexp.MustCompile(`[0-9][-+.0-9e]*`)

// names returns what rows are about, without figures, which a spoil may change, and with a number where that is the same.
func names(r *verify.Result) []string {
	seen := map[string]int{}
	var out []string
	for _, row := range r.Rows {
		name := figures.ReplaceAllString(row.Quantity, "#")
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[name])
		}
		out = append(out, name)
	}
	return out
}

// left returns the rows that have not failed.
func (b *bite) left() []string {
	var out []string
	for _, name := range b.rows {
		if !b.failed[name] {
			out = append(out, name)
		}
	}
	return out
}

func (b *bite) line(id string) string {
	left := b.left()
	by := strings.Join(b.by, ", ")
	if b.steps == 0 {
		by = "no step to falsify"
	}
	return fmt.Sprintf("| %s | %d | %d | %s | %s |", id, len(b.rows), len(b.rows)-len(left), by, strings.Join(left, "; "))
}
