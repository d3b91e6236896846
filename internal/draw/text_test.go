package draw

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/image/font/sfnt"
)

// The fonts have every letter of the plots of verifications, and of what axes write: others would be boxes.
func TestFontsHaveLetters(t *testing.T) {
	files, err := filepath.Glob("../verify/*/*.go")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files of verifications, %v", len(files), err)
	}
	used := map[rune]string{}
	strings := func(n ast.Node, name string) {
		ast.Inspect(n, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, _ := strconv.Unquote(lit.Value)
				for _, r := range text {
					used[r] = name
				}
			}
			return true
		})
	}
	for _, name := range append(files, "../axis/ticks.go") {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if name == "../axis/ticks.go" {
			strings(file, name)
		}
		// what is within draw.Plot{...} and draw.Series{...}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok {
				if typ, ok := lit.Type.(*ast.SelectorExpr); ok && (typ.Sel.Name == "Plot" || typ.Sel.Name == "Series") {
					strings(lit, name)
				}
			}
			return true
		})
	}
	if used['μ'] == "" || used['⁷'] == "" {
		t.Fatal("letters are not found")
	}
	var buffer sfnt.Buffer
	for r, name := range used {
		for _, f := range []*sfnt.Font{fonts().regular, fonts().bold} {
			if i, err := f.GlyphIndex(&buffer, r); i == 0 || err != nil {
				t.Errorf("%s: the fonts lack %c (%U)", name, r, r)
				break
			}
		}
	}
}
