package scenefile

import (
	"slices"

	"github.com/toile-sim/toile/internal/body"
	"github.com/toile-sim/toile/internal/pattern"
	"github.com/toile-sim/toile/meshio"
	"github.com/toile-sim/toile/r3"
)

// GarmentShape is a garment of the wardrobe.
type GarmentShape struct {
	Kind   string  `json:"kind" need:"yes" one:"tunic tank-top skirt pleated-skirt trousers hood shawl" doc:"what it is"`
	On     string  `json:"on" need:"yes" pattern:"name" doc:"what wears it: an obstacle that is a mannequin, or a soft body of flesh"`
	Size   float64 `json:"size" dim:"length" range:"[1e-3,0.2]" doc:"side of its triangles"`
	Ease   float64 `json:"ease" range:"[0,6]" doc:"how much wider than the body it is: 1 is usual for its kind, 0 skin tight"`
	Length float64 `json:"length" range:"[0.5,2]" doc:"its length, as a multiple of the usual one"`
	Sleeve float64 `json:"sleeve" range:"[0.5,3.5]" doc:"length of the sleeves of a tunic, as a multiple of the usual one"`
	Neck   float64 `json:"neck" range:"[0.6,1.3]" doc:"width of the neckline of a tunic or tank top, as a multiple of the usual one"`
	Strap  float64 `json:"strap" range:"[0,1]" doc:"where the straps of a tank top lie: 0 beside the neck, 1 at the ends of the shoulders"`
	Flare  float64 `json:"flare" range:"[0,3]" doc:"how much a skirt widens towards its hem, as a multiple of the usual"`

	placed
}

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
	if c.given("place") {
		d.faults.add(c.key("place"), "place: a garment hangs where its body stands; place that one")
		return
	}
	wearer, place := s.wearer(g, d)
	if wearer == nil {
		return
	}
	film, err := wearer.film()
	if err != nil {
		return // a fault of the obstacle, told when it is built
	}
	if c.Layer > maxGarmentLayer {
		d.faults.add(c.key("layer"), "garments of the wardrobe are cut up to layer %d", maxGarmentLayer)
		return
	}
	opt := pattern.DefaultGarmentOptions()
	opt.Ease, opt.Length, opt.Sleeve, opt.Neck, opt.Strap, opt.Flare = g.Ease, g.Length, g.Sleeve, g.Neck, g.Strap, g.Flare
	opt.Layer = max(1, c.Layer)
	cut, err := pattern.GarmentOf(g.Kind, film.Body, opt)
	if err != nil {
		d.faults.add(g.at, "%s", oneLine(err))
		return
	}
	made, err := cut.Make(g.Size)
	if err != nil {
		d.faults.add(g.key("size"), "%s", oneLine(err))
		return
	}
	pose := place.pose()
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

// DressingRules say how garments are sewn.
type DressingRules struct {
	Close float64 `json:"close" dim:"time" range:"[0.01,100]" doc:"time in which threads shorten from where panels hang to nothing"`
	Step  float64 `json:"step" dim:"time" range:"[1e-5,0.1]" doc:"longest time step while sewing; one on the way to the first pose is twice as long"`
	Pull  float64 `json:"pull" dim:"stiffness" range:"(0,1e4]" doc:"force of the threads on each metre of a seam, at most"`
}

func (r *DressingRules) setDefaults() { *r = DressingRules{Close: 0.5, Step: 10e-3, Pull: 30} }

// meshSize returns the side of the triangles of a garment [m].
func (s *Shape) meshSize() float64 {
	if s.Pattern != nil {
		return s.Pattern.Size
	}
	return s.Garment.Size
}

// sewnSheet returns the garment with its seams joined, at positions x, or as its panels are placed.
func (s *Shape) sewnSheet(x []r3.Vec) *piece {
	g := s.garment
	if x == nil {
		x = worn{apart: g.Positions}.joined(g).x
	}
	sh := &piece{mesh: g.Sewn, x: x}
	for _, k := range g.Groups {
		sh.groups = append(sh.groups, meshio.Group{Name: k.Name, Vertices: k.Vertices})
	}
	return sh
}

// fullPull is how far a thread is stretched when it pulls with all its force [m]. Tight threads are strong, and short
// at once: a stiff thread that shortens by much in a step would chatter.
const (
	fullPull      = 0.01
	fullTightPull = 0.002
	tightStrength = 2
	tightClose    = 0.05 // [s]
)

// seams returns the stitches of a cloth whose panels are apart, nil otherwise.
func (s *Scene) seams(c *Cloth, as *worn) *body.Seams {
	if as.apart == nil || !c.sewn() || len(c.Shape.garment.Stitches) == 0 {
		return nil
	}
	force := s.Dressing.Pull * c.Shape.meshSize()
	pairs := c.Shape.garment.Stitches
	if as.tight {
		strong := tightStrength * force
		return &body.Seams{
			Pairs:  pairs,
			Close:  tightClose,
			Thread: body.Thread{Stiffness: strong / fullTightPull, Force: strong},
		}
	}
	return &body.Seams{
		Pairs:  pairs,
		Close:  s.Dressing.Close,
		Thread: body.Thread{Stiffness: force / fullPull, Force: force},
	}
}
