package draw

import (
	"math"

	"github.com/toile-sim/toile/r3"
)

// Camera looks from Eye to Target. The near plane follows from the scene.
type Camera struct {
	// Eye is where the camera is, Target a point in the middle of the picture [m].
	Eye, Target r3.Vec
	// Up is a direction that points upwards in the picture.
	Up r3.Vec
	// FOV is the angle between the lower and the upper edge of the picture [rad], 0 to π exclusive.
	FOV float64
}

const (
	// fitFOV is narrow enough for parallel lines to stay nearly so and wide enough for depth to show.
	fitFOV = 30 * math.Pi / 180
	// fitFill is the part of the picture's half width or height that a fitted box may use.
	fitFill = 0.86
)

// Fit returns the camera that looks at the box against the direction dir, which points from the box
// to the eye, and stands as near as it can with the whole box in the frame and a margin around it.
// aspect is width over height. A zero dir looks from the front, right and above; an empty box counts
// as the unit cube about the origin.
func Fit(box r3.Box, dir r3.Vec, aspect float64) Camera {
	if box.Empty() || !box.Min.Finite() || !box.Max.Finite() {
		box = r3.Box{Min: r3.V(-0.5, -0.5, -0.5), Max: r3.V(0.5, 0.5, 0.5)}
	}
	corners := make([]r3.Vec, 8)
	for i := range corners {
		corners[i] = box.Corner(i)
	}
	return FitPoints(corners, dir, aspect)
}

// FitPoints is Fit for points, which take less room in the picture than the box around them. Points that
// are not finite are left out; without any it fits an empty box.
func FitPoints(points []r3.Vec, dir r3.Vec, aspect float64) Camera {
	f := newFraming(dir, aspect)
	for _, p := range points {
		f.add(p)
	}
	return f.camera()
}

// FitFrom returns the camera at eye that looks at target, with the widest angle that is needed to have the
// whole box in the frame, from 5 to 90 degrees.
func FitFrom(eye, target r3.Vec, box r3.Box, aspect float64) Camera {
	forward := target.Sub(eye).Unit()
	right, up := frameOf(forward, r3.V(0, 0, 1))
	tan := 0.0
	for i := range 8 {
		d := box.Corner(i).Sub(eye)
		if z := d.Dot(forward); z > 0 {
			tan = max(tan, math.Abs(d.Dot(up))/z, math.Abs(d.Dot(right))/z/aspect)
		} else {
			tan = math.Inf(1) // beside or behind the eye
		}
	}
	fov := 2 * math.Atan(tan/fitFill)
	return Camera{Eye: eye, Target: target, Up: up, FOV: min(max(fov, 5*math.Pi/180), math.Pi/2)}
}

// framing finds the nearest camera that sees all points, which come one by one.
//
// With the camera's axes fixed, a point (x, y, z) is left of the right edge if
// x - eₓ <= t (z - e_z), where t is the tangent of the half angle. The largest x - t z over the
// points and the largest -x - t z therefore give eₓ and the largest admissible e_z in closed form,
// and likewise for y; the smaller e_z of the two holds for both.
type framing struct {
	dir                      r3.Vec
	right, up, forward       r3.Vec
	aspect, tanX, tanY       float64
	east, west, north, south float64
	near, far, size          float64
}

func newFraming(dir r3.Vec, aspect float64) *framing {
	if !(aspect > 0) || math.IsInf(aspect, 1) {
		aspect = 1
	}
	f := &framing{dir: dir, aspect: aspect, forward: dir.Neg().Unit()}
	if f.forward == (r3.Vec{}) || !f.forward.Finite() {
		f.forward = r3.V(-0.8, 1.6, -0.8).Unit()
	}
	f.right, f.up = frameOf(f.forward, r3.V(0, 0, 1))
	f.tanY = math.Tan(fitFOV/2) * fitFill
	f.tanX = f.tanY * aspect
	inf := math.Inf(-1)
	f.east, f.west, f.north, f.south, f.near, f.far = inf, inf, inf, inf, -inf, inf
	return f
}

// add takes in a point, unless it is not finite.
func (f *framing) add(p r3.Vec) {
	if !p.Finite() {
		return
	}
	x, y, z := p.Dot(f.right), p.Dot(f.up), p.Dot(f.forward)
	f.east, f.west = max(f.east, x-f.tanX*z), max(f.west, -x-f.tanX*z)
	f.north, f.south = max(f.north, y-f.tanY*z), max(f.south, -y-f.tanY*z)
	f.near, f.far, f.size = min(f.near, z), max(f.far, z), max(f.size, p.MaxAbs())
}

// camera returns the camera that sees all points so far, or the unit cube if there were none.
func (f *framing) camera() Camera {
	if f.near > f.far {
		return Fit(r3.EmptyBox(), f.dir, f.aspect)
	}
	ez := min(-(f.east+f.west)/(2*f.tanX), -(f.north+f.south)/(2*f.tanY))
	// What is flat or a single point must not have the eye inside itself.
	ez = min(ez, f.near-0.05*(f.far-f.near)-1e-6*max(1, f.size))
	eye := f.right.Scale((f.east-f.west)/2).AddScaled((f.north-f.south)/2, f.up).AddScaled(ez, f.forward)
	return Camera{Eye: eye, Target: eye.AddScaled((f.near+f.far)/2-ez, f.forward), Up: f.up, FOV: fitFOV}
}

// frameOf returns the right and up axes of a camera that looks along the unit vector forward.
func frameOf(forward, up r3.Vec) (right, trueUp r3.Vec) {
	right = forward.Cross(up)
	if n := right.Norm(); n > 1e-9*up.Norm() {
		right = right.Scale(1 / n)
	} else {
		right = forward.Orthogonal()
		// Looking straight down or up, keep y upwards in the picture.
		if c := forward.Cross(r3.V(0, 1, 0)); c.Norm2() > 0.5 {
			right = c.Unit()
		}
	}
	return right, right.Cross(forward)
}

// lens maps the world to a raster of width x height samples. In its own coordinates x is right, y up
// and z forward, and the sample (i, j) is the ray direction, or for parallel light the point,
// (x0 + i/perUnit, y0 - j/perUnit, 1).
type lens struct {
	eye, right, up, forward r3.Vec
	parallel                bool
	width, height           int
	perUnit                 float64 // samples in a unit of x/z, or of x for parallel light
	x0, y0                  float64
	near, far               float64 // least z drawn; largest z, used by parallel light only
}

// newLens returns the lens of a camera, or one that sees nothing if the camera is not usable.
func newLens(cam Camera, width, height int) lens {
	forward := cam.Target.Sub(cam.Eye)
	distance := forward.Norm()
	forward = forward.Unit()
	if !forward.Finite() || forward == (r3.Vec{}) {
		forward, distance = r3.V(0, 1, 0), 1
	}
	fov := cam.FOV
	if !(fov > 1e-6 && fov < math.Pi-1e-6) {
		fov = fitFOV
	}
	right, up := frameOf(forward, cam.Up)
	l := lens{eye: cam.Eye, right: right, up: up, forward: forward, width: width, height: height}
	l.perUnit = float64(height) / 2 / math.Tan(fov/2)
	l.center()
	l.near = 1e-4 * distance
	return l
}

// center puts the optical axis in the middle of the raster.
func (l *lens) center() {
	l.x0 = (0.5 - float64(l.width)/2) / l.perUnit
	l.y0 = (float64(l.height)/2 - 0.5) / l.perUnit
}

// local returns a point of the world in the coordinates of the lens.
func (l *lens) local(p r3.Vec) r3.Vec {
	p = p.Sub(l.eye)
	return r3.Vec{X: p.Dot(l.right), Y: p.Dot(l.up), Z: p.Dot(l.forward)}
}

// world returns a direction of the lens in the world.
func (l *lens) world(d r3.Vec) r3.Vec {
	return l.right.Scale(d.X).AddScaled(d.Y, l.up).AddScaled(d.Z, l.forward)
}

// ray returns the homogeneous point of a sample; halves lie between samples.
func (l *lens) ray(i, j float64) r3.Vec {
	return r3.Vec{X: l.x0 + i/l.perUnit, Y: l.y0 - j/l.perUnit, Z: 1}
}

// sample returns where a point in lens coordinates lands in the raster.
func (l *lens) sample(v r3.Vec) (i, j float64) {
	if !l.parallel {
		v.X, v.Y = v.X/v.Z, v.Y/v.Z
	}
	return (v.X - l.x0) * l.perUnit, (l.y0 - v.Y) * l.perUnit
}
