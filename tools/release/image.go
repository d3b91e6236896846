package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// image writes an image for all processors, as an archive of the OCI's layout. It holds toile and its licences, and
// nothing else: no shell, no libraries.
func (o *order) image(kits []*kit, stage string) error {
	all := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, k := range kits {
		img, err := o.platform(k)
		if err != nil {
			return err
		}
		all = mutate.AppendManifests(all, mutate.IndexAddendum{
			Add:        img,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: k.system.os, Architecture: k.system.arch}},
		})
	}

	// one entry, by which programs find the image
	top := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), mutate.IndexAddendum{
		Add: all,
		Descriptor: v1.Descriptor{
			Annotations: map[string]string{"org.opencontainers.image.ref.name": "toile:" + o.commit.version},
		},
	})
	dir := filepath.Join(stage, "image")
	if _, err := layout.Write(dir, top); err != nil {
		return err
	}
	files, err := readFolder(dir)
	if err != nil {
		return err
	}
	sortFiles(files)
	var out bytes.Buffer
	if err := writeTar(&out, files, o.commit.date); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(o.out, "toile_"+o.commit.version+"_oci.tar"), out.Bytes(), 0o666)
}

// platform makes the image for one processor.
func (o *order) platform(k *kit) (v1.Image, error) {
	files := []file{{"usr/bin/toile", 0o755, k.programs[0].data}}
	for _, f := range k.texts {
		if f.name == "LICENSE" || f.name == "NOTICES.txt" {
			files = append(files, file{"usr/share/doc/toile/" + f.name, f.mode, f.data})
		}
	}
	var content bytes.Buffer
	if err := writeTar(&content, files, o.commit.date); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.DefaultCompression),
	)
	if err != nil {
		return nil, err
	}

	// the configuration says what is run, and when all was made
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	date := v1.Time{Time: o.commit.date}
	history := v1.History{CreatedBy: "release", Created: date}
	img, err := mutate.Append(base, mutate.Addendum{Layer: layer, History: history})
	if err != nil {
		return nil, err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = k.system.os, k.system.arch, date
	config.Config = v1.Config{
		Entrypoint: []string{"/usr/bin/toile"},
		Cmd:        []string{"--help"},
		WorkingDir: "/work",
		Env:        []string{"PATH=/usr/bin", "TMPDIR=/work"},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "Toile",
			"org.opencontainers.image.version":  o.commit.version,
			"org.opencontainers.image.revision": o.commit.revision,
			"org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return mutate.ConfigFile(img, config)
}
