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
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// GarmentOptions say how a garment of the library is cut. Start from DefaultGarmentOptions.
type GarmentOptions struct {
	// Ease scales how much wider than the body the garment is, 0 to 6: 1 is usual for its kind, 0 is skin tight.
	Ease float64
	// Length scales the length, 0.5 to 2: of the trunk of a tunic or tank top, of a skirt, of the legs of trousers, of
	// the cape of a hood, of a shawl. What would reach the floor ends above it.
	Length float64
	// Sleeve scales the length of the sleeves of a tunic, 0.5 to 3.5: 1 is two thirds of the way to the elbow.
	Sleeve float64
	// Neck scales the width of the neckline of a tunic or tank top, 0.6 to 1.3.
	Neck float64
	// Strap moves the straps of a tank top from where they lie beside the neck, 0, to the ends of the shoulders, 1.
	Strap float64
	// Flare scales how much wider the hem of a skirt is than its hip, 0 to 3, and how deep the folds of a pleated one
	// are.
	Flare float64
	// Layer counts garments from the body outwards, 1 to 6. A garment is wider and hangs further out the higher its
	// layer is.
	Layer int
	// LayerGap is the distance between two layers as they hang [m], 2 to 50 mm.
	LayerGap float64
	// Clearance is the least distance from the body as a garment hangs [m], 6 to 100 mm.
	Clearance float64
}

// DefaultGarmentOptions returns the usual cut, next to the body.
func DefaultGarmentOptions() GarmentOptions {
	return GarmentOptions{Ease: 1, Length: 1, Sleeve: 1, Neck: 1, Flare: 1, Layer: 1, LayerGap: 0.012, Clearance: 0.012}
}

// Validate lists everything that is wrong with the options.
func (o GarmentOptions) Validate() error {
	var faults []error
	for _, f := range []struct {
		name         string
		x, low, high float64
		unit         string
	}{
		{"ease", o.Ease, 0, 6, ""},
		{"length", o.Length, 0.5, 2, ""},
		{"sleeve", o.Sleeve, 0.5, 3.5, ""},
		{"neck", o.Neck, 0.6, 1.3, ""},
		{"strap", o.Strap, 0, 1, ""},
		{"flare", o.Flare, 0, 3, ""},
		{"layer", float64(o.Layer), 1, 6, ""},
		{"layer gap", o.LayerGap * 1000, 2, 50, " mm"},
		{"clearance", o.Clearance * 1000, 6, 100, " mm"},
	} {
		if !(f.x >= f.low*(1-1e-9) && f.x <= f.high*(1+1e-9)) {
			faults = append(
				faults,
				fmt.Errorf("%s is %.4g%s; it must be from %g to %g%s", f.name, f.x, f.unit, f.low, f.high, f.unit),
			)
		}
	}
	return errors.Join(faults...)
}

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
func GarmentOf(kind string, body *shape.Mannequin, o GarmentOptions) (*Pattern, error) {
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

// tailor has everything that drafting needs.
type tailor struct {
	o    GarmentOptions
	m    shape.Measures
	x    []r3.Vec // vertices of the body in the dressing pose
	body *geom.MeshField
	out  float64 // how much further out than the first layer [m]
	// Landmarks of the left side.
	top, neck, shoulder, armpit, chest, waist, hip, crotch, knee, ankle, elbow, wrist r3.Vec
	arm, leg                                                                          float64 // slopes: of the arms downwards along x, of the legs outwards along -z
}

func newTailor(body *shape.Mannequin, o GarmentOptions) *tailor {
	t := &tailor{o: o, m: body.Measures, out: float64(o.Layer-1) * o.LayerGap, x: make([]r3.Vec, body.Vertices())}
	pose := shape.DressingPose()
	body.Skin(&pose, t.x)
	t.body = geom.NewMeshField(t.x, body.Tri)
	for name, at := range map[string]*r3.Vec{
		"top": &t.top, "neck": &t.neck, "shoulder": &t.shoulder, "armpit": &t.armpit, "chest": &t.chest, "waist": &t.waist,
		"hip": &t.hip, "crotch": &t.crotch, "knee": &t.knee, "ankle": &t.ankle, "elbow": &t.elbow, "wrist": &t.wrist,
	} {
		x, ok := body.Landmark(name)
		if !ok {
			panic("pattern: the mannequin has no landmark " + name)
		}
		*at = x
	}
	t.arm = (t.elbow.Z - t.wrist.Z) / (t.wrist.X - t.elbow.X)
	t.leg = (t.ankle.X - t.knee.X) / (t.knee.Z - t.ankle.Z)
	return t
}

// quarter returns a quarter of what goes around a circumference of the body with a usual ease, in this layer.
func (t *tailor) quarter(around, ease float64) float64 {
	const thick = 0.002 // of a layer, with the air in it
	return around*(1+ease*t.o.Ease)/4 + float64(t.o.Layer-1)*thick*math.Pi/2
}
