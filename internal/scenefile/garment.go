package scenefile

import (
	"slices"

	"github.com/toile-sim/toile/internal/pattern"
)

func (g *GarmentShape) setDefaults() {
	o := pattern.DefaultGarmentOptions()
	*g = GarmentShape{Size: 0.02, Ease: o.Ease, Length: o.Length, Sleeve: o.Sleeve, Neck: o.Neck, Strap: o.Strap, Flare: o.Flare}
}

// maxGarmentLayer is the outermost layer that the wardrobe has a cut for.
const maxGarmentLayer = 6

// cutGarments cuts the garments of the wardrobe for those who wear them, and hangs the panels around them.
func (s *Scene) cutGarments(d *decoder) {
	for i := range s.Cloths {
		if c := &s.Cloths[i]; c.Shape.Garment != nil {
			s.cutGarment(c, d)
		}
	}
}

func (s *Scene) cutGarment(c *Cloth, d *decoder) {
	g := c.Shape.Garment
	// body that wears it
	if c.given("place") {
		d.faults.add(c.key("place"), "place: a garment hangs where its body stands; place that one")
		return
	}
	wearer, place := s.wearer(g, d)
	if wearer == nil {
		return
	}
	film, err := wearer.Film()
	if err != nil {
		return // a fault of the obstacle, told when it is built
	}
	if c.Layer > maxGarmentLayer {
		d.faults.add(c.key("layer"), "garments of the wardrobe are cut up to layer %d", maxGarmentLayer)
		return
	}
	// cut from the measures of that body
	opt := pattern.DefaultGarmentOptions()
	opt.Ease, opt.Length, opt.Sleeve, opt.Neck, opt.Strap, opt.Flare = g.Ease, g.Length, g.Sleeve, g.Neck, g.Strap, g.Flare
	opt.Layer = max(1, c.Layer)
	cut, err := pattern.GarmentOf(g.Kind, film.Body, opt)
	if err != nil {
		d.faults.add(g.at, "%s", OneLine(err))
		return
	}
	// meshes of the panels
	made, err := cut.Make(g.Size)
	if err != nil {
		d.faults.add(g.key("size"), "%s", OneLine(err))
		return
	}
	// where the body stands
	pose := place.Pose()
	for j, x := range made.Positions {
		made.Positions[j] = pose.Apply(x)
	}
	c.Shape.cut, c.Shape.garment = cut, made
}

// wearer returns the mannequin that a garment is for and where it stands; nil comes with a fault.
func (s *Scene) wearer(g *GarmentShape, d *decoder) (*MannequinShape, *Place) {
	var names []string
	for i := range s.Obstacles {
		o := &s.Obstacles[i]
		names = append(names, o.Name)
		if o.Name == g.On && o.Shape.Mannequin != nil {
			return o.Shape.Mannequin, &o.Place
		}
	}
	for i := range s.Solids {
		o := &s.Solids[i]
		if o.Shape.Flesh == nil {
			continue
		}
		names = append(names, o.Name)
		if o.Name == g.On {
			return &o.Shape.Flesh.Mannequin, &o.Place
		}
	}
	if slices.Contains(names, g.On) {
		d.faults.add(g.key("on"), "garments are made for mannequins, and %s is none", g.On)
	} else {
		d.faults.add(g.key("on"), "unknown mannequin %s%s", shown(g.On), suggestion(g.On, names))
	}
	return nil, nil
}

func (r *DressingRules) setDefaults() { *r = DressingRules{Close: 0.5, Step: 10e-3, Pull: 30} }
