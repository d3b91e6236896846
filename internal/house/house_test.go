// Package house holds the tests that keep the structure of the code: which package may import which, what is exported,
// how long functions, files and lines may be, how many files refer to each other in a circle, and what documents cite.
package house

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// module is the path that our own imports start with.
const module = "github.com/toile-sim/toile"

var update = flag.Bool("update", false, "rewrite docs/api.txt and lower the ceilings of ceilings.txt")

// TestMain runs all tests in the root of the repository.
func TestMain(m *testing.M) {
	flag.Parse()
	_, here, _, _ := runtime.Caller(0)
	if err := os.Chdir(filepath.Join(filepath.Dir(here), "..", "..")); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
