package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// imports is the policy: which packages each package may import, of our own and of others, outside tests. A
// package that is not listed fails, and so does an import that is not listed: whoever adds one states it
// here. The engine, up to the root package ("."), uses the standard library alone. The order is from the
// bottom up. A name that ends with * is of all packages of a folder that are not listed by themselves.
var imports = map[string][]string{
	"internal/disk":     {},
	"internal/words":    {},
	"internal/axis":     {},
	"internal/portable": {},
	"internal/par":      {},
	"internal/lanes":    {},
	"internal/lists":    {},
	"r3":                {},
	"internal/sparse":   {"internal/lanes", "internal/par", "r3"},
	"mesh":              {"internal/lists", "r3"},
	"internal/element":  {"r3"},
	"material":          {"internal/words"},
	"internal/elastic":  {"internal/element", "r3", "mesh", "material"},
	"internal/geom":     {"internal/lists", "internal/par", "r3"},
	"internal/polygon":  {"r3", "internal/geom"},
	"internal/remesh":   {"internal/lists", "internal/par", "r3", "mesh", "internal/geom", "shape"},
	"internal/smooth":   {"internal/par", "r3", "internal/geom"},
	"internal/contact":  {"r3", "mesh", "internal/geom", "internal/smooth"},
	"internal/contact/detect": {
		"internal/lists", "internal/par", "r3", "internal/geom", "internal/smooth", "internal/contact", "shape",
	},
	"internal/mech": {"internal/par", "internal/element", "r3", "internal/sparse", "mesh", "internal/geom", "internal/contact"},
	"internal/body": {
		"internal/element",
		"internal/words",
		"internal/par",
		"internal/mech",
		"r3",
		"mesh",
		"internal/elastic",
		"internal/geom",
		"internal/smooth",
		"internal/remesh",
		"internal/contact",
		"material",
	},
	"internal/solve":    {"internal/par", "r3", "internal/sparse", "internal/contact"},
	"internal/untangle": {"internal/lists", "internal/par", "r3", "internal/geom", "internal/contact", "shape"},
	"internal/engine": {
		"internal/words",
		"internal/par",
		"internal/element",
		"internal/mech",
		"r3",
		"internal/sparse",
		"mesh",
		"internal/geom",
		"internal/smooth",
		"internal/contact",
		"internal/contact/detect",
		"internal/solve",
		"internal/untangle",
		"shape",
	},

	"internal/cloths": {"internal/body", "internal/engine", "r3"},
	"internal/bridge": {"internal/engine", "internal/scenefile"},
	"scene":           {".", "internal/bridge", "internal/scenefile", "internal/build", "internal/dress"},
	"run":             {"scene", "internal/bridge", "internal/player", "internal/runfolder", "meshio", "r3"},
	".": {
		"internal/mech",
		"internal/bridge",
		"internal/elastic",
		"internal/engine",
		"internal/remesh",
		"internal/smooth",
		"internal/solve",
		"internal/words",
		"internal/body",
		"material",
		"mesh",
		"r3",
		"shape",
		"internal/cloths",
	},

	"internal/yarn":     {"internal/par", "r3", "internal/geom", "shape"},
	"internal/knit":     {"internal/words", "r3", "internal/geom"},
	"internal/knits":    {"internal/disk", "r3", "internal/knit", "internal/yarn", "shape"},
	"internal/referee":  {"r3"},
	"internal/problems": {"internal/referee", "r3", "internal/sparse", "internal/contact"},
	"internal/mutants":  {},
	"internal/samebits": {},
	"internal/bars":     {"internal/verify", "internal/verify/all"},
	"internal/bite":     {"internal/engine", "internal/bench", "r3", "internal/solve", "internal/yarn", "internal/verify", "internal/verify/all"},

	"internal/mannequin":         {"internal/portable", "r3", "mesh", "internal/geom", "shape"},
	"shape":                      {"internal/polygon", "internal/portable", "r3", "mesh", "internal/geom"},
	"internal/pattern":           {"internal/mannequin", "internal/lists", "internal/polygon", "internal/words", "r3", "mesh", "internal/geom"},
	"internal/format/gltf":       {},
	"internal/format/model":      {"r3"},
	"internal/format/scan":       {"internal/format/model"},
	"internal/format/film":       {"internal/disk", "internal/format/model", "r3"},
	"internal/format/pointcache": {"internal/format/model", "internal/format/scan", "r3"},
	"internal/format/tets":       {"internal/format/model", "internal/format/scan", "mesh", "r3"},
	"internal/format/*": { // the formats, which know what they share, and not each other
		"internal/disk",
		"internal/format/film",
		"internal/format/gltf",
		"internal/format/model",
		"internal/format/pointcache",
		"internal/format/scan",
		"internal/format/tets",
		"r3",
	},
	"internal/format/caches": {
		"internal/format/mdd",
		"internal/format/model",
		"internal/format/pc2",
		"internal/format/pointcache",
		"internal/words",
	},
	"meshio": {"internal/disk", "internal/format/*", "internal/words", "r3"},
	"internal/scenefile": {
		"internal/elastic",
		"internal/engine",
		"internal/knit",
		"internal/mannequin",
		"internal/pattern",
		"internal/remesh",
		"internal/smooth",
		"internal/untangle",
		"internal/words",
		"internal/yarn",
		"material",
		"mesh",
		"meshio",
		"r3",
		"shape",
		"github.com/goccy/go-yaml",
		"github.com/invopop/jsonschema",
	},
	"internal/samples": {"meshio", "r3"},
	"internal/build": {
		"internal/body",
		"internal/cloths",
		"internal/engine",
		"internal/geom",
		"internal/knit",
		"internal/mannequin",
		"internal/pattern",
		"internal/scenefile",
		"internal/untangle",
		"internal/yarn",
		"material",
		"mesh",
		"meshio",
		"r3",
		"shape",
	},
	"internal/dress": {
		"internal/build",
		"internal/cloths",
		"internal/engine",
		"internal/geom",
		"internal/pattern",
		"internal/scenefile",
		"r3",
	},
	"internal/runfolder": {
		"internal/mech",
		"internal/disk",
		"internal/format/gltf",
		"internal/lists",
		"internal/engine",
		"r3",
		"mesh",
		"internal/geom",
		"shape",
		"meshio",
		"internal/format/parquet",
		"internal/body",
		"internal/cloths",
	},
	"internal/draw": {"internal/axis", "internal/par", "r3", "meshio", "internal/runfolder", "golang.org/x/image"},
	"internal/export": {
		"internal/disk",
		"internal/format/caches",
		"internal/format/film",
		"internal/format/glb",
		"internal/format/model",
		"internal/format/obj",
		"internal/format/pointcache",
		"internal/format/usd",
		"r3",
		"meshio",
		"internal/runfolder",
	},
	"internal/report":  {"internal/axis", "internal/disk", "internal/words", "internal/runfolder", "internal/draw"},
	"scenes":           {},
	"internal/view":    {"r3", "internal/runfolder"},
	"internal/player":  {"internal/words", "internal/engine", "r3", "meshio", "internal/body", "internal/yarn", "internal/scenefile", "internal/runfolder", "shape", "internal/cloths", "internal/build", "internal/dress"},
	"internal/sweep":   {"internal/portable", "internal/disk", "internal/words", "internal/scenefile", "internal/runfolder", "internal/player", "internal/draw", "internal/report"},
	"internal/layouts": {"r3"},
	"internal/whirl":   {"internal/engine", "r3", "internal/elastic", "internal/body", "shape", "material", "internal/cloths"},
	"internal/storm":   {"internal/engine", "r3", "internal/geom", "internal/scenefile", "internal/runfolder", "internal/player", "internal/dress"},
	"internal/verify": {
		"internal/cloths",
		"internal/draw",
		"internal/engine",
		"internal/problems",
		"internal/referee",
		"internal/solve",
		"internal/yarn",
		"r3",
		"shape",
	},
	"internal/verify/setup": {
		"internal/mech",
		"internal/bench",
		"internal/body",
		"internal/cloths",
		"internal/engine",
		"internal/geom",
		"internal/problems",
		"internal/remesh",
		"internal/smooth",
		"internal/solve",
		"internal/untangle",
		"internal/verify",
		"internal/whirl",
		"material",
		"mesh",
		"r3",
		"internal/scenefile",
		"scenes",
		"shape",
		"internal/build",
		"internal/dress",
	},
	"internal/verify/stress": {
		"internal/mannequin",
		"internal/body",
		"internal/cloths",
		"internal/engine",
		"internal/layouts",
		"internal/verify/setup",
		"mesh",
		"r3",
		"shape",
	},
	"internal/verify/cloth": {
		"internal/mech",
		"internal/mannequin",
		"internal/bench",
		"internal/body",
		"internal/cloths",
		"internal/draw",
		"internal/elastic",
		"internal/engine",
		"internal/geom",
		"internal/par",
		"internal/remesh",
		"internal/verify",
		"internal/verify/setup",
		"material",
		"mesh",
		"r3",
		"shape",
	},
	"internal/verify/friction": {
		"internal/body",
		"internal/cloths",
		"internal/draw",
		"internal/elastic",
		"internal/engine",
		"internal/layouts",
		"internal/remesh",
		"internal/smooth",
		"internal/solve",
		"internal/verify",
		"internal/verify/setup",
		"material",
		"r3",
		"shape",
	},
	"internal/verify/contact": {
		"internal/body",
		"internal/cloths",
		"internal/contact",
		"internal/contact/detect",
		"internal/draw",
		"internal/engine",
		"internal/geom",
		"internal/problems",
		"internal/referee",
		"internal/smooth",
		"internal/solve",
		"internal/sparse",
		"internal/storm",
		"internal/verify",
		"internal/verify/setup",
		"material",
		"mesh",
		"r3",
		"scenes",
		"shape",
	},
	"internal/verify/solver": {
		"internal/body",
		"internal/contact",
		"internal/draw",
		"internal/engine",
		"internal/par",
		"internal/problems",
		"internal/referee",
		"internal/solve",
		"internal/sparse",
		"internal/verify",
		"internal/verify/friction",
		"internal/verify/setup",
		"material",
		"r3",
		"shape",
	},
	"internal/verify/rigid": {
		"internal/body",
		"internal/cloths",
		"internal/contact",
		"internal/draw",
		"internal/elastic",
		"internal/engine",
		"internal/geom",
		"internal/layouts",
		"internal/referee",
		"internal/solve",
		"internal/sparse",
		"internal/verify",
		"internal/verify/setup",
		"material",
		"mesh",
		"r3",
		"shape",
		"internal/build",
	},
	"internal/verify/solid": {
		"internal/body",
		"internal/draw",
		"internal/elastic",
		"internal/engine",
		"internal/par",
		"internal/smooth",
		"internal/sparse",
		"internal/verify",
		"internal/verify/setup",
		"internal/whirl",
		"material",
		"mesh",
		"r3",
		"shape",
	},
	"internal/verify/yarn": {
		"internal/bench",
		"internal/draw",
		"internal/knit",
		"internal/knits",
		"internal/referee",
		"internal/verify",
		"internal/verify/setup",
		"internal/yarn",
		"meshio",
		"r3",
		"shape",
	},
	"internal/verify/garment": {
		"internal/draw",
		"internal/engine",
		"internal/geom",
		"internal/untangle",
		"internal/verify",
		"internal/verify/setup",
		"r3",
		"internal/scenefile",
		"internal/build",
		"internal/dress",
	},
	"internal/verify/space": {
		"internal/mannequin",
		"internal/draw",
		"internal/engine",
		"internal/geom",
		"internal/par",
		"internal/untangle",
		"internal/verify",
		"internal/verify/setup",
		"r3",
		"shape",
	},
	"internal/verify/scheme": {
		"internal/body",
		"internal/cloths",
		"internal/draw",
		"internal/elastic",
		"internal/engine",
		"internal/problems",
		"internal/referee",
		"internal/remesh",
		"internal/solve",
		"internal/verify",
		"internal/verify/cloth",
		"internal/verify/friction",
		"internal/verify/setup",
		"internal/verify/solid",
		"internal/verify/stress",
		"material",
		"mesh",
		"r3",
		"shape",
	},
	"internal/verify/all": {
		"internal/verify",
		"internal/verify/cloth",
		"internal/verify/contact",
		"internal/verify/friction",
		"internal/verify/garment",
		"internal/verify/rigid",
		"internal/verify/scheme",
		"internal/verify/solid",
		"internal/verify/solver",
		"internal/verify/space",
		"internal/verify/yarn",
	},

	"internal/dumps": {
		"internal/engine",
		"internal/bench",
		"internal/disk",
		"internal/layouts",
		"internal/par",
		"r3",
		"mesh",
		"internal/geom",
		"internal/contact",
		"internal/body",
		"internal/solve",
		"shape",
		"internal/smooth",
		"material",
		"internal/cloths",
	},
	"internal/bench": {
		"internal/mannequin",
		"internal/engine",
		"internal/layouts",
		"internal/disk",
		"internal/words",
		"internal/par",
		"r3",
		"internal/solve",
		"internal/sparse",
		"mesh",
		"internal/untangle",
		"shape",
		"meshio",
		"internal/scenefile",
		"scenes",
		"internal/build",
		"internal/dress",
	},
	"internal/cli": {
		"internal/runfolder",
		"internal/bench",
		"internal/words",
		"meshio",
		"r3",
		"internal/scenefile",
		"github.com/spf13/cobra",
		"github.com/vbauerster/mpb",
		"internal/dress",
	},
	"internal/cli/about": {"internal/runfolder", "internal/cli", "internal/sweep", "internal/scenefile", "github.com/spf13/cobra"},
	"internal/cli/bench": {
		"internal/runfolder",
		"internal/bench",
		"internal/cli",
		"internal/cli/sewn",
		"internal/cloths",
		"internal/disk",
		"internal/draw",
		"internal/dumps",
		"internal/engine",
		"internal/knits",
		"internal/pattern",
		"internal/words",
		"internal/yarn",
		"meshio",
		"r3",
		"internal/player",
		"internal/scenefile",
		"scenes",
		"shape",
		"github.com/spf13/cobra",
		"internal/build",
		"internal/dress",
	},
	"internal/cli/check": {
		"internal/runfolder",
		"internal/bench",
		"internal/body",
		"internal/cli",
		"internal/cli/sewn",
		"internal/engine",
		"internal/lists",
		"internal/report",
		"internal/words",
		"internal/yarn",
		"meshio",
		"r3",
		"internal/player",
		"internal/scenefile",
		"shape",
		"github.com/spf13/cobra",
		"internal/build",
		"internal/dress",
	},
	"internal/cli/selfcheck": {"internal/build", "internal/cli", "internal/engine", "internal/portable", "internal/runfolder", "internal/scenefile", "internal/words", "r3", "github.com/spf13/cobra"},
	"internal/cli/diff":      {"internal/cli", "internal/player", "github.com/spf13/cobra"},
	"internal/cli/export":    {"internal/runfolder", "internal/cli", "internal/export", "internal/words", "github.com/spf13/cobra"},
	"internal/cli/mannequin": {"internal/mannequin", "internal/cli", "internal/export", "internal/format/film", "internal/words", "meshio", "r3", "github.com/spf13/cobra"},
	"internal/cli/render": {
		"internal/runfolder",
		"internal/cli",
		"internal/draw",
		"internal/words",
		"meshio",
		"r3",
		"github.com/spf13/cobra",
	},
	"internal/cli/report": {"internal/cli", "internal/report", "github.com/spf13/cobra"},
	"internal/cli/run": {
		"internal/runfolder",
		"internal/cli",
		"internal/cli/sewn",
		"internal/engine",
		"internal/report",
		"internal/words",
		"internal/player",
		"internal/scenefile",
		"github.com/spf13/cobra",
	},
	"internal/cli/sewn": {"internal/runfolder", "internal/cli", "internal/words", "github.com/spf13/cobra"},
	"internal/cli/solve": {
		"internal/cli",
		"internal/disk",
		"internal/dumps",
		"internal/par",
		"internal/solve",
		"internal/words",
		"github.com/spf13/cobra",
	},
	"internal/cli/space": {
		"internal/cli",
		"internal/disk",
		"internal/draw",
		"internal/export",
		"internal/format/film",
		"internal/par",
		"internal/untangle",
		"internal/words",
		"meshio",
		"r3",
		"internal/scenefile",
		"github.com/spf13/cobra",
	},
	"internal/cli/sweep": {
		"internal/runfolder",
		"internal/cli",
		"internal/disk",
		"internal/sweep",
		"internal/words",
		"github.com/spf13/cobra",
	},
	"internal/cli/verify": {
		"internal/runfolder",
		"internal/bench",
		"internal/cli",
		"internal/report",
		"internal/storm",
		"internal/verify",
		"internal/verify/all",
		"internal/words",
		"github.com/spf13/cobra",
	},
	"internal/cli/view": {"internal/runfolder", "internal/cli", "internal/view", "internal/words", "github.com/spf13/cobra"},
	"internal/cli/start": {
		"internal/cli",
		"internal/cli/run",
		"internal/cli/view",
		"internal/view",
		"internal/words",
		"internal/scenefile",
		"scenes",
		"github.com/spf13/cobra",
	},
	"internal/cli/root": {
		"internal/cli",
		"internal/cli/about",
		"internal/cli/bench",
		"internal/cli/check",
		"internal/cli/diff",
		"internal/cli/export",
		"internal/cli/mannequin",
		"internal/cli/render",
		"internal/cli/report",
		"internal/cli/run",
		"internal/cli/selfcheck",
		"internal/cli/sewn",
		"internal/cli/solve",
		"internal/cli/space",
		"internal/cli/start",
		"internal/cli/sweep",
		"internal/cli/verify",
		"internal/cli/view",
		"internal/runfolder",
		"github.com/spf13/cobra",
	},
	"cmd/toile": {"internal/cli/root"},
}

// TestImportsFollowThePolicy fails on a package or an import that the policy does not list.
func TestImportsFollowThePolicy(t *testing.T) {
	seen := map[string]bool{}
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != ".") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(file, "go.mod")); d.IsDir() && file != "." && err == nil {
			return fs.SkipDir // a module of its own, with dependencies of its own
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		dir := ruleOf(path.Dir(filepath.ToSlash(file)))
		allowed, known := imports[dir]
		if !known {
			t.Errorf("%s: package %s is not in the import policy", file, dir)
			return nil
		}
		seen[dir] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			if name == "C" {
				t.Errorf("%s imports C; Toile is pure Go", file)
			}
			if standard(name) {
				continue
			}
			rule := slices.IndexFunc(allowed, func(a string) bool { return covers(a, name) })
			if rule < 0 {
				t.Errorf("%s imports %s, which the policy for %s does not list", file, name, dir)
				continue
			}
			used[dir+" imports "+allowed[rule]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, allowed := range imports {
		if !seen[dir] {
			t.Errorf("the import policy lists %s, which has no code", dir)
		}
		for _, a := range allowed {
			if !used[dir+" imports "+a] {
				t.Errorf("the import policy lets %s import %s, which it does not", dir, a)
			}
		}
	}
}

// ruleOf returns the name by which the policy lists a package.
func ruleOf(dir string) string {
	if _, ok := imports[dir]; ok {
		return dir
	}
	if all := path.Dir(dir) + "/*"; imports[all] != nil {
		return all
	}
	return dir
}

func standard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".")
}

// covers reports whether the rule a of the policy stands for the import of name.
func covers(a, name string) bool {
	switch first, _, _ := strings.Cut(a, "/"); {
	case a == ".":
		return name == module
	case strings.HasSuffix(a, "/*"):
		return path.Dir(name)+"/*" == module+"/"+a
	case strings.Contains(first, "."):
		return name == a || strings.HasPrefix(name, a+"/")
	}
	return name == module+"/"+a
}
