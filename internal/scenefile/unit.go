package scenefile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/words"
)

// unit is a way to write a quantity: its name and what one of it is in SI.
type unit struct {
	name string
	si   float64
}

// dimension is a kind of quantity. The first unit is the SI unit, meant by a bare number.
type dimension struct {
	name  string
	units []unit
}

func (d *dimension) si() string { return d.units[0].name }

func (d *dimension) names() []string {
	names := make([]string, len(d.units))
	for i, u := range d.units {
		names[i] = u.name
	}
	return names
}

// dimensions are the kinds of quantities a field can have, by the name its tag uses.
var dimensions = []dimension{
	{"length", []unit{{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}, {"km", 1e3}, {"in", 0.0254}, {"ft", 0.3048}}},
	{"time", []unit{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}}},
	{"angle", []unit{{"rad", 1}, {"deg", math.Pi / 180}, {"turn", 2 * math.Pi}}},
	{"mass", []unit{{"kg", 1}, {"g", 1e-3}, {"mg", 1e-6}}},
	{"force", []unit{{"N", 1}, {"mN", 1e-3}, {"kN", 1e3}}},
	{"speed", []unit{{"m/s", 1}, {"cm/s", 1e-2}, {"mm/s", 1e-3}, {"um/s", 1e-6}, {"km/h", 1 / 3.6}}},
	{"acceleration", []unit{{"m/s2", 1}, {"cm/s2", 1e-2}, {"mm/s2", 1e-3}}},
	{"stiffness", []unit{{"N/m", 1}, {"mN/m", 1e-3}, {"kN/m", 1e3}, {"N/cm", 1e2}, {"N/mm", 1e3}}},
	{"rigidity", []unit{{"N m", 1}, {"mN m", 1e-3}, {"uN m", 1e-6}, {"N cm", 1e-2}, {"N mm", 1e-3}}},
	{"areal-density", []unit{{"kg/m2", 1}, {"g/m2", 1e-3}, {"g/cm2", 10}}},
	{"linear-density", []unit{{"kg/m", 1}, {"g/m", 1e-3}, {"mg/m", 1e-6}, {"g/cm", 0.1}, {"tex", 1e-6}}},
	{"volume-density", []unit{{"kg/m3", 1}, {"g/cm3", 1e3}}},
	{"flexural-rigidity", []unit{{"N m2", 1}, {"mN m2", 1e-3}, {"uN m2", 1e-6}, {"nN m2", 1e-9}, {"N mm2", 1e-6}, {"mN mm2", 1e-9}}},
	{"contact-damping", []unit{{"N s/m3", 1}}},
	{"pressure", []unit{{"Pa", 1}, {"kPa", 1e3}, {"MPa", 1e6}, {"GPa", 1e9}}},
	{"torque", []unit{{"N m", 1}, {"mN m", 1e-3}, {"uN m", 1e-6}, {"N cm", 1e-2}, {"N mm", 1e-3}}},
	{"inertia", []unit{{"kg m2", 1}, {"g m2", 1e-3}, {"kg cm2", 1e-4}, {"g cm2", 1e-7}}},
	{"spin", []unit{{"rad/s", 1}, {"deg/s", math.Pi / 180}, {"turn/s", 2 * math.Pi}, {"rpm", 2 * math.Pi / 60}}},
	{"rate", []unit{{"Hz", 1}, {"kHz", 1e3}, {"1/s", 1}}},
}

func dimensionNamed(name string) *dimension {
	for i := range dimensions {
		if dimensions[i].name == name {
			return &dimensions[i]
		}
	}
	return nil
}

// numberSyntax is how a number begins a scalar; what follows is its unit.
var numberSyntax = regexp.MustCompile(`^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`)

// spelling brings other ways to write a unit to the one in the table.
var spelling = strings.NewReplacer("µ", "u", "μ", "u", "²", "2", "³", "3", "^", "", "·", " ", "*", " ", "°", "deg")

// parseQuantity reads a number with an optional unit of dimension dim, and returns it in SI. A nil
// dimension takes no unit.
func parseQuantity(text string, dim *dimension) (float64, error) {
	// number in front
	text = strings.TrimSpace(text)
	digits := numberSyntax.FindString(text)
	if digits == "" {
		if isNotFinite(text) {
			return 0, fmt.Errorf("must be a finite number, not %s", shown(text))
		}
		return 0, fmt.Errorf("must be a number%s, not %s", withUnit(dim), shown(text))
	}
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is out of the range of numbers", shown(digits))
	}
	// plain numbers are in SI already
	rest := strings.TrimSpace(text[len(digits):])
	if rest == "" {
		return value, nil
	}
	// slips: commas, and units where there are none
	if strings.HasPrefix(rest, ",") {
		return 0, fmt.Errorf("must be a number%s, not %s (the decimal sign is a point)", withUnit(dim), shown(text))
	}
	if dim == nil {
		return 0, fmt.Errorf("must be a plain number without a unit, not %s", shown(text))
	}
	// unit, with or without spaces
	name := strings.Join(strings.Fields(spelling.Replace(rest)), " ")
	for _, u := range dim.units {
		if u.name == name || strings.ReplaceAll(u.name, " ", "") == name {
			if value *= u.si; math.IsInf(value, 0) {
				return 0, fmt.Errorf("%s is out of the range of numbers", shown(text))
			}
			return value, nil
		}
	}
	return 0, fmt.Errorf(
		"has the unknown unit %s; %s is given in %s",
		shown(rest),
		article(dim.name),
		orList(dim.names()),
	)
}

func article(name string) string {
	name = strings.ReplaceAll(name, "-", " ")
	if strings.ContainsRune("aeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// isNotFinite recognizes the ways YAML and people write infinity and not-a-number.
func isNotFinite(text string) bool {
	word := strings.ToLower(strings.TrimLeft(text, "+-."))
	return slices.Contains([]string{"nan", "inf", "infinity"}, word)
}

// withUnit says which unit a number of dimension dim is in.
func withUnit(dim *dimension) string {
	if dim == nil {
		return ""
	}
	return " in " + dim.si() + " or with a unit"
}

// shown quotes a piece of the file for a message, cut if long.
func shown(text string) string {
	const most = 40
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "..."
	}
	return strconv.Quote(text)
}

func orList(list []string) string { return words.Or(list) }
