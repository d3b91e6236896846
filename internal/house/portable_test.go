package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// unlike are functions of package math with other bits on other processors: Exp is assembly, and the others call it.
const unlike = " Exp Exp2 Pow Sinh Cosh Tanh Erf Erfc Gamma "

// shown are packages whose numbers are for people, or try the engine, and go into no state of a scene.
const shown = " internal/dumps internal/verify internal/bench internal/problems internal/referee internal/storm " +
	"internal/axis internal/draw internal/report internal/cli "

// wholePowers are files with powers that are whole numbers, for which math.Pow multiplies.
const wholePowers = " internal/engine/failsafe.go internal/knits/knits.go internal/pattern/outline.go "

// TestStatesArePortable fails where something that may go into a state calls what is not the same on all processors.
// Package portable has it; see docs/decisions/0042-same-bits.md.
func TestStatesArePortable(t *testing.T) {
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		// Go files of the engine, and of what makes worlds
		dir, name := path.Dir(filepath.ToSlash(file)), filepath.ToSlash(file)
		if d.IsDir() && (strings.Contains(shown, " "+name+" ") || name == "farm" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || dir == "internal/portable" {
			return nil
		}
		// what they call of package math
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			whole := s.Sel.Name == "Pow" && strings.Contains(wholePowers, " "+name+" ")
			if from, ok := s.X.(*ast.Ident); ok && from.Name == "math" && strings.Contains(unlike, " "+s.Sel.Name+" ") && !whole {
				t.Errorf("%s: math.%s gives other bits on other processors; call package portable", set.Position(s.Pos()), s.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
