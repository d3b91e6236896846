// Kernels of a linear iteration of the contact solver, with what they move and compute at the least: what a kernel
// reads and writes counts once for each pass over it, however often it comes back to it. docs/bench.md has the
// formulae.

package bench

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/internal/sparse"
	"github.com/toile-sim/toile/r3"
)

// Count is what one run of a kernel moves and computes.
type Count struct {
	Bytes int // moved
	Data  int // bytes of its arrays: less than moved where it passes over some of them twice
	Flops int
}

func (c Count) plus(d Count) Count {
	return Count{c.Bytes + d.Bytes, c.Data + d.Data, c.Flops + d.Flops}
}

const (
	vecBytes   = 3 * 8
	matBytes   = 9 * 8
	indexBytes = 4
	blockBytes = matBytes + indexBytes // and the index of its column
)

// countProduct is that of a product of a matrix of so many blocks.
func countProduct(rows, blocks int) Count {
	moved := blockBytes*blocks + indexBytes*(rows+1) + 2*vecBytes*rows
	return Count{Bytes: moved, Data: moved, Flops: 18 * blocks}
}

// countSolve is that of the two triangular solves of a factor with so many blocks in L. Both pass over L, the order of
// the rows and two vectors between them.
func countSolve(rows, lower int) Count {
	both := blockBytes*lower + indexBytes*(2*rows+1) + 2*vecBytes*rows
	once := matBytes*rows + 2*vecBytes*rows
	return Count{Bytes: 2*both + once, Data: both + once, Flops: 36*lower + 21*rows}
}

// countFactor is that of factoring a matrix of so many blocks, if the first shift does.
func countFactor(rows, blocks, lower, products int) Count {
	from := matBytes*(rows+(blocks-rows)/2) + indexBytes*rows
	to := matBytes*(lower+rows) + indexBytes*(2*lower+2*rows+1)
	match := indexBytes*(lower+1) + 2*indexBytes*products
	moved := from + to + match
	return Count{Bytes: moved, Data: moved, Flops: 54*products + 81*lower + 36*rows}
}

// countVectors is that of the operations on vectors of iteration k of GMRES: k dots and combinations, a norm, a
// scaling, and the combination of the solution.
func countVectors(rows, k int) Count {
	return Count{
		Bytes: vecBytes * rows * (2*k + 3*(k+1) + 1 + 2),
		Data:  vecBytes * rows * (k + 3),
		Flops: rows * (6*k + 6*(k+1) + 6 + 3),
	}
}

// Kernel is a loop of the contact solver, on a problem.
type Kernel struct {
	Name   string
	Rows   int
	Blocks int // of the matrix, or of L without its diagonal; 0 for vectors
	Count
	Run func(team *par.Team)
}

const (
	// iterationNumber is which iteration of GMRES stands for all: they have more vectors to work on the later they are.
	iterationNumber = 10
	// Iteration is the name of the kernel that is all of a linear iteration but its contacts.
	Iteration = "iteration"
)

// Kernels returns those of a problem.
func Kernels(p *solve.ContactProblem) []Kernel {
	var thinner sparse.Thin
	a, n := p.A, p.A.N
	thin := thinner.Update(nil, a)
	filled, plain := &sparse.IC{Fill: true, FirstShift: sparse.ThinShift}, &sparse.IC{}
	filled.Update(nil, thin, p.Fixed)
	plain.Update(nil, a, p.Fixed)
	x, y := slices.Clone(p.B), make([]r3.Vec, n)
	product := func(name string, m *sparse.BSR) Kernel {
		return Kernel{name, n, len(m.Col), countProduct(n, len(m.Col)), func(team *par.Team) { m.Mul(team, x, y) }}
	}
	apply := func(name string, f *sparse.IC) Kernel {
		return Kernel{name, n, f.Blocks(), countSolve(n, f.Blocks()), func(team *par.Team) { f.Apply(team, x, y) }}
	}
	factor := func(name string, m *sparse.BSR, f *sparse.IC) Kernel {
		count := countFactor(n, len(m.Col), f.Blocks(), f.Products())
		return Kernel{name, n, f.Blocks(), count, func(team *par.Team) { f.Update(team, m, p.Fixed) }}
	}
	g := newKrylov(n + p.Set.Len())
	vectors := Kernel{"vectors", g.rows, 0, countVectors(g.rows, iterationNumber), g.orthogonalize}
	all := []Kernel{
		product("product A", a), product("product thin", thin),
		apply("solve thin", filled), factor("factor thin", thin, filled),
		apply("solve A", plain), factor("factor A", a, plain),
		vectors,
	}
	whole := Kernel{Name: Iteration, Rows: n, Blocks: all[1].Blocks + all[2].Blocks}
	whole.Count = all[1].plus(all[2].Count).plus(vectors.Count)
	whole.Data -= 4 * vecBytes * n // vectors that the product and the solves share with the rest
	whole.Run = func(team *par.Team) {
		filled.Apply(team, g.basis[iterationNumber-1][:n], g.direction[:n])
		thin.Mul(team, g.direction[:n], g.w[:n])
		g.orthogonalize(team)
	}
	return append(all, whole)
}

// krylov is the vectors of iteration k of GMRES, as the contact solver works on them: blocks, then contacts.
type krylov struct {
	rows                   int
	basis                  [iterationNumber][]r3.Vec
	w, direction, solution []r3.Vec
	p, q                   []r3.Vec // of the running loop
	k                      float64
	inner                  func(lo, hi int) float64
	addScaled, setScaled   func(lo, hi int)
}

const vectorGrain = 1024

func newKrylov(rows int) *krylov {
	g := &krylov{rows: rows, w: make([]r3.Vec, rows), direction: make([]r3.Vec, rows), solution: make([]r3.Vec, rows)}
	// basis of vectors that all differ
	for j := range g.basis {
		g.basis[j] = make([]r3.Vec, rows)
		for i := range g.basis[j] {
			s := math.Sin(float64((j + 1) * (i + 1)))
			g.basis[j][i] = r3.V(s, s*s, 1-s).Scale(1 / math.Sqrt(float64(rows)))
		}
	}
	// vector to be made orthogonal
	for i := range g.w {
		g.w[i] = r3.V(1, float64(i%7), float64(i%3))
		g.direction[i] = g.basis[0][i]
	}
	// loops over parts of vectors
	g.inner = func(lo, hi int) float64 {
		sum := 0.0
		q := g.q[lo:hi]
		for i, p := range g.p[lo:hi] {
			sum += p.Dot(q[i])
		}
		return sum
	}
	g.addScaled = func(lo, hi int) {
		p := g.p[lo:hi]
		for i, q := range g.q[lo:hi] {
			p[i] = p[i].AddScaled(g.k, q)
		}
	}
	g.setScaled = func(lo, hi int) {
		p := g.p[lo:hi]
		for i, q := range g.q[lo:hi] {
			p[i] = q.Scale(g.k)
		}
	}
	return g
}

func (g *krylov) dot(team *par.Team, p, q []r3.Vec) float64 {
	g.p, g.q = p, q
	return team.Sum(len(p), g.inner)
}

func (g *krylov) combine(team *par.Team, p []r3.Vec, k float64, q []r3.Vec) {
	g.p, g.k, g.q = p, k, q
	team.For(len(p), vectorGrain, g.addScaled)
}

// orthogonalize does what an iteration does with vectors, the solution included.
func (g *krylov) orthogonalize(team *par.Team) {
	for _, b := range g.basis {
		g.combine(team, g.w, -g.dot(team, g.w, b), b)
	}
	length := math.Sqrt(g.dot(team, g.w, g.w))
	g.p, g.k, g.q = g.w, 1/length, g.w
	team.For(g.rows, vectorGrain, g.setScaled)
	g.combine(team, g.solution, 1e-3, g.direction)
}

// KernelTimes are those of a kernel, and what a triad over as many bytes as its data moves.
type KernelTimes struct {
	Repeats int
	Best    float64 // [s]
	Median  float64
	CPU     Real    // of all cores together, mean
	Cache   float64 // the most that the triad moved [bytes/s]
}

// KernelWatch times a kernel with a number of workers.
type KernelWatch struct {
	kernel      *Kernel
	team        *par.Team
	triad       *smallTriad
	own, others []float64 // [s]
	cpu         time.Duration
}

// Watch returns a watch without times.
func (k *Kernel) Watch(workers int) *KernelWatch {
	return &KernelWatch{kernel: k, team: par.New(workers), triad: newSmallTriad(k.Data)}
}

// roundTime is how long the kernel and the triad run in a round, each: much longer than it takes to bring their data
// into caches.
const roundTime = 50 * time.Millisecond

// Round runs the kernel again and again, and then the triad.
func (w *KernelWatch) Round() {
	w.team.Enter()
	defer w.team.Leave()
	worked := CPUTime()
	w.own = appendTimes(w.own, w.team, w.kernel.Run)
	w.cpu += CPUTime() - worked
	w.others = appendTimes(w.others, w.team, w.triad.run)
}

// appendTimes appends the seconds of single runs.
func appendTimes(to []float64, team *par.Team, run func(team *par.Team)) []float64 {
	for begin, runs := time.Now(), 0; runs < 3 || time.Since(begin) < roundTime; runs++ {
		start := time.Now()
		run(team)
		to = append(to, time.Since(start).Seconds())
	}
	return to
}

// Times returns those of all rounds, of which there must be one.
func (w *KernelWatch) Times() *KernelTimes {
	t := &KernelTimes{
		Repeats: len(w.own), Best: slices.Min(w.own), Median: Median(w.own),
		CPU: Real(w.cpu.Seconds() / float64(len(w.own))), Cache: w.triad.bytes() / slices.Min(w.others),
	}
	if w.cpu == 0 {
		t.CPU = Real(math.NaN())
	}
	return t
}

// Problem returns the contact problem of the step after the state of an order.
func Problem(ctx context.Context, o *Order) (*solve.ContactProblem, error) {
	s, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	defer s.close()
	p, ok := s.(*play)
	if !ok {
		return nil, fmt.Errorf("%s has no contact problem", o.State)
	}
	var file bytes.Buffer
	p.world.DumpNext(&file)
	if err := p.world.Advance(p.h, p.h, nil); err != nil {
		return nil, err
	}
	if file.Len() == 0 {
		return nil, fmt.Errorf("the step after %s has no contacts", o.State)
	}
	return solve.ReadProblem(&file)
}
