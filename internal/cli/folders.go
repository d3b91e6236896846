package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
)

// OpenRun opens a run folder, or says what the argument is instead.
func OpenRun(dir string) (*runfolder.Folder, error) {
	if Exists(dir) && !IsFolder(dir) {
		return nil, BadInput(notARun(dir))
	}
	f, err := runfolder.Open(dir)
	if errors.Is(err, runfolder.ErrNoRun) {
		if !Exists(dir) {
			return nil, BadInput(fmt.Errorf("%s does not exist; toile run SCENE makes run folders", dir))
		}
		return nil, BadInput(fmt.Errorf("%s is not a run folder: it has no %s", dir, runfolder.ManifestName))
	}
	return f, BadInput(err)
}

// notARun says what a file is that was given as a run, and how to come to a run.
func notARun(path string) error {
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if !slices.Contains(SceneEndings, ending) {
		return fmt.Errorf("%s is a file, not a run folder; toile run SCENE makes run folders", path)
	}
	return fmt.Errorf("%s is a scene, not a run: `toile run %s` makes %s", path, words.ShellWord(path), RunFolder(path))
}

// LoadScene reads a scene file; what is wrong with it is bad input.
func LoadScene(path string, sets []string) (*scenefile.Scene, error) {
	s, err := scenefile.Load(path, sets)
	return s, BadInput(err)
}

// RunFolder is where a scene is run by default.
func RunFolder(scenePath string) string {
	return strings.TrimSuffix(scenePath, filepath.Ext(scenePath)) + ".run"
}
