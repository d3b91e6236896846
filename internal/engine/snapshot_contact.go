package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/r3"
)

// pairsWithFriction lists the pairs whose friction is not that of the options.
func (w *World) pairsWithFriction() []pairFriction {
	var out []pairFriction
	changes := w.driven(DefaultFriction()) || w.rubs()
	for b := range SurfaceID(len(w.surfaces)) {
		row := w.friction[pairOf(0, b):]
		for a, mu := range row[:b+1] {
			if !math.IsNaN(mu) && (changes || mu != w.opt.Contact.Friction) {
				out = append(out, pairFriction{SurfaceID(a), b, mu})
			}
		}
	}
	return out
}

// restoreFriction gives the pairs their friction, and all others that of the options.
func (w *World) restoreFriction(pairs []pairFriction) {
	for i := range w.friction {
		w.friction[i] = math.NaN()
	}
	for _, p := range pairs {
		w.friction[pairOf(p.a, p.b)] = p.mu
	}
}

// state returns a copy of the contacts.
func (t *solvedContacts) state() []contactState {
	var out []contactState
	for i := range t.set.Contacts {
		c := contactState{
			t.set.Contacts[i],
			nil,
			t.answer.R[i],
			t.answer.U[i],
			t.answer.State[i],
			t.answer.Infeasible[i],
		}
		if !t.set.Nodal(i) {
			c.row = append(c.row, t.set.Row(i)...)
		}
		out = append(out, c)
	}
	return out
}

// restore sets the contacts of a world with so many blocks and surfaces.
func (t *solvedContacts) restore(s *Snapshot, blocks, surfaces int) error {
	t.h = s.lastStep
	t.answer.Resize(blocks, len(s.contacts))
	t.answer.Unsettled = s.unsettled
	for i, c := range s.contacts {
		if c.A < 0 || int(c.A) >= blocks || int(c.B) >= blocks || int(c.ID.A.Surface) >= surfaces ||
			int(c.ID.B.Surface) >= surfaces {
			return fmt.Errorf("contact %d is one of vertices or surfaces that do not exist", i)
		}
		if c.row == nil {
			t.set.Add(c.Contact)
		} else {
			t.set.AddRow(c.Contact, c.row...)
		}
		t.answer.R[i], t.answer.U[i], t.answer.State[i], t.answer.Infeasible[i] = c.impulse, c.slip, c.state, c.infeasible
	}
	if err := t.set.Validate(blocks); err != nil {
		return err
	}
	if !(t.h > 0) && len(s.contacts) > 0 {
		return errors.New("contacts of a step without length")
	}
	return nil
}

// restoreBodies restores the bodies that are no cloths, and the obstacles. It fails, changing nothing, if one of them
// cannot be where it was.
func (w *World) restoreBodies(s *Snapshot) error {
	was, acted := make([][]byte, len(w.others)), w.actionStates()
	for i, at := range w.others {
		was[i] = w.bodies[at].State()
	}
	err := func() error {
		for i, state := range s.bodies {
			if err := w.bodies[w.others[i]].SetState(state); err != nil {
				return fmt.Errorf("snapshot is damaged: %w", err)
			}
			if err := w.setActions(&w.bodies[w.others[i]], &s.actions[i]); err != nil {
				return fmt.Errorf("body %q: %w", w.surfaces[w.bodies[w.others[i]].surface], err)
			}
		}
		return w.restoreObstacles(s)
	}()
	if err != nil {
		for i, at := range w.others {
			_ = w.bodies[at].SetState(was[i]) // its own
			_ = w.setActions(&w.bodies[at], &acted[i])
		}
	}
	return err
}

// restoreObstacles fails, changing nothing, if an obstacle cannot be where it was.
func (w *World) restoreObstacles(s *Snapshot) error {
	shapes := make([][]r3.Vec, len(w.obstacles))
	for i, o := range s.obstacles {
		k := &w.obstacles[i]
		if o.onPath && k.path == nil {
			return fmt.Errorf("snapshot does not fit this world: obstacle %q has no path", k.spec.Name)
		}
		if k.x == nil {
			continue
		}
		shapes[i] = make([]r3.Vec, len(k.x))
		if err := k.shapeAt(s.time, k.place(o.pose), shapes[i]); err != nil {
			return fmt.Errorf("obstacle %q: %w", k.spec.Name, err)
		}
	}
	for i, o := range s.obstacles {
		k := &w.obstacles[i]
		k.pose, k.target, k.next, k.onPath = o.pose, o.target, o.pose, o.onPath
		copy(k.x, shapes[i])
		if k.on != nil {
			k.on.Frame(k.pose, k.pose)
		}
	}
	return nil
}

// rowForm is how the row of a contact is written.
type rowForm int

const (
	// weighted is by weights, which multiply the frame that belongs to the normal; none if the row is that of its
	// blocks.
	weighted rowForm = iota
	// anyRow is by the frame and the matrix of each block.
	anyRow
)

// form returns the shortest form that holds the row.
func (c *contactState) form() rowForm {
	if c.Frame != contact.FrameOf(c.Normal()) {
		return anyRow
	}
	for i := range c.row {
		if c.row[i].M != c.Frame.Scale(c.row[i].W) {
			return anyRow
		}
	}
	return weighted
}

func appendMat(b []byte, m *r3.Mat) []byte {
	return appendFloats(b, m.XX, m.XY, m.XZ, m.YX, m.YY, m.YZ, m.ZX, m.ZY, m.ZZ)
}

func (c *contactState) append(b []byte) []byte {
	for _, f := range [2]contact.Feature{c.ID.A, c.ID.B} {
		b = appendInts(b, int(f.Surface), int(f.Kind), int(f.ID))
	}
	form := c.form()
	b = appendInts(b, int(c.A)+1, int(c.B)+1, int(c.state), bit(c.infeasible), int(c.Law), int(form), len(c.row))
	for i := range c.row {
		b = appendFloats(appendInts(b, int(c.row[i].Block)), c.row[i].W)
		if form == anyRow {
			b = appendMat(b, &c.row[i].M)
		}
	}
	b = appendFloats(b, c.Mu, c.Gap, c.Push)
	if form == anyRow {
		b = appendMat(b, &c.Frame)
	} else {
		b = appendVecs(b, c.Normal())
	}
	return appendVecs(b, c.Point, c.Uf, c.impulse, c.slip)
}

func (s *Snapshot) appendContacts(b []byte) []byte {
	b = appendInts(b, len(s.obstacles))
	for _, o := range s.obstacles {
		b = appendPose(appendPose(b, o.pose), o.target)
		b = appendInts(b, bit(o.onPath))
	}
	b = appendInts(b, len(s.bodies))
	for _, state := range s.bodies {
		b = append(appendInts(b, len(state)), state...)
	}
	b = appendFloats(b, s.lastStep)
	b = appendInts(b, len(s.contacts))
	for i := range s.contacts {
		b = s.contacts[i].append(b)
	}
	b = appendInts(b, len(s.friction))
	for _, p := range s.friction {
		b = appendFloats(appendInts(b, int(p.a), int(p.b)), p.mu)
	}
	return b
}

const (
	obstacleSize = 2*56 + 8
	contactSize  = 11*8 + 3*8 + 5*24 // at least, without its row
	termSize     = 2 * 8             // at least
	frictionSize = 3 * 8
)

func (s *Snapshot) readContacts(d *decoder) {
	for range d.count(len(d.data) / obstacleSize) {
		s.obstacles = append(
			s.obstacles,
			obstacleState{pose: d.pose(), target: d.pose(), onPath: d.count(1) == 1},
		)
	}
	for range d.count(len(d.data) / 8) {
		s.bodies = append(s.bodies, slices.Clone(d.take(d.count(len(d.data)))))
	}
	s.lastStep = d.float()
	for range d.count(len(d.data) / contactSize) {
		s.contacts = append(s.contacts, d.contact())
	}
	for range d.count(len(d.data) / frictionSize) {
		s.friction = append(
			s.friction,
			pairFriction{SurfaceID(d.count(math.MaxInt32)), SurfaceID(d.count(math.MaxInt32)), d.float()},
		)
	}
}

func (d *decoder) mat() r3.Mat { return r3.Rows(d.vec(), d.vec(), d.vec()) }

func (d *decoder) contact() (c contactState) {
	// the features that touch, and their blocks
	for _, f := range [2]*contact.Feature{&c.ID.A, &c.ID.B} {
		f.Surface = int32(d.count(math.MaxInt32))
		f.Kind = contact.Kind(d.count(int(contact.Whole)))
		f.ID = int64(d.count(math.MaxInt64))
	}
	c.A, c.B = int32(d.count(math.MaxInt32))-1, int32(d.count(math.MaxInt32))-1
	// its state and its law
	c.state, c.infeasible = ContactState(d.count(int(Slide))), d.count(1) == 1
	c.Law = contact.Law(d.count(int(contact.Bilateral)))
	// its row: weights, with matrices where these do not follow from the normal
	form := rowForm(d.count(int(anyRow)))
	for range d.count(len(d.data) / termSize) {
		t := contact.Term{Block: int32(d.count(math.MaxInt32)), W: d.float()}
		if form == anyRow {
			t.M = d.mat()
		}
		c.row = append(c.row, t)
	}
	// friction, gap and frame
	c.Mu, c.Gap, c.Push = d.float(), d.float(), d.float()
	if form == anyRow {
		c.Frame = d.mat()
	} else {
		c.Frame = contact.FrameOf(d.vec())
		for i := range c.row {
			c.row[i].M = c.Frame.Scale(c.row[i].W)
		}
	}
	// where it is, and what was solved
	c.Point, c.Uf, c.impulse, c.slip = d.vec(), d.vec(), d.vec(), d.vec()
	return c
}
