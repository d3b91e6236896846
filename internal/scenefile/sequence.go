package scenefile

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path"
	"strings"
)

// numbered puts a number into the place of the # in the last part of a pattern. The pattern has one group of them.
func numbered(pattern string, n int) (name string, ok bool) {
	folder, base := path.Split(pattern)
	first, last := strings.IndexByte(base, '#'), strings.LastIndexByte(base, '#')
	if first < 0 || strings.ContainsRune(folder, '#') || strings.Trim(base[first:last], "#") != "" {
		return "", false
	}
	return fmt.Sprintf("%s%s%0*d%s", folder, base[:first], last-first+1, n, base[last+1:]), true
}

// sequence looks for the files of a sequence and notes their hash.
func (r *fileReader) sequence(q *Sequence, d *decoder) {
	key, names := "cache", []string{q.Cache}
	if q.Files != "" {
		key, names = "files", nil
		for n := q.First; n <= *q.Last; n++ {
			name, _ := numbered(q.Files, n) // checked when it was read
			names = append(names, name)
		}
	} else if r.mesh(meshFile{name: q.Base, up: q.Up, unit: q.Unit}, q.key("base"), d) == nil {
		return
	}
	input, err := r.hashSequence(path.Clean(q.Files+q.Cache), names)
	if err != nil {
		d.faults.add(q.key(key), "%v", err)
		return
	}
	*r.inputs = append(*r.inputs, input)
}

// hashedBytes is how much of a sequence goes into its hash. A sequence may be as long as a disk is large, and a run is
// not to wait for reading all of it before its first step.
const hashedBytes = 256 << 20

// hashSequence returns the hash of a sequence: of the names and sizes of all its files, and then of their contents,
// the first and the last file before the others, as far as hashedBytes go.
func (r *fileReader) hashSequence(name string, files []string) (Input, error) {
	// names and sizes of all files
	sum := sha256.New()
	for i, file := range files {
		size, err := statConfined(r.files, file)
		if err != nil {
			if len(files) > 1 {
				err = fmt.Errorf("frame %d of %d: %w", i+1, len(files), err)
			}
			return Input{}, err
		}
		_, _ = fmt.Fprintf(sum, "%s %d\x00", path.Clean(file), size) // a hash takes everything
	}
	// contents: first, last and then the others
	left := int64(hashedBytes)
	order := append([]string{files[0]}, files[len(files)-1:]...)
	if len(files) > 2 {
		order = append(order, files[1:len(files)-1]...)
	}
	for _, file := range order {
		if left <= 0 {
			break
		}
		n, err := r.hashFile(sum, file, left)
		if err != nil {
			return Input{}, err
		}
		left -= n
	}
	return Input{name, hex.EncodeToString(sum.Sum(nil))}, nil
}

func (r *fileReader) hashFile(sum hash.Hash, name string, most int64) (int64, error) {
	f, err := r.files.Open(path.Clean(name))
	if err != nil {
		return 0, fileFault(name, err)
	}
	defer func() { _ = f.Close() }()
	n, err := io.Copy(sum, io.LimitReader(f, most))
	if err != nil {
		return n, fileFault(name, err)
	}
	return n, nil
}
