package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// halfDay is how long a blob is used by others than those who wrote it. A writer that finds one of the running period
// does not upload it again, and one of an earlier period is never relied on: so gc, which spares what is younger than
// a day, cannot take away a blob that somebody has just decided not to upload.
const halfDay = 12 * time.Hour

// File is a file of a run or a sweep: its name in the folder, with slashes, and the blob that holds it.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	Hash   string `json:"sha256"`
	Period int64  `json:"period"` // in which the blob was written, in half days since 1970
}

// worthAsking is the size from which the store is asked for a blob before it is uploaded [bytes]; smaller ones cost
// less to send than to ask for.
const worthAsking = 1 << 20

func (f *File) blob() string { return "blobs/" + strconv.FormatInt(f.Period, 10) + "/" + f.Hash }

func (f *File) check() error {
	if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
		return fmt.Errorf("%w: the file name %q leads out of its folder", ErrPoisoned, f.Name)
	}
	if _, err := hex.DecodeString(f.Hash); err != nil || len(f.Hash) != 2*sha256.Size || f.Size < 0 {
		return fmt.Errorf("%w: %q has no proper hash or size", ErrPoisoned, f.Name)
	}
	return nil
}

func (s *Store) currentPeriod() int64 { return time.Now().UnixNano() / int64(s.period) }

// fresh reports whether the blob of f may still be counted on without uploading it again.
func (s *Store) fresh(f *File) bool { return f.Period == s.currentPeriod() }

// PutFile uploads the file at path unless its bytes are there already, and calls it name. A file that grows meanwhile
// is taken with the size that it has now.
func (s *Store) PutFile(ctx context.Context, path, name string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return File{}, err
	}
	whole := io.NewSectionReader(f, 0, info.Size())
	hash := sha256.New()
	if n, err := io.Copy(hash, whole); err != nil || n != info.Size() {
		return File{}, fmt.Errorf("%s: %d of %d bytes read: %w", path, n, info.Size(), errors.Join(err, io.ErrUnexpectedEOF))
	}
	out := File{name, info.Size(), hex.EncodeToString(hash.Sum(nil)), s.currentPeriod()}
	if err := out.check(); err != nil {
		return File{}, err
	}
	if out.Size >= worthAsking {
		if size, err := s.size(ctx, out.blob()); err != nil || size == out.Size {
			return out, err
		}
	}
	if _, err := whole.Seek(0, io.SeekStart); err != nil {
		return File{}, err
	}
	return out, s.put(ctx, out.blob(), whole, out.Size, false)
}

// size returns the size of an object, -1 if there is none.
func (s *Store) size(ctx context.Context, name string) (int64, error) {
	a, err := s.bucket.Attributes(ctx, name)
	if err = s.explain(name, err); errors.Is(err, ErrNotFound) {
		return -1, nil
	}
	if err != nil {
		return -1, err
	}
	return a.Size, nil
}

// GetFile writes a file into a folder. It appears there whole, with the bytes that its hash promises, or not at all.
func (s *Store) GetFile(ctx context.Context, f File, folder string) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	path := filepath.Join(folder, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(path), ".fetched.*"+unfinished)
	if err != nil {
		return err
	}
	defer func() {
		_ = out.Close()
		if err != nil {
			_ = os.Remove(out.Name())
		}
	}()
	if err := s.verify(ctx, f, out); err != nil {
		return err
	}
	if err := out.Chmod(0o644); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), path)
}

// verify streams the bytes of f to w and fails unless they are those that its hash promises.
func (s *Store) verify(ctx context.Context, f File, w io.Writer) error {
	r, err := s.bucket.NewReader(ctx, f.blob(), nil)
	if err != nil {
		return s.explain(f.Name, err)
	}
	defer func() { _ = r.Close() }()
	if r.Size() != f.Size {
		return fmt.Errorf("%s: %w: %d bytes instead of %d", f.Name, ErrPoisoned, r.Size(), f.Size)
	}
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, hash), r); err != nil {
		return s.explain(f.Name, err)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != f.Hash {
		return fmt.Errorf("%s: %w: its hash is %.12s and should be %.12s", f.Name, ErrPoisoned, got, f.Hash)
	}
	return nil
}

// Uploader uploads one folder again and again and skips files that have not changed since.
type Uploader struct {
	store *Store
	known map[string]uploaded
}

type uploaded struct {
	file    File
	size    int64
	changed time.Time
}

// NewUploader returns an uploader of one folder.
func (s *Store) NewUploader() *Uploader { return &Uploader{s, map[string]uploaded{}} }

// Put uploads the file called name, with slashes, of the folder.
func (u *Uploader) Put(ctx context.Context, folder, name string) (File, error) {
	path := filepath.Join(folder, filepath.FromSlash(name))
	info, err := os.Stat(path)
	if err != nil {
		return File{}, err
	}
	if k, ok := u.known[name]; ok && k.size == info.Size() && k.changed.Equal(info.ModTime()) && u.store.fresh(&k.file) {
		return k.file, nil
	}
	f, err := u.store.PutFile(ctx, path, name)
	if err == nil && f.Size == info.Size() {
		u.known[name] = uploaded{f, f.Size, info.ModTime()}
	}
	return f, err
}

// Get writes a file of a manifest into the folder and knows it from then on.
func (u *Uploader) Get(ctx context.Context, folder string, f File) error {
	if err := u.store.GetFile(ctx, f, folder); err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(f.Name)))
	if err != nil {
		return err
	}
	u.known[f.Name] = uploaded{f, f.Size, info.ModTime()}
	return nil
}
