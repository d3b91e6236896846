package contact

import "slices"

// What a press holds against something else is not pushed out. A press cannot tilt, so the tightest place alone would
// carry its whole force, and the rest would be free to slip: to lift a press by a tenth of a micrometre a step means to
// let go. Gaps of a gripped node disagree by more than a rounding where the node stands for a point beside it, such as
// of an edge that bends over the rim of a plate.

const (
	// forgiven is the violation of the thickness, in thicknesses, up to which a gripped node is not pushed out.
	forgiven = 1 - danger
	// gripped is the cosine of the angle beyond which two normals hold a node between them.
	gripped = -0.9
)

// forgive takes back the push-out of gripped nodes.
func (f *Finder) forgive(set *Set) {
	if !slices.ContainsFunc(f.solids, func(t *target) bool { return f.skins[t.obstacle].Block != None }) {
		return
	}
	c := &f.coverer
	c.clear(len(f.motion.X0))
	for i := range set.Contacts {
		k := &set.Contacts[i]
		c.hold(k.A, k.B, k.Normal(), 1)
		if k.B != None {
			c.hold(k.B, k.A, k.Normal().Neg(), 1)
		}
	}
	for i := range set.Contacts {
		k := &set.Contacts[i]
		if k.Push > 0 && k.Gap > (1-forgiven)*f.thicknessOf(set.Row(i)) && f.between(k) {
			k.Uf.X += k.Push / f.motion.Theta
			k.Push = 0
		}
	}
}

// isPress reports whether a block moves an obstacle.
func (f *Finder) isPress(block int32) bool {
	return block != None && slices.ContainsFunc(f.solids, func(t *target) bool { return f.skins[t.obstacle].Block == block })
}

// between reports whether a contact and another one on the opposite side of its node hold that node, one of them as a
// press.
func (f *Finder) between(k *Contact) bool {
	n := k.Normal()
	for i := f.coverer.head[k.A]; i >= 0; i = f.coverer.holds[i].next {
		if h := &f.coverer.holds[i]; h.direction.Dot(n) < gripped && (f.isPress(h.other) || f.isPress(k.B)) {
			return true
		}
	}
	if k.B == None || f.isPress(k.B) {
		return false
	}
	for i := f.coverer.head[k.B]; i >= 0; i = f.coverer.holds[i].next {
		if h := &f.coverer.holds[i]; h.direction.Dot(n) > -gripped && f.isPress(h.other) {
			return true
		}
	}
	return false
}
