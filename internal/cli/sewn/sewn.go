// Package sewn has the garments that runs share: the flag that says where they are, and the command toile sewn.
package sewn

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/runfolder"
	"github.com/toile-sim/toile/internal/words"
)

// None is the word for no shared garments at all.
const None = "none"

// Folder returns the shared garments of a folder that a flag names; without one, those of the user. It returns nil
// if there are to be none, or there is no place for them.
func Folder(flag string) *runfolder.Sewn {
	if flag == None {
		return nil
	}
	if flag == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		flag = filepath.Join(caches, "toile", "sewn")
	}
	return &runfolder.Sewn{Dir: flag}
}

// AddFlag adds the flag for the garments that runs share.
func AddFlag(cmd *cobra.Command, folder *string) {
	cmd.Flags().StringVar(
		folder, "sewn", "", "`folder` of sewn garments that runs share (default: see toile sewn), or "+None,
	)
}

// Command returns toile sewn.
func Command(t *cli.Term) *cobra.Command {
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
		Args:    cli.NeedArgs(),
		RunE:    func(*cobra.Command, []string) error { return showSewn(t, dir, clear) },
	}
	cmd.Flags().StringVar(&dir, "sewn", "", "the `folder` (default: toile/sewn in the user's folder for caches)")
	cmd.Flags().BoolVar(&clear, "clear", false, "remove them all")
	cli.AddJSON(cmd, t)
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

func showSewn(t *cli.Term, dir string, clear bool) error {
	// what is kept
	sewn := Folder(dir)
	if sewn == nil {
		return cli.BadUsage("there is no folder for caches; name one with --sewn")
	}
	list, err := sewn.List()
	if err != nil {
		return err
	}
	// a line for each scene
	total := int64(0)
	for _, s := range list {
		total += s.Bytes
		t.Emit(sewnEvent{"sewn", s.Scene, s.Key, s.Made, s.Bytes})
		if !clear {
			t.Say("%s  %-8s %s", s.Made.Format("2006-01-02 15:04"), words.Bytes(float64(s.Bytes)), s.Scene)
		}
	}
	if !clear {
		t.Say("%s, %s in %s", words.Count(len(list), "scene"), words.Bytes(float64(total)), sewn.Dir)
		return nil
	}
	// removed, if asked
	if err := sewn.Clear(); err != nil {
		return err
	}
	t.Say(
		"Removed what was sewn for %s, %s, from %s", words.Count(len(list), "scene"), words.Bytes(float64(total)),
		sewn.Dir,
	)
	return nil
}
