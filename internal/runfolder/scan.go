package runfolder

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// statsLine is the longest line of stats.csv [byte].
const statsLine = 1 << 16

// scanStats reads stats.csv line by line: begin gets the columns, row every complete line and its cells, valid until it
// returns. It returns the number of rows.
func (f *Folder) scanStats(
	begin func(columns []string) error,
	row func(line []byte, cells []float64) error,
) (rows int, err error) {
	path := f.StatsPath()
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	in := bufio.NewReaderSize(file, statsLine)
	header, err := in.ReadSlice('\n')
	if err != nil {
		return 0, fmt.Errorf("%s has no header yet; wait for the first step", path)
	}
	columns := strings.Split(string(bytes.TrimSuffix(header, []byte{'\n'})), ",")
	if err := begin(columns); err != nil {
		return 0, err
	}
	cells := make([]float64, len(columns))
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF): // and what is left is being written
			return rows, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return rows, fmt.Errorf("%s:%d: longer than %d bytes", path, rows+2, statsLine)
		case err != nil:
			return rows, err
		}
		line = line[:len(line)-1]
		if err := parseStep(path, rows, line, columns, cells); err != nil {
			return rows, err
		}
		if err := row(line, cells); err != nil {
			return rows, fmt.Errorf("%s:%d: %w", path, rows+2, err)
		}
		rows++
	}
}
