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

// floorLight returns the background of a pixel, a gradient with the ground in front of it, and 1/z of
// the ground, or 0 where there is none.
func (s *stage) floorLight(x, y int) (linear, float32) {
	t := (float32(y) + 0.5) / float32(s.opt.Height)
	sky := s.top.mix(s.bottom, t)
	g := s.opt.Ground
	height := s.lens.eye.Z - g.Height
	if !g.Show || !(height > 0) {
		return sky, 0
	}
	n := float64(s.opt.Samples)
	i, j := (float64(x)+0.5)*n-0.5, (float64(y)+0.5)*n-0.5
	ray := s.lens.world(s.lens.ray(i, j))
	if !(ray.Z < 0) {
		return sky, 0
	}
	depth := -ray.Z / height
	hit := s.lens.eye.AddScaled(1/depth, ray)
	center := s.box.Center()
	if s.box.Empty() {
		center = s.lens.eye.AddScaled(height, s.lens.forward)
	}
	away := math.Hypot(hit.X-center.X, hit.Y-center.Y) / max(s.reach, 1e-9)
	// The ground dissolves into the sky instead of ending at a horizon.
	presence := float32(1 - smoothstep(0.45, 1.7, away))
	color := sky.mix(linear{0.93, 0.93, 0.92}, 0.35*presence)
	if s.shadow != nil && presence > 0 {
		lit := float32(0)
		for k := range 4 {
			lit += s.shadow.lit(hit, r3.V(0, 0, 1), k, groundBlur) / 4
		}
		color = color.scale(1 - 0.42*presence*(1-lit))
	}
	if g.Cell > 0 && presence > 0 {
		right := s.lens.eye.AddScaled(1, s.groundHit(i+n, j, height)).Sub(hit)
		below := s.lens.eye.AddScaled(1, s.groundHit(i, j+n, height)).Sub(hit)
		line := max(
			gridLine(hit.X, math.Abs(right.X)+math.Abs(below.X), g.Cell),
			gridLine(hit.Y, math.Abs(right.Y)+math.Abs(below.Y), g.Cell),
		)
		color = color.scale(1 - 0.20*presence*float32(line))
	}
	return color, float32(depth)
}

// groundHit returns the vector from the eye, at a height above the ground, to the ground along the ray
// of a sample.
func (s *stage) groundHit(i, j, height float64) r3.Vec {
	ray := s.lens.world(s.lens.ray(i, j))
	return ray.Scale(height / max(-ray.Z, 1e-9))
}

// gridLine returns how much of a pixel that is width wide on the ground lies under a line of one pixel
// at a multiple of cell. Lines closer than a few pixels fade out before they shimmer.
func gridLine(x, width, cell float64) float64 {
	distance := math.Abs(x - cell*math.Round(x/cell))
	return min(max(1-distance/width, 0), 1) * (1 - smoothstep(0.1, 0.4, width/cell))
}
