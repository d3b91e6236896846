package runfolder

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Sewn is a folder of garments that were sewn, which runs share: one file for each key, with the state in which all is
// sewn. States of other programs are never found, because they may have come to another one.
type Sewn struct {
	Dir string
}

// SewnState is one file of such a folder.
type SewnState struct {
	Scene   string    `json:"scene"` // that was played when it was sewn, for people
	Made    time.Time `json:"-"`
	Bytes   int64     `json:"-"`
	Key     string    `json:"key"`
	Program string    `json:"program"`
	SHA256  string    `json:"sha256"` // of this line, as it is without it, and of the state, which follows
}

// line returns the first line of a file, with the checksum filled in.
func (s SewnState) line(state []byte) ([]byte, error) {
	s.SHA256 = ""
	bare, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	sum.Write(bare)
	sum.Write(state)
	s.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return json.Marshal(s)
}

const sewnExt = ".sewn"

// path returns the file of a key.
func (s *Sewn) path(program, key string) string {
	sum := sha256.Sum256([]byte(program + " " + key))
	return filepath.Join(s.Dir, hex.EncodeToString(sum[:16])+sewnExt)
}

// Get returns the state with a key, nil if there is none that is whole.
func (s *Sewn) Get(key string) []byte {
	program, err := Program()
	if err != nil {
		return nil
	}
	head, state, err := readSewn(s.path(program, key))
	if err != nil || head.Key != key || head.Program != program {
		return nil
	}
	return state
}

// Put keeps a state under a key, with the name of its scene.
func (s *Sewn) Put(key, scene string, state []byte) error {
	program, err := Program()
	if err != nil {
		return err
	}
	head := SewnState{Scene: scene, Key: key, Program: program}
	line, err := head.line(state)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return err
	}
	return writeAtomic(s.path(program, key), slices.Concat(line, []byte("\n"), state))
}

// List returns what is there, the newest first. Files that are damaged are among them, without a key.
func (s *Sewn) List() ([]SewnState, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []SewnState
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), sewnExt) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // removed meanwhile
		}
		head, _, err := readSewn(filepath.Join(s.Dir, e.Name()))
		if err != nil {
			head = SewnState{Scene: "(damaged)"}
		}
		head.Made, head.Bytes = info.ModTime(), info.Size()
		out = append(out, head)
	}
	slices.SortFunc(out, func(a, b SewnState) int {
		return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.Key, b.Key))
	})
	return out, nil
}

// Clear removes all states and what was left half written, and nothing else.
func (s *Sewn) Clear() error {
	if _, err := removeTemps(s.Dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), sewnExt) && e.Type().IsRegular() {
			err = errors.Join(err, os.Remove(filepath.Join(s.Dir, e.Name())))
		}
	}
	return err
}

func readSewn(path string) (head SewnState, state []byte, err error) {
	data, _, err := readWhole(path, maxState)
	if err != nil {
		return head, nil, err
	}
	line, state, _ := bytes.Cut(data, []byte("\n"))
	if err := json.Unmarshal(line, &head); err != nil {
		return SewnState{}, nil, &Damage{File: path, Msg: "its first line is not what was written"}
	}
	if written, err := head.line(state); err != nil || !bytes.Equal(written, line) {
		return SewnState{}, nil, &Damage{File: path, Msg: "its bytes do not give the checksum it carries"}
	}
	return head, state, nil
}
