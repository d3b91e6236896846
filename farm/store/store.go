// Package store keeps what a farm must not lose: sweeps, manifests of runs, checkpoints and the files that these
// name, on S3 or in a folder. Files are blobs named by their SHA-256, which every reading verifies; a run's manifest is
// written once and never changed. Nothing here knows of workflows: identity lives in the store.
//
// Layout, below the prefix of the tenant:
//
//	sweeps/ID                    what was submitted: its files, its build, its batches
//	sweeps/ID.NNNNN              one batch of runs
//	runs/KEY                     manifest of a finished run
//	failed/KEY                   messages of a run that was given up
//	checkpoints/KEY/STEP         manifest of an unfinished run after that many steps; the newest two
//	blobs/PERIOD/HASH            contents of files
//	collecting                   while toile-farm gc removes things
package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob" // s3://
	"gocloud.dev/gcerrors"
)

// ErrNotFound is an object that is not in the store.
var ErrNotFound = errors.New("not in the store")

// ErrPoisoned is an object whose bytes are not those that its name promises.
var ErrPoisoned = errors.New("damaged in the store")

// Store is one tenant's part of a bucket. It may be used by many goroutines.
type Store struct {
	bucket *blob.Bucket
	s3     *s3.Client // nil on a folder
	name   string     // of the bucket
	prefix string     // of the tenant, within the bucket
	dir    string     // on a folder, with the prefix

	period   time.Duration // halfDay
	youngest time.Duration // aDay
}

// Open opens s3://BUCKET?prefix=TENANT/&... or file:///FOLDER?prefix=TENANT/. Keys of S3 come from where Amazon's tools
// take them (AWS_ACCESS_KEY_ID and so on), never from the address, which ends up in logs.
func Open(ctx context.Context, address string) (*Store, error) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return nil, errors.New("the store's address is not one: write s3://BUCKET?prefix=TENANT/ or file:///FOLDER; keys go into the environment")
	}
	query := u.Query()
	s := &Store{name: u.Host, prefix: query.Get("prefix"), period: halfDay, youngest: aDay}
	query.Del("prefix")
	if s.prefix != "" && !strings.HasSuffix(s.prefix, "/") {
		s.prefix += "/"
	}
	var bucket *blob.Bucket
	switch u.Scheme {
	case "file":
		s.dir = filepath.Join(filepath.FromSlash(u.Path), filepath.FromSlash(s.prefix))
		bucket, err = fileblob.OpenBucket(filepath.FromSlash(u.Path), &fileblob.Options{
			CreateDir: true, NoTempDir: true, Metadata: fileblob.MetadataDontWrite,
		})
	case "s3":
		u.RawQuery = query.Encode()
		bucket, err = blob.OpenBucket(ctx, u.String())
	default:
		return nil, fmt.Errorf("a store at %q is not known: write s3://BUCKET?prefix=TENANT/ or file:///FOLDER", u.Scheme)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	bucket.As(&s.s3)
	s.bucket = bucket
	if s.prefix != "" {
		s.bucket = blob.PrefixedBucket(bucket, s.prefix)
	}
	return s, nil
}

// Close ends the use of the store.
func (s *Store) Close() error { return s.bucket.Close() }

// Check reports why the store cannot be used, such as a wrong key.
func (s *Store) Check(ctx context.Context) error {
	_, _, err := s.bucket.ListPage(ctx, blob.FirstPageToken, 1, &blob.ListOptions{Prefix: "sweeps/"})
	if err != nil {
		return fmt.Errorf("the store cannot be read: %w", err)
	}
	return nil
}

// read returns a small object whole, up to limit bytes.
func (s *Store) read(ctx context.Context, name string, limit int64) ([]byte, error) {
	r, err := s.bucket.NewReader(ctx, name, nil)
	if err != nil {
		return nil, s.explain(name, err)
	}
	defer func() { _ = r.Close() }()
	if r.Size() > limit {
		return nil, fmt.Errorf("%s: %w: %d bytes, at most %d are expected", name, ErrPoisoned, r.Size(), limit)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, s.explain(name, err)
	}
	return data, nil
}

// write stores a small object, replacing what is there.
func (s *Store) write(ctx context.Context, name string, data []byte) error {
	return s.put(ctx, name, bytes.NewReader(data), int64(len(data)), false)
}

// writeOnce stores a small object unless there is one, and reports whether it did.
func (s *Store) writeOnce(ctx context.Context, name string, data []byte) (bool, error) {
	var err error
	if s.dir != "" {
		err = s.link(name, data)
	} else {
		err = s.put(ctx, name, bytes.NewReader(data), int64(len(data)), true)
	}
	if errors.Is(err, os.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

// link writes a file under another name and links it to its own, which fails if that exists. (Conditional writes of
// fileblob look first and rename afterwards, so that of two writers both may win.)
func (s *Store) link(name string, data []byte) error {
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "once.*"+unfinished)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}

// unfinished ends the names of files that a folder's writers have under way.
const unfinished = ".tmp"

// largestSingle is the largest object that S3 takes in one request; larger ones go up in parts.
const largestSingle = 5 << 30

// put streams size bytes of r into an object. With once it returns os.ErrExist if there is one.
func (s *Store) put(ctx context.Context, name string, r io.ReadSeeker, size int64, once bool) error {
	var err error
	if s.s3 != nil && size <= largestSingle {
		key, none := s.prefix+name, "*"
		in := &s3.PutObjectInput{Bucket: &s.name, Key: &key, Body: r, ContentLength: &size}
		if once {
			in.IfNoneMatch = &none
		}
		_, err = s.s3.PutObject(ctx, in)
	} else {
		err = s.bucket.Upload(ctx, name, r, &blob.WriterOptions{
			ContentType: "application/octet-stream", MaxConcurrency: 1, IfNotExist: once,
		})
	}
	if err != nil && once && exists(err) {
		return os.ErrExist
	}
	return s.explain(name, err)
}

// exists reports whether err says that a conditional write found an object. S3 answers 412, or 409 if another writer
// is at it at this moment.
func exists(err error) bool {
	if gcerrors.Code(err) == gcerrors.FailedPrecondition {
		return true
	}
	var answer interface{ HTTPStatusCode() int }
	return errors.As(err, &answer) && answer.HTTPStatusCode() == 412
}

// remove deletes an object; one that is not there is no error.
func (s *Store) remove(ctx context.Context, name string) error {
	err := s.bucket.Delete(ctx, name)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return s.explain(name, err)
}

// object is one entry of a listing.
type object struct {
	name    string
	size    int64
	changed time.Time
}

// list calls visit for every object whose name starts with prefix, in order of names.
func (s *Store) list(ctx context.Context, prefix string, visit func(object) error) error {
	var last string
	for range 100 {
		objects := s.bucket.List(&blob.ListOptions{Prefix: prefix})
		for {
			o, err := objects.Next(ctx)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if gcerrors.Code(err) == gcerrors.NotFound && s.dir != "" {
				break // a file vanished while its folder was listed; go on after the last one
			}
			if err != nil {
				return s.explain(prefix, err)
			}
			if o.IsDir || o.Key <= last {
				continue
			}
			last = o.Key
			if err := visit(object{o.Key, o.Size, o.ModTime}); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("%s: files vanish faster than they can be listed", prefix)
}

// explain names the object that an error is about.
func (s *Store) explain(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case gcerrors.Code(err) == gcerrors.NotFound:
		return fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// Lasting reports whether an error of the store stays however often one tries: something is missing or damaged.
func Lasting(err error) bool {
	return errors.Is(err, ErrNotFound) || errors.Is(err, ErrPoisoned) || errors.Is(err, os.ErrNotExist)
}
