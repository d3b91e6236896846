package sweep

import (
	"io"
	"path/filepath"
	"time"

	"github.com/toile-sim/toile/internal/disk"
)

// The names of what is made of a sweep, in its folder.
const (
	CSVName     = "table.csv"
	ParquetName = "table.parquet"
	SheetName   = "sheet.png"
	ReportName  = "report.html"
)

// ResultOptions say how the results are made. The zero value is valid.
type ResultOptions struct {
	Children int           // runs at a time, for the record
	Took     time.Duration // on the wall, for the record
}

// WriteResults writes the table, a sheet of pictures and the report of a sweep into its folder, and returns where they
// are. Tables are the same bit for bit whenever they are made and by whom.
func (s *Sweep) WriteResults(dir string, rows []Row, opt ResultOptions) ([]string, error) {
	var written []string
	put := func(name string, write func(io.Writer) error) error {
		path := filepath.Join(dir, name)
		if err := disk.WriteFile(path, write); err != nil {
			return err
		}
		written = append(written, path)
		return nil
	}
	if err := put(CSVName, func(w io.Writer) error { return s.WriteCSV(w, rows) }); err != nil {
		return written, err
	}
	if err := put(ParquetName, func(w io.Writer) error { return s.WriteParquet(w, rows) }); err != nil {
		return written, err
	}
	return written, nil
}
