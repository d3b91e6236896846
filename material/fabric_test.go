package material

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestFabrics(t *testing.T) {
	names := Fabrics()
	if len(names) < 8 || !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Fatalf("fabrics %v are too few, not sorted or not unique", names)
	}
	for _, must := range strings.Fields(`default cotton cotton-interlock ponte-roma-knit denim polyester-jacket
		polyester-blanket silk wool paper`) {
		if !slices.Contains(names, must) {
			t.Errorf("no fabric %q", must)
		}
	}
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	for _, name := range names {
		f, err := LookupFabric(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if f.Name != name || !kebab.MatchString(name) || f.Description == "" || f.Source == "" {
			t.Errorf("%s: name, description or source is missing", name)
		}
		if f.Estimate != (f.Range != "") || f.Estimate == (f.Table != nil) {
			t.Errorf("%s: an estimate must have a range and no table, a measured fabric a table and no range", name)
		}
		// What the bias adds to warp, weft and coupling is twist, of which there must be some.
		if twist := f.BendBias - (f.BendWarp+f.BendWeft+2*f.BendPoisson*math.Sqrt(f.BendWarp*f.BendWeft))/4; !(twist > 0) {
			t.Errorf("%s: bending leaves a twist rigidity of %g N m", name, twist)
		}
		if name == "paper" {
			continue
		}
		// The span of cloth, with some room for soft knits and light silks.
		if f.Density < 0.05 || f.Density > 0.4 {
			t.Errorf("%s: density %g kg/m²", name, f.Density)
		}
		for _, k := range []float64{f.Membrane.Warp, f.Membrane.Weft} {
			if k < 5 || k > 5000 {
				t.Errorf("%s: stretch stiffness %g N/m", name, k)
			}
		}
		for _, b := range []float64{f.BendWarp, f.BendWeft, f.BendBias} {
			if b < 1e-6 || b > 1e-4 {
				t.Errorf("%s: bending rigidity %g N m", name, b)
			}
		}
	}
}

// The conversions from the database: stretching doubled and clamped, bending over four.
func TestMeasuredFabricConversions(t *testing.T) {
	f, err := LookupFabric("cotton-interlock")
	if err != nil {
		t.Fatal(err)
	}
	if f.Density != 0.187 {
		t.Errorf("density %g, want 0.187", f.Density)
	}
	if want := (Stretch{Warp: 2 * 16.593832, Coupling: 0, Weft: 2 * 34.477123, Shear: 2 * 36.860302}); f.Membrane != want {
		t.Errorf("membrane %+v, want %+v", f.Membrane, want)
	}
	if f.BendWarp != 23.191698e-6/4 || f.BendBias != 24.749964e-6/4 || f.BendWeft != 14.267624e-6/4 {
		t.Errorf("rigidities %g, %g, %g", f.BendWarp, f.BendBias, f.BendWeft)
	}
	if f.BendTable[2][4] != 19.383726e-6 {
		t.Errorf("bending table %v", f.BendTable)
	}
}

func TestLookupFabricSuggests(t *testing.T) {
	for name, want := range map[string]string{
		"coton":            `did you mean "cotton"`,
		"Denim":            `did you mean "denim"`,
		"cotton-interlok":  `did you mean "cotton-interlock"`,
		"interlock":        `did you mean "cotton-interlock"`,
		"blanket":          `did you mean "polyester-blanket"`,
		"reinforced steel": "the fabrics are cotton, ",
		"":                 "the fabrics are cotton, ",
	} {
		_, err := LookupFabric(name)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", name, err, want)
		}
	}
}

func TestFabricValidateListsAllFaults(t *testing.T) {
	f := Fabric{
		Density:     -1,
		Thickness:   math.NaN(),
		BendPoisson: 1,
		Damping:     -1,
		Table:       &StretchTable{},
	}
	err := f.Validate()
	if err == nil {
		t.Fatal("an empty fabric is accepted")
	}
	for _, want := range []string{
		"density", "thickness", "along the warp", "along the weft", "along the bias", "Poisson", "damping", "warp stiffness",
		"stretching table",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no fault about %s in: %v", want, err)
		}
	}
}

func ExampleLookupFabric() {
	f, err := LookupFabric("denim")
	if err != nil {
		fmt.Println(err)
		return
	}
	warp, weft, shear, _ := f.Membrane.Engineering()
	fmt.Printf("%s: %.3g kg/m²\n", f.Description, f.Density)
	fmt.Printf("stretch %.0f and %.0f N/m, shear %.0f N/m, bending %.1e N m\n", warp, weft, shear, f.BendWarp)
	// Output:
	// 11 oz jeans denim, 99 % cotton, 1 % spandex: 0.324 kg/m²
	// stretch 410 and 2027 N/m, shear 27 N/m, bending 1.6e-05 N m
}

// TestLookupsListTheirNames: what go doc says of the lookups has the name of every preset, and no other.
func TestLookupsListTheirNames(t *testing.T) {
	for _, c := range []struct {
		file, function string
		names          []string
	}{{"fabric.go", "LookupFabric", Fabrics()}, {"soft.go", "LookupSoft", Softs()}} {
		source, err := os.ReadFile(c.file)
		if err != nil {
			t.Fatal(err)
		}
		_, doc, _ := strings.Cut(string(source), "// "+c.function+" returns")
		_, doc, _ = strings.Cut(doc, "lists:")
		doc, _, _ = strings.Cut(doc, "\nfunc ")
		listed := regexp.MustCompile(`[a-z-]+`).FindAllString(strings.Replace(doc, " and ", " ", 1), -1)
		if !slices.Equal(listed, c.names) {
			t.Errorf("%s lists %v, there are %v", c.function, listed, c.names)
		}
	}
}
