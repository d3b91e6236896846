package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/cli/root"
	"github.com/toile-sim/toile/scenes"
)

// documented is a command line that a document shows.
type documented struct {
	place string // file and line
	line  string
	block bool // of a code block, which people copy; else in the middle of a sentence
}

// quickly says how commands of code blocks are tried whose lines begin so, where running them as they are takes too
// long: with further arguments, or not at all, for a reason. Those are looked at like commands in sentences. The
// longest beginning counts.
var quickly = map[string]struct {
	add  []string
	skip string
}{
	"toile run my-scene/scene.yaml": {add: []string{"--set", "time.end=0.05 s", "--set", "time.fps=120"}},
	"toile run swatch.yaml":         {add: []string{"--set", "time.end=10 ms", "--set", "time.fps=200"}},
	"toile check swatch.yaml":       {add: []string{"--rehearse", "0.1s"}},
	"toile render my-scene":         {add: []string{"--size", "96x54"}},
	"toile render scene.run":        {add: []string{"--size", "96x54"}},
	"toile run scene.yaml":          {add: []string{"--force", "--report=false"}},
	"toile mannequin -o dance.pc2":  {add: []string{"--time", "0.2", "--vertices", "2000"}},

	"toile verify storm":          {skip: "it plays each seed in a process of its own; CI runs it"},
	"toile run shirt.yaml":        {skip: "it sews for many seconds; TestDress and the scripts sew"},
	"toile check shirt.yaml":      {skip: "it sews, too"},
	"toile view":                  {skip: "it serves until it is stopped; .ci/browser looks at it"},
	"toile demo":                  {skip: "a whole demo takes minutes and is then shown; TestDemosLoad opens all"},
	"toile demo --list":           {},
	"toile bench --suite --make":  {skip: "states take minutes to make; suite.txtar makes one"},
	"toile bench --suite --cases": {skip: "it needs those states"},
	"toile bench --kernels":       {skip: "it needs those states"},
	"toile bench problems":        {skip: "it times hundreds of problems; problems.txtar a few"},
	"toile bench bodies":          {skip: "it times minutes of steps; bench.txtar one"},
	"toile bench solids":          {skip: "it plays minutes of scenes; bench.txtar a short one"},
	"toile bench yarns":           {skip: "it knits a sweater; yarns.txtar a swatch"},
	"toile bench estimates":       {skip: "it runs ten scenes; bench.txtar one"},
	"toile sweep":                 {skip: "it plays 200 runs; sweep.txtar a few"},
	"toile export DIR":            {skip: "it says what goes where"},
}

// How a command stands in a sentence, what stands for a value of the reader, a word in a shell, and what a line of a
// code block says after its command.
var (
	inSentence  = regexp.MustCompile("`(toile [a-z][^`]*)`")
	placeholder = regexp.MustCompile(`^[A-Z]+$`)
	shellWord   = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	explanation = regexp.MustCompile(`\s{2,}.*$|\s#.*$`)
)

// TestDocumentedCommands runs the commands of README and docs in a quick form. Those that take too long, and those in
// the middle of sentences, must at least have a command and flags that exist.
func TestDocumentedCommands(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, "../../docs/verification/long-runs.md", "../../README.md")
	used := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := commandsOf(filepath.Base(file), string(text))
		t.Run(filepath.Base(file), func(t *testing.T) {
			if slices.ContainsFunc(found, func(c documented) bool { return c.block }) {
				furnish(t, filepath.Base(file))
			}
			for _, c := range found {
				try(t, c, used)
			}
		})
	}
	for rule := range quickly {
		if !used[rule] {
			t.Errorf("no document has %q", rule)
		}
	}
}

// commandsOf finds the commands of a document.
func commandsOf(name, text string) (out []documented) {
	fenced := false
	for i, line := range strings.Split(text, "\n") {
		place := name + ":" + strconv.Itoa(i+1)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		if bare := strings.TrimSpace(line); strings.HasPrefix(bare, "toile ") && (fenced || strings.HasPrefix(line, "    ")) {
			for _, part := range strings.Split(explanation.ReplaceAllString(bare, ""), " && ") {
				part, _, _ = strings.Cut(part, " | ")
				out = append(out, documented{place, part, true})
			}
			continue
		}
		for _, m := range inSentence.FindAllStringSubmatch(line, -1) {
			if strings.HasPrefix(m[1], "toile contact problem ") {
				continue // the first line of a file
			}
			out = append(out, documented{place, m[1], false})
		}
	}
	return out
}

// try runs a command, or looks at its flags.
func try(t *testing.T, c documented, used map[string]bool) {
	var args []string
	for _, word := range shellWord.FindAllString(c.line, -1)[1:] {
		args = append(args, strings.NewReplacer("'", "", `"`, "").Replace(word))
	}
	rule := "" // the longest that fits
	for begin := range quickly {
		if c.block && strings.HasPrefix(c.line, begin) && len(begin) > len(rule) {
			rule = begin
		}
	}
	used[rule] = true
	how := quickly[rule]
	args = append(args, how.add...)
	var out, log bytes.Buffer
	if !c.block || how.skip != "" {
		args = slices.DeleteFunc(args, func(a string) bool { return a == "--help" }) // all have it, and it is told as an error
		for i := range args {
			args[i] = placeholder.ReplaceAllString(args[i], "1")
		}
		cmd, rest, err := root.New(cli.NewTerm(&out, &log)).Find(args)
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
		if err != nil {
			t.Errorf("%s: %s: %v", c.place, c.line, err)
		}
		return
	}
	if code := root.Execute(args, &out, &log); code != cli.ExitDone {
		t.Errorf("%s: %s: exit code %d\n%s%s", c.place, c.line, code, out.String(), log.String())
	}
}

// documentedScene is what documents call scene.yaml. It has the names that they use.
const documentedScene = `toile: 1
time: {end: 1 s, fps: 91, step: 20 ms}
air: {wind: {keys: [{at: 0, value: [0, 0, 0]}, {at: 1 s, value: [1, 0, 0]}]}}
cloths:
  - name: NAME
    shape: {grid: {size: [0.4, 0.4], cells: [3, 3]}}
    place: {translate: [-0.2, -0.2, 0.5]}
    material: {preset: cotton-interlock}
    pins: [{select: {near: [-0.2, -0.2, 0.5]}}]
obstacles:
  - {name: ball, shape: {sphere: {radius: 10 cm}}}
`

// furnish makes the files that a document speaks of in a folder of its own, and goes there.
func furnish(t *testing.T, document string) {
	mesh, err := os.ReadFile("testdata/flipped.obj")
	if err != nil {
		t.Fatal(err)
	}
	sweep, err := os.ReadFile("../../scenes/ramp-sweep.yml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, scenes.Files()); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	name := "sheet"
	if document == "scene.md" {
		name = "square"
	}
	text := strings.ReplaceAll(documentedScene, "NAME", name)
	for file, data := range map[string][]byte{"scene.yaml": []byte(text), "shirt.obj": mesh, "ramp-sweep.yml": sweep} {
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if document == "scene.md" || document == "run-folder.md" {
		return // which make it themselves
	}
	var out, log bytes.Buffer
	if code := root.Execute([]string{"run", "scene.yaml", "--report=false"}, &out, &log); code != cli.ExitDone {
		t.Fatalf("exit code %d\n%s%s", code, out.String(), log.String())
	}
}
