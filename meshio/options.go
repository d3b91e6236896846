package meshio

import (
	"fmt"
	"math"

	"github.com/toile-sim/toile/internal/format/model"
)

// Axis says which way is up in a file.
type Axis uint8

// The axes a file can have upwards.
const (
	UpByFormat Axis = iota // Y in glTF, as its standard says; Z in OBJ and PLY
	UpZ                    // as in memory
	UpY                    // (x, y, z) in memory is (x, z, -y) in the file
)

// defaultMaxBytes is the largest input read unless ReadOptions say otherwise [byte].
const defaultMaxBytes = 1 << 31

// ReadOptions say how to understand a file.
type ReadOptions struct {
	// Up is the file's upward axis.
	Up Axis
	// Unit is the length of one file unit [m], positive. The default 1 is the standard of glTF
	// and the habit of Blender; 0.001 reads millimetres.
	Unit float64
	// Weld joins vertices at exactly the same position, in glTF only those of the same node.
	// Exporters split vertices at texture seams and hard edges, which would tear a cloth. Off
	// by default, as it also closes cuts that are meant.
	Weld bool
	// MaxBytes is the largest input accepted [byte], positive.
	MaxBytes int64
}

// DefaultReadOptions returns the format's own axis, metres, no welding, defaultMaxBytes.
func DefaultReadOptions() ReadOptions { return ReadOptions{Unit: 1, MaxBytes: defaultMaxBytes} }

// Validate lists everything wrong with the options.
func (o *ReadOptions) Validate() error {
	faults := frameFaults(o.Up, o.Unit)
	if o.MaxBytes <= 0 {
		faults = append(faults, fmt.Sprintf("MaxBytes is %d, it must be positive", o.MaxBytes))
	}
	return model.JoinFaults("read options", faults)
}

// WriteOptions say how to write a file.
type WriteOptions struct {
	// Up is the file's upward axis.
	Up Axis
	// Unit is the length of one file unit [m], positive; see ReadOptions.
	Unit float64
	// Precise writes PLY positions, normals and UVs as double instead of float. OBJ is exact unless
	// Short, GLB always float.
	Precise bool
	// Short writes OBJ numbers with the digits of single precision, in about half the room. For
	// positions that were read from single precision nothing is lost.
	Short bool
}

// DefaultWriteOptions returns the format's own axis, metres, single precision.
func DefaultWriteOptions() WriteOptions { return WriteOptions{Unit: 1} }

// Validate lists everything wrong with the options.
func (o *WriteOptions) Validate() error {
	return model.JoinFaults("write options", frameFaults(o.Up, o.Unit))
}

func frameFaults(up Axis, unit float64) []string {
	var faults []string
	if up > UpY {
		faults = append(faults, fmt.Sprintf("Up is %d, it must be UpByFormat, UpZ or UpY", up))
	}
	if !(unit > 0) || math.IsInf(unit, 1) {
		faults = append(faults, fmt.Sprintf("Unit is %v, it must be a positive length in metres", unit))
	}
	return faults
}

// frameOf returns the frame of a file in whose format y is up unless the options say otherwise, or z.
func frameOf(yUp bool, up Axis, unit float64) model.Frame {
	return model.Frame{YUp: up == UpY || up == UpByFormat && yUp, Unit: unit}
}
