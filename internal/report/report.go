// Package report makes report.html, the one page that tells how a run went, and the page of the verifications.
//
// A page is a single file: pictures are data URIs, plots are SVG, there is no script, and its content security policy
// lets it load nothing. It opens from a disk, prints, and follows the reader's choice of light or dark. That of a run
// shows what its folder holds and nothing else; times on the wall are in it, so that it differs from run to run and is
// part of no hash and no comparison. Everything that comes from a scene is escaped.
package report

import (
	"html/template"
	"io"
	"path/filepath"

	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// Name is what the report is called in a run folder.
const Name = "report.html"

// Write makes the report of a run and puts it into its folder, completely or not at all. It returns where it is.
func Write(f *runfolder.Folder, opt Options) (string, error) {
	path := filepath.Join(f.Dir, Name)
	if err := disk.WriteFile(path, func(w io.Writer) error { return HTML(w, f, opt) }); err != nil {
		return "", err
	}
	return path, nil
}

// HTML writes the report of a run. What cannot be read of the folder is named in the report; an error means that there
// is none.
func HTML(w io.Writer, f *runfolder.Folder, opt Options) error {
	if opt.Pictures <= 0 {
		opt.Pictures = defaultPictures
	}
	view := newView(f, opt)
	return page.Execute(w, view)
}

func newView(f *runfolder.Folder, opt Options) *view {
	// heading
	v := &view{
		Style: template.CSS(styleText), Title: f.Manifest.Name, Failure: opt.Failure, Folder: words.ShellWord(f.Dir),
		Scene: sceneText(f.Manifest.Scene),
	}
	if v.Title == "" {
		v.Title = filepath.Base(f.Dir)
	}
	// what can be read; what cannot is noted
	frames, err := f.Frames()
	if err != nil {
		v.note("The frames cannot be listed: %v", err)
	}
	table, err := f.Stats()
	if err != nil {
		v.note("The statistics cannot be read: %v", err)
		table = &runfolder.Table{}
	}
	complete, err := f.Complete()
	if err != nil {
		v.note("The checkpoints cannot be read: %v", err)
	}
	// pictures, plots and words
	s := newSeries(f, table)
	v.Pictures = v.draw(f, frames, opt)
	v.Phases = s.phases()
	v.Plots, v.Calm = s.plots()
	v.Worst, v.Ranking = s.worst(), ranking
	v.conclude(f, s, frames, complete)
	v.facts(f, frames)
	return v
}
