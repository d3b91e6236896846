// Package house keeps the shape of the code: it measures what tests put ceilings on.
package house

import (
	"bytes"
	"encoding/json"
	"errors"
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
)

// listed is what the go command reports of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Standard                bool
}

// Circles returns, for every package of the module in a folder, its largest circle of files: those that lead to each
// other by the names that they use, fields and methods included. A package without one has a single file there, or
// none. Packages are named by their folders.
func Circles(folder, module string) (map[string][]string, error) {
	all, err := list(folder)
	if err != nil {
		return nil, err
	}
	exports := make(map[string]string, len(all))
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	fset := token.NewFileSet()
	imported := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("package %s was not built", path)
		}
		return os.Open(exports[path])
	})
	out := map[string][]string{}
	for _, p := range all {
		name, ours := strings.CutPrefix(p.ImportPath, module)
		if !ours || p.Standard || len(p.GoFiles) == 0 {
			continue
		}
		uses, err := usesOf(fset, imported, p)
		if err != nil {
			return nil, err
		}
		name = strings.TrimPrefix(name, "/")
		if name == "" {
			name = "."
		}
		out[name] = largest(uses)
	}
	return out, nil
}

// list asks the go command for the packages of a module and all that these import, built.
func list(folder string) ([]listed, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Standard", "./...")
	cmd.Dir = folder
	data, err := cmd.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = fmt.Errorf("%w: %s", err, failed.Stderr)
		}
		return nil, fmt.Errorf("go list: %w", err)
	}
	var out []listed
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var p listed
		switch err := d.Decode(&p); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		}
		out = append(out, p)
	}
}

// usesOf returns which files of a package use names that others of them declare.
func usesOf(fset *token.FileSet, imported types.Importer, p listed) (map[string][]string, error) {
	var files []*ast.File
	uses := map[string][]string{}
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
		uses[name] = nil
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imported}
	own, err := config.Check(p.ImportPath, fset, files, info)
	if err != nil {
		return nil, err
	}
	fileAt := func(pos token.Pos) string { return filepath.Base(fset.Position(pos).Filename) }
	for id, object := range info.Uses {
		if object.Pkg() != own || !object.Pos().IsValid() {
			continue
		}
		from, to := fileAt(id.Pos()), fileAt(object.Pos())
		if from != to && !slices.Contains(uses[from], to) {
			uses[from] = append(uses[from], to)
		}
	}
	return uses, nil
}

// largest returns the largest set of files that all lead to each other, in order; of several the first.
func largest(uses map[string][]string) []string {
	var names, best []string
	for name := range uses {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, circle := range components(names, uses) {
		slices.Sort(circle)
		if len(circle) > len(best) || len(circle) == len(best) && slices.Compare(circle, best) < 0 {
			best = circle
		}
	}
	return best
}

// components returns the strongly connected components of a graph, by the method of Tarjan.
func components(names []string, uses map[string][]string) (out [][]string) {
	index, low := map[string]int{}, map[string]int{}
	var stack []string
	var visit func(v string)
	visit = func(v string) {
		index[v] = len(index) + 1
		low[v] = index[v]
		stack = append(stack, v)
		for _, to := range uses[v] {
			if index[to] == 0 {
				visit(to)
				low[v] = min(low[v], low[to])
			} else if slices.Contains(stack, to) {
				low[v] = min(low[v], index[to])
			}
		}
		if low[v] == index[v] {
			from := slices.Index(stack, v)
			out = append(out, slices.Clone(stack[from:]))
			stack = stack[:from]
		}
	}
	for _, v := range names {
		if index[v] == 0 {
			visit(v)
		}
	}
	return out
}
