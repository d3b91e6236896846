package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/internal/words"
)

// noSewn is the word for no shared garments at all.
const noSewn = "none"

// sewnFolder returns the shared garments of a folder that a flag names; without one, those of the user. It returns nil
// if there are to be none, or there is no place for them.
func sewnFolder(flag string) *cache.Sewn {
	if flag == noSewn {
		return nil
	}
	if flag == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		flag = filepath.Join(caches, "toile", "sewn")
	}
	return &cache.Sewn{Dir: flag}
}

// addSewn adds the flag for the garments that runs share.
func addSewn(cmd *cobra.Command, folder *string) {
	cmd.Flags().StringVar(
		folder, "sewn", "", "`folder` of sewn garments that runs share (default: see toile sewn), or "+noSewn,
	)
}

func newSewnCommand(t *term) *cobra.Command {
	var dir string
	var clear bool
	cmd := &cobra.Command{
		Use:   "sewn",
		Short: "List the sewn garments that runs share, or remove them",
		Long: `List the sewn garments that runs share, or remove them.
Sewing is the slowest part of many runs. Runs that differ in nothing that bears on
it, but in friction or length for instance, sew once: the first keeps what it has
sewn in a folder, and the others begin there.`,
		Example: "  toile sewn\n  toile sewn --clear",
		Args:    needArgs(),
		RunE:    func(*cobra.Command, []string) error { return showSewn(t, dir, clear) },
	}
	cmd.Flags().StringVar(&dir, "sewn", "", "the `folder` (default: toile/sewn in the user's folder for caches)")
	cmd.Flags().BoolVar(&clear, "clear", false, "remove them all")
	addJSON(cmd, t)
	return cmd
}

// sewnEvent tells of the garments of one scene.
type sewnEvent struct {
	Event string    `json:"event"`
	Scene string    `json:"scene"`
	Key   string    `json:"key"`
	Made  time.Time `json:"made"`
	Bytes int64     `json:"bytes"`
}

func showSewn(t *term, dir string, clear bool) error {
	sewn := sewnFolder(dir)
	if sewn == nil {
		return badUsage("there is no folder for caches; name one with --sewn")
	}
	list, err := sewn.List()
	if err != nil {
		return err
	}
	total := int64(0)
	for _, s := range list {
		total += s.Bytes
		t.emit(sewnEvent{"sewn", s.Scene, s.Key, s.Made, s.Bytes})
		if !clear {
			t.say("%s  %-8s %s", s.Made.Format("2006-01-02 15:04"), words.Bytes(float64(s.Bytes)), s.Scene)
		}
	}
	if !clear {
		t.say("%s, %s in %s", words.Count(len(list), "scene"), words.Bytes(float64(total)), sewn.Dir)
		return nil
	}
	if err := sewn.Clear(); err != nil {
		return err
	}
	t.say(
		"Removed what was sewn for %s, %s, from %s", words.Count(len(list), "scene"), words.Bytes(float64(total)),
		sewn.Dir,
	)
	return nil
}
