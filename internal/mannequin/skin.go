package mannequin

// The skin of the mannequin: every vertex follows a few bones, by dual quaternions [Kavan08], which keep the volume
// where a limb turns about itself or bends, unlike a sum of matrices.
//
// With the motions of the bones from the dressing pose as unit dual quaternions q̂ᵢ = qᵢ + ε tᵢ qᵢ/2 and weights wᵢ
// that sum to 1, a vertex moves by the unit dual quaternion Σ wᵢ q̂ᵢ / |Σ wᵢ qᵢ|. Signs need no repair at the vertices:
// the quaternion of a bone is that of its parent times one of less than half a turn, so that neighbours along the
// skeleton always agree.
//
// Weights begin with the part of the body that a vertex is nearest to, run over from bone to bone along a limb or the
// trunk, and are then smoothed over the mesh, so that nothing leaks through the air from an arm to the chest or from
// one thigh to the other.

import (
	"math"
	"slices"

	"github.com/toile-sim/toile/r3"
)

// influences is how many bones a vertex follows at most.
const influences = 4

// grip is what a vertex follows. Unused entries have weight 0.
type grip struct {
	bone   [influences]uint8
	weight [influences]float64
}

// dual is a dual quaternion.
type dual struct{ re, du r3.Quat }

func dualOf(p r3.Pose) dual {
	t := r3.Quat{X: p.T.X, Y: p.T.Y, Z: p.T.Z}
	d := t.Mul(p.R)
	return dual{p.R, r3.Quat{W: d.W / 2, X: d.X / 2, Y: d.Y / 2, Z: d.Z / 2}}
}

// Skin writes where the vertices are in a pose to out, which is as long as there are vertices. It does not look at the
// limits of joints, allocates nothing, and may be called from several goroutines. It panics if out has another length.
func (b *Mannequin) Skin(p *Pose, out []r3.Vec) {
	// room for the vertices
	if len(out) != len(b.rest) {
		panic("shape: a mannequin is skinned into a slice of another length")
	}
	// motions of bones as dual quaternions
	var bones [Joints]r3.Pose
	b.skeleton.pose(p, &bones)
	var duals [Joints]dual
	for j := range bones {
		duals[j] = dualOf(bones[j])
	}
	// blended by how much each bone holds the vertex
	for v := range out {
		g := &b.grip[v]
		w := g.weight[0]
		d := &duals[g.bone[0]]
		re := r3.Quat{W: w * d.re.W, X: w * d.re.X, Y: w * d.re.Y, Z: w * d.re.Z}
		du := r3.Quat{W: w * d.du.W, X: w * d.du.X, Y: w * d.du.Y, Z: w * d.du.Z}
		for k := 1; k < influences && g.weight[k] != 0; k++ {
			w, d := g.weight[k], &duals[g.bone[k]]
			re.W += w * d.re.W
			re.X += w * d.re.X
			re.Y += w * d.re.Y
			re.Z += w * d.re.Z
			du.W += w * d.du.W
			du.X += w * d.du.X
			du.Y += w * d.du.Y
			du.Z += w * d.du.Z
		}
		out[v] = moveBy(re, du, b.rest[v])
	}
}

// moveBy applies the dual quaternion re + ε du, made of unit length, to x.
func moveBy(re, du r3.Quat, x r3.Vec) r3.Vec {
	n2 := re.Dot(re)
	r, d := r3.V(re.X, re.Y, re.Z), r3.V(du.X, du.Y, du.Z)
	// x + 2 r × (r × x + w x) and 2 (w d - w' r + r × d), both over |re|².
	turned := r.Cross(r.Cross(x).AddScaled(re.W, x)).Scale(2 / n2)
	shift := d.Scale(re.W).AddScaled(-du.W, r).Add(r.Cross(d)).Scale(2 / n2)
	return x.Add(turned).Add(shift)
}

// ramp rises smoothly from 0 at x = lo to 1 at x = hi.
func ramp(x, lo, hi float64) float64 {
	u := max(0, min(1, (x-lo)/(hi-lo)))
	return u * u * (3 - 2*u)
}

// firstWeights returns the weights of a vertex before smoothing.
func (b *body) firstWeights(x r3.Vec) (w [Joints]float64) {
	best, at := math.Inf(1), 0
	for i := range b.field.parts {
		if d, _ := b.field.parts[i].distance(x); d < best {
			best, at = d, i
		}
	}
	s := &b.skeleton
	h := b.m.Height
	// chain shares the weight between bones along a line: from bone k to k+1 around the place of joint k+1.
	chain := func(along r3.Vec, bones []Joint, width []float64) {
		rest := 1.0
		for k := len(bones) - 1; k > 0; k-- {
			u := x.Sub(s.at[bones[k]]).Dot(along)
			up := rest * ramp(u, -width[k], width[k])
			w[bones[k]] += up
			rest -= up
		}
		w[bones[0]] += rest
	}
	switch bone := b.field.parts[at].bone; bone {
	case LeftShoulder, LeftElbow, LeftWrist:
		chain(b.arm, []Joint{LeftShoulder, LeftElbow, LeftWrist}, []float64{0, 0.042 * h, 0.018 * h})
	case RightShoulder, RightElbow, RightWrist:
		chain(mirrored(b.arm), []Joint{RightShoulder, RightElbow, RightWrist}, []float64{0, 0.042 * h, 0.018 * h})
	case LeftHip, LeftKnee, LeftAnkle:
		chain(b.leg, []Joint{LeftHip, LeftKnee, LeftAnkle}, []float64{0, 0.045 * h, 0.02 * h})
		b.shareGroin(x, &w)
	case RightHip, RightKnee, RightAnkle:
		chain(mirrored(b.leg), []Joint{RightHip, RightKnee, RightAnkle}, []float64{0, 0.045 * h, 0.02 * h})
		b.shareGroin(x, &w)
	case LeftClavicle, RightClavicle:
		w[bone] = 1
	default:
		chain(
			r3.V(0, 0, 1),
			[]Joint{Pelvis, Waist, Chest, Neck, Head},
			[]float64{0, 0.06 * h, 0.06 * h, 0.02 * h, 0.02 * h},
		)
		b.shareGroin(x, &w)
	}
	return w
}

// shareGroin divides the weight of pelvis and thighs along the groin, a plane through the hip joint that is higher in
// front and on the outside. Skin in front of the joint at a distance ρ is shortened by ρ times the angle when the hip
// bends: the zone in which it runs over must be that long, some 0.2 m, not to fold over itself.
func (b *body) shareGroin(x r3.Vec, w *[Joints]float64) {
	h := b.m.Height
	thigh := func(leg, joint r3.Vec, side float64) float64 {
		across := leg.Add(r3.V(0.5*side, -0.5, 0)).Unit()
		return ramp(x.Sub(joint).Dot(across), -0.05*h, 0.055*h)
	}
	half := ramp(x.X, -0.018*h, 0.018*h) // belongs to the left side
	left := half * thigh(b.leg, b.skeleton.at[LeftHip], 1)
	right := (1 - half) * thigh(mirrored(b.leg), b.skeleton.at[RightHip], -1)
	all := w[Pelvis] + w[LeftHip] + w[RightHip]
	w[LeftHip], w[RightHip], w[Pelvis] = left*all, right*all, (1-left-right)*all
}

// gripsOf returns what the vertices follow.
func (b *body) gripsOf(pos []r3.Vec, tri [][3]int32, edge float64) []grip {
	w := make([][Joints]float64, len(pos))
	for v, x := range pos {
		w[v] = b.firstWeights(x)
	}
	next := make([][Joints]float64, len(pos))
	around := neighbourLists(len(pos), tri)
	// Each round averages over a ring, which spreads a step by about an edge over √2; 0.022 of the height is what it
	// should spread in all.
	spread := 0.022 * b.m.Height / edge
	for range max(2, int(math.Round(2*spread*spread))) {
		for v := range w {
			sum := w[v]
			for _, u := range around[v] {
				for j := range sum {
					sum[j] += w[u][j]
				}
			}
			share := 1 / float64(len(around[v])+1)
			for j := range sum {
				sum[j] *= share
			}
			next[v] = sum
		}
		w, next = next, w
	}
	grips := make([]grip, len(pos))
	for v := range w {
		grips[v] = strongest(&w[v])
	}
	return grips
}

// strongest keeps the largest weights and makes them sum to 1. What the next one has is taken off all of them first, so
// that weights go to zero where a bone ceases to be among the strongest, instead of jumping.
func strongest(w *[Joints]float64) grip {
	var order [Joints]uint8
	for j := range order {
		order[j] = uint8(j)
	}
	slices.SortStableFunc(order[:], func(a, b uint8) int {
		switch {
		case w[a] > w[b]:
			return -1
		case w[a] < w[b]:
			return 1
		}
		return 0
	})
	least := max(w[order[influences]], 1e-3)
	var g grip
	sum := 0.0
	for k := range influences {
		g.bone[k] = order[k]
		g.weight[k] = max(0, w[order[k]]-least)
		sum += g.weight[k]
	}
	for k := range influences {
		g.weight[k] /= sum
	}
	return g
}

// neighbourLists returns the vertices joined to each by an edge, ascending.
func neighbourLists(n int, tri [][3]int32) [][]int32 {
	around := make([][]int32, n)
	for _, c := range tri {
		for k := range 3 {
			// Each edge of a closed mesh is met once in each direction.
			around[c[k]] = append(around[c[k]], c[(k+1)%3])
		}
	}
	for v := range around {
		slices.Sort(around[v])
	}
	return around
}
