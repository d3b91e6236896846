package setup

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/toile-sim/toile/internal/engine"
	"github.com/toile-sim/toile/internal/geom"
	"github.com/toile-sim/toile/internal/mech"
	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/r3"
)

// Top returns the largest height of a vertex.
func Top(w *engine.World) (z float64) {
	for id := range engine.ClothID(w.Cloths()) {
		for _, x := range w.Positions(id) {
			z = max(z, x.Z)
		}
	}
	return z
}

// Obstacle adds a shape to a world and returns its surface.
func Obstacle(t *verify.Trial, w *engine.World, name string, shape geom.Field, place r3.Pose) engine.SurfaceID {
	id, err := w.AddObstacle(engine.Obstacle{Name: name, Shape: shape, Place: place})
	t.Must(err)
	return w.ObstacleSurface(id)
}

// SetFriction sets the friction of all surfaces of a world with cloth a.
func SetFriction(w *engine.World, a engine.ClothID, mu float64) {
	for s := range engine.SurfaceID(w.Cloths() + w.Obstacles()) {
		w.SetFriction(w.ClothSurface(a), s, mu)
	}
}

// SettleInContact brings all cloths of a world to an elastic equilibrium with every contact at μ = 1. Velocities are
// taken away whenever the kinetic energy falls (kinetic damping, which needs no coefficient), and a share of them in
// every step. It ends when nothing is faster than 1e-6 m/s, stops all motion, and returns the steps it took.
func SettleInContact(t *verify.Trial, w *engine.World, h float64) int {
	return SettleWith(t, w, h, 1, 1e-6)
}

// SettleWith is SettleInContact with the friction mu, until nothing is faster than the given speed [m/s].
func SettleWith(t *verify.Trial, w *engine.World, h, mu, speed float64) int {
	const most = 20_000
	steps, ok := TryToSettle(t, w, h, mu, speed, most)
	if !ok {
		t.Must(fmt.Errorf("did not settle in %d steps", most))
	}
	return steps
}

// TryToSettle is SettleWith in a number of steps at most, and tells whether they were enough.
func TryToSettle(t *verify.Trial, w *engine.World, h, mu, speed float64, most int) (steps int, ok bool) {
	for id := range engine.ClothID(w.Cloths()) {
		SetFriction(w, id, mu)
	}
	last := 0.0
	for k := 1; k <= most; k++ {
		s := t.Step(w, h)
		done := s.MaxSpeed < speed && k > 2
		keep := 0.99
		if s.Energy.Of(mech.KineticEnergy) < last || done {
			keep = 0
		}
		last = keep * s.Energy.Of(mech.KineticEnergy)
		for id := range engine.ClothID(w.Cloths()) {
			SetSpeed(w, id, keep, r3.Vec{})
		}
		if done {
			return k, true
		}
	}
	return most, false
}

// SetSpeed multiplies the velocities of a cloth by keep and adds v.
func SetSpeed(w *engine.World, id engine.ClothID, keep float64, v r3.Vec) {
	speeds := make([]r3.Vec, len(w.Velocities(id)))
	for i, u := range w.Velocities(id) {
		speeds[i] = u.Scale(keep).Add(v)
	}
	w.SetVelocities(id, speeds)
}

// Seeds returns the seeds of the jitter that slides and holds are tried with: none in a quick run.
func Seeds(t *verify.Trial) []uint64 {
	if !t.Options.Full {
		return []uint64{0}
	}
	return []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
}

// Jitter moves positions by up to 1e-6 of size, differently for each seed but 0, which leaves them.
func Jitter(x []r3.Vec, size float64, seed uint64) {
	if seed == 0 {
		return
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	for i := range x {
		x[i] = x[i].Add(r3.V(rng.Float64()-0.5, rng.Float64()-0.5, rng.Float64()-0.5).Scale(1e-6 * size))
	}
}

// Centroid returns the centre of mass of a cloth and its velocity.
func Centroid(w *engine.World, id engine.ClothID) (x, v r3.Vec) {
	total := 0.0
	for i, m := range w.Masses(id) {
		x, v, total = x.AddScaled(m, w.Positions(id)[i]), v.AddScaled(m, w.Velocities(id)[i]), total+m
	}
	return x.Scale(1 / total), v.Scale(1 / total)
}

// Tilted maps the plane z = 0 to one with the unit normal n: x to where x goes when z is turned to n.
func Tilted(n r3.Vec) r3.Quat {
	axis := r3.V(0, 0, 1).Cross(n)
	if axis.Norm() == 0 {
		return r3.NoRotation()
	}
	return r3.Rotation(axis.Unit(), math.Atan2(axis.Norm(), n.Z))
}
