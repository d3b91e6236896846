package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// TestRelease makes what Linux on amd64 gets, without the farm, and reads everything back.
func TestRelease(t *testing.T) {
	c, err := readCommit("../..")
	if err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(t.TempDir(), "key")
	command(t, "", "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key)
	o := &order{root: "../..", out: t.TempDir(), commit: c, only: systems[:1], key: key, owner: "The Toile authors"}
	if err := o.make(t.Context()); err != nil {
		t.Fatal(err)
	}
	name := "toile_" + c.version + "_linux_amd64"
	archive := openArchive(t, filepath.Join(o.out, name+".tar.gz"))
	bill := read(t, filepath.Join(o.out, name+".cdx.json"))

	t.Run("archive", func(t *testing.T) { checkArchive(t, archive, name) })
	t.Run("modules", func(t *testing.T) { checkModules(t, archive, name, bill) })
	t.Run("sums", func(t *testing.T) { checkSums(t, o.out) })
	t.Run("package", func(t *testing.T) { checkPackage(t, o) })
	t.Run("image", func(t *testing.T) { checkImage(t, o) })
	t.Run("signature", func(t *testing.T) { checkSignature(t, o.out, key) })
	t.Run("install", func(t *testing.T) { checkInstall(t, o.out) })
}

// checkArchive looks for what an archive holds, and runs its program.
func checkArchive(t *testing.T, archive map[string][]byte, name string) {
	for _, want := range []string{
		"LICENSE", "README.md", "CHANGELOG.md", "NOTICES.txt", "toile", "toile.cdx.json", "man/man1/toile.1",
		"man/man1/toile-run.1", "completions/toile.bash", "completions/_toile", "completions/toile.fish",
		"completions/toile.ps1",
	} {
		if len(archive[name+"/"+want]) == 0 {
			t.Errorf("the archive has no %s", want)
		}
	}
	program := filepath.Join(t.TempDir(), "toile")
	if err := os.WriteFile(program, archive[name+"/toile"], 0o777); err != nil {
		t.Fatal(err)
	}
	out := command(t, "", program, "version")
	if !strings.HasPrefix(out, "toile ") || !strings.Contains(out, "revision ") {
		t.Errorf("toile version says %s", out)
	}
}

// checkModules compares the modules in a program with its notices and with the list of what it is made of.
func checkModules(t *testing.T, archive map[string][]byte, name string, bill []byte) {
	info, err := buildinfo.Read(bytes.NewReader(archive[name+"/toile"]))
	if err != nil {
		t.Fatal(err)
	}
	var list cdx.BOM
	if err := cdx.NewBOMDecoder(bytes.NewReader(bill), cdx.BOMFileFormatJSON).Decode(&list); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, c := range *list.Components {
		listed[c.Name+" "+c.Version] = true
		if c.Licenses == nil {
			t.Errorf("the list does not know the licence of %s", c.Name)
		}
	}
	notices := string(archive[name+"/NOTICES.txt"])
	if len(info.Deps) == 0 {
		t.Error("the program has no modules")
	}
	for _, d := range info.Deps {
		if !listed[d.Path+" "+d.Version] {
			t.Errorf("the list lacks %s %s", d.Path, d.Version)
		}
		if !strings.Contains(notices, "\n"+d.Path+" "+d.Version+", ") {
			t.Errorf("the notices lack %s %s", d.Path, d.Version)
		}
	}
	for _, want := range []string{"three.js", "Go's library and runtime, " + info.GoVersion} {
		if !strings.Contains(notices, want) {
			t.Errorf("the notices lack %s", want)
		}
	}
}

// checkSums compares each line of the sums with its file, and looks for files without one.
func checkSums(t *testing.T, dir string) {
	files, err := readFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	text := string(read(t, filepath.Join(dir, sums)))
	for _, f := range files {
		line := fmt.Sprintf("%x  %s\n", sha256.Sum256(f.data), f.name)
		if !strings.HasPrefix(f.name, sums) && !strings.Contains(text, line) {
			t.Errorf("no sum of %s", f.name)
		}
	}
}

// checkPackage opens the Debian package by Debian's own program.
func checkPackage(t *testing.T, o *order) {
	if _, err := osexec.LookPath("dpkg-deb"); err != nil {
		t.Skip("there is no dpkg-deb")
	}
	found, err := filepath.Glob(filepath.Join(o.out, "toile_*_amd64.deb"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	list := command(t, "", "dpkg-deb", "--contents", found[0])
	for _, want := range []string{
		"-rwxr-xr-x root/root .*/usr/bin/toile\n", "/usr/share/doc/toile/copyright\n",
		"/usr/share/man/man1/toile.1.gz\n", "/usr/share/bash-completion/completions/toile\n", "/usr/share/zsh/vendor-completions/_toile\n",
	} {
		if !regexp.MustCompile(want).MatchString(list) {
			t.Errorf("the package has no %s:\n%s", want, list)
		}
	}
	if fields := command(t, "", "dpkg-deb", "--field", found[0]); !strings.Contains(fields, "\nArchitecture: amd64\n") {
		t.Errorf("the package says %s", fields)
	}
}

// checkImage follows the image from its index to its layer, by digests.
func checkImage(t *testing.T, o *order) {
	dir := t.TempDir()
	command(t, dir, "tar", "-xf", filepath.Join(o.out, "toile_"+o.commit.version+"_oci.tar"))
	blob := func(digest string) []byte {
		text := read(t, filepath.Join(dir, "blobs", "sha256", strings.TrimPrefix(digest, "sha256:")))
		if sum := sha256.Sum256(text); "sha256:"+hex.EncodeToString(sum[:]) != digest {
			t.Errorf("%s is not what its name says", digest)
		}
		return text
	}

	// index, index of processors, manifest, layer
	text := read(t, filepath.Join(dir, "index.json"))
	for {
		var m struct {
			Manifests, Layers []struct{ Digest string }
		}
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		if len(m.Manifests) == 0 {
			if len(m.Layers) != 1 {
				t.Fatalf("%d layers", len(m.Layers))
			}
			text = blob(m.Layers[0].Digest)
			break
		}
		text = blob(m.Manifests[0].Digest)
	}
	files := untar(t, bytes.NewReader(text))
	if len(files["usr/bin/toile"]) == 0 || len(files["usr/share/doc/toile/NOTICES.txt"]) == 0 {
		t.Error("the image has no program or no notices")
	}
}

// checkSignature verifies the signature as docs/install.md says.
func checkSignature(t *testing.T, dir, key string) {
	signers := filepath.Join(t.TempDir(), "signers")
	public := "toile " + string(read(t, key+".pub"))
	if err := os.WriteFile(signers, []byte(public), 0o666); err != nil {
		t.Fatal(err)
	}
	block := blockWith(t, "../../docs/install.md", "ssh-keygen -Y verify")
	shell(t, dir, strings.ReplaceAll(block, "toile.signers", signers))
}

// checkInstall runs the commands of README and docs/install.md as they stand, against a local folder of releases.
func checkInstall(t *testing.T, dir string) {
	for _, document := range []string{"../../README.md", "../../docs/install.md"} {
		work := t.TempDir()
		t.Setenv("TOILE_RELEASES", "file://"+dir)
		t.Setenv("HOME", work)
		if out := shell(t, work, blockWith(t, document, "curl")); !strings.Contains(out, "revision ") {
			t.Errorf("%s: the installed program says %s", document, out)
		}
	}
}

// TestModuleWithoutNotice adds a module whose folder has no licence, and one that is replaced.
func TestModuleWithoutNotice(t *testing.T) {
	n := newNotices()
	dir := t.TempDir()
	l := &listed{ImportPath: "bare/part", Dir: filepath.Join(dir, "part")}
	l.Module = &struct{ Path, Version, Dir string }{"bare", "v1.0.0", dir}
	if err := os.Mkdir(l.Dir, 0o777); err != nil {
		t.Fatal(err)
	}
	info := &debug.BuildInfo{Deps: []*debug.Module{{Path: "bare", Version: "v1.0.0"}}}
	for _, name := range []string{"", "part/licence.go", "part/LICENSE.md"} {
		if name != "" {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("words"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := n.add(l); err != nil {
			t.Fatal(err)
		}
		if err, want := n.cover(info), name == "part/LICENSE.md"; (err == nil) != want {
			t.Errorf("with %q: %v", name, err)
		}
	}
	info.Deps[0].Replace = &debug.Module{Path: "../elsewhere"}
	if n.cover(info) == nil {
		t.Error("a module that is replaced has a notice")
	}
	if n.cover(&debug.BuildInfo{Deps: []*debug.Module{{Path: "unseen"}}}) == nil {
		t.Error("a module that was not listed has a notice")
	}
}

// TestFarmNotices looks for the licences of everything in the farm, without building it.
func TestFarmNotices(t *testing.T) {
	o := &order{root: "../..", farm: true}
	p := o.programs(systems[0])[1]
	p.info = &debug.BuildInfo{GoVersion: "go1"}
	n := newNotices()
	if err := o.collect(t.Context(), n, p, systems[0]); err != nil {
		t.Fatal(err)
	}
	for path, m := range n.modules {
		if len(m.files) == 0 && !strings.HasPrefix(path, own) {
			t.Errorf("%s has no licence", path)
		}
	}
	if len(n.modules) < 10 {
		t.Errorf("the farm has %d modules", len(n.modules))
	}
}

// TestLicences names licences by their texts, and a choice as its text says.
func TestLicences(t *testing.T) {
	for text, want := range map[string]string{
		string(read(t, "../../LICENSE")): "Apache-2.0",
		"/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */\nRedistribution and use": "BSD-3-Clause OR GPL-2.0-only",
		"All rights reserved.": "",
	} {
		m := &notice{files: map[string][]byte{"LICENSE": []byte(text)}}
		if got := strings.Join(m.licences(), ", "); got != want {
			t.Errorf("%.50q is called %q", text, got)
		}
	}
}

// TestTags takes versions from tags, and refuses two.
func TestTags(t *testing.T) {
	for tags, want := range map[string]string{
		"": "", "v1.2.3": "1.2.3", "latest v0.1.0-rc.1": "0.1.0-rc.1", "1.2.3 v1.2 v01.2.3 farm/v1.2.3": "",
		"v1.2.3 v1.2.4": "two",
	} {
		var c commit
		err := c.readTags(strings.Fields(tags))
		if want == "two" && err != nil {
			continue
		}
		if err != nil || c.version != want {
			t.Errorf("%q: version %q, %v", tags, c.version, err)
		}
	}
}

// blockWith returns the first indented or fenced block of a document that has a text.
func blockWith(t *testing.T, document, want string) string {
	t.Helper()
	var block strings.Builder
	for line := range strings.Lines(string(read(t, document)) + "\n") {
		if rest, ok := strings.CutPrefix(line, "    "); ok {
			block.WriteString(rest)
			continue
		}
		if strings.Contains(block.String(), want) {
			break
		}
		block.Reset()
	}
	if !strings.Contains(block.String(), want) {
		t.Fatalf("%s has no block with %s", document, want)
	}
	return block.String()
}

// shell runs commands as somebody would who pastes them, and stops at the first that fails.
func shell(t *testing.T, dir, commands string) string {
	t.Helper()
	return command(t, dir, "bash", "-euo", "pipefail", "-c", commands)
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, err := exec(t.Context(), dir, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func openArchive(t *testing.T, name string) map[string][]byte {
	t.Helper()
	return untar(t, bytes.NewReader(read(t, name)))
}

// untar reads the files of a packed archive.
func untar(t *testing.T, packed io.Reader) map[string][]byte {
	t.Helper()
	plain, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for in := tar.NewReader(plain); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err == nil {
			out[h.Name], err = io.ReadAll(in)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
