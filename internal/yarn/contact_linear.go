package yarn

import (
	"github.com/toile-sim/toile/r3"
)

// model is the corotated linear model of the force of a contact set. With control points q about their mean, q0 where
// it was built, and R the rotation that best takes q0 to q, the force is
//
//	R (f0 + K (Rᵀ q - q0)),
//
// which is (5) of [Kaldor10] without its offset, that cancels badly.
type model struct {
	valid    bool
	built    bool // in this step
	rotation r3.Quat
	least    float64 // square of the least distance where it was built
	share    float64 // sum of forces across the yarn over the net force, there
	store    block
}

// block is the storage of a model of n control points.
type block struct {
	stiffness []float32 // K: symmetric 3 x 3 blocks of its upper triangle, as xx, yy, zz, xy, xz, yz
	damping   []float32 // its like for velocities
	rest      []r3.Vec  // q0
	force     []r3.Vec  // f0
	work      []r3.Vec
	weight    []float64 // M of (6) in [Kaldor10]
}

// models builds and evaluates linear models.
type models struct {
	c        *contacts
	pos, vel []r3.Vec // of control points, in this step
	arena    arena
}

// force computes the force of a set by its model, which is built anew if there is none or it has deformed too much.
func (m *models) force(set *contactSet, chunk int) {
	mo := &set.model
	mo.built = false
	if mo.valid && m.deform(set) <= m.c.opt.Tolerance {
		m.apply(set)
		return
	}
	m.c.sets.exact(set, chunk)
	mo.built, mo.valid = true, false
	// A box about to change takes its model with it.
	if m.c.opt.Tolerance > 0 && m.c.sets.fitted(set) == set.box {
		m.build(set)
	}
}

func (m *models) points(set *contactSet) []int32 {
	return m.c.gather.point[set.place : set.place+len(set.model.store.rest)]
}

// reserve gets storage for the model of a set of n control points.
func (m *models) reserve(set *contactSet, n int) {
	if m.c.opt.Mode == ContactLinear && m.c.opt.Tolerance > 0 && set.model.store.rest == nil {
		set.model.store = m.arena.get(n, m.c.damped)
	}
}

// release gives the storage of a model back.
func (m *models) release(mo *model) {
	if mo.store.rest != nil {
		m.arena.put(mo.store)
	}
	*mo = model{}
}

// deform finds the rotation of a set since its model was built, leaves in work how its control points differ from the
// rotated ones, and returns the metric (6) of [Kaldor10].
func (m *models) deform(set *contactSet) float64 {
	s := &set.model.store
	var mean r3.Vec
	for i, p := range m.points(set) {
		s.work[i] = m.pos[p]
		mean = mean.Add(m.pos[p])
	}
	mean = mean.Scale(1 / float64(len(s.work)))
	var moment r3.Mat
	for i := range s.work {
		s.work[i] = s.work[i].Sub(mean)
		moment.AddOuter(1, s.work[i], s.rest[i])
	}
	set.model.rotation = nearestRotation(&moment, set.model.rotation)
	back := set.model.rotation.Mat()
	metric := 0.0
	for i := range s.work {
		s.work[i] = back.MulVecT(s.work[i]).Sub(s.rest[i])
		metric = max(metric, s.weight[i]*s.work[i].Norm())
	}
	return metric * m.c.diameter / set.model.least
}

// nearestRotation returns the rotation R that makes the trace of Rᵀ a largest, by Newton's method from a guess. With
// b = Rᵀ a, a turn w in the rotated frame changes it by w·axial(b) - w·(tr(b) - sym(b)) w/2.
func nearestRotation(a *r3.Mat, guess r3.Quat) r3.Quat {
	const most, enough = 8, 1e-9 // the error of the last turn is its square
	for range most {
		back := guess.Mat()
		back = back.T()
		b := back.Mul(a)
		axial := r3.V(b.ZY-b.YZ, b.XZ-b.ZX, b.YX-b.XY)
		transposed := b.T()
		curvature := r3.Diagonal(b.Trace())
		curvature.AddScaled(-0.5, &b)
		curvature.AddScaled(-0.5, &transposed)
		inverse, ok := curvature.Inverse()
		if !ok {
			return guess
		}
		w := inverse.MulVec(axial)
		guess = guess.Mul(r3.Quat{W: 1, X: w.X / 2, Y: w.Y / 2, Z: w.Z / 2}.Unit())
		if w.Norm2() < enough*enough {
			break
		}
	}
	return guess
}

// apply computes the force of a valid model from what deform left.
func (m *models) apply(set *contactSet) {
	s := &set.model.store
	onA, onB := m.c.sets.places(set)
	clear(onA)
	clear(onB)
	set.push = r3.Vec{}
	if set.touched == (box{}) {
		return
	}
	on := m.c.gather.forces[set.place : set.place+len(s.rest)]
	copy(on, s.force)
	multiplyAdd(on, s.stiffness, s.work)
	level(on)
	forward := set.model.rotation.Mat()
	for i := range onA {
		set.push = set.push.Add(on[i])
	}
	set.push = forward.MulVec(set.push)
	set.normal = set.model.share * set.push.Norm()
	if m.c.damped {
		for i, p := range m.points(set) {
			s.work[i] = forward.MulVecT(m.vel[p])
		}
		multiplyAdd(on, s.damping, s.work)
		level(on)
	}
	for i := range on {
		on[i] = forward.MulVec(on[i])
	}
}

// level takes from forces their mean, which is not nothing only because matrices are rounded.
func level(f []r3.Vec) {
	var sum r3.Vec
	for _, v := range f {
		sum = sum.Add(v)
	}
	mean := sum.Scale(1 / float64(len(f)))
	for i := range f {
		f[i] = f[i].Sub(mean)
	}
}

// multiplyAdd adds to y the product of a matrix, stored as the upper triangle of symmetric blocks, with x.
func multiplyAdd(y []r3.Vec, matrix []float32, x []r3.Vec) {
	at := 0
	for i := range y {
		xi, sum := x[i], y[i]
		b := matrix[at : at+6 : at+6]
		at += 6
		xx, yy, zz := float64(b[0]), float64(b[1]), float64(b[2])
		xy, xz, yz := float64(b[3]), float64(b[4]), float64(b[5])
		sum.X += xx*xi.X + xy*xi.Y + xz*xi.Z
		sum.Y += xy*xi.X + yy*xi.Y + yz*xi.Z
		sum.Z += xz*xi.X + yz*xi.Y + zz*xi.Z
		for j := i + 1; j < len(y); j++ {
			b := matrix[at : at+6 : at+6]
			at += 6
			xx, yy, zz := float64(b[0]), float64(b[1]), float64(b[2])
			xy, xz, yz := float64(b[3]), float64(b[4]), float64(b[5])
			xj, yj := &x[j], &y[j]
			sum.X += xx*xj.X + xy*xj.Y + xz*xj.Z
			sum.Y += xy*xj.X + yy*xj.Y + yz*xj.Z
			sum.Z += xz*xj.X + yz*xj.Y + zz*xj.Z
			yj.X += xx*xi.X + xy*xi.Y + xz*xi.Z
			yj.Y += xy*xi.X + yy*xi.Y + yz*xi.Z
			yj.Z += xz*xi.X + yz*xi.Y + zz*xi.Z
		}
		y[i] = sum
	}
}
