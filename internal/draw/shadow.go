package draw

import (
	"math"

	"github.com/toile-sim/toile/internal/par"
	"github.com/toile-sim/toile/r3"
)

// shadow tells what the key light reaches: the scene rasterized along the light.
type shadow struct {
	seen  *raster
	texel float64 // side of a sample [m]
	soft  float64 // radius of the penumbra [m]
	to    r3.Vec  // unit direction to the light

	// busy holds for each block of samples whether it or a block beside it has a blocker.
	busy [shadowBlocks * shadowBlocks]bool
}

const (
	shadowSide = 1024  // samples along each side
	shadowSoft = 0.007 // penumbra in diagonals of the scene
	shadowTaps = 8     // for each sample of the picture

	// A block is wider than the widest penumbra, that of the ground: groundBlur shadowSoft
	// shadowSide / 1.05 = 15 samples.
	shadowBlock  = 16
	shadowBlocks = shadowSide / shadowBlock
	groundBlur   = 2.2 // of the penumbra on the ground, which is farther from what casts the shadow
)

// shadowSpiral holds the taps of lit for each sample of a pixel.
var shadowSpiral = spirals(shadowTaps)

// newShadow rasterizes the scene along the light, or returns nil if there is nothing to cast one.
func newShadow(meshes []mesh, box r3.Box, toLight r3.Vec, team *par.Team) *shadow {
	if box.Empty() {
		return nil
	}
	reach := box.Size().Norm()
	if !(reach > 0) || math.IsInf(reach, 1) {
		return nil
	}
	forward := toLight.Neg()
	right, up := frameOf(forward, r3.V(0, 0, 1))
	l := lens{
		eye: box.Center().AddScaled(reach, toLight), right: right, up: up, forward: forward, parallel: true,
		width: shadowSide, height: shadowSide, perUnit: shadowSide / (1.05 * reach),
		near: 0, far: 2 * reach,
	}
	l.center()
	s := &shadow{
		seen: rasterize(l, meshes, team), texel: 1 / l.perUnit, soft: shadowSoft * reach, to: toLight,
	}
	s.findBusy()
	return s
}

// findBusy marks the blocks around every blocker.
func (s *shadow) findBusy() {
	for at, q := range s.seen.q {
		if q == 0 {
			continue
		}
		bi, bj := at%shadowSide/shadowBlock, at/shadowSide/shadowBlock
		for j := max(bj-1, 0); j <= min(bj+1, shadowBlocks-1); j++ {
			for i := max(bi-1, 0); i <= min(bi+1, shadowBlocks-1); i++ {
				s.busy[j*shadowBlocks+i] = true
			}
		}
	}
}

// near reports whether there may be a blocker within a penumbra of the place (i, j).
func (s *shadow) near(i, j float64) bool {
	if !(i > -shadowBlock && i < shadowSide+shadowBlock && j > -shadowBlock && j < shadowSide+shadowBlock) {
		return false
	}
	bi := min(max(nearest(i), 0), shadowSide-1) / shadowBlock
	bj := min(max(nearest(j), 0), shadowSide-1) / shadowBlock
	return s.busy[bj*shadowBlocks+bi]
}

// lit returns the share of light that reaches a point with normal n, in the k-th sample of its
// pixel. blur widens the penumbra. The point is moved off its surface by more than the depth a
// surface can have within the penumbra, so that a surface does not shadow itself.
func (s *shadow) lit(point, n r3.Vec, k int, blur float64) float32 {
	soft := s.soft * blur
	slant := min(max(n.Dot(s.to), 0.05), 1)
	point = point.AddScaled(1.5*s.texel+soft, n).AddScaled(min(0.6*soft/slant, 3*soft), s.to)
	l := &s.seen.lens
	local := l.local(point)
	ci, cj := l.sample(local)
	if !s.near(ci, cj) {
		return 1
	}
	q, spread := float32(l.far-local.Z), soft/s.texel
	through := 0
	for _, tap := range shadowSpiral[k] {
		i, j := nearest(ci+tap[0]*spread), nearest(cj+tap[1]*spread)
		if i < 0 || i >= l.width || j < 0 || j >= l.height {
			through++
			continue
		}
		if blocker := s.seen.q[j*l.width+i]; blocker == 0 || blocker <= q {
			through++
		}
	}
	return float32(through) / shadowTaps
}
