package pattern

// The garment library: patterns drafted from the measures and landmarks of a mannequin.
//
// All panels hang flat (a hood and a shawl bent about one axis) around the body in its dressing pose, before and behind
// it or at its sides, so that they close around it by moving towards each other. Front panels are drafted in the plane
// y = -d and back panels in y = d as they will be worn: x of the panel is ±x of the body, y is its height above the
// panel's own origin. A quarter of a circumference with its ease is then the half width of a panel, which is more than
// the half width of the body, because a body is not a quarter as wide as around.
//
// Eases are fractions of a circumference of the body. Those below are what Ease = 1 gives:
//
//	tunic     chest 12 %, hip 8 %, upper arm 25 %
//	tank-top  chest 5 %, waist 14 %, hip 6 %
//	skirt     waist 4 %, hip 8 %, and a flare below
//	trousers  waist 5 %, hip 8 %, thigh 12 %, ankle 60 %
//	hood      head 22 %, and 10 % of the head at the neck
//
// They are rounded figures for woven cloth.
//
// Both edges of a seam are made from the same points, or, where the two sides are of different shapes, one is made as
// long as the other; so seams need no ease of their own.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/mannequin"
)

// kinds are the garments that can be drafted.
var kinds = []struct {
	name  string
	draft func(*tailor) *Pattern
}{
	{"tunic", (*tailor).tunic},
	{"tank-top", (*tailor).tankTop},
	{"skirt", (*tailor).skirt},
	{"pleated-skirt", (*tailor).pleatedSkirt},
	{"trousers", (*tailor).trousers},
	{"hood", (*tailor).hood},
	{"shawl", (*tailor).shawl},
}

// Garments returns the kinds that GarmentOf knows.
func Garments() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].name
	}
	return names
}

// GarmentOf drafts a garment for a body, hung around it in its dressing pose. All of it is at least o.Clearance from
// the body's mesh, up to rounding. A skirt in layers is one pattern for each layer, from 1 up.
func GarmentOf(kind string, body *mannequin.Mannequin, o GarmentOptions) (*Pattern, error) {
	i := slices.IndexFunc(kinds, func(k struct {
		name  string
		draft func(*tailor) *Pattern
	},
	) bool {
		return k.name == kind
	})
	if i < 0 {
		return nil, fmt.Errorf("no garment is called %q; there is %s", kind, strings.Join(Garments(), ", "))
	}
	if err := o.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return kinds[i].draft(newTailor(body, o)), nil
}
