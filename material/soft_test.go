package material

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestSofts(t *testing.T) {
	names := Softs()
	if !slices.IsSorted(names) {
		t.Errorf("%v are not sorted", names)
	}
	cites := regexp.MustCompile(`^\[[A-Z][a-z]+[0-9]{2}\]`)
	for _, name := range names {
		m, err := LookupSoft(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !(m.Density > 0) || m.Description == "" || !cites.MatchString(m.Source) {
			t.Errorf("%s: %+v", name, m)
		}
	}
	rubber, _ := LookupSoft("rubber")
	if mu, _ := rubber.Lame(); math.Abs(mu-0.39e6) > 1e-6 {
		t.Errorf("the shear modulus of rubber is %g Pa", mu)
	}
	if _, err := LookupSoft("ruber"); err == nil || !strings.Contains(err.Error(), `did you mean "rubber"`) {
		t.Error(err)
	}
}
