package portable_test

import (
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/portable"
)

// TestSameAsAMD64 compares with package math on the processors whose bits are the standard.
func TestSameAsAMD64(t *testing.T) {
	if cpu, _ := os.ReadFile("/proc/cpuinfo"); runtime.GOARCH != "amd64" || !strings.Contains(string(cpu), " fma ") {
		t.Skip("package math gives other bits here")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	equal := func(name string, got, want float64, of ...float64) {
		t.Helper()
		if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s%v = %b, math has %b", name, of, got, want)
		}
	}
	odd := []float64{
		0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, 3, 1e-300, -1e-300, 709.78, 709.79, -708.3, -708.4, -744, -745.13,
		-745.14, -746, -1e3, -1e4, -1e300, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1.5, -2.5,
	}
	for _, x := range odd {
		equal("Exp", portable.Exp(x), math.Exp(x), x)
		for _, y := range odd {
			equal("Pow", portable.Pow(x, y), math.Pow(x, y), x, y)
		}
	}
	for range 300_000 {
		x := rng.NormFloat64() * math.Pow(10, 4*rng.Float64()-1)
		equal("Exp", portable.Exp(x), math.Exp(x), x)
		base, power := math.Exp(3*rng.NormFloat64()), rng.NormFloat64()*math.Pow(10, 3*rng.Float64())
		equal("Pow", portable.Pow(base, power), math.Pow(base, power), base, power)
		if t.Failed() {
			return
		}
	}
}

// TestKnownBits compares sums of bits with those of amd64, on every processor.
func TestKnownBits(t *testing.T) {
	var exp, pow uint64
	for i := range 10_000 {
		x := float64(i-5000) / 128 // exact, and no whole numbers of logarithms
		exp += math.Float64bits(portable.Exp(x))
		pow += math.Float64bits(portable.Pow(1+float64(i)/1024, x))
	}
	if exp != 0x67b433302cd263a2 || pow != 0x5fa29651bffbe484 {
		t.Errorf("sums of bits %#x of Exp and %#x of Pow", exp, pow)
	}
	if low, high := portable.Exp(-740), portable.Exp(709); low != 0x1.54p-1068 || high != 0x1.d422d2be5dc9bp+1022 {
		t.Errorf("e^-740 = %x, e^709 = %x", low, high)
	}
}

// TestFuses asks the compiler's own words: amd64 below level 3 has no fused multiply-add to take, and from there on it
// takes it unless told not to.
func TestFuses(t *testing.T) {
	info, ok := debug.ReadBuildInfo()
	if !ok || runtime.GOARCH != "amd64" {
		t.Skip("what the compiler was told is not known")
	}
	var level, flags string
	for _, s := range info.Settings {
		switch s.Key {
		case "GOAMD64":
			level = s.Value
		case "-gcflags":
			flags = s.Value
		}
	}
	want := level >= "v3" && !strings.Contains(flags, "fmahash")
	if got := portable.Fuses(); got != want {
		t.Errorf("fuses: %v, by level %q and flags %q it is %v", got, level, flags, want)
	}
}
