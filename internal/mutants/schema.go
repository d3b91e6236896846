package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// All faults are built into one copy of the project, each in a twin of the function that it is in. A function with a
// twin goes there if the environment variable TOILE_FAULT names its fault: one build for all, and none is there without
// it.
const (
	variable = "TOILE_FAULT"
	switches = "internal/mutantfault"
)

// switchSource is the package that says which fault is on.
const switchSource = `// Package mutantfault says which fault is on.
package mutantfault

import (
	"os"
	"strconv"
)

// On is the number of the fault that is on; 0: none.
var On, _ = strconv.Atoi(os.Getenv("` + variable + `"))
`

// number returns the number of a fault, which stays when others come and go.
func (f *fault) number() int {
	h := fnv.New32a()
	h.Write([]byte(f.name))
	return int(h.Sum32())
}

// runner is where the copy has a program that runs verifications: a tenth of toile, and linked in a fraction of the
// time.
const runner = switches + "/run"

// runnerSource is that program. It fails where a verification does.
const runnerSource = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/toile-sim/toile/internal/verify"
	"github.com/toile-sim/toile/internal/verify/all"
)

func main() {
	cases, err := all.Find(os.Args[1:]...)
	if err != nil {
		panic(err)
	}
	for _, c := range cases {
		r := c.Run(context.Background(), verify.Options{Workers: 1})
		for _, row := range r.Rows {
			if !row.Pass() {
				fmt.Println(r.ID, row.Quantity, row.Measured, "not", row.Expected, row.Allowed())
			}
		}
		if !r.Pass() {
			fmt.Println(r.Err)
			os.Exit(1)
		}
	}
}
`

// plant puts all faults into the copy in dir.
func plant(dir string) error {
	// faults by file
	byFile := map[string][]int{}
	var files []string
	for i, f := range faults {
		if byFile[f.file] == nil {
			files = append(files, f.file)
		}
		byFile[f.file] = append(byFile[f.file], i)
	}
	// files with twins of what they change
	for _, file := range files {
		path := filepath.Join(dir, file)
		good, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		both, err := withTwins(good, byFile[file])
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := os.WriteFile(path, both, 0o666); err != nil {
			return err
		}
	}
	// switches, and the program that runs them
	if err := os.MkdirAll(filepath.Join(dir, runner), 0o777); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, switches, "on.go"), []byte(switchSource), 0o666),
		os.WriteFile(filepath.Join(dir, runner, "main.go"), []byte(runnerSource), 0o666))
}

// insertion is text that comes in at an offset of a file.
type insertion struct {
	at   int
	text string
}

// withTwins returns a file with a twin for each of the faults that are listed, all of which are in it.
func withTwins(good []byte, list []int) ([]byte, error) {
	// file as it parses
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, "", good, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	// import of switches
	in := []insertion{{
		files.Position(tree.Name.End()).Offset,
		"\n\nimport mutantfault \"github.com/toile-sim/toile/" + switches + "\"\n",
	}}
	// twins, behind the file, and calls of them
	for _, i := range list {
		into, twin, err := twinOf(good, tree, files, i)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", faults[i].name, err)
		}
		for _, x := range append(into, insertion{len(good), twin}) {
			if !slices.Contains(in, x) {
				in = append(in, x)
			}
		}
	}
	// all put in, from front to back
	slices.SortStableFunc(in, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	done := 0
	for _, x := range in {
		out.Write(good[done:x.at])
		out.WriteString(x.text)
		done = x.at
	}
	out.Write(good[done:])
	return out.Bytes(), nil
}

// twinOf returns what leads a function to its twin with fault i, and the twin.
func twinOf(good []byte, tree *ast.File, files *token.FileSet, i int) (into []insertion, twin string, err error) {
	f := &faults[i]
	if n := bytes.Count(good, []byte(f.from)); n != 1 {
		return nil, "", fmt.Errorf("%q is %d times in %s, not once", f.from, n, f.file)
	}
	at := bytes.Index(good, []byte(f.from)) + common(f.from, f.to)
	which, fn := functionAt(tree, files, at)
	if fn == nil {
		return nil, "", fmt.Errorf("%q is in no function of %s", f.from, f.file)
	}

	// The twin, from the file with the fault in it.
	bad := bytes.Replace(good, []byte(f.from), []byte(f.to), 1)
	badFiles := token.NewFileSet()
	badTree, err := parser.ParseFile(badFiles, "", bad, parser.SkipObjectResolution)
	if err != nil {
		return nil, "", fmt.Errorf("it does not build: %w", err)
	}
	wrong := badTree.Decls[which].(*ast.FuncDecl)
	offset := func(p token.Pos) int { return badFiles.Position(p).Offset }
	name := fmt.Sprintf("%sFault%x", fn.Name.Name, f.number())
	twin = "\n// " + name + ": " + f.name + ".\n" +
		string(bad[offset(wrong.Pos()):offset(wrong.Name.Pos())]) + name +
		string(bad[offset(wrong.Name.End()):offset(wrong.End())]) + "\n"

	call, blank, err := callOf(fn, name)
	if err != nil {
		return nil, "", err
	}
	for k, p := range blank {
		into = append(into, insertion{files.Position(p).Offset, "blank" + strconv.Itoa(k)})
	}
	return append(into, insertion{
		files.Position(fn.Body.Lbrace).Offset + 1,
		"\n\tif mutantfault.On == " + strconv.Itoa(f.number()) + " {\n\t\t" + call + "\n\t}\n",
	}), twin, nil
}

// common returns how many bytes a and b begin with alike.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// functionAt returns the function, and its place among the declarations, that holds an offset of a file.
func functionAt(tree *ast.File, files *token.FileSet, at int) (int, *ast.FuncDecl) {
	for i, d := range tree.Decls {
		fn, is := d.(*ast.FuncDecl)
		if is && fn.Body != nil && files.Position(fn.Body.Pos()).Offset <= at && at < files.Position(fn.End()).Offset {
			return i, fn
		}
	}
	return 0, nil
}

// callOf returns a call of the twin, by its name, with what fn was called with. Parameters without a use, _, need names
// for that: _blank0, _blank1 and so on, of which it returns where blank0, blank1, ... have to be put.
func callOf(fn *ast.FuncDecl, name string) (call string, blank []token.Pos, err error) {
	// receiver
	call = name
	if fn.Recv != nil {
		names := fn.Recv.List[0].Names
		if len(names) == 0 || names[0].Name == "_" {
			return "", nil, fmt.Errorf("the receiver of %s has no name", fn.Name.Name)
		}
		call = names[0].Name + "." + name
	}
	// parameters, by names of their own where they have none
	var args []string
	for _, p := range fn.Type.Params.List {
		if len(p.Names) == 0 {
			return "", nil, fmt.Errorf("a parameter of %s has no name", fn.Name.Name)
		}
		_, rest := p.Type.(*ast.Ellipsis)
		for _, n := range p.Names {
			arg := n.Name
			if arg == "_" {
				arg = "_blank" + strconv.Itoa(len(blank))
				blank = append(blank, n.End())
			}
			if rest {
				arg += "..."
			}
			args = append(args, arg)
		}
	}
	// call, with or without results
	call += "(" + strings.Join(args, ", ") + ")"
	if fn.Type.Results != nil {
		return "return " + call, blank, nil
	}
	return call + "\n\t\treturn", blank, nil
}
