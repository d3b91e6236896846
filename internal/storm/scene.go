package storm

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/toile-sim/toile/r3"
)

// Scene is a scene that a seed made.
type Scene struct {
	Seed   int
	Family string
	Text   []byte            // of the scene file
	Files  map[string][]byte // that it names
	Moves  []Move            // what must have moved at the end
}

// Move is how far a body is from its start at the end if nothing holds it back.
type Move struct {
	Body  string
	By    r3.Vec  // [m]
	Allow float64 // how much it may be off [m]
}

// fileName is the name of the scene file among the files of a scene.
func (s *Scene) fileName() string { return fmt.Sprintf("storm-%d.json", s.Seed) }

// Write writes the scene file and what it names to a folder, which it makes if need be, and returns its path.
func (s *Scene) Write(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	for name, data := range s.Files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			return "", err
		}
	}
	path := filepath.Join(dir, s.fileName())
	return path, os.WriteFile(path, s.Text, 0o666)
}

// object is a mapping of a scene file. JSON has its keys in order.
type object = map[string]any

// maker puts a scene together.
type maker struct {
	*rand.Rand
	scene     object
	cloths    []object
	rigids    []object
	solids    []object
	joints    []object
	obstacles []object
	motions   object
	files     map[string][]byte
	moves     []Move

	step, end float64 // [s]
	top       float64 // what is put in next starts above this [m]
	exact     bool    // lengths are binary fractions
	beside    float64 // where the next of several stacks is, along y [m]
	count     int     // of things so far, for their names
}

// Make returns the scene of a seed, the same for ever.
func Make(seed int) *Scene {
	family := FamilyOf(seed)
	m := &maker{
		Rand:    rand.New(rand.NewPCG(uint64(seed), 0x746f696c65)),
		motions: object{},
		files:   map[string][]byte{},
		scene:   object{"toile": 1, "name": fmt.Sprintf("storm %d, %s", seed, family.Name)},
	}
	m.step = m.pick(0.004, 0.005, 0.0025)
	m.end = 0.2
	m.scene["friction"] = m.pick(0, 0.1, 0.3, 0.3, 0.6, 1)
	family.make(m)
	m.scene["time"] = object{"end": m.end, "fps": 1 / (2 * m.step), "step": m.step}
	for key, list := range map[string][]object{
		"cloths": m.cloths, "rigids": m.rigids, "solids": m.solids, "joints": m.joints, "obstacles": m.obstacles,
	} {
		if len(list) > 0 {
			m.scene[key] = list
		}
	}
	if len(m.motions) > 0 {
		m.scene["motions"] = m.motions
	}
	text, err := json.MarshalIndent(m.scene, "", " ")
	if err != nil {
		panic(err) // finite numbers and words alone
	}
	return &Scene{Seed: seed, Family: family.Name, Text: append(text, '\n'), Files: m.files, Moves: m.moves}
}

// pick returns one of some numbers.
func (m *maker) pick(of ...float64) float64 { return of[m.IntN(len(of))] }

// word returns one of some words.
func (m *maker) word(of ...string) string { return of[m.IntN(len(of))] }

// in returns a number between lo and hi.
func (m *maker) in(lo, hi float64) float64 { return lo + (hi-lo)*m.Float64() }

// chance is true so often.
func (m *maker) chance(p float64) bool { return m.Float64() < p }

// direction returns a unit vector, all alike.
func (m *maker) direction() r3.Vec {
	for {
		if v := r3.V(m.in(-1, 1), m.in(-1, 1), m.in(-1, 1)); v.Norm() > 0.1 && v.Norm() < 1 {
			return v.Unit()
		}
	}
}

// name returns a name that nothing has yet.
func (m *maker) name(kind string) string {
	m.count++
	return fmt.Sprintf("%s%d", kind, m.count)
}

// vec is a vector of a scene file.
func vec(v r3.Vec) []float64 { return []float64{v.X, v.Y, v.Z} }

// place puts something at a point, turned.
func place(at r3.Vec, axis r3.Vec, angle float64) object {
	return object{"translate": vec(at), "rotate": object{"axis": vec(axis), "angle": angle}}
}

// somewhere is a point on the way of what falls, such that a ball of the radius around it is free.
func (m *maker) somewhere(radius, spread float64) r3.Vec {
	at := r3.V(m.in(-spread, spread), m.in(-spread, spread), m.top+radius)
	m.top += 2*radius + m.in(0.002, 0.01)
	return at
}

// falling is a velocity that brings things together: down, faster the higher they start, and a little aside.
func (m *maker) falling() []float64 {
	return vec(r3.V(m.in(-0.5, 0.5), m.in(-0.5, 0.5), -m.in(0.5, 2)-4*m.top))
}

// floor adds what things fall on: a plane, level or not, or a mesh of flat triangles.
func (m *maker) floor() {
	name := m.name("floor")
	switch {
	case m.chance(0.25):
		m.files[name+".obj"] = flatMesh(m.IntN(4) + 2)
		m.obstacles = append(m.obstacles, object{"name": name, "shape": object{"file": name + ".obj"}})
	default:
		normal := r3.V(m.in(-0.2, 0.2)*float64(m.IntN(2)), 0, 1)
		m.obstacles = append(m.obstacles, object{"name": name, "shape": object{"plane": object{"normal": vec(normal)}}})
	}
	m.top = 0.03
}

// flatMesh is a square of 1 m in n by n cells, each of two triangles, as an OBJ file.
func flatMesh(n int) (text []byte) {
	for i := range n + 1 {
		for k := range n + 1 {
			text = fmt.Appendf(text, "v %v %v 0\n", float64(i)/float64(n)-0.5, float64(k)/float64(n)-0.5)
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

// obstacle adds an analytic shape of about the given size that stands in the way, and returns it.
func (m *maker) obstacle(size float64) object {
	var shape object
	radius := size
	switch m.IntN(5) {
	case 0:
		shape = object{"sphere": object{"radius": size}}
	case 1:
		shape = object{"box": object{"size": []float64{size * m.in(0.6, 2), size * m.in(0.6, 2), size * m.in(0.6, 2)}}}
		radius = 1.75 * size
	case 2:
		shape = object{"capsule": object{"radius": size * m.in(0.3, 0.6), "length": 2 * size, "axis": vec(m.direction())}}
		radius = 1.6 * size
	case 3:
		shape = object{"cylinder": object{"radius": size * m.in(0.3, 1), "length": 1.5 * size, "axis": vec(m.direction())}}
		radius = 1.25 * size
	default:
		shape = object{"cone": object{"radius": size * m.in(0.4, 1), "height": 1.5 * size}}
		radius = 1.5 * size
	}
	o := object{
		"name": m.name("obstacle"), "shape": shape,
		"place": place(m.somewhere(radius, 0.03), m.direction(), m.in(0, math.Pi)),
	}
	m.obstacles = append(m.obstacles, o)
	return o
}

// fabrics are presets of different weight and stiffness.
var fabrics = []string{"silk", "cotton", "denim", "cotton-interlock"}

// cloth adds a sheet that falls, and returns it.
func (m *maker) cloth(cells int) object {
	size := r3.V(m.in(0.18, 0.3), m.in(0.18, 0.3), 0)
	tilt := m.in(0, 0.4)
	axis := r3.V(m.in(-1, 1), m.in(-1, 1), 0.01)
	turn := r3.Rotation(axis, tilt)
	half := size.Scale(0.5)
	high := half.Norm() * math.Sin(tilt)
	at := r3.V(m.in(-0.04, 0.04), m.in(-0.04, 0.04), m.top+high)
	m.top += 2*high + 0.006
	c := object{
		"name": m.name("cloth"),
		"shape": object{"grid": object{
			"size": []float64{size.X, size.Y}, "cells": []int{cells, cells}, "pattern": m.word("right", "crossed", "equilateral"),
		}},
		"place":    place(at.Sub(turn.Rotate(half)), axis, tilt),
		"material": object{"preset": fabrics[m.IntN(len(fabrics))], "damping": m.pick(0, 0.002)},
		"velocity": m.falling(),
	}
	m.cloths = append(m.cloths, c)
	return c
}

// roundly is how often a rigid body is a ball or a capsule.
const roundly = 0.5

// rigid adds a rigid body that falls and spins, and returns it.
func (m *maker) rigid(size float64) object {
	var shape object
	radius := size
	if m.chance(roundly) {
		shape = object{"sphere": object{"radius": size}}
		if m.chance(0.5) {
			shape = object{"capsule": object{"radius": size / 2, "length": size, "axis": vec(m.direction())}}
		}
	} else {
		switch m.IntN(3) {
		case 0:
			shape = object{"cylinder": object{"radius": size * m.in(0.3, 0.7), "length": size}}
		case 1:
			shape = object{"cone": object{"radius": size * 0.6, "height": size}}
		default:
			shape = object{"box": object{"size": []float64{size * m.in(0.3, 1.15), size * m.in(0.3, 1.15), size * m.in(0.3, 1.15)}}}
		}
	}
	r := object{
		"name": m.name("rigid"), "shape": shape, "density": m.in(200, 2000),
		"place":    place(m.somewhere(1.2*radius, 0.03), m.direction(), m.in(0, math.Pi)),
		"velocity": m.falling(), "spin": vec(m.direction().Scale(m.in(0, 10))),
	}
	m.rigids = append(m.rigids, r)
	return r
}

// solid adds a soft body that falls, with a law of stress, and returns it.
func (m *maker) solid(size float64, law string) object {
	// shape
	var shape object
	switch m.IntN(6) {
	case 0:
		shape = object{"ball": object{"radius": size, "rings": 2}}
	case 1:
		shape = object{"shell": object{"inner": 0.6 * size, "outer": size, "rings": 2, "layers": 1}}
	case 2:
		shape = object{"ring": object{"inner": 0.55 * size, "outer": 0.9 * size, "length": 0.5 * size, "cells": []int{8, 1, 1}}}
	case 3:
		shape = object{"letter": object{
			"letter": m.word("T", "L", "X", "H"), "height": 1.4 * size, "depth": 0.5 * size, "size": 0.5 * size,
		}}
	default:
		shape = object{"block": object{
			"size": []float64{size * m.in(0.5, 1.15), size * m.in(0.5, 1.15), size * m.in(0.5, 1.15)}, "cells": []int{2, 2, 2},
		}}
	}
	// body of that shape, somewhere
	s := object{
		"name": m.name("solid"), "shape": shape, "velocity": m.falling(),
		"place": place(m.somewhere(1.5*size, 0.03), m.direction(), m.in(0, math.Pi)),
		"material": object{
			"young": math.Pow(10, m.in(3.7, 6)), "poisson": m.pick(0.2, 0.3, 0.4), "density": m.in(200, 1200), "law": law,
			"damping": m.pick(0, 0.002),
		},
	}
	m.solids = append(m.solids, s)
	return s
}

// law is one of large deformation.
func (m *maker) law() string { return m.word("neohookean", "stable") }

// motion adds one that moves and turns at random, to and fro, and returns its name.
func (m *maker) motion(about r3.Vec, reach, turn float64) string {
	name := m.name("motion")
	keys := []object{{"at": 0.0}}
	for t := m.end / 3; t < 1.1*m.end; t += m.end / 3 {
		keys = append(keys, object{
			"at": t, "translate": vec(m.direction().Scale(reach * m.Float64())),
			"rotate": object{"axis": vec(m.direction()), "angle": m.in(-turn, turn)},
		})
	}
	m.motions[name] = object{"about": vec(about), "smooth": m.chance(0.5), "keys": keys}
	return name
}
