package house

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExportedNames fails when an exported name of a library package appears, disappears or changes without
// docs/api.txt saying so. Intended changes: make api.
func TestExportedNames(t *testing.T) {
	var dirs []string
	for dir := range imports {
		if !strings.HasPrefix(dir, "internal/") && !strings.HasPrefix(dir, "cmd/") {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	var lines []string
	for _, dir := range dirs {
		lines = append(lines, exported(t, dir)...)
	}
	got := strings.Join(lines, "\n") + "\n"
	const list = "docs/api.txt"
	if *update {
		if err := os.WriteFile(list, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	had := strings.Split(strings.TrimSpace(string(want)), "\n")
	for _, l := range lines {
		if !slices.Contains(had, l) {
			t.Errorf("new or changed: %s", l)
		}
	}
	for _, l := range had {
		if !slices.Contains(lines, l) {
			t.Errorf("gone: %s", l)
		}
	}
	if t.Failed() {
		t.Log("if that is meant: make api")
	}
}

// documented returns what the documentation of a package has.
func documented(t *testing.T, fset *token.FileSet, dir string) *doc.Package {
	t.Helper()
	var files []*ast.File
	matches, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range matches {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	pkg, err := doc.NewFromFiles(fset, files, module+"/"+dir)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func exported(t *testing.T, dir string) []string {
	t.Helper()
	fset := token.NewFileSet()
	pkg := documented(t, fset, dir)
	var out []string
	add := func(format string, args ...any) {
		out = append(out, pkg.Name+": "+fmt.Sprintf(format, args...))
	}
	values := func(kind string, vs []*doc.Value) {
		for _, v := range vs {
			for _, n := range v.Names {
				if ast.IsExported(n) {
					add("%s %s", kind, n)
				}
			}
		}
	}
	funcs := func(fs []*doc.Func) {
		for _, f := range fs {
			f.Decl.Doc, f.Decl.Body = nil, nil
			var b strings.Builder
			if err := printer.Fprint(&b, fset, f.Decl); err != nil {
				t.Fatal(err)
			}
			line := strings.Join(strings.Fields(b.String()), " ")
			add("%s", strings.NewReplacer("( ", "(", ", )", ")").Replace(line)) // however it is wrapped
		}
	}
	values("const", pkg.Consts)
	values("var", pkg.Vars)
	funcs(pkg.Funcs)
	for _, typ := range pkg.Types {
		values("const", typ.Consts)
		values("var", typ.Vars)
		for _, s := range typ.Decl.Specs {
			spec := s.(*ast.TypeSpec)
			if of := aliased(t, fset, pkg, spec); of != nil { // as if it were declared here
				for _, s := range of.Decl.Specs {
					typeNames(s.(*ast.TypeSpec), spec.Name, add)
				}
				funcs(of.Methods)
				continue
			}
			typeNames(spec, spec.Name, add)
		}
		funcs(typ.Funcs)
		funcs(typ.Methods)
	}
	return out
}

// aliased returns the type of another of our packages that a name stands for, or nil if it is no such name.
func aliased(t *testing.T, fset *token.FileSet, pkg *doc.Package, spec *ast.TypeSpec) *doc.Type {
	t.Helper()
	of, ok := spec.Type.(*ast.SelectorExpr)
	if !ok || !spec.Assign.IsValid() {
		return nil
	}
	for _, path := range pkg.Imports {
		dir, ok := strings.CutPrefix(path, module+"/")
		if !ok || filepath.Base(dir) != of.X.(*ast.Ident).Name {
			continue
		}
		for _, typ := range documented(t, fset, dir).Types {
			if typ.Name == of.Sel.Name {
				return typ
			}
		}
	}
	t.Fatalf("%s.%s stands for a type that is not found", pkg.Name, spec.Name)
	return nil
}

// typeNames adds what a type has, by a name of it.
func typeNames(spec *ast.TypeSpec, name *ast.Ident, add func(string, ...any)) {
	switch typ := spec.Type.(type) {
	case *ast.StructType:
		add("type %s struct", name)
		for _, field := range typ.Fields.List {
			for _, n := range field.Names {
				if n.IsExported() {
					add("type %s struct, %s", name, n)
				}
			}
		}
	case *ast.InterfaceType:
		add("type %s interface", name)
		for _, m := range typ.Methods.List {
			for _, n := range m.Names {
				add("type %s interface, %s", name, n)
			}
		}
	default:
		add("type %s", name)
	}
}
