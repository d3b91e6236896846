package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// listName is the name of the list of what a program is made of.
func (p *program) listName(o *order, s system) string {
	return strings.Join([]string{p.name, o.commit.version, s.os, s.arch}, "_") + ".cdx.json"
}

// bill lists what a program is made of, in the format CycloneDX: the modules that its build information names, Go's own
// library, and what the viewer's page contains.
func (o *order) bill(p *program, n *notices) ([]byte, error) {
	sum := sha256.Sum256(p.data)
	main := component(own+"/cmd/"+p.name, o.commit.version, []string{"Apache-2.0"})
	main.Type, main.Name = cdx.ComponentTypeApplication, p.name
	main.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}}
	std := n.modules["std"]
	parts := []cdx.Component{component("std", strings.TrimPrefix(std.version, "go"), std.licences())}
	for _, d := range p.info.Deps {
		if strings.HasPrefix(d.Path, own) {
			continue
		}
		c := component(d.Path, d.Version, n.modules[d.Path].licences())
		c.Properties = &[]cdx.Property{{Name: "go.sum", Value: d.Sum}}
		parts = append(parts, c)
	}
	page, err := o.page()
	if err != nil {
		return nil, err
	}
	if n.modules[own] != nil && p.name == "toile" {
		parts = append(parts, page...)
	}

	// the same program has the same list: its number is from the sum of the program
	list := cdx.NewBOM()
	number := sum // made a UUID of version 8, which is for such
	number[6], number[8] = number[6]&0x0f|0x80, number[8]&0x3f|0x80
	list.SerialNumber = fmt.Sprintf(
		"urn:uuid:%x-%x-%x-%x-%x", number[:4], number[4:6], number[6:8], number[8:10], number[10:16],
	)
	list.Metadata = &cdx.Metadata{Timestamp: o.commit.date.Format(time.RFC3339), Component: &main}
	list.Components = &parts
	var refs []string
	for _, c := range parts {
		refs = append(refs, c.BOMRef)
	}
	list.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	var out bytes.Buffer
	err = cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(list, cdx.SpecVersion1_6)
	return out.Bytes(), err
}

// known are the short names that CycloneDX takes as ids. Other licences go by their names.
var known = []string{
	"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "ISC", "MIT", "MPL-2.0", "OFL-1.1", "Zlib",
}

// component describes a module of Go.
func component(path, version string, licences []string) cdx.Component {
	purl := "pkg:golang/" + path + "@" + version
	var choices cdx.Licenses
	for _, l := range licences {
		if slices.Contains(known, l) {
			choices = append(choices, cdx.LicenseChoice{License: &cdx.License{ID: l}})
		} else {
			choices = append(choices, cdx.LicenseChoice{License: &cdx.License{Name: l}})
		}
	}
	c := cdx.Component{BOMRef: purl, Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: purl}
	if len(choices) > 0 {
		c.Licenses = &choices
	}
	return c
}

// page lists the packages that web/package.json says are in the viewer's page.
func (o *order) page() (out []cdx.Component, err error) {
	text, err := os.ReadFile(filepath.Join(o.root, "web", "package.json"))
	if err != nil {
		return nil, err
	}
	var packages struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &packages); err != nil {
		return nil, err
	}
	for name, version := range packages.Dependencies {
		c := component(name, version, []string{"MIT"})
		c.PackageURL = "pkg:npm/" + name + "@" + version
		c.BOMRef = c.PackageURL
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b cdx.Component) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
