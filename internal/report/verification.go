package report

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// Verifications are finished verifications, to be told of in Markdown and as a page like that of a run.
type Verifications struct {
	// Full says that they were run at all resolutions and steps.
	Full bool
	// Build is the program that ran them.
	Build runfolder.Build
	// Cases are the verifications, in the order in which they are shown.
	Cases []Verification
	// Families have all that there are, those that are not among the cases too.
	Families []VerificationFamily
}

// VerificationFamily is verifications with a page of their own.
type VerificationFamily struct {
	Name, Title string
	IDs         []string
}

// Verification is a finished verification.
type Verification struct {
	ID, Title string
	// Source says where the expected values come from; may be empty.
	Source string
	// Rows are the quantities compared.
	Rows []VerificationRow
	// Notes are what a reader should know.
	Notes []string
	// Seconds is how long it took, and CPU how long all cores together worked, 0 if that is not known.
	Seconds, CPU float64
	// Commit is that of the program; may be empty.
	Commit string
	// Err is why it could not be finished; empty if it was.
	Err string
	// Plots are its figures.
	Plots []VerificationPlot
}

// VerificationRow compares one quantity with what it must be.
type VerificationRow struct {
	Quantity, Expected, Measured string
	Asked, Allowed               string // the bar; Asked is empty unless it was asked to be higher
	Pass                         bool
	Room                         float64 // bar over what is measured, where a value is expected; else 0
}

// Verdict returns "pass" or "FAIL".
func (r VerificationRow) Verdict() string {
	if r.Pass {
		return "pass"
	}
	return "FAIL"
}

// VerificationPlot is a figure: the name of its file, without ending, and the picture as PNG.
type VerificationPlot struct {
	Name string
	PNG  []byte
}

// Source returns the picture as a data URI.
func (p VerificationPlot) Source() template.URL {
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(p.PNG))
}

// Pass reports whether the verification was finished and all its quantities are as they must be.
func (v *Verification) Pass() bool {
	for _, r := range v.Rows {
		if !r.Pass {
			return false
		}
	}
	return v.Err == ""
}

// Time returns how long it took, for people.
func (v *Verification) Time() string { return words.FineSeconds(v.Seconds) }

var (
	//go:embed verification.html
	verificationText string

	verificationPage = newPage("verification", verificationText)
)

// Passed returns how many passed.
func (v *Verifications) Passed() int {
	n := 0
	for i := range v.Cases {
		if v.Cases[i].Pass() {
			n++
		}
	}
	return n
}

// Style returns the style sheet of the page.
func (v *Verifications) Style() template.CSS { return template.CSS(styleText) }

// State returns how the page calls the whole.
func (v *Verifications) State() string {
	if v.Passed() == len(v.Cases) {
		return "finished"
	}
	return "failed"
}

// Program says what ran, in words.
func (v *Verifications) Program() string {
	mode := "Quick"
	if v.Full {
		mode = "Full"
	}
	return fmt.Sprintf("%s run of %s", mode, buildWords(&v.Build))
}

// HTML writes the page. Like that of a run it is one file that loads nothing.
func (v *Verifications) HTML(w io.Writer) error { return verificationPage.Execute(w, v) }

// escapeCells makes text fit into a Markdown table.
func escapeCells(cells []string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = strings.NewReplacer("|", `\|`, "\n", " ").Replace(c)
	}
	return out
}
