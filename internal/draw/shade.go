// Light and colour of a sample.
//
// The light of a point with unit normal n, turned to the viewer, and direction v to the eye:
//
//	light  = o (ambient(n_z) + fill max(0, n·f)) + (1 + o)/2 s key w(n·l)
//	colour = light (base + sheen (1 - n·v)³)
//
// with s the share of the key light that is not blocked and w(x) = max(0, (x + 0.15)/1.15), which
// softens the terminator. The key light stands above the left shoulder of the viewer, so that a fold
// is lit across whatever the direction of view. Everything is computed in linear light.
//
// The openness o is after [McGuire11]: with d the vectors to what neighbouring samples see, and R the
// radius of the surroundings,
//
//	o = 1 - 1.7 mean((1 - |d|²/R²)₊ (n·d - 0.02 R)₊ / |d|)
//
// Departures: the weight falls to zero at R instead of being cut; the taps are turned by the place of
// the sample in its pixel and not at random, so that the average over a pixel has all turns, there is
// no noise and no blur is needed.

package draw

import (
	"image"
	"math"

	"github.com/toile-sim/toile/r3"
)

// shadeRow fills one row of pixels.
func (s *stage) shadeRow(img *image.RGBA, y int) {
	n := s.opt.Samples
	weight := 1 / float32(n*n)
	for x := range s.opt.Width {
		var sum, floor linear
		floorDepth, floorKnown := float32(0), false
		for k := range n * n {
			i, j := x*n+k%n, y*n+k/n
			q := s.frame.q[j*s.lens.width+i]
			if q > 0 && !s.opt.Ground.Show {
				sum = sum.add(s.surfaceLight(i, j, k))
				continue
			}
			if !floorKnown {
				floor, floorDepth = s.floorLight(x, y)
				floorKnown = true
			}
			// What lies on the ground, up to a thousandth of the distance, is not in it.
			if q > 0 && q*(1+1e-3) >= floorDepth {
				sum = sum.add(s.surfaceLight(i, j, k))
			} else {
				sum = sum.add(floor)
			}
		}
		img.SetRGBA(x, y, sum.scale(weight).rgba())
	}
}

// surfaceLight returns the colour of the surface seen by the sample (i, j), the k-th of its pixel.
func (s *stage) surfaceLight(i, j, k int) linear {
	at := j*s.lens.width + i
	id := s.frame.id[at]
	f := &s.frame.facets[id]
	m := &s.meshes[s.meshOf[id]]
	tri := m.Triangles[int(id)-m.first]
	d := s.lens.ray(float64(i), float64(j))
	z := 1 / float64(s.frame.q[at])
	b := [3]float64{max(0, d.Dot(f.n[0])*z), max(0, d.Dot(f.n[1])*z), max(0, d.Dot(f.n[2])*z)}

	pa, pb, pc := m.Positions[tri[0]], m.Positions[tri[1]], m.Positions[tri[2]]
	flat := pb.Sub(pa).Cross(pc.Sub(pa)).Unit()
	if !f.front {
		flat = flat.Neg()
	}
	ray := s.lens.world(d)
	point := s.lens.eye.AddScaled(z, ray)
	view := ray.Unit().Neg()
	n := flat
	if m.normals != nil {
		smooth := m.normals[tri[0]].Scale(b[0]).
			AddScaled(b[1], m.normals[tri[1]]).
			AddScaled(b[2], m.normals[tri[2]]).
			Unit()
		if !f.front {
			smooth = smooth.Neg()
		}
		// A smooth normal may point away from the viewer near a silhouette: turn it to the rim.
		if c := smooth.Dot(view); c < 0.02 {
			smooth = smooth.AddScaled(0.02-c, view).Unit()
		}
		n = smooth
	}
	base := m.front
	if !f.front {
		base = m.back
	}
	ambient := float32(0.26 + 0.10*n.Z)
	key, fill := float32(0.78), float32(0.16)
	if m.scalars {
		base = s.scalarColor(m, tri, b)
		// More even light keeps the colours comparable with the legend.
		ambient, key = ambient+0.20, 0.55
	}
	open := float32(1)
	if s.opt.Occlusion {
		open = s.openness(point, flat, i, j, k)
	}
	direct := key * (0.5 + 0.5*open) * float32(max(0, (n.Dot(s.key)+0.15)/1.15))
	if s.shadow != nil && direct > 0 {
		direct *= 0.25 + 0.75*s.shadow.lit(point, n, k, 1)
	}
	light := open*(ambient+fill*float32(max(0, n.Dot(s.fill)))) + direct
	rim := float32(1 - max(0, n.Dot(view)))
	color := base.scale(1.12 * light).add(linear{1, 1, 1}.scale(0.035 * rim * rim * rim * light))
	if m.Edges {
		color = color.mix(base.scale(0.10), s.edge(f, d, z))
	}
	return color
}

// scalarColor returns the colour of the scalars in a triangle, with the weights b of its corners. Points
// whose nearest corner is not a number are not one either; others are means over the corners that are.
func (s *stage) scalarColor(m *mesh, tri [3]int32, b [3]float64) linear {
	nearest := 0
	for k := range b {
		if b[k] > b[nearest] {
			nearest = k
		}
	}
	if x := m.Scalar[tri[nearest]]; len(s.scale.Classes) > 0 {
		return s.scale.class(x)
	} else if x != x {
		return mapped(x)
	}
	sum, weight := 0.0, 0.0
	for k, v := range tri {
		if x := m.Scalar[v]; x == x {
			sum, weight = sum+b[k]*x, weight+b[k]
		}
	}
	return mapped(s.scale.place(sum / weight))
}

const (
	edgeHalfWidth = 0.5 // of a mesh edge [pixels]
	edgeOpacity   = 0.5
	edgeGone      = 1.5 // height of a triangle at which its edges have faded [pixels]
	edgeFull      = 8   // height at which they have their full opacity [pixels]
)

// edge returns the opacity of the triangle's edges at a sample. d·nᵢ is linear on the screen, so its
// value over its slope is the distance to the edge opposite to corner i, and its value at that corner
// over its slope the height of the triangle.
func (s *stage) edge(f *facet, d r3.Vec, z float64) float32 {
	distance, height := math.Inf(1), math.Inf(1)
	pixels := s.lens.perUnit / float64(s.opt.Samples)
	for _, n := range f.n {
		slope := math.Hypot(n.X, n.Y) / pixels
		distance = min(distance, d.Dot(n)/slope)
		// At the corner d·n is 1/z of the corner; that of the sample is close enough for a fade.
		height = min(height, 1/(z*slope))
	}
	cover := min(max(edgeHalfWidth+0.5-distance, 0), 1)
	return float32(edgeOpacity * cover * smoothstep(edgeGone, edgeFull, height))
}

const (
	openTaps  = 10   // for each sample; a pixel has Samples² times as many
	openReach = 0.07 // radius of the surroundings, in diagonals of the scene
)

// openness returns how much of its surroundings a point with the geometric normal n sees of the sky,
// from the depths of samples on a spiral around it.
func (s *stage) openness(point, n r3.Vec, i, j, k int) float32 {
	radius := openReach * s.reach
	z := point.Sub(s.lens.eye).Dot(s.lens.forward)
	pixels := min(radius*s.lens.perUnit/z, float64(s.lens.height)/4)
	blocked := 0.0
	for _, tap := range openSpiral[k] {
		ti, tj := i+nearest(tap[0]*pixels), j+nearest(tap[1]*pixels)
		if ti < 0 || ti >= s.lens.width || tj < 0 || tj >= s.lens.height {
			continue
		}
		q := s.frame.q[tj*s.lens.width+ti]
		if q == 0 {
			continue
		}
		to := s.lens.eye.AddScaled(1/float64(q), s.lens.world(s.lens.ray(float64(ti), float64(tj)))).Sub(point)
		d2 := to.Norm2()
		fade := max(0, 1-d2/(radius*radius))
		blocked += fade * max(0, to.Dot(n)-0.02*radius) / math.Sqrt(d2+1e-4*radius*radius)
	}
	return float32(max(0.15, 1-1.7*blocked/openTaps))
}

// openSpiral holds the taps of openness for each sample of a pixel.
var openSpiral = spirals(openTaps)
