package par

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Property: every index is visited exactly once, whatever the team.
func TestForVisitsEveryIndexOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 8} {
		team := New(workers)
		team.Enter()
		for _, n := range []int{0, 1, 2, 7, 64, 1000, 12345} {
			seen := make([]int, n)
			for range 20 {
				team.For(n, 7, func(lo, hi int) {
					for i := lo; i < hi; i++ {
						seen[i]++
					}
				})
			}
			for i, c := range seen {
				if c != 20 {
					t.Fatalf("%d workers, n = %d: index %d visited %d times, want 20", workers, n, i, c)
				}
			}
		}
		team.Leave()
	}
}

// Metamorphic: sums have the same bits for every number of workers.
func TestSumDoesNotDependOnWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 1023, 1024, 1025, 100_000} {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Exp(20*rng.Float64()) * (rng.Float64() - 0.5)
		}
		sum := func(lo, hi int) float64 {
			s := 0.0
			for _, v := range x[lo:hi] {
				s += v
			}
			return s
		}
		var none *Team
		want := none.Sum(n, sum)
		for _, workers := range []int{1, 2, 8} {
			team := New(workers)
			team.Enter()
			for range 10 {
				if got := team.Sum(n, sum); got != want {
					t.Fatalf("n = %d, %d workers: sum %v, want %v", n, workers, got, want)
				}
			}
			team.Leave()
		}
	}
}

func TestMaxReportsNaN(t *testing.T) {
	x := make([]float64, 5000)
	x[4321] = math.NaN()
	team := New(2)
	team.Enter()
	defer team.Leave()
	got := team.Max(len(x), func(lo, hi int) float64 {
		m := 0.0
		for _, v := range x[lo:hi] {
			m = max(m, v)
		}
		return m
	})
	if !math.IsNaN(got) {
		t.Errorf("max = %v, want NaN", got)
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	team := New(4)
	team.Enter()
	defer team.Leave()
	defer func() {
		if r := recover(); r != "chunk 50" {
			t.Errorf("recovered %v, want chunk 50", r)
		}
	}()
	team.For(100, 1, func(lo, _ int) {
		if lo == 50 {
			panic("chunk 50")
		}
	})
}

// A steady step allocates nothing; prepared loop bodies are the caller's part of that.
func TestLoopsDoNotAllocate(t *testing.T) {
	team := New(2)
	x := make([]float64, 10_000)
	body := func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x[i]++
		}
	}
	value := func(lo, hi int) float64 { return x[lo] + float64(hi) }
	loops := func() {
		team.Enter()
		team.For(len(x), 100, body)
		team.Sum(len(x), value)
		team.Leave()
	}
	if n := testing.AllocsPerRun(100, loops); n != 0 {
		t.Errorf("%v allocations a section, want 0", n)
	}
}

func BenchmarkShortLoop(b *testing.B) {
	team := New(2)
	x := make([]float64, 2)
	body := func(lo, hi int) {
		for i := lo; i < hi; i++ {
			x[i]++
		}
	}
	team.Enter()
	defer team.Leave()
	for b.Loop() {
		team.For(len(x), 1, body)
	}
}
