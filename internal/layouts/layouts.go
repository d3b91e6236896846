// Package layouts places the cards, belts and folds that verifications and benchmarks have in common.
package layouts

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// CardLength is from the lower to the upper edge of a card [m].
const CardLength = 0.2

// HouseOfCards places the 15 cards of three storeys of tents with ceilings between, each from one edge to the other.
// Leaning cards stand a thickness above what they stand on, and their tops are one apart. The two cards of the lower
// ceiling overlap over the tent in the middle, the right one above the left one.
func HouseOfCards(thick float64, card func(from, to r3.Vec)) {
	const length, lean = CardLength, 70 * math.Pi / 180
	sin, cos := math.Sincos(lean)
	pitch := 2 * (length*cos + thick)
	lower := 2*thick + length*sin // the left card of the lower ceiling
	over := func(x float64) float64 { return lower + thick*(pitch-x)/(pitch-(length-pitch)/2) }
	along := func(up float64) float64 { return math.Sqrt(length*length - up*up) }
	tent := func(at, left, right float64) float64 {
		apex := (left+right)/2 + length*sin
		for side, foot := range []float64{left, right} {
			sign := float64(2*side - 1)
			card(r3.V(at+sign*(thick/2+along(apex-foot)), 0, foot), r3.V(at+sign*thick/2, 0, apex))
		}
		return apex
	}
	for _, at := range []float64{-pitch, 0, pitch} {
		tent(at, thick, thick)
	}
	left, right := -(pitch+length)/2, (pitch+length)/2
	card(r3.V(left, 0, lower), r3.V(left+length, 0, lower))
	card(r3.V(right-length, 0, over(right-length)), r3.V(right, 0, over(right)))
	// The inner feet of the middle storey stand higher, and so flatter; they are a thickness apart all the same.
	outer, inner := lower+thick, over(0)+thick
	beside := thick + along(length*sin-(inner-outer)/2)
	tent(-beside, outer, inner)
	upper := thick + tent(beside, inner, outer)
	card(r3.V(-length/2, 0, upper), r3.V(length/2, 0, upper))
	tent(0, upper+thick, upper+thick)
}

// OnStadium returns the point at the length s along a loop around two points of the x axis, from the middle of its
// right end on and upwards.
func OnStadium(s, left, right, radius float64) r3.Vec {
	straight, half := right-left, math.Pi*radius
	length := 2 * (straight + half)
	s = math.Mod(s+length+half/2, length) // from the lower end of the half circle on the right
	arc := func(x, s float64) r3.Vec {
		sin, cos := math.Sincos(s/radius - math.Pi/2)
		return r3.V(x+radius*cos, 0, radius*sin)
	}
	switch {
	case s < half:
		return arc(right, s)
	case s < half+straight:
		return r3.V(right-(s-half), 0, radius)
	case s < 2*half+straight:
		return arc(left, s-straight)
	}
	return r3.V(left+(s-2*half-straight), 0, -radius)
}

// Folds are layers that go to and fro: each is straight and then turns into the next one.
type Folds struct {
	Layers         int
	Straight, Turn float64 // length of a straight part, and radius of a turn [m]
	Stretch        float64 // length of a layer with its turn: Straight + π Turn [m]
}

// At returns in which layer the length s is, and where, along the layers and above the first one but for the height of
// those below.
func (f *Folds) At(s float64) (layer, along, up float64) {
	layer = math.Min(math.Floor(s/f.Stretch), float64(f.Layers-1))
	s -= layer * f.Stretch
	along = s
	if s > f.Straight {
		sin, cos := math.Sincos((s - f.Straight) / f.Turn)
		along, up = f.Straight+f.Turn*sin, f.Turn*(1-cos)
	}
	if math.Mod(layer, 2) == 1 {
		along = f.Straight - along
	}
	return layer, along, up
}

// BinHalf is half the width of a bin, whose walls are vertical [m].
const BinHalf = 0.35

// InBin returns where cube k, of 0.1 m, is before it falls into the bin: in layers of 4 x 4 that are a little aside of
// each other.
func InBin(k int) r3.Vec {
	i, j, l := float64(k/4%4), float64(k%4), k/16
	return r3.V(-0.24+0.16*i+0.01*float64(l%3), -0.24+0.16*j+0.013*float64(l%2), 0.1+0.16*float64(l))
}

// WideBinHalf is BinHalf of a bin for layers of so many times so many cubes.
func WideBinHalf(across int) float64 { return BinHalf + 0.08*float64(across-4) }

// InWideBin is InBin for layers of so many times so many cubes.
func InWideBin(k, across int) r3.Vec {
	i, j, l := k/across%across, k%across, k/(across*across)
	middle := float64(across-1) / 2
	return r3.V(
		0.16*(float64(i)-middle)+0.01*float64(l%3), 0.16*(float64(j)-middle)+0.013*float64(l%2), 0.1+0.16*float64(l),
	)
}
