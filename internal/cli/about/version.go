// Package about has the commands that tell of the program itself: toile version and toile schema.
package about

import (
	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/runfolder"
)

// VersionCommand returns toile version.
func VersionCommand(t *cli.Term) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Long: `Say which build this is: version, source revision, compiler and processor level.
Results are the same bit for bit between builds that agree in all of these.
With --json it also tells the fingerprint of the program itself, without which a run is
not gone on with.`,
		Example: "  toile version --json",
		Args:    cli.NeedArgs(),
		RunE: func(*cobra.Command, []string) error {
			program, err := runfolder.Program()
			if err != nil {
				return err
			}
			showVersion(t, runfolder.ThisBuild(), program)
			return nil
		},
	}
	cli.AddJSON(cmd, t)
	return cmd
}

func showVersion(t *cli.Term, b runfolder.Build, program string) {
	t.Emit(struct {
		Event string `json:"event"`
		runfolder.Build
		Program string `json:"program"` // as in run.json
	}{"version", b, program})
	t.Say("toile %s", b.Version)
	if b.Revision != "" {
		changed := ""
		if b.Modified {
			changed = " (changed since)"
		}
		t.Say("revision  %s%s", b.Revision, changed)
	}
	t.Say("compiler  %s", b.Go)
	t.Say("processor %s %s", b.Arch, b.Level)
}
