// Package cli has what the commands of toile share: the terminal, with its colours, tables, bars and counters; flags
// and the files they name; faults and exit codes; and what obeys a command line.
package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/vbauerster/mpb/v8/cwriter"

	"github.com/toile-sim/toile/internal/scenefile"
)

// Term is where a command speaks: results go to standard output, progress and errors to standard
// error. With json, standard output carries JSON objects only, one a line.
type Term struct {
	out      io.Writer
	JSON     bool
	Warned   bool // a warning was printed
	colorOut bool
	colorErr bool
	live     bool // standard error is a terminal that can show a progress bar

	mu   sync.Mutex // of what several goroutines do: print, and move err
	err  io.Writer  // standard error, or what prints above a progress bar
	lost error      // why something could not be printed
}

// NewTerm returns the terminal behind standard output and standard error.
func NewTerm(out, err io.Writer) *Term {
	color := os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return &Term{
		out: out, err: err,
		colorOut: color && isTerminal(out),
		colorErr: color && isTerminal(err),
		live:     hasRoom(err) && os.Getenv("TERM") != "dumb",
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && cwriter.IsTerminal(int(f.Fd()))
}

// hasRoom reports whether w is a terminal of a known size; a bar cannot be drawn on others.
func hasRoom(w io.Writer) bool {
	if !isTerminal(w) {
		return false
	}
	width, height, err := cwriter.GetSize(int(w.(*os.File).Fd()))
	return err == nil && width > 0 && height > 0
}

// style is an ANSI colour or weight.
type style string

// What commands paint with.
const (
	Red    style = "31"
	Green  style = "32"
	Yellow style = "33"
	Bold   style = "1"
	Dim    style = "2"
)

func paint(on bool, s style, text string) string {
	if !on {
		return text
	}
	return "\x1b[" + string(s) + "m" + visible(text) + "\x1b[0m"
}

// painted is what paint writes.
var painted = regexp.MustCompile("\x1b\\[(?:31|32|33|1|2)m[^\x1b]*\x1b\\[0m")

// clean makes all of a text visible that is neither printed nor painted: names come from files, and files from
// elsewhere, and a terminal obeys what it gets.
func clean(color bool, text string) string {
	if !color {
		return visible(text)
	}
	var b strings.Builder
	from := 0
	for _, at := range painted.FindAllStringIndex(text, -1) {
		b.WriteString(visible(text[from:at[0]]))
		b.WriteString(text[at[0]:at[1]])
		from = at[1]
	}
	return b.String() + visible(text[from:])
}

// visible writes characters that would not be seen as JSON does, and bytes that are no characters as Go does.
func visible(text string) string {
	plain := func(r rune) bool { return r == '\n' || r == '\t' || unicode.IsGraphic(r) && r != utf8.RuneError }
	if strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case plain(r) || r == utf8.RuneError && size > 1:
			b.WriteRune(r)
		case r == utf8.RuneError:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		default:
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
		}
	}
	return b.String()
}

// Paint styles text for standard output.
func (t *Term) Paint(s style, text string) string { return paint(t.colorOut, s, text) }

// PaintErr styles text for standard error.
func (t *Term) PaintErr(s style, text string) string { return paint(t.colorErr, s, text) }

// Say prints a line for people; programs that asked for JSON do not see it.
func (t *Term) Say(format string, args ...any) {
	if !t.JSON {
		t.Print(fmt.Sprintf(format, args...))
	}
}

// Warn prints a warning as a result of a command that looks for what is wrong.
func (t *Term) Warn(format string, args ...any) {
	t.Warned = true
	t.Say("%s %s", t.Paint(Yellow, "warning:"), fmt.Sprintf(format, args...))
}

// Print writes a line to standard output, and remembers if it could not.
func (t *Term) Print(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, err := io.WriteString(t.out, clean(t.colorOut, line)+"\n"); err != nil && t.lost == nil {
		t.lost = fmt.Errorf("cannot write to standard output: %w", err)
	}
}

// Emit prints one JSON object on a line, if JSON was asked for.
func (t *Term) Emit(event any) {
	if !t.JSON {
		return
	}
	line, err := json.Marshal(event)
	if err != nil {
		panic(err) // events are plain structs without NaN
	}
	t.Print(string(line))
}

// wroteEvent names a file that a command wrote.
type wroteEvent struct {
	Event string `json:"event"`
	File  string `json:"file"`
}

// Wrote tells programs of a file that a command wrote.
func (t *Term) Wrote(path string) { t.Emit(wroteEvent{"wrote", path}) }

// Note tells people something on standard error, and programs as an event.
func (t *Term) Note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if t.JSON {
		t.Emit(noteEvent{"note", text})
		return
	}
	t.Complain("%s %s\n", t.PaintErr(Yellow, "note:"), text)
}

// Complain prints to standard error.
func (t *Term) Complain(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = io.WriteString(t.err, clean(t.colorErr, fmt.Sprintf(format, args...))) // there is nobody else to tell
}

// divert makes standard error go elsewhere, such as above a progress bar, and returns where it went.
func (t *Term) divert(w io.Writer) io.Writer {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.err
	t.err = w
	return was
}

type noteEvent struct {
	Event string `json:"event"`
	Text  string `json:"text"`
}

// errorEvent is the last event of a command that failed.
type errorEvent struct {
	Event  string       `json:"event"`
	Code   int          `json:"code"` // exit code
	Text   string       `json:"text"`
	Faults []faultEvent `json:"faults,omitempty"`
}

// faultEvent is one fault of a scene with its place.
type faultEvent struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// fail says why a command ended.
func (t *Term) fail(err error, command string, code int) {
	var faults scenefile.Faults
	if errors.As(err, &faults) {
		event := errorEvent{Event: "error", Code: code, Text: faultCount(faults)}
		for _, f := range faults {
			event.Faults = append(event.Faults, faultEvent{f.File, f.Line, f.Col, f.Msg})
		}
		t.Emit(event)
		t.faults(faults)
		return
	}
	t.Emit(errorEvent{Event: "error", Code: code, Text: err.Error()})
	prefix := t.PaintErr(Red, "toile:")
	if code == ExitInterrupted {
		prefix = t.PaintErr(Yellow, "toile:")
	}
	t.Complain("%s %s\n", prefix, Indented(err.Error()))
	var input *inputError
	if errors.As(err, &input) && input.usage {
		t.Complain("See: %s --help\n", command)
	}
}

// faults prints the faults of a scene, each with its place and a caret below it.
func (t *Term) faults(faults scenefile.Faults) {
	for _, line := range strings.Split(faults.Error(), "\n") {
		switch {
		case strings.HasPrefix(line, "      |"):
			line = t.PaintErr(Red, line)
		case strings.HasPrefix(line, " "):
			line = t.PaintErr(Dim, line)
		}
		t.Complain("%s\n", line)
	}
	t.Complain("%s %s\n", t.PaintErr(Red, "toile:"), faultCount(faults))
}

func faultCount(f scenefile.Faults) string {
	if len(f) == 1 {
		return "1 fault in the scene"
	}
	return fmt.Sprintf("%d faults in the scene", len(f))
}

// Indented sets off all lines of a message but the first, without blank ones.
func Indented(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n  ")
}
