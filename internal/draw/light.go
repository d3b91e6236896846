package draw

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

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
