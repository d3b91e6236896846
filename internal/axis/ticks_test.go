package axis

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// labels joins the labels of ticks.
func labels(ticks []Tick) string {
	var out []string
	for _, t := range ticks {
		if t.Label != "" {
			out = append(out, t.Label)
		}
	}
	return strings.Join(out, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, top float64
		log      bool
		want     string
	}{
		{0, 1, false, "0 0.2 0.4 0.6 0.8 1.0"},
		{-0.5, 0.5, false, "−0.4 −0.2 0 0.2 0.4"},
		{0, 6, false, "0 1 2 3 4 5 6"},
		{0, 1.2e-5, false, "0 0.2·10⁻⁵ 0.4·10⁻⁵ 0.6·10⁻⁵ 0.8·10⁻⁵ 1.0·10⁻⁵ 1.2·10⁻⁵"},
		{0, 3e6, false, "0 0.5·10⁶ 1.0·10⁶ 1.5·10⁶ 2.0·10⁶ 2.5·10⁶ 3.0·10⁶"},
		{-300, -100, false, "−300 −250 −200 −150 −100"},
		{-1e149, 1e149, false, "−1.0·10¹⁴⁹ −0.5·10¹⁴⁹ 0 0.5·10¹⁴⁹ 1.0·10¹⁴⁹"},
		{1e-300, 4e-300, false, "1.0·10⁻³⁰⁰ 1.5·10⁻³⁰⁰ 2.0·10⁻³⁰⁰ 2.5·10⁻³⁰⁰ 3.0·10⁻³⁰⁰ 3.5·10⁻³⁰⁰ 4.0·10⁻³⁰⁰"},
		{99999, 100001, false, "0.999990·10⁵ 0.999995·10⁵ 1.000000·10⁵ 1.000005·10⁵ 1.000010·10⁵"},
		{0.001, 10, true, "0.001 0.01 0.1 1 10"},
		{1e-8, 1, true, "10⁻⁸ 10⁻⁷ 10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 1"},
		{1e-100, 1, true, "10⁻¹⁰⁰ 10⁻⁸⁰ 10⁻⁶⁰ 10⁻⁴⁰ 10⁻²⁰ 1"},
		{1e-149, 1e149, true, "10⁻¹⁰⁰ 10⁻⁵⁰ 1 10⁵⁰ 10¹⁰⁰"},
		{1, 20, true, "1 2 5 10 20"},
		{3.1, 3.4, true, "3.10 3.15 3.20 3.25 3.30 3.35 3.40"},
		{6, 40, true, "10 15 20 25 30 35 40"},
	} {
		if got := labels(Axis{c.low, c.top, c.log, false}.Ticks(7)); got != c.want {
			t.Errorf("ticks of %g to %g, log %v: %s, want %s", c.low, c.top, c.log, got, c.want)
		}
	}
}

// Counts have no ticks between whole numbers.
func TestTicksOfCounts(t *testing.T) {
	for _, c := range []struct {
		low, top float64
		want     string
	}{{0.4, 3.6, "1 2 3"}, {-0.2, 1.2, "0 1"}, {0, 30, "0 5 10 15 20 25 30"}} {
		if got := labels(Axis{c.low, c.top, false, true}.Ticks(7)); got != c.want {
			t.Errorf("ticks of counts from %g to %g: %s, want %s", c.low, c.top, got, c.want)
		}
	}
}

// Ticks are few, rise, are inside, and labels of any two differ, on every axis that a range can have.
func TestTicksOfAnyRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Range{Log: rapid.Bool().Draw(t, "log")}
		for _, v := range rapid.SliceOfN(rapid.Float64(), 0, 3).Draw(t, "values") {
			r.Add(v)
		}
		if rapid.Bool().Draw(t, "near") {
			v := rapid.Float64Range(-1e6, 1e6).Draw(t, "v")
			r.Add(v)
			r.Add(v * (1 + rapid.Float64Range(0, 1e-9).Draw(t, "off")))
		}
		a := r.Axis(rapid.Float64Range(0, 0.1).Draw(t, "part"))
		if !(a.Top > a.Low) || a.Low-a.Low != 0 || a.Top-a.Top != 0 || a.Log && !(a.Low > 0) {
			t.Fatalf("axis from %g to %g", a.Low, a.Top)
		}
		n := rapid.IntRange(2, 10).Draw(t, "n")
		ticks, seen := a.Ticks(n), map[string]bool{}
		last := math.Inf(-1)
		for _, tick := range ticks {
			if place := a.Place(tick.Value); !(tick.Value > last) || place < -1e-6 || place > 1+1e-6 {
				t.Fatalf("tick at %g after %g on an axis from %g to %g", tick.Value, last, a.Low, a.Top)
			}
			if last = tick.Value; tick.Label != "" && seen[tick.Label] {
				t.Fatalf("two ticks %s from %g to %g", tick.Label, a.Low, a.Top)
			}
			seen[tick.Label] = true
		}
		delete(seen, "")
		if len(seen) < 1 || len(seen) > 2*n+2 || len(ticks) > 80 {
			t.Fatalf("%d ticks, %d labelled, from %g to %g, n = %d: %s", len(ticks), len(seen), a.Low, a.Top, n, labels(ticks))
		}
	})
}

func TestRange(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		values []float64
		log    bool
		want   Axis
	}{
		{nil, false, Axis{0, 1, false, false}},
		{nil, true, Axis{0.1, 10, true, false}},
		{[]float64{nan, inf, -inf, 1e200}, false, Axis{0, 1, false, false}},
		{[]float64{0, -3, 1e-200}, true, Axis{0.1, 10, true, false}},
		{[]float64{0}, false, Axis{-1, 1, false, false}},
		{[]float64{4, 4}, false, Axis{2, 6, false, false}},
		{[]float64{4}, true, Axis{2, 8, true, false}},
		{[]float64{1, 3}, false, Axis{0.8, 3.2, false, false}},
		{[]float64{0.1, 8.1}, false, Axis{0, 8.9, false, false}},
		{[]float64{-8.1, -0.1}, false, Axis{-8.9, 0, false, false}},
		{[]float64{0, 10}, false, Axis{-1, 11, false, false}},
	} {
		r := Range{Log: c.log}
		for _, v := range c.values {
			r.Add(v)
		}
		if got := r.Axis(0.1); math.Abs(got.Low-c.want.Low)+math.Abs(got.Top-c.want.Top) > 1e-9 || got.Log != c.want.Log {
			t.Errorf("axis of %v, log %v: %v, want %v", c.values, c.log, got, c.want)
		}
	}
}

func TestWhole(t *testing.T) {
	for _, c := range []struct{ is, want Axis }{
		{Axis{0.1, 0.93, false, false}, Axis{0, 1, false, false}},
		{Axis{-3, 12, false, false}, Axis{-5, 15, false, false}},
		{Axis{0.02, 30, true, false}, Axis{0.01, 100, true, false}},
		{Axis{0.1, 0.1, true, false}, Axis{0.1, 1, true, false}},
	} {
		if got := c.is.Whole(5); math.Abs(got.Low-c.want.Low)+math.Abs(got.Top-c.want.Top) > 1e-9 {
			t.Errorf("%v widened is %v, want %v", c.is, got, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{0: "0", -1.5: "−1.5", 1e-7: "10⁻⁷", -1e9: "−10⁹", 2.345e12: "2.34·10¹²", 0.25: "0.25"} {
		if got := Number(x); got != want {
			t.Errorf("%g is written %s, want %s", x, got, want)
		}
	}
}
