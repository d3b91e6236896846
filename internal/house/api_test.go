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

func exported(t *testing.T, dir string) []string {
	t.Helper()
	fset := token.NewFileSet()
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
		for _, spec := range typ.Decl.Specs {
			typeNames(spec.(*ast.TypeSpec), add)
		}
		funcs(typ.Funcs)
		funcs(typ.Methods)
	}
	return out
}

func typeNames(spec *ast.TypeSpec, add func(string, ...any)) {
	switch typ := spec.Type.(type) {
	case *ast.StructType:
		add("type %s struct", spec.Name)
		for _, field := range typ.Fields.List {
			for _, n := range field.Names {
				if n.IsExported() {
					add("type %s struct, %s", spec.Name, n)
				}
			}
		}
	case *ast.InterfaceType:
		add("type %s interface", spec.Name)
		for _, m := range typ.Methods.List {
			for _, n := range m.Names {
				add("type %s interface, %s", spec.Name, n)
			}
		}
	default:
		add("type %s", spec.Name)
	}
}
