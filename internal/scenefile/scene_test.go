package scenefile

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toile-sim/toile/internal/engine"
)

func mustParse(t *testing.T, text string, sets ...string) *Scene {
	t.Helper()
	s, err := Parse("test.yaml", []byte(text), badFiles, sets)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDefaults(t *testing.T) {
	s := mustParse(t, "toile: 1\ntime: {end: 1}\ncloths: [{name: a, shape: {grid: {size: [1, 1], cells: [1, 1]}}}]\n")
	got := s.Options()
	if want := engine.DefaultOptions(); got != want {
		t.Errorf("options %+v, want %+v", got, want)
	}
	c := s.Cloths[0]
	if c.Material.Preset != "default" || c.Bending != "plate" || c.Drag.Value != 1 || c.Place.Scale != 1 ||
		c.Shape.Grid.Pattern != "right" {
		t.Errorf("cloth %+v", c)
	}
	if s.Time.FPS != 30 || s.Time.Step != 2e-3 || s.Time.Settle != nil {
		t.Errorf("time %+v", s.Time)
	}
	if s.Air.Density.Value != 0 {
		t.Errorf("air %+v without the key", s.Air)
	}
	if s := mustParse(t, base, "air={wind: [1, 0, 0]}"); s.Air.Density.Value != 1.2 {
		t.Errorf("air %+v with a wind", s.Air)
	}
}

func TestResolvedIsAScene(t *testing.T) {
	for _, text := range []string{base, string(Template())} {
		first := mustParse(t, text).Resolved()
		again := mustParse(t, string(first)).Resolved()
		if !bytes.Equal(first, again) {
			t.Errorf("resolved\n%s\nreads as\n%s", first, again)
		}
	}
	// Units, order of keys, comments and shorthands do not matter.
	other := strings.NewReplacer("end: 1 s, fps: 50", "fps: 50 Hz, end: 1000 ms", "toile: 1", "toile: 1 # the first", "motion: lift}", `"motion": 'lift'}`).
		Replace(base)
	if !bytes.Equal(mustParse(t, base).Resolved(), mustParse(t, other).Resolved()) {
		t.Error("the same scene written otherwise resolves otherwise")
	}
	if bytes.Equal(mustParse(t, base).Resolved(), mustParse(t, base, "cloths.square.drag=2").Resolved()) {
		t.Error("another scene resolves to the same")
	}
}

func TestJSONIsAccepted(t *testing.T) {
	text := `{"toile": 1, "time": {"end": "1 s"}, "cloths": [
	{"name": "a", "shape": {"grid": {"size": [1, "50 cm"], "cells": [2, 2]}}, "material": "silk"}]}`
	if s := mustParse(t, text); s.Cloths[0].Shape.Grid.Size != [2]float64{1, 0.5} {
		t.Errorf("%+v", s.Cloths[0].Shape.Grid)
	}
}

func TestAliases(t *testing.T) {
	text := strings.Replace(base, "motions:\n", "  - {name: second, shape: *s, material: *m}\nmotions:\n", 1)
	text = strings.NewReplacer("shape: {grid", "shape: &s {grid", "material: {", "material: &m {").Replace(text)
	s := mustParse(t, text)
	if len(s.Cloths) != 2 || s.Cloths[1].Material.Density.Value != 0.2 {
		t.Errorf("%+v", s.Cloths)
	}
}

func TestTime(t *testing.T) {
	tm := Time{End: 0.1, FPS: 30, Step: 2e-3}
	if tm.Frames() != 3 || tm.StepsPerFrame() != 17 || tm.FrameTime(3) != 0.1 || tm.FrameTime(1) != 1.0/30 {
		t.Errorf("%d frames of %d steps, %g", tm.Frames(), tm.StepsPerFrame(), tm.FrameTime(3))
	}
	tm.End = 0.09
	if tm.Frames() != 3 || tm.FrameTime(3) != 0.1 {
		t.Errorf("%d frames, the last at %g", tm.Frames(), tm.FrameTime(3))
	}
	tm = Time{End: 2, FPS: 50, Step: 2e-3}
	if tm.Frames() != 100 || tm.StepsPerFrame() != 10 {
		t.Errorf("%d frames of %d steps", tm.Frames(), tm.StepsPerFrame())
	}
}

func TestLoadOfNothing(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "none.yaml"), filepath.Join(dir, "none", "none.yaml"), dir} {
		if _, err := Load(path, nil); err == nil {
			t.Errorf("loaded %s", path)
		}
	}
	for _, text := range []string{"", "# nothing\n", "---\n", "null\n", "3", "[1, 2]", "toile: 1\n---\ntoile: 1\n"} {
		_, err := Parse("x.yaml", []byte(text), nil, nil)
		var faults Faults
		if !errors.As(err, &faults) {
			t.Errorf("%q gives %v", text, err)
		}
	}
}
