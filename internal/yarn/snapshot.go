package yarn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"math"
)

// A snapshot is everything that a step depends on besides what the world was built with, one thing after the other in
// little-endian numbers, after the fingerprint of the world that it fits.

const snapshotMark = "toile yarn 1\n"

// head is what a snapshot has of single numbers.
type head struct {
	Time, LastStep float64
	Pace           float64
	Steps          int64
	Ramp           [2]float64 // start and duration
	Framed         bool
}

// fingerprint tells worlds apart that snapshots do not fit.
func (w *World) fingerprint() []byte {
	h := sha256.New()
	put := func(v any) { _ = binary.Write(h, binary.LittleEndian, v) } // a hash never fails
	for _, s := range w.lay.spans {
		put([]int64{int64(s.first), int64(s.end)})
		put(s.closed)
	}
	put(w.rest)
	put(w.inverse)
	put(w.blocks)
	put(w.opt.Material)
	put(w.opt.Gravity)
	put(w.opt.Strain)
	put(int64(w.opt.Points))
	for _, b := range w.balls.spec {
		put([]float64{b.Radius, b.Mass, b.Friction})
	}
	for _, g := range w.glues {
		put([]int64{int64(g.a), int64(g.b)})
		put(g.rest)
	}
	return h.Sum(nil)
}

// parts lists what follows the head, to be written or read.
func (w *World) parts() []any {
	return []any{w.x, w.v, w.applied, w.ramp.from, w.ramp.to, w.rods.director, w.rods.twist, w.rods.shape, w.rods.seam, w.rods.turned, w.balls.now}
}

// Snapshot returns everything needed to go on bit for bit. It fits the world it was taken from and any that was built
// the same way.
func (w *World) Snapshot() []byte {
	if !w.ready {
		w.begin()
	}
	b := append([]byte(snapshotMark), w.fingerprint()...)
	b = put(b, head{w.time, w.last, w.pace, int64(w.steps), [2]float64{w.ramp.start, w.ramp.duration}, w.rods.framed})
	for _, p := range w.parts() {
		b = put(b, p)
	}
	if w.contacts != nil {
		b = append(b, w.contacts.state()...)
	}
	return seal(b)
}

var checksums = crc64.MakeTable(crc64.ECMA)

const checksumBytes = 8

// seal appends a checksum.
func seal(b []byte) []byte { return binary.LittleEndian.AppendUint64(b, crc64.Checksum(b, checksums)) }

// unseal returns what seal was given, if it is still that.
func unseal(b []byte) ([]byte, bool) {
	n := len(b) - checksumBytes
	if n < 0 || binary.LittleEndian.Uint64(b[n:]) != crc64.Checksum(b[:n], checksums) {
		return nil, false
	}
	return b[:n], true
}

func put(b []byte, v any) []byte {
	b, err := binary.Append(b, binary.LittleEndian, v)
	if err != nil {
		panic(err) // only types of fixed size are put
	}
	return b
}

// errSnapshot is what is wrong with bytes that are no snapshot.
var errSnapshot = errors.New("this is no snapshot of yarns, or a damaged one")

// Restore sets the world to a snapshot, or fails and changes nothing. Tensions and forces are known again after a step.
func (w *World) Restore(b []byte) error {
	if !w.ready {
		w.begin()
	}
	b, ok := unseal(b)
	if !ok {
		return errSnapshot
	}
	b, ok = bytes.CutPrefix(b, []byte(snapshotMark))
	if !ok || len(b) < sha256.Size {
		return errSnapshot
	}
	if !bytes.Equal(b[:sha256.Size], w.fingerprint()) {
		return errors.New("this is a snapshot of other yarns")
	}
	before := w.Snapshot()
	skip := len(snapshotMark) + sha256.Size
	if err := w.take(b[sha256.Size:]); err != nil {
		_ = w.take(before[skip : len(before)-checksumBytes]) // its own
		return err
	}
	return nil
}

// take sets the world to what follows the fingerprint in a snapshot. If that fails, the state is neither one nor the
// other.
func (w *World) take(b []byte) error {
	var h head
	size := binary.Size(h)
	for _, p := range w.parts() {
		size += binary.Size(p)
	}
	if len(b) < size || w.contacts == nil && len(b) > size {
		return fmt.Errorf("%w: it has %d bytes where %d are needed", errSnapshot, len(b), size)
	}
	if w.contacts != nil {
		if err := w.contacts.setState(b[size:]); err != nil {
			return err
		}
	}
	n, _ := binary.Decode(b, binary.LittleEndian, &h) // it is long enough
	if !bytes.Equal(put(nil, h), b[:n]) || !finite(b[n:size]) {
		return errSnapshot
	}
	b = b[n:]
	for _, p := range w.parts() {
		n, _ := binary.Decode(b, binary.LittleEndian, p)
		b = b[n:]
	}
	w.time, w.last, w.pace, w.steps, w.stats = h.Time, h.LastStep, h.Pace, int(h.Steps), Stats{}
	w.ramp.start, w.ramp.duration = h.Ramp[0], h.Ramp[1]
	w.rods.framed = h.Framed
	if !w.sound() {
		return errSnapshot
	}
	w.resume()
	return nil
}

// sound reports whether the state is one that steps can lead to, as far as numbers go.
func (w *World) sound() bool {
	for _, x := range []float64{w.time, w.last, w.pace, float64(w.steps), w.ramp.duration} {
		if !(x >= 0) || math.IsInf(x, 1) {
			return false
		}
	}
	if math.IsNaN(w.ramp.start) {
		return false
	}
	for i := range w.x {
		if !w.lay.hasSegment(i) {
			continue
		}
		for _, rest := range [2]float64{w.ramp.from[i], w.ramp.to[i]} {
			if !(rest > 0) || math.IsInf(rest, 1) {
				return false
			}
		}
	}
	return !w.tooLong(w.x)
}

// finite reports whether the numbers of all parts, which are float64 alone, are finite.
func finite(parts []byte) bool {
	for ; len(parts) > 0; parts = parts[8:] {
		if x := math.Float64frombits(binary.LittleEndian.Uint64(parts)); x-x != 0 {
			return false
		}
	}
	return true
}

// resume makes everything anew that follows from the state.
func (w *World) resume() {
	w.ramp.set(w.lay.rest, w.time)
	w.rods.measure(w.team, w.x)
	for k := range w.holds {
		if m := w.holds[k].motion; m != nil {
			w.holds[k].pose = m.At(w.time)
		}
	}
	clear(w.touches.clearance)
	for i, o := range w.balls.object {
		w.touches.objects[o].pose = w.balls.now[i].Pose
	}
	for _, k := range w.touches.objects {
		clear(k.clearance)
		if !k.ball {
			k.pose = k.at(w.time)
		}
		if k.spec.Deform != nil {
			// It was there before, so it can be again.
			_ = k.spec.Deform.At(w.time, k.x)
			k.mesh.Rebuild(k.x)
		}
	}
}

// Hash returns a fingerprint of the state: equal for equal bits.
func (w *World) Hash() [16]byte { return HashOf(w.Snapshot()) }

// HashOf returns the fingerprint of the state that a snapshot holds.
func HashOf(snapshot []byte) [16]byte {
	sum := sha256.Sum256(snapshot)
	return [16]byte(sum[:16])
}
