package meshio

import (
	"io"

	"github.com/toile-sim/toile/internal/format/bcc"
)

// ReadBCC reads curves. UpByFormat takes the upward axis from the file; of the other options Unit and MaxBytes are
// used.
func ReadBCC(r io.Reader, opt ReadOptions) (*Curves, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	data, err := readAll(r, 0, opt.MaxBytes)
	if err != nil {
		return nil, err
	}
	return bcc.Read(data, opt.Up != UpByFormat, frameOf(false, opt.Up, opt.Unit))
}

// WriteBCC writes curves, in single precision, with as much of their name as a BCC file takes. UpByFormat is z; of the
// other options Unit is used. The same curves and options give the same bytes.
func WriteBCC(w io.Writer, c *Curves, opt WriteOptions) error {
	if err := opt.Validate(); err != nil {
		return err
	}
	if err := c.Validate(); err != nil {
		return err
	}
	data, err := bcc.Bytes(c, frameOf(false, opt.Up, opt.Unit))
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
