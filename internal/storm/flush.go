package storm

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/r3"
)

// Scenes of bodies that start flush, half of them with sizes that are no binary fractions, and half turned. What theory
// says of their motion is known.

// length is one between lo and hi; half of the time a multiple of 1/256 m, so that flush is flush to the last bit.
func (m *maker) length(lo, hi float64) float64 {
	if m.exact {
		return math.Round(256*m.in(lo, hi)) / 256
	}
	return m.in(lo, hi)
}

// freefall is the gravity of these scenes [m/s²].
const freefall = 9.81

// turned is a turn of all that is flush: none, onto its side, or any.
func (m *maker) turned() r3.Quat {
	switch m.IntN(4) {
	case 0, 1:
		return r3.NoRotation()
	case 2:
		return r3.Rotation(r3.V(0, 1, 0), math.Pi/2)
	}
	return r3.Rotation(m.direction(), m.in(0, math.Pi))
}

// spotIn is a place of a scene that is turned as a whole.
func spotIn(turn r3.Quat, at r3.Vec) object {
	// The axis of the turn; of none, any.
	axis, angle := r3.V(turn.X, turn.Y, turn.Z), 2*math.Atan2(r3.V(turn.X, turn.Y, turn.Z).Norm(), turn.W)
	if angle == 0 {
		return object{"translate": vec(at)}
	}
	return place(turn.Rotate(at), axis, angle)
}

// brickFile adds a mesh file of a box.
func (m *maker) brickFile(name string, size r3.Vec) {
	x, tri := brick(size)
	var text []byte
	for _, p := range x {
		text = fmt.Appendf(text, "v %v %v %v\n", p.X, p.Y, p.Z)
	}
	for _, t := range tri {
		text = fmt.Appendf(text, "f %d %d %d\n", t[0]+1, t[1]+1, t[2]+1)
	}
	m.files[name+".obj"] = text
}

// upright adds a body that stands on the given height, turned with the scene, and returns it with its own height.
func (m *maker) upright(kind string, size r3.Vec, on float64, turn r3.Quat) (o object, high float64) {
	// as high as its size, unless its shape says otherwise
	name := m.name(kind)
	high = size.Z
	o = object{"name": name}
	// shape
	switch kind {
	case "ball":
		high = size.X
		o["shape"] = object{"sphere": object{"radius": size.X / 2}}
	case "capsule":
		high = size.Z / 2
		o["shape"] = object{"capsule": object{"radius": high / 2, "length": size.X, "axis": vec(r3.V(1, 0, 0))}}
	case "mesh":
		m.brickFile(name, size)
		o["shape"] = object{"file": name + ".obj"}
	case "soft":
		o["shape"] = object{"block": object{"size": vec(size), "cells": []int{2, 2, 2}}}
		o["material"] = object{"young": 1e6, "density": 1000, "damping": 0.002}
	case "cloth":
		o["shape"] = object{"grid": object{"size": []float64{size.X, size.Y}, "cells": []int{5, 5}}}
		o["place"] = spotIn(turn, r3.V(-size.X/2, m.beside-size.Y/2, on))
		m.cloths = append(m.cloths, o)
		return o, 0
	default:
		o["shape"] = object{"box": object{"size": vec(size)}}
	}
	// place, so that it stands
	o["place"] = spotIn(turn, r3.V(0, m.beside, on+high/2))
	if kind == "soft" {
		m.solids = append(m.solids, o)
	} else {
		m.rigids = append(m.rigids, o)
	}
	return o, high
}

// steps is how many steps a scene has.
func (m *maker) steps() float64 { return 2 * math.Ceil(m.end/(2*m.step)*(1-1e-12)) }

// way is how far something comes that is sped up from rest in all steps, each of which ends with its own speed.
func (m *maker) way(acceleration r3.Vec) r3.Vec {
	n := m.steps()
	return acceleration.Scale(m.step * m.step * n * (n + 1) / 2)
}

// pushed is how fast surfaces that start nearer than they should may be brought apart [m/s], as scenes have it by
// default.
const pushed = 0.1

// stacks is how many of them a scene has, side by side and too far from each other to meet; and how far.
const (
	stacks = 3
	aside  = 1.0 // [m]
)

func makeFlushFall(m *maker) {
	m.scene["gravity"] = vec(r3.V(0, 0, -freefall))
	for range stacks {
		m.exact = m.chance(0.5)
		turn, on := m.turned(), m.length(0.1, 0.2)
		all := 2 + m.IntN(2)
		for i := range all {
			kinds := []string{"box", "ball", "capsule", "mesh", "soft"}
			if i == all-1 {
				kinds = append(kinds, "cloth")
			}
			side := m.length(0.03, 0.06)
			o, high := m.upright(m.word(kinds...), r3.V(side, side, m.length(0.03, 0.06)), on, turn)
			on += high
			m.moves = append(m.moves, Move{o["name"].(string), m.way(r3.V(0, 0, -freefall)), 0.001 + 2*pushed*m.end})
		}
		m.beside += aside
	}
}

func makeFlushSlide(m *maker) {
	turn := m.turned()
	mu := m.pick(0, 0.1, 0.3)
	m.scene["friction"] = mu
	ahead := mu*freefall + m.in(4, 7) // more than friction holds
	m.scene["gravity"] = vec(turn.Rotate(r3.V(ahead, 0, -freefall)))
	for range stacks {
		m.exact = m.chance(0.5)
		on := m.length(0.1, 0.2)
		lower, high := m.upright(m.word("box", "mesh", "soft"), r3.V(0.5, 0.25, m.length(0.02, 0.05)), on, turn)
		if _, soft := lower["material"]; soft {
			lower["pins"] = []object{{"select": "all"}}
		} else {
			lower["hold"] = "all"
		}
		side := m.length(0.03, 0.06)
		kind := m.word("box", "ball", "capsule", "mesh", "soft", "cloth")
		upper, _ := m.upright(kind, r3.V(side, side, m.length(0.02, 0.03)), on+high, turn)
		faster := ahead - mu*freefall
		if kind == "ball" { // rolls, if friction is enough for that
			faster = max(faster, ahead*5/7)
		}
		way := m.way(r3.V(faster, 0, 0))
		m.moves = append(m.moves, Move{upper["name"].(string), turn.Rotate(way), 0.001 + 0.1*way.Norm() + pushed*m.end})
		m.beside += aside
	}
}
