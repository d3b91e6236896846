package scenefile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

func TestFilesStayInTheFolder(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	sheet := badFiles["sheet.obj"].Data
	write := func(path string, data []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, from string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, from)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	write(filepath.Join(outside, "secret.obj"), sheet)
	write(filepath.Join(dir, "meshes", "sheet.obj"), sheet)
	link(filepath.Join(outside, "secret.obj"), "file.obj")
	link(outside, "door")
	link("../"+filepath.Base(outside)+"/secret.obj", "relative.obj")
	link("meshes/sheet.obj", "inside.obj")
	link("loop.obj", "loop.obj")
	link("nowhere.obj", "dangling.obj")
	for file, phrase := range map[string]string{
		"meshes/sheet.obj":   "",
		"./meshes/sheet.obj": "",
		"inside.obj":         "",
		"file.obj":           "leads out of the folder",
		"door/secret.obj":    "leads out of the folder",
		"relative.obj":       "leads out of the folder",
		"loop.obj":           "cannot be read",
		"dangling.obj":       "does not exist",
		"meshes":             "not a regular file",
		filepath.ToSlash(filepath.Join(outside, "secret.obj")): "relative to the folder",
	} {
		scene := filepath.Join(dir, "scene.yaml")
		text := strings.NewReplacer(gridShape, "shape: {file: '"+file+"'}", "    "+pinLine+"\n", "", "    "+forceLine+"\n", "").
			Replace(base)
		write(scene, []byte(text))
		s, err := Load(scene, nil)
		if phrase == "" {
			if err != nil {
				t.Errorf("%s: %v", file, err)
			} else if err := BuildInTests(s); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			continue
		}
		var faults Faults
		if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Line != 9 ||
			!strings.Contains(faults[0].Msg, phrase) {
			t.Errorf("%s: want line 9 and %q, got %v", file, phrase, err)
		}
	}
}

// hostile are texts that ask for far more than they are long.
func hostile() map[string]string {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		fmt.Fprintf(
			&bomb,
			"a%d: &a%d [%s]\n",
			i+1,
			i+1,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "),
		)
	}
	var block strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&block, "%sa:\n", strings.Repeat(" ", i))
	}
	var keys strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	return map[string]string{
		"alias bomb":      bomb.String(),
		"alias of itself": "a: &a [*a]\n",
		"flow lists":      strings.Repeat("[", 100_000),
		"flow mappings":   strings.Repeat("{a: ", 100_000),
		"closed lists":    strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		"entries":         strings.Repeat("- ", 100_000),
		"explicit keys":   strings.Repeat("? ", 100_000),
		"indented":        block.String(),
		"anchors":         strings.Repeat("&a ", 100_000) + "x",
		"many keys":       keys.String(),
		"large":           strings.Repeat("#", maxSceneBytes+1),
		"long line":       "name: " + strings.Repeat("x", 1_000_000),
		"many cells":      strings.Replace(base, "cells: [4, 4]", "cells: [2000000, 2000000]", 1),
		"many ids": strings.Replace(
			base,
			"select: corners",
			"select: {ids: ["+strings.Repeat("1,", 300_000)+"1]}",
			1,
		),
		"many obstacles": strings.Replace(
			base,
			"motions:",
			"obstacles: ["+strings.Repeat("{name: a, shape: {plane: {}}}, ", 1001)+"]\nmotions:",
			1,
		),
		"cloths of a million": strings.Replace(
			base,
			"motions:",
			strings.Repeat("  - {name: a, "+gridShape[:len(gridShape)-9]+"[1000, 900]}}}\n", 900)+"motions:",
			1,
		),
	}
}

func TestHostileScenesAreCheap(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s, err := Parse("bad.yaml", []byte(text), fstest.MapFS{}, nil)
			if err == nil {
				err = BuildInTests(s)
			}
			runtime.ReadMemStats(&after)
			var faults Faults
			if name != "many ids" && !errors.As(err, &faults) {
				t.Errorf("not refused: %v", err)
			}
			// The parser needs some hundred bytes for each byte of text; a bomb would need gigabytes.
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 {
				t.Errorf("allocated %d MB for %d bytes", used>>20, len(text))
			}
			if err != nil && len(err.Error()) > 100_000 {
				t.Errorf("a message of %d bytes", len(err.Error()))
			}
		})
	}
}

// costly tells whether a scene may have bodies, letters or knits in it, which take longer to make than all else in it
// to read: FuzzSceneBodies has those.
func costly(text string) bool {
	for _, word := range []string{"mannequin", "letter", "garment", "pattern", "yarn"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// checkFaults fails if an error is not a list of faults, each with its place.
func checkFaults(t *testing.T, err error) {
	var faults Faults
	if err != nil && !errors.As(err, &faults) {
		t.Fatalf("not a list of faults: %v", err)
	}
	for _, f := range faults {
		if f.Line < 1 || f.Col < 1 || f.File == "" || f.Msg == "" {
			t.Fatalf("a fault without a place: %+v", f)
		}
		if strings.Contains(f.Error(), "\x00") {
			t.Fatalf("control characters in %q", f.Error())
		}
	}
}

// fuzzScene parses a scene with a --set, twice, and builds it.
func fuzzScene(t *testing.T, text, set string, limit int) {
	if len(text) > 1<<14 {
		return
	}
	var sets []string
	if set != "" {
		sets = []string{set}
	}
	s, err := parse("fuzz.yaml", []byte(text), badFiles, sets, limit)
	if err == nil {
		if again, err := parse("again.json", s.Resolved(), badFiles, nil, limit); err != nil {
			t.Fatalf("resolved is no scene: %v\n%s", err, s.Resolved())
		} else if string(again.Resolved()) != string(s.Resolved()) {
			t.Fatalf("resolved differs:\n%s\n%s", s.Resolved(), again.Resolved())
		}
		s.Cost()
		err = BuildInTests(s)
	}
	checkFaults(t, err)
}

// FuzzScene parses and builds arbitrary scenes.
func FuzzScene(f *testing.F) {
	f.Add(base, "time.end=2")
	for i, c := range allBadScenes {
		before, after, _ := strings.Cut(strings.Replace(base, c.old, c.new, 1), "§")
		if text := before + after; !costly(text) && i%seedsApart == 0 {
			f.Add(text, "")
		}
	}
	f.Add("{\"toile\": 1}", "cloths=[]")
	f.Add("a: &a [*a]\nb: *a", "a.b.c=[")
	f.Fuzz(func(t *testing.T, text, set string) {
		if !costly(text) && !costly(set) {
			fuzzScene(t, text, set, 60)
		}
	})
}

// seedsApart thins the bad scenes out, which tests read all of: each is carried to the fuzzer's worker and back before
// it begins, and hundreds of them took most of its time.
const seedsApart = 16

// FuzzSceneBodies is FuzzScene of scenes that take longer to make: larger ones, with mannequins, garments, letters,
// knits.
func FuzzSceneBodies(f *testing.F) {
	coarse := strings.Replace(string(Template()), "cells: [50, 50]", "cells: [16, 16]", 1)
	f.Add(coarse, "obstacles.ball.shape.sphere.radius=2 cm")
	f.Add(strings.Replace(base, otherPart, knitted("chart: k2 p2, form: courses, size: [5, 4], yarn: {bend: 2 nN m2, model: linear}, "+
		"loop-length: 44 mm, open: [top], pins: [{select: top, motion: lift}, {select: {near: [0, 0, 0]}}]")+
		"obstacles: [{name: ball, shape: {sphere: {radius: 0.1}}, friction: 0.2}]\n", 1), "yarns.scarf.size=[4, 6]")
	for _, c := range allBadScenes {
		before, after, _ := strings.Cut(strings.Replace(base, c.old, c.new, 1), "§")
		if text := before + after; costly(text) {
			f.Add(text, "")
		}
	}
	f.Fuzz(func(t *testing.T, text, set string) { fuzzScene(t, text, set, 500) })
}
