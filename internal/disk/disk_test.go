package disk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWriteFileIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	put := func(text string, fail error) error {
		return WriteFile(path, func(w io.Writer) error {
			if _, err := io.WriteString(w, text); err != nil {
				return err
			}
			return fail
		})
	}
	if err := put("first", nil); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if err := put("second", broken); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	data, err := os.ReadFile(path)
	if err != nil || string(data) != "first" {
		t.Errorf("after a failed write the file is %q, %v", data, err)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
	if err := WriteFile(
		filepath.Join(dir, "no", "such", "folder"),
		func(io.Writer) error { return nil },
	); !errors.Is(
		err,
		os.ErrNotExist,
	) {
		t.Errorf("error %v, want %v", err, os.ErrNotExist)
	}
}

func ExampleWriteFile() {
	dir, err := os.MkdirTemp("", "disk")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "note.txt")
	err = WriteFile(path, func(w io.Writer) error { _, err := fmt.Fprintln(w, "whole"); return err })
	data, _ := os.ReadFile(path)
	fmt.Printf("%s%v\n", data, err)
	// Output:
	// whole
	// <nil>
}

// What a killed process left half written is taken over by the next that writes the same file; what somebody is writing
// is left alone.
func TestTempOfAKilledProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it stays there")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(filepath.Join(dir, ".a.txt"+TempExt), []byte("half of something long"), 0o600); err != nil {
		t.Fatal(err)
	}
	put := func(text string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
	}
	err := WriteFile(path, func(w io.Writer) error {
		if err := put("outer")(w); err != nil {
			return err
		}
		return WriteFile(path, put("inner")) // as another process would meanwhile
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || string(data) != "outer" {
		t.Errorf("the file is %q, %v", data, err)
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
}
