package view

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strconv"
)

// dist is the page as it was built from web.
//
//go:embed all:dist
var dist embed.FS

// page is all files of the page by their address.
type page map[string]pageFile

type pageFile struct {
	kind string // media type
	tag  string
	data []byte
}

// kinds are the media types of what a page is made of. Tables of the system are not asked: they differ.
var kinds = map[string]string{
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".svg":   "image/svg+xml",
	".png":   "image/png",
	".ico":   "image/x-icon",
	".woff2": "font/woff2",
	".wasm":  "application/wasm",
	".json":  "application/json; charset=utf-8",
	".txt":   "text/plain; charset=utf-8",
}

// loadPage finds the embedded files.
func loadPage() page {
	p := page{}
	err := fs.WalkDir(dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := dist.ReadFile(name)
		if err != nil {
			return err
		}
		kind, ok := kinds[path.Ext(name)]
		if !ok {
			kind = "application/octet-stream"
		}
		sum := sha256.Sum256(data)
		p[name[len("dist"):]] = pageFile{kind, `"` + hex.EncodeToString(sum[:8]) + `"`, data}
		return nil
	})
	if err != nil {
		panic(err) // the files are in the binary
	}
	p["/"] = p["/index.html"]
	return p
}

// serve answers with a file of the page.
func (p page) serve(w http.ResponseWriter, r *http.Request, address string) error {
	f, ok := p[address]
	if !ok {
		return faulty(http.StatusNotFound, "There is nothing at this address; the page is at /.")
	}
	w.Header().Set("Cache-Control", "no-cache")
	if fresh(w, r, f.tag) {
		return nil
	}
	w.Header().Set("Content-Type", f.kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(f.data)))
	_, _ = w.Write(f.data) // whoever asked is gone
	return nil
}
