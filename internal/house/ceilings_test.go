package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// goals are the ceilings of a package that ceilings.txt does not list.
var goals = ceiling{circle: 6, function: 80, file: 600}

// ceiling is what a package may have at most.
type ceiling struct {
	circle   int // files that refer to each other, directly or by way of others
	function int // lines of its longest function
	file     int // lines of its longest file
	long     int // lines of more than 120 columns, a tab being four, but for the tags of fields
	bare     int // functions of more than 25 lines without a comment inside
}

const (
	ceilingsFile = "internal/house/ceilings.txt"
	columns      = 120
	longish      = 25 // lines of a function from which on its blocks have a comment above them
)

// TestCeilings fails where a package outgrows its ceilings, and where a ceiling above the goal could be lower: what has
// been tidied stays tidy. With -update ceilings fall to what is measured; they are never raised.
func TestCeilings(t *testing.T) {
	ceilings := readCeilings(t)
	seen := map[string]bool{}
	var lines []string
	packages, exports := load(t)
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range packages {
		dir := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if dir == "" {
			dir = "."
		}
		seen[dir] = true
		limit, listed := ceilings[dir]
		if !listed {
			limit = goals
		}
		is := measure(t, fset, imports, p)
		next := limit
		for _, c := range []struct {
			what            string
			is, goal, limit int
			next            *int
			where           string
		}{
			{"files in a circle", is.circle, goals.circle, limit.circle, &next.circle, strings.Join(is.files, " ")},
			{"lines in a function", is.function, goals.function, limit.function, &next.function, is.name},
			{"lines in a file", is.file, goals.file, limit.file, &next.file, is.fileName},
			{"lines over 120 columns", is.long, goals.long, limit.long, &next.long, strings.Join(is.longAt, " ")},
			{"long functions without a comment", is.bare, goals.bare, limit.bare, &next.bare, strings.Join(is.bareAt, " ")},
		} {
			*c.next = min(c.limit, max(c.is, c.goal))
			switch {
			case c.is > c.limit:
				t.Errorf("%s: %d %s, at most %d are allowed: %s", dir, c.is, c.what, c.limit, c.where)
			case *c.next < c.limit && !*update:
				t.Errorf("%s: %d %s, but the ceiling is %d: lower it with go test ./internal/house -update (%s)",
					dir, c.is, c.what, c.limit, c.where)
			}
		}
		if next != goals {
			lines = append(lines, fmt.Sprintf(
				"%s %d %d %d %d %d", dir, next.circle, next.function, next.file, next.long, next.bare,
			))
		}
	}
	for dir := range ceilings {
		if !seen[dir] && !*update {
			t.Errorf("%s lists %s, which has no code", ceilingsFile, dir)
		}
	}
	if *update && !t.Failed() {
		writeCeilings(t, lines)
	}
}

const ceilingsHead = `# What packages may have at most, where that is more than the goal. Ceilings only fall: go test ./internal/house -update
# lowers them to what is measured. Files in a circle: that refer to each other, directly or by way of others. Columns: a
# tab counts as four; tags of fields are as long as they are. Comments: functions of more than 25 lines with none inside.
#
# package, files in a circle, lines of a function, lines of a file, lines of more than 120 columns, functions without a
# comment
`

func readCeilings(t *testing.T) map[string]ceiling {
	t.Helper()
	text, err := os.ReadFile(ceilingsFile)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]ceiling{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		var dir string
		var c ceiling
		if _, err := fmt.Sscan(line, &dir, &c.circle, &c.function, &c.file, &c.long, &c.bare); err != nil {
			t.Fatalf("%s: %q: %v", ceilingsFile, line, err)
		}
		out[dir] = c
	}
	return out
}

func writeCeilings(t *testing.T, lines []string) {
	t.Helper()
	slices.Sort(lines)
	text := ceilingsHead + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(ceilingsFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pkg is a package as the go command lists it.
type pkg struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// load returns the packages of the module, and the files with export data of all that they import, by import path.
func load(t *testing.T) (own []*pkg, exports map[string]string) {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles", "./...")
	list.Stderr = os.Stderr
	text, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports = map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		p := &pkg{}
		if err := d.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.ImportPath == module || strings.HasPrefix(p.ImportPath, module+"/") {
			own = append(own, p)
		}
	}
	return own, exports
}

// measured is what a package has, and where.
type measured struct {
	ceiling
	files          []string // of the largest circle
	name, fileName string
	longAt, bareAt []string
}

func measure(t *testing.T, fset *token.FileSet, imports types.Importer, p *pkg) measured {
	t.Helper()
	var m measured
	var files []*ast.File
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
		m.lines(name, string(text))
		m.functions(fset, f)
	}
	m.files = largestCircle(references(t, fset, imports, p, files))
	m.circle = len(m.files)
	return m
}

func (m *measured) lines(name, text string) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
		tagged := strings.Contains(line, "`json:") || strings.Contains(line, "`yaml:")
		made := strings.HasPrefix(line, "// Code generated ") || strings.HasPrefix(line, "//go:generate ")
		if !tagged && !made && utf8.RuneCountInString(line) > columns {
			m.long++
			m.longAt = append(m.longAt, fmt.Sprintf("%s:%d", name, n))
		}
	}
	if n > m.file {
		m.file, m.fileName = n, name
	}
}

func (m *measured) functions(fset *token.FileSet, f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		if n := fset.Position(fn.End()).Line - fset.Position(fn.Pos()).Line + 1; n > m.function {
			m.function, m.name = n, fn.Name.Name
		}
		inside := fset.Position(fn.Body.Rbrace).Line - fset.Position(fn.Body.Lbrace).Line - 1
		if inside > longish && !slices.ContainsFunc(f.Comments, func(c *ast.CommentGroup) bool {
			return fn.Body.Lbrace < c.Pos() && c.End() < fn.Body.Rbrace
		}) {
			m.bare++
			m.bareAt = append(m.bareAt, fn.Name.Name)
		}
	}
}

// references returns which files of a package use what other files of it declare.
func references(
	t *testing.T, fset *token.FileSet, imports types.Importer, p *pkg, files []*ast.File,
) map[string]map[string]bool {
	t.Helper()
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	own, err := (&types.Config{Importer: imports}).Check(p.ImportPath, fset, files, &info)
	if err != nil {
		t.Fatalf("%s: %v", p.ImportPath, err)
	}
	out := map[string]map[string]bool{}
	for id, o := range info.Uses {
		if o.Pkg() != own || !o.Pos().IsValid() {
			continue
		}
		from, to := fset.Position(id.Pos()).Filename, fset.Position(o.Pos()).Filename
		if from == to {
			continue
		}
		if out[from] == nil {
			out[from] = map[string]bool{}
		}
		out[from][to] = true
	}
	return out
}

// largestCircle returns the largest set of files that all lead to each other, by name; nil if no two do.
func largestCircle(uses map[string]map[string]bool) []string {
	reach := map[string]map[string]bool{}
	for from := range uses {
		seen := map[string]bool{}
		for stack := []string{from}; len(stack) > 0; {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for to := range uses[at] {
				if !seen[to] {
					seen[to] = true
					stack = append(stack, to)
				}
			}
		}
		reach[from] = seen
	}
	var largest []string
	for a := range reach {
		var circle []string
		for b := range reach[a] {
			if reach[b][a] {
				circle = append(circle, b)
			}
		}
		slices.Sort(circle)
		if len(circle) > len(largest) || len(circle) == len(largest) && slices.Compare(circle, largest) < 0 {
			largest = circle
		}
	}
	return largest
}

func TestLargestCircle(t *testing.T) {
	uses := map[string]map[string]bool{
		"a": {"b": true}, "b": {"c": true}, "c": {"a": true, "d": true}, "d": {"e": true}, "e": {"d": true}, "f": {"a": true},
	}
	if got := largestCircle(uses); !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("a, b and c are the largest circle, not %v", got)
	}
	if got := largestCircle(map[string]map[string]bool{"a": {"b": true}, "b": {"c": true}}); got != nil {
		t.Errorf("a chain has no circle, but %v is found", got)
	}
}
