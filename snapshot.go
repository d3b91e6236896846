package toile

import (
	"encoding/hex"

	"github.com/toile-sim/toile/internal/engine"
)

// Snapshot is the state of a world at one moment, with what acts on its bodies: forces, holds, guides and friction that
// a program has set. A world to which the same was added in the same order goes on from it to the same bits. It is not
// changed by later steps.
type Snapshot struct{ s engine.Snapshot }

// Hash is that of a state: equal hashes mean the same positions, velocities, contacts and poses, bit by bit. What acts
// on rigid bodies is not in it.
type Hash [16]byte

// String returns the hash in hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Snapshot returns the state.
func (w *World) Snapshot() *Snapshot { return &Snapshot{*w.e.Snapshot()} }

// Restore goes back to a state, or on to one of a world to which the same was added. It fails, and leaves the world as
// it is, if the snapshot is of another world. A snapshot that was read from bytes knows that a body is led, but not by
// which guide: it keeps the one that it has, and Restore fails if it has none.
func (w *World) Restore(s *Snapshot) error { return w.e.Restore(&s.s) }

// Time returns the simulated time of the state [s].
func (s *Snapshot) Time() float64 { return s.s.Time() }

// Steps returns the number of steps that led to it.
func (s *Snapshot) Steps() int { return s.s.Steps() }

// Hash returns the hash of the state.
func (s *Snapshot) Hash() Hash { return Hash(s.s.Hash()) }

// MarshalBinary implements encoding.BinaryMarshaler.
func (s *Snapshot) MarshalBinary() ([]byte, error) { return s.s.MarshalBinary() }

// UnmarshalBinary implements encoding.BinaryUnmarshaler.
func (s *Snapshot) UnmarshalBinary(data []byte) error { return s.s.UnmarshalBinary(data) }
