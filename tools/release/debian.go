package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

// debian writes a Debian package. The programs are static: it depends on nothing.
func (o *order) debian(k *kit, stage string) error {
	info := &nfpm.Info{
		Name:        "toile",
		Arch:        k.system.arch,
		Platform:    "linux",
		Version:     strings.Replace(o.commit.version, "-", "~", 1), // before the release that it leads to
		Maintainer:  o.owner,
		Description: "simulator of cloth, knits, rigid and soft bodies\n" + description,
		Section:     "science",
		Priority:    "optional",
		License:     "Apache-2.0",
		MTime:       o.commit.date,

		VersionSchema: "none",
	}

	// nfpm takes files from a folder
	for _, f := range k.installed() {
		source := filepath.Join(stage, f.name)
		if err := os.MkdirAll(filepath.Dir(source), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(source, f.data, 0o666); err != nil {
			return err
		}
		info.Contents = append(info.Contents, &files.Content{
			Source: source, Destination: "/" + f.name, Type: files.TypeFile,
			FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: f.mode, MTime: o.commit.date},
		})
	}
	var out bytes.Buffer
	if err := deb.Default.Package(info, &out); err != nil {
		return fmt.Errorf("package: %w", err)
	}
	return os.WriteFile(filepath.Join(o.out, deb.Default.ConventionalFileName(info)), out.Bytes(), 0o666)
}

const description = `Toile simulates cloth, knits, rigid and soft bodies in exact frictional
contact, from a scene file into a folder of frames that other programs open.
The same scene gives the same bits on any number of cores.`

// installed returns everything that a package installs, where Debian has it.
func (k *kit) installed() (out []file) {
	const texts = "usr/share/doc/toile/"
	for _, p := range k.programs {
		out = append(out, file{"usr/bin/" + p.file, 0o755, p.data}, file{texts + p.name + ".cdx.json", 0o644, p.list})
	}
	for _, f := range k.texts {
		switch f.name {
		case "LICENSE":
			continue // first in copyright
		case "CHANGELOG.md":
			f = file{f.name + ".gz", f.mode, squeeze(f.data)}
		case "NOTICES.txt":
			f = file{"copyright", f.mode, append(append(k.texts[0].data, '\n'), f.data...)}
		}
		out = append(out, file{texts + f.name, f.mode, f.data})
	}
	for _, f := range k.manual.under("usr/share/man/man1", ".1", k.programs) {
		out = append(out, file{f.name + ".gz", f.mode, squeeze(f.data)})
	}

	// each shell looks for completions in its own place
	for _, f := range k.manual.under("", "", k.programs) {
		name := strings.TrimPrefix(f.name, "/")
		switch filepath.Ext(name) {
		case ".bash":
			name = "bash-completion/completions/" + strings.TrimSuffix(name, ".bash")
		case ".fish":
			name = "fish/vendor_completions.d/" + name
		case ".ps1":
			continue
		default:
			name = "zsh/vendor-completions/" + name
		}
		out = append(out, file{"usr/share/" + name, f.mode, f.data})
	}
	return out
}

// squeeze packs data with gzip, without a name or a time.
func squeeze(data []byte) []byte {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = packed.Write(data)
	}
	if err == nil {
		err = packed.Close()
	}
	if err != nil {
		panic(err) // a buffer takes everything
	}
	return out.Bytes()
}
