// Package caches lists the formats of point caches.
package caches

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/toile-sim/toile/internal/format/mdd"
	"github.com/toile-sim/toile/internal/format/model"
	"github.com/toile-sim/toile/internal/format/pc2"
	"github.com/toile-sim/toile/internal/format/pointcache"
	"github.com/toile-sim/toile/internal/words"
)

// formats are the formats of point caches, by the extensions of their files.
var formats = []struct {
	ending string
	layout *pointcache.Layout
}{
	{".pc2", pc2.Layout},
	{".mdd", mdd.Layout},
}

// LayoutOf returns the format that the extension of path stands for.
func LayoutOf(path string) (*pointcache.Layout, error) {
	var known []string
	for _, f := range formats {
		if f.ending == strings.ToLower(filepath.Ext(path)) {
			return f.layout, nil
		}
		known = append(known, f.ending)
	}
	return nil, &model.Error{
		File:   path,
		Offset: -1,
		Msg:    fmt.Sprintf("unknown format %q of a point cache; write %s", filepath.Ext(path), words.Or(known)),
	}
}
