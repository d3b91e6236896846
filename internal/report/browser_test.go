package report

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestInABrowser opens the report of a run from the disk in Chromium, if there is one: it shows something in light and
// in dark, on a desktop and on a narrow screen, and the browser has nothing to complain about. TOILE_SCREENSHOTS
// names a folder that keeps the pictures.
func TestInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	f := play(t, played)
	path, err := Write(f, Options{})
	if err != nil {
		t.Fatal(err)
	}
	keep := os.Getenv("TOILE_SCREENSHOTS")
	if keep == "" {
		keep = t.TempDir()
	}
	for _, c := range []struct {
		name, size, scheme string
		dark               bool
	}{{"light", "1280,2800", "1", false}, {"dark", "1280,2800", "0", true}, {"narrow", "500,2800", "1", false}} {
		t.Run(c.name, func(t *testing.T) {
			picture := filepath.Join(keep, "report-"+c.name+".png")
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(
				ctx,
				browser,
				"--headless=new",
				"--no-sandbox",
				"--disable-gpu",
				"--hide-scrollbars",
				"--enable-logging=stderr",
				"--user-data-dir="+t.TempDir(),
				"--blink-settings=preferredColorScheme="+c.scheme,
				"--window-size="+c.size,
				"--screenshot="+picture,
				"file://"+path,
			)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, line := range strings.Split(string(out), "\n") {
				if regexp.MustCompile(`:CONSOLE|Content Security Policy`).MatchString(line) {
					t.Errorf("the browser says: %s", line)
				}
			}
			data, err := os.ReadFile(picture)
			if err != nil {
				t.Fatal(err)
			}
			light, colors := look(t, data)
			if c.dark != (light < 0.5) {
				t.Errorf("the mean lightness is %.2f", light)
			}
			if colors < 200 {
				t.Errorf("there are only %d colours", colors)
			}
		})
	}
}

// look returns the mean lightness of a picture, from 0 to 1, and the number of its colours.
func look(t *testing.T, data []byte) (light float64, colors int) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[[3]uint32]bool{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 2 {
		for x := b.Min.X; x < b.Max.X; x += 2 {
			r, g, bl, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r, g, bl}] = true
			light += float64(r+g+bl) / 3 / 0xffff
		}
	}
	return light / float64(b.Dx()/2*(b.Dy()/2)), len(seen)
}
