package runfolder

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// A checkpoint file is, in little endian order:
//
//	offset  bytes
//	0       8      "TOILECKP"
//	8       4      version, 1
//	12      4      zero
//	16      32     digest of run.json
//	48      8      frame
//	56      8      substep
//	64      8      step
//	72      8      size of stats.csv
//	80      32     SHA-256 of stats.csv up to that size
//	112     16     hash of the state
//	128     8      n, size of the state
//	136     n      the state, as toile.Snapshot writes itself
//	136+n   32     SHA-256 of everything before
const (
	checkpointMagic   = "TOILECKP"
	checkpointVersion = 1
	checkpointHeader  = 136
)

// checkpointsKept is how many checkpoints stay in a folder: the one to go on from, and one more for
// the case that it turns out to be unreadable.
const checkpointsKept = 2

// Checkpoint is everything needed to go on bit for bit.
type Checkpoint struct {
	Run     string    // digest of the manifest, in hex
	Frame   int       // the last frame written
	Substep int       // steps of the schedule done since that frame
	Step    int       // steps taken by the world
	Stats   StatsMark // how far the statistics were
	Hash    [16]byte  // of the state
	State   []byte    // float64 state, as the world writes it
}

// StatsMark is a place in stats.csv and what leads up to it.
type StatsMark struct {
	Size int64 // [byte]
	Sum  [sha256.Size]byte
}

// appendHeader appends all of the file that comes before the state.
func (c *Checkpoint) appendHeader(b []byte) ([]byte, error) {
	run, err := hex.DecodeString(c.Run)
	if err != nil || len(run) != sha256.Size {
		return nil, fmt.Errorf("checkpoint: %q is not the digest of a manifest", c.Run)
	}
	le := binary.LittleEndian
	b = append(b, checkpointMagic...)
	b = le.AppendUint32(b, checkpointVersion)
	b = le.AppendUint32(b, 0)
	b = append(b, run...)
	b = le.AppendUint64(b, uint64(c.Frame))
	b = le.AppendUint64(b, uint64(c.Substep))
	b = le.AppendUint64(b, uint64(c.Step))
	b = le.AppendUint64(b, uint64(c.Stats.Size))
	b = append(b, c.Stats.Sum[:]...)
	b = append(b, c.Hash[:]...)
	return le.AppendUint64(b, uint64(len(c.State))), nil
}

// AppendBinary appends the checkpoint as it is kept in a file.
func (c *Checkpoint) AppendBinary(b []byte) ([]byte, error) {
	start := len(b)
	b, err := c.appendHeader(b)
	if err != nil {
		return nil, err
	}
	b = append(b, c.State...)
	sum := sha256.Sum256(b[start:])
	return append(b, sum[:]...), nil
}

// UnmarshalBinary reads what AppendBinary wrote and accepts nothing else. State is kept as a part of
// data. Whether the state itself makes sense is for the world to say.
func (c *Checkpoint) UnmarshalBinary(data []byte) error {
	const least = checkpointHeader + sha256.Size
	// size and first bytes
	if len(data) < least {
		return fmt.Errorf("it has %d bytes, and even an empty one has %d", len(data), least)
	}
	if string(data[:8]) != checkpointMagic {
		return fmt.Errorf("it does not begin with %q", checkpointMagic)
	}
	// announced size and checksum
	le := binary.LittleEndian
	if n := le.Uint64(data[128:]); n != uint64(len(data)-least) {
		return fmt.Errorf("it announces %d bytes of state and has %d", n, len(data)-least)
	}
	body := data[:len(data)-sha256.Size]
	if sum := sha256.Sum256(body); string(sum[:]) != string(data[len(body):]) {
		return fmt.Errorf("its bytes do not give the checksum it carries")
	}
	// version
	if v := le.Uint32(data[8:]); v != checkpointVersion {
		return fmt.Errorf("it has version %d, and this program reads version %d", v, checkpointVersion)
	}
	// frame, substep, step and size of the statistics
	var counts [4]int
	for i := range counts {
		u := le.Uint64(data[48+8*i:])
		if u > 1<<62 {
			return fmt.Errorf("its counts are out of range")
		}
		counts[i] = int(u)
	}
	*c = Checkpoint{
		Run:   hex.EncodeToString(data[16:48]),
		Frame: counts[0], Substep: counts[1], Step: counts[2],
		Stats: StatsMark{Size: int64(counts[3]), Sum: [sha256.Size]byte(data[80:112])},
		Hash:  [16]byte(data[112:128]),
		State: body[checkpointHeader:],
	}
	return nil
}

// ReadCheckpoint reads a checkpoint and checks that it is what was written.
func ReadCheckpoint(path string) (*Checkpoint, error) {
	data, _, err := readWhole(path, maxState)
	if err != nil {
		return nil, err
	}
	c := new(Checkpoint)
	if err := c.UnmarshalBinary(data); err != nil {
		return nil, damaged(path, "%v", err)
	}
	return c, nil
}
