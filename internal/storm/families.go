package storm

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Family is a kind of scene.
type Family struct {
	Name  string
	About string // in a few words
	make  func(*maker)
}

// Families are the kinds of scenes; seeds take them in turn.
var Families = []Family{
	{"cloth", "sheets thrown on shapes that stand still", makeCloth},
	{"folded", "a sheet that is folded, twisted or gathered by its corners", makeFolded},
	{"adaptive", "a sheet that is remeshed falls on rigid and soft bodies and shapes", makeAdaptive},
	{"rigid", "rigid bodies of all shapes fall on each other", makeRigid},
	{"joints", "chains of links swing into things", makeJoints},
	{"corotational", "soft bodies fall on each other", makeSolids("corotational")},
	{"hyperelastic", "the same with laws of large deformation", makeSolids("")},
	{"press", "a press comes down on bodies", makePress},
	{"moving", "shapes sweep through bodies and sheets", makeMoving},
	{"deforming", "bodies and sheets fall on a mesh that deforms", makeDeforming},
	{"garment", "a garment is sewn around something that moves off", makeGarment},
	{"flush-fall", "bodies that start flush fall freely", makeFlushFall},
	{"flush-slide", "a body that starts flush on a held one slides off", makeFlushSlide},
	{"mixture", "something of everything", makeMixture},
}

// FamilyOf returns the family of a seed, from 1 on.
func FamilyOf(seed int) *Family { return &Families[(seed-1)%len(Families)] }

func makeCloth(m *maker) {
	if m.chance(0.6) {
		m.floor()
	}
	for range 1 + m.IntN(2) {
		m.obstacle(m.in(0.02, 0.05))
	}
	for range 1 + m.IntN(2) {
		m.cloth(8 + m.IntN(5))
	}
}

func makeFolded(m *maker) {
	m.top = 0.1
	c := m.cloth(10 + m.IntN(3))
	size := 0.24
	c["place"] = object{"translate": vec(r3.V(-size/2, -size/2, 0.1))}
	c["velocity"] = vec(r3.Vec{})
	c["shape"].(object)["grid"].(object)["size"] = []float64{size, size}
	side := func(x float64, motion object) object {
		name := m.name("motion")
		m.motions[name] = motion
		return object{
			"motion": name,
			"select": object{"box": object{"min": vec(r3.V(x-1e-6, -1, 0)), "max": vec(r3.V(x+1e-6, 1, 1))}},
		}
	}
	move := func(by r3.Vec, axis r3.Vec, angle float64) object {
		keys := []object{{"at": 0.0}, {"at": m.in(0.5, 1) * m.end, "translate": vec(by), "rotate": object{"axis": vec(axis), "angle": angle}}}
		return object{"about": vec(r3.V(0, 0, 0.1)), "keys": keys}
	}
	still, x := object{"keys": []object{{"at": 0.0}}}, r3.V(1, 0, 0)
	switch m.IntN(3) {
	case 0: // one side is turned over onto the other
		c["pins"] = []object{side(-size/2, still), side(size/2, move(r3.V(0, 0, m.in(0.005, 0.02)), r3.V(0, -1, 0), m.in(2.5, math.Pi)))}
	case 1: // twisted, and brought nearer
		c["pins"] = []object{
			side(-size/2, move(r3.V(m.in(0, 0.05), 0, 0), x, m.in(1, 4))),
			side(size/2, move(r3.V(-m.in(0, 0.05), 0, 0), x, -m.in(1, 4))),
		}
	default: // both sides go to the middle
		c["pins"] = []object{side(-size/2, move(r3.V(0.08, 0, 0), x, 0)), side(size/2, move(r3.V(-0.08, 0, m.in(0, 0.05)), x, 0))}
	}
	if m.chance(0.5) {
		m.rigid(0.02)
	}
}

func makeAdaptive(m *maker) {
	m.end = 0.3
	if m.chance(0.5) {
		m.floor()
	}
	switch m.IntN(6) {
	case 0:
		m.obstacle(m.in(0.03, 0.05))
	case 1:
		s := m.solid(m.in(0.03, 0.04), m.word("corotational", "neohookean", "stable"))
		s["velocity"] = vec(r3.Vec{})
	}
	r := m.rigid(m.in(0.04, 0.08))
	r["velocity"], r["spin"] = vec(r3.Vec{}), vec(r3.Vec{})
	if m.chance(0.7) {
		r["hold"] = "all"
	}
	top := m.top
	c := m.cloth(6)
	c["remesh"] = object{"size": []float64{m.in(0.012, 0.02), m.in(0.06, 0.1)}}
	if m.chance(0.6) { // a large one that comes to lie, and whose triangles are larger than what is below
		size := m.in(0.3, 0.4)
		c["shape"].(object)["grid"].(object)["size"] = []float64{size, size}
		c["place"], c["velocity"] = object{"translate": vec(r3.V(-size/2, -size/2, top))}, vec(r3.Vec{})
	}
}

func makeRigid(m *maker) {
	m.floor()
	if m.chance(0.3) {
		m.obstacle(m.in(0.02, 0.04))
	}
	for range 4 + m.IntN(5) {
		m.rigid(m.in(0.02, 0.04))
	}
}

func makeJoints(m *maker) {
	m.end = 0.3
	length, thick := m.in(0.04, 0.06), m.in(0.01, 0.02)
	links := 3 + m.IntN(4)
	if m.chance(0.6) {
		m.floor()
	}
	m.top = 0.1
	high := 0.2 + m.in(0, 0.05)
	before := ""
	for i := range links {
		link := object{
			"name": m.name("link"), "density": m.in(500, 5000),
			"shape": object{"box": object{"size": []float64{0.8 * length, thick, thick}}},
			"place": object{"translate": vec(r3.V((float64(i)+0.5)*length, 0, high))},
			"spin":  vec(r3.V(0, m.in(-3, 10), 0)), "velocity": vec(r3.V(m.in(-0.5, 0.5), m.in(-0.5, 0.5), -m.in(0, 2))),
		}
		if m.chance(roundly) {
			link["shape"] = object{"capsule": object{"radius": thick / 2, "length": 0.8*length - thick, "axis": vec(r3.V(1, 0, 0))}}
		}
		m.rigids = append(m.rigids, link)
		name := link["name"].(string)
		j := object{"body": name, "kind": "ball", "at": vec(r3.V(float64(i)*length, 0, high))}
		switch m.IntN(4) {
		case 0:
			j["kind"], j["axis"] = "hinge", vec(r3.V(0, 1, m.in(-0.2, 0.2)))
		case 1:
			if i > 0 {
				j["kind"] = "weld"
			}
		}
		if before != "" {
			j["to"] = before
		}
		if before != "" || m.chance(0.8) {
			m.joints = append(m.joints, j)
		}
		before = name
	}
	// What they swing into is below.
	m.top = 0.04
	switch m.IntN(3) {
	case 0:
		o := m.obstacle(0.02)
		o["place"].(object)["translate"] = vec(r3.V(m.in(0.05, 0.2), 0, 0.07))
	case 1:
		r := m.rigid(0.02)
		r["place"].(object)["translate"] = vec(r3.V(m.in(0.05, 0.2), 0, 0.1))
	default:
		c := m.cloth(7)
		c["place"] = object{"translate": vec(r3.V(0, -0.1, 0.12))}
		c["velocity"] = vec(r3.V(0, 0, 0.5))
		c["pins"] = []object{{"select": "corners"}}
	}
}

// makeSolids returns the family of soft bodies of a law; of large deformation if it is empty.
func makeSolids(law string) func(*maker) {
	return func(m *maker) {
		m.floor()
		if m.chance(0.5) {
			m.obstacle(m.in(0.02, 0.03))
		}
		for range 2 + m.IntN(2) {
			of := law
			if of == "" {
				of = m.law()
			}
			s := m.solid(m.in(0.025, 0.04), of)
			if _, ball := s["shape"].(object)["ball"]; ball && m.chance(0.5) { // others are too thin for it
				s["contact"] = object{"surface": "smooth"}
			}
		}
		if m.chance(0.5) {
			m.rigid(m.in(0.02, 0.03))
		}
	}
}

func makePress(m *maker) {
	m.floor()
	switch m.IntN(4) {
	case 0:
		m.solid(m.in(0.025, 0.04), "corotational")
	case 1:
		m.solid(m.in(0.025, 0.04), m.law())
	case 2:
		m.rigid(m.in(0.02, 0.03))
		m.solid(m.in(0.02, 0.03), m.word("corotational", "stable"))
	default:
		m.rigid(m.in(0.02, 0.03))
		m.cloth(6)
	}
	m.obstacles = append(m.obstacles, object{
		"name": m.name("press"), "shape": object{"box": object{"size": []float64{0.4, 0.4, 0.02}}},
		"place": object{"translate": vec(r3.V(0, 0, m.top+0.02))},
		"press": object{
			"axis": vec(r3.V(0, 0, -1)), "force": math.Pow(10, m.in(0, 2)), "mass": m.pick(0.1, 1),
			"stop": m.in(0.3, 0.8) * m.top,
		},
	})
}

func makeMoving(m *maker) {
	// floor, or none
	if m.chance(0.5) {
		m.floor()
	}
	// obstacles, each of which moves
	m.top = 0.1
	var moved []object
	for range 1 + m.IntN(2) {
		moved = append(moved, m.obstacle(m.in(0.02, 0.04)))
	}
	for _, o := range moved {
		at := o["place"].(object)["translate"].([]float64)
		o["motion"] = m.motion(r3.V(at[0], at[1], at[2]), 0.15, 2)
	}
	// what falls onto them
	switch m.IntN(3) {
	case 0:
		m.cloth(8 + m.IntN(3))
		m.rigid(m.in(0.02, 0.03))
	case 1:
		m.rigid(m.in(0.02, 0.04))
		m.solid(m.in(0.02, 0.03), "corotational")
		m.rigid(m.in(0.02, 0.04))
	default:
		// with a body that is moved
		c := m.cloth(8)
		r := m.rigid(m.in(0.02, 0.03))
		r["motion"] = m.motion(r3.Vec{}, 0.1, 0)
		delete(r, "velocity")
		delete(r, "spin")
		if m.chance(0.3) {
			c["remesh"] = object{"size": []float64{0.015, 0.06}}
		}
	}
}

func makeDeforming(m *maker) {
	// surface, closed or open
	name := m.name("wave")
	frames := 6
	closed := m.chance(0.6)
	amplitude, lobes, phase := m.in(0.1, 0.35), float64(2+m.IntN(3)), m.in(1, 6)
	// meshes of its frames
	for f := range frames {
		t := float64(f) / float64(frames-1)
		grow := 1 + 0.3*math.Sin(math.Pi*t)
		if closed {
			m.files[fmt.Sprintf("%s.%02d.obj", name, f)] = ballMesh(10, 6, func(theta, phi float64) float64 {
				return 0.06 * grow * (1 + amplitude*math.Sin(theta)*math.Sin(lobes*phi+phase*t))
			})
		} else {
			m.files[fmt.Sprintf("%s.%02d.obj", name, f)] = sheetMesh(8, func(x, y float64) float64 {
				return 0.1 * amplitude * math.Sin(20*x+phase*t) * math.Cos(lobes*10*y-phase*t)
			})
		}
	}
	// obstacle that runs through them
	m.obstacles = append(m.obstacles, object{
		"name": name, "place": object{"translate": vec(r3.V(0, 0, 0.1))},
		"shape": object{"sequence": object{
			"files": name + ".##.obj", "first": 0, "last": frames - 1, "fps": float64(frames-1) / m.end,
		}},
	})
	// what falls onto it
	m.top = 0.22
	switch m.IntN(3) {
	case 0:
		m.cloth(9)
	case 1:
		m.rigid(m.in(0.02, 0.03))
		m.solid(m.in(0.02, 0.03), m.word("corotational", "neohookean", "stable"))
	default:
		m.rigid(m.in(0.02, 0.03))
		c := m.cloth(8)
		if m.chance(0.3) {
			c["remesh"] = object{"size": []float64{0.015, 0.06}}
		}
	}
}

// ballMesh is a closed mesh around the origin, as far from it as radius says, as an OBJ file.
func ballMesh(around, down int, radius func(theta, phi float64) float64) (text []byte) {
	point := func(theta, phi float64) {
		r := radius(theta, phi)
		text = fmt.Appendf(text, "v %v %v %v\n", r*math.Sin(theta)*math.Cos(phi), r*math.Sin(theta)*math.Sin(phi), r*math.Cos(theta))
	}
	point(0, 0)
	for i := 1; i < down; i++ {
		for k := range around {
			point(math.Pi*float64(i)/float64(down), 2*math.Pi*float64(k)/float64(around))
		}
	}
	point(math.Pi, 0)
	at := func(i, k int) int { return 2 + (i-1)*around + k%around }
	last := 2 + (down-1)*around
	for k := range around {
		text = fmt.Appendf(text, "f 1 %d %d\nf %d %d %d\n", at(1, k), at(1, k+1), last, at(down-1, k+1), at(down-1, k))
		for i := 1; i < down-1; i++ {
			a, b, c, d := at(i, k), at(i+1, k), at(i+1, k+1), at(i, k+1)
			text = fmt.Appendf(text, "f %d %d %d\nf %d %d %d\n", a, b, c, a, c, d)
		}
	}
	return text
}

// sheetMesh is an open mesh of 0.4 m, as high as height says, as an OBJ file.
func sheetMesh(n int, height func(x, y float64) float64) (text []byte) {
	for i := range n + 1 {
		for k := range n + 1 {
			x, y := 0.4*float64(i)/float64(n)-0.2, 0.4*float64(k)/float64(n)-0.2
			text = fmt.Appendf(text, "v %v %v %v\n", x, y, height(x, y))
		}
	}
	for i := range n {
		for k := range n {
			a := i*(n+1) + k + 1
			text = fmt.Appendf(text, "f %d %d %d\nf %d %d %d\n", a, a+n+1, a+n+2, a, a+n+2, a+1)
		}
	}
	return text
}

func makeGarment(m *maker) {
	if m.chance(0.2) {
		m.scene["dressing"] = object{"close": 0.3, "step": 0.01}
		m.obstacles = append(m.obstacles, object{"name": "body", "shape": object{"mannequin": object{
			"size": m.word("S", "M", "L"), "motion": m.word("twist", "walk", "fast-dance"), "tempo": m.pick(1, 3), "vertices": 2000, "lead": 0.1,
		}}})
		m.cloths = append(m.cloths, object{
			"name": "skirt", "shape": object{"garment": object{"kind": "skirt", "on": "body", "size": 0.07}},
			"material": object{"preset": "cotton-interlock", "damping": 0.002},
		})
		return
	}
	// A tube of two panels around a rod.
	radius := m.in(0.025, 0.045)
	wide, high := 1000*radius*m.in(3.6, 4.5), m.in(100, 180) // [mm]
	m.files["tube.svg"] = fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="600mm" height="300mm" viewBox="0 0 600 300">
  <path id="front" d="M 10,%v h %v v %v h %v Z"/>
  <path id="back" d="M 310,%v h %v v %v h %v Z"/>
</svg>
`, 10+high, wide, -high, -wide, 10+high, wide, -high, -wide)
	m.files["tube.yaml"] = fmt.Appendf(nil, `panels:
  - name: front
    edges: [hem, left, waist, right]
    place: {at: [0, %v, 0], facing: front}
  - name: back
    edges: [hem, right, waist, left]
    place: {at: [0, %v, 0], facing: back}
seams:
  - {name: side-left, a: front.left, b: back.left}
  - {name: side-right, a: front.right, b: back.right}
`, -radius-0.03, radius+0.03)
	m.scene["dressing"] = object{"close": 0.2, "step": 0.01}
	m.cloths = append(m.cloths, object{
		"name": "tube", "shape": object{"pattern": object{"file": "tube.svg", "seams": "tube.yaml", "size": m.in(0.02, 0.03)}},
		"material": object{"preset": fabrics[m.IntN(len(fabrics))], "damping": 0.002},
	})
	kind := m.word("capsule", "cylinder")
	m.obstacles = append(m.obstacles, object{
		"name": "rod", "shape": object{kind: object{"radius": radius, "length": 0.5}},
		"place": object{"translate": vec(r3.V(0, 0, 0.1))}, "motion": m.motion(r3.V(0, 0, 0.1), 0.12, 0.8),
	})
	if m.chance(0.5) {
		r := m.rigid(0.02)
		r["place"].(object)["translate"] = vec(r3.V(0.25, 0, 0.08))
		r["velocity"] = vec(r3.V(-m.in(1, 3), 0, 0))
	}
}

func makeMixture(m *maker) {
	m.floor()
	m.obstacle(m.in(0.02, 0.04))
	m.rigid(m.in(0.02, 0.03))
	m.solid(m.in(0.02, 0.03), m.word("corotational", "neohookean", "stable"))
	c := m.cloth(7)
	if m.chance(0.3) {
		c["remesh"] = object{"size": []float64{0.015, 0.06}}
	}
	m.rigid(m.in(0.015, 0.025))
	if m.chance(0.5) {
		o := m.obstacle(0.02)
		at := o["place"].(object)["translate"].([]float64)
		o["motion"] = m.motion(r3.V(at[0], at[1], at[2]), 0.15, 1)
	}
}
