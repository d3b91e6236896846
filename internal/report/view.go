package report

import (
	"fmt"
	"html/template"
)

// Options say how a report is made. The zero value is valid.
type Options struct {
	// Failure is why the run ended before its last frame, if it failed.
	Failure string
	// Pictures is the number of frames shown, evenly spaced from the first to the last; 0 means 8.
	Pictures int
	// Workers is the number of workers that draw; less than one means one for each core.
	Workers int
}

// view is what the page shows.
type view struct {
	Style template.CSS
	Title string
	State string // finished, unfinished or failed
	Verdict,
	Failure string
	Notes    []string
	Tiles    []tile
	Pictures []picture
	Phases   *phases
	Plots    []plot
	Calm     []string // what has no plot because nothing happened
	Worst    []worstStep
	Ranking  string
	Facts    []fact
	Scene    string
	Folder   string // as a word of a shell command
}

func (v *view) note(format string, args ...any) {
	v.Notes = append(v.Notes, fmt.Sprintf(format, args...))
}

// tile is one of the numbers at the top.
type tile struct {
	Label, Value, Detail string
	Bad                  bool
}

// fact is a row of the last table.
type fact struct {
	Label, Value string
	Code         bool
}

// picture is a frame on the page.
type picture struct {
	Source  template.URL // data URI
	Alt     string
	Caption string
	Frame   int
}

// phases is where the time went.
type phases struct {
	Rows []phase // none if there is only one
	Text string
	SVG  template.HTML
}

type phase struct {
	Name, What, Time, Share, Step string
	Look                          int
	Width                         string // of its part of the bar [%]
}

// worstStep is a row of the table of worst steps.
type worstStep struct {
	Step, Time, Frame, Residual, Contacts, Crossings, Halvings, Clock string
	Above                                                             bool
}
