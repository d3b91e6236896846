package stress

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/layouts"
	"github.com/toile-sim/toile/internal/mannequin"
	"github.com/toile-sim/toile/internal/verify/setup"
	"github.com/toile-sim/toile/r3"
	"github.com/toile-sim/toile/shape"
)

// floor adds the plane z = 0.
func (b *stage) floor() {
	if b.err == nil {
		_, err := b.w.AddObstacle(
			engine.Obstacle{Name: "floor", Shape: shape.Plane{Normal: r3.V(0, 0, 1)}, Place: r3.Still()},
		)
		b.note(err)
	}
}

// stressStack lets a ribbon that is folded to and fro into 20 layers, 8 mm apart, fall on the floor.
func stressStack(b *stage) {
	const layers, straight, turn = 20, 0.1, 4e-3
	const stretch = straight + math.Pi*turn
	folds := layouts.Folds{Layers: layers, Straight: straight, Turn: turn, Stretch: stretch}
	m, x := shape.Grid(0.03, layers*stretch, 2*b.fine, 9*layers*b.fine)
	b.cloth("ribbon", m, x, func(x r3.Vec) r3.Vec {
		layer, y, z := folds.At(x.Y)
		return r3.V(x.X, y, 3e-3+2*turn*layer+z)
	}, r3.V(0, 0, -0.5))
	b.floor()
}

// stressKnot pulls the ends of a strip with an overhand knot in it apart, by handles of 2 N.
func stressKnot(b *stage) {
	const scale, from, to, width = 0.03, -2.15, 2.15, 0.01
	// Shastri's polynomial trefoil, whose ends go off to both sides.
	at := func(t float64) r3.Vec {
		return r3.V(t*t*t-3*t, t*t*t*t-4*t*t, 0.3*(t*t*t*t*t-10*t)).Scale(scale)
	}
	path := newTrail(at, from, to)
	cells := int(path.length/0.012) * b.fine
	m, x := shape.Grid(width, path.length, b.fine, cells)
	id := b.cloth("strip", m, x, func(x r3.Vec) r3.Vec {
		p, across := path.at(x.Y)
		return p.AddScaled(x.X-width/2, across)
	}, r3.Vec{})
	if b.err != nil {
		return
	}
	limit := &engine.ForceLimit{Force: 2, Stiffness: 200}
	for _, s := range []float64{0, path.length} {
		p, _ := path.at(s)
		q, _ := path.at(math.Abs(s - 0.01))
		b.hold("end", id, along(engine.Key{At: 0}, engine.Key{At: 0.6, Translate: p.Sub(q).Unit().Scale(0.5)}), limit,
			func(x r3.Vec) bool { return x.Sub(p).Norm() < width/2+1e-4 })
	}
}

// trail is a curve by its length, with a direction across it that turns as little as it can.
type trail struct {
	length float64
	s      []float64
	x      []r3.Vec
	across []r3.Vec
}

func newTrail(at func(float64) r3.Vec, from, to float64) *trail {
	const parts = 4000
	p := &trail{}
	side := r3.V(0, 1, 0)
	for i := range parts + 1 {
		t := from + (to-from)*float64(i)/parts
		x := at(t)
		if i > 0 {
			p.length += x.Sub(p.x[i-1]).Norm()
		}
		tangent := at(t + 1e-6).Sub(at(t - 1e-6)).Unit()
		side = side.AddScaled(-side.Dot(tangent), tangent).Unit()
		p.s, p.x, p.across = append(p.s, p.length), append(p.x, x), append(p.across, side)
	}
	return p
}

// at returns the point at a length, and the direction across.
func (p *trail) at(s float64) (x, across r3.Vec) {
	i := 0
	for hi := len(p.s) - 1; hi-i > 1; {
		if mid := (i + hi) / 2; p.s[mid] <= s {
			i = mid
		} else {
			hi = mid
		}
	}
	u := (s - p.s[i]) / (p.s[i+1] - p.s[i])
	return p.x[i].Lerp(p.x[i+1], u), p.across[i].Lerp(p.across[i+1], u)
}

// stressSkirt has three skirts, one over the other, hang from the waist of a body that lowers its arms and walks.
func stressSkirt(b *stage) {
	if b.err != nil {
		return
	}
	// body that walks
	measures, err := mannequin.MeasuresOf("M")
	b.note(err)
	body, err := mannequin.NewMannequin(measures, mannequin.MinVertices)
	b.note(err)
	motion, err := mannequin.MotionOf("walk", mannequin.DefaultMotionOptions())
	b.note(err)
	if b.err != nil {
		return
	}
	film := &mannequin.Film{Body: body, Motion: motion, Lead: -skirtStart}
	// in the world, as a film
	id, err := b.w.AddObstacle(
		engine.Obstacle{
			Name:      "body",
			Positions: make([]r3.Vec, body.Vertices()),
			Tri:       body.Tri,
			Place:     r3.Still(),
			Deform:    film,
		},
	)
	b.note(err)
	// skirts, one over the other
	waist, _ := body.Landmark("waist")
	for layer := range 3 {
		m, x := setup.Flared(0.15+0.012*float64(layer), 0.45, 0.27, 24*b.fine, 8*b.fine)
		c := b.cloth(
			fmt.Sprintf("skirt %d", layer+1),
			m,
			x,
			func(x r3.Vec) r3.Vec { return x.Add(r3.V(0, 0, waist.Z)) },
			r3.Vec{},
		)
		if b.err != nil {
			return
		}
		// rim of each, which follows the waist
		var rim []int32
		for i, x := range b.w.Positions(c) {
			if x.Z > waist.Z-1e-3 {
				rim = append(rim, int32(i))
			}
		}
		follow := &engine.Follow{Obstacle: id}
		_, err := b.w.AddHandle(engine.Handle{Name: "rim", Cloth: c, Vertices: rim, Follow: follow})
		b.note(err)
	}
}

// skirtStart is when the body of the skirts begins to lower its arms [s].
const skirtStart = -0.3
