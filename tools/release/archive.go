package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file of a release, held in memory; its name has slashes.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

// files returns everything that goes into the archive of a system.
func (k *kit) files() (out []file) {
	for _, p := range k.programs {
		out = append(out, file{p.file, 0o755, p.data}, file{p.name + ".cdx.json", 0o644, p.list})
	}
	out = append(out, k.texts...)
	out = append(out, k.manual.under("man/man1", ".1", k.programs)...)
	return append(out, k.manual.under("completions", "", k.programs)...)
}

// archive writes NAME.tar.gz, or NAME.zip for Windows, with one folder, NAME.
func (o *order) archive(name string, k *kit) error {
	files := k.files()
	for i := range files {
		files[i].name = name + "/" + files[i].name
	}

	// in the way that the system's own programs open
	var out bytes.Buffer
	var err error
	if k.system.os == "windows" {
		name += ".zip"
		err = writeZip(&out, files, o.commit.date)
	} else {
		name += ".tar.gz"
		packed := gzip.NewWriter(&out)
		err = writeTar(packed, files, o.commit.date)
		if err == nil {
			err = packed.Close()
		}
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.out, name), out.Bytes(), 0o666)
}

// folders returns the folders that files are in, outer ones first.
func folders(files []file) (out []string) {
	for _, f := range files {
		for dir := path.Dir(f.name); dir != "."; dir = path.Dir(dir) {
			out = append(out, dir)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// writeTar writes files as root's, all of the same time.
func writeTar(w io.Writer, files []file, date time.Time) error {
	out := tar.NewWriter(w)
	for _, dir := range folders(files) {
		h := &tar.Header{Typeflag: tar.TypeDir, Name: dir + "/", Mode: 0o755, ModTime: date, Format: tar.FormatUSTAR}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
	}
	for _, f := range files {
		h := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: date,
			Format: tar.FormatUSTAR,
		}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := out.Write(f.data); err != nil {
			return err
		}
	}
	return out.Close()
}

// writeZip writes files, all of the same time.
func writeZip(w io.Writer, files []file, date time.Time) error {
	out := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(f.mode)
		in, err := out.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := in.Write(f.data); err != nil {
			return err
		}
	}
	return out.Close()
}

// readFolder reads the files of a folder, by name.
func readFolder(root string) (out []file, err error) {
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err == nil {
			name = strings.TrimPrefix(name, root+string(filepath.Separator))
			out = append(out, file{filepath.ToSlash(name), 0o644, data})
		}
		return err
	})
	return out, err
}
