package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/farm/store"
	"github.com/toile-sim/toile/internal/sweep"
)

func newFetchCommand(c *connection) *cobra.Command {
	var out string
	var table bool
	cmd := &cobra.Command{
		Use:   "fetch SWEEP -o FOLDER",
		Short: "Bring what a sweep has so far: its runs and its table",
		Long: `Bring what a sweep has so far: runs into folders, and table, pictures and report as
toile sweep makes them; the tables have the same bytes. Every file is verified by its
hash. Folders that are here already are not fetched again.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("fetch needs -o FOLDER")
			}
			kept, err := c.openStore(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { _ = kept.Close() }()
			return fetch(cmd.Context(), kept, args[0], out, table)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "`folder` for what is fetched (needed)")
	cmd.Flags().BoolVar(&table, "table", false, "only the tables, without pictures and report: run folders are removed again")
	return cmd
}

// fetching is how many runs are fetched at a time.
const fetching = 8

func fetch(ctx context.Context, kept *store.Store, id, out string, tableOnly bool) error {
	record, err := kept.Sweep(ctx, id)
	if err != nil {
		return err
	}
	input := filepath.Join(out, "input")
	for _, f := range record.Files {
		if err := kept.GetFile(ctx, f, input); err != nil {
			return err
		}
	}
	s, err := sweep.Load(filepath.Join(input, record.Main))
	if err != nil {
		return err
	}
	s.Build = record.Build
	s.Keys = func(runs [][]string) ([]string, error) { return keptKeys(ctx, kept, record, len(runs)) }
	runs, err := s.Runs()
	if err != nil {
		return err
	}
	rows := make([]sweep.Row, len(runs))
	errs := make([]error, fetching)
	var group sync.WaitGroup
	for worker := range fetching {
		group.Go(func() {
			for i := worker; i < len(runs) && errs[worker] == nil; i += fetching {
				if runs[i].Same == i {
					rows[i], errs[worker] = fetchRun(ctx, kept, s, runs[i], filepath.Join(out, "runs"), tableOnly)
				}
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i := range rows {
		if same := runs[i].Same; same != i {
			rows[i] = rows[same]
			rows[i].Run = runs[i]
		}
	}
	if tableOnly { // pictures and the report need the runs
		return errors.Join(
			writeTable(filepath.Join(out, sweep.CSVName), rows, s.WriteCSV),
			writeTable(filepath.Join(out, sweep.ParquetName), rows, s.WriteParquet),
		)
	}
	written, err := s.WriteResults(out, rows, sweep.ResultOptions{})
	for _, path := range written {
		fmt.Println(path)
	}
	return err
}

// keptKeys returns the keys of all runs of a sweep, as they were submitted: the program that plays them said them, and
// need not be here.
func keptKeys(ctx context.Context, kept *store.Store, record *store.Sweep, runs int) ([]string, error) {
	keys := make([]string, runs)
	for batch := range record.Batches {
		entries, err := kept.Batch(ctx, record.ID, batch)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			for _, i := range append([]int{e.Index}, e.Same...) {
				if i < 0 || i >= runs {
					return nil, fmt.Errorf("batch %d of sweep %s: %w: there is no run %d", batch, record.ID, store.ErrPoisoned, i)
				}
				keys[i] = e.Key
			}
		}
	}
	if i := slices.Index(keys, ""); i >= 0 {
		return nil, fmt.Errorf("sweep %s does not say the key of run %d: an older toile-farm submitted it; submit it again", record.ID, i)
	}
	return keys, nil
}

// fetchRun brings one run, and returns its row.
func fetchRun(ctx context.Context, kept *store.Store, s *sweep.Sweep, r sweep.Run, parent string, remove bool) (sweep.Row, error) {
	folder := filepath.Join(parent, r.FolderName())
	if remove {
		defer func() { _ = os.RemoveAll(folder) }()
	}
	if row, err := s.Outcome(r, folder); err == nil {
		return row, nil // it is here
	}
	m, _, err := kept.Run(ctx, r.Key)
	if errors.Is(err, store.ErrNotFound) {
		_, err := kept.Failure(ctx, r.Key)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return s.Unfinished(r, sweep.Missing), nil
		case err != nil:
			return sweep.Row{}, err
		}
		return s.Unfinished(r, sweep.Failed), nil
	}
	if err != nil {
		return sweep.Row{}, err
	}
	for _, f := range m.Files {
		if err := kept.GetFile(ctx, f, folder); err != nil {
			return sweep.Row{}, fmt.Errorf("run %d: %w", r.Index, err)
		}
	}
	return s.Outcome(r, folder)
}

func writeTable(path string, rows []sweep.Row, write func(io.Writer, []sweep.Row) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f, rows), f.Close())
}
