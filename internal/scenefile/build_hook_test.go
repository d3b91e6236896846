package scenefile_test

import (
	"github.com/toile-sim/toile/internal/build"
	"github.com/toile-sim/toile/internal/scenefile"
)

func init() {
	scenefile.BuildInTests = func(s *scenefile.Scene) error {
		if s.HasYarns() {
			_, err := build.Yarns(s, 1)
			return err
		}
		_, err := build.World(s)
		return err
	}
}
