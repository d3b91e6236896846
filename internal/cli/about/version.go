// Package about has the commands that tell of the program itself: toile version and toile schema.
package about

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/runfolder"
)

// VersionCommand returns toile version.
func VersionCommand(t *cli.Term) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Long: `Say which build this is: version, source revision, compiler, system and processor level.
A build that is not of a release says so. Results are the same bit for bit between builds
that agree in all but the system.
With --json it also tells the fingerprint of the program itself, without which a run is
not gone on with.`,
		Example: "  toile version --json",
		Args:    cli.NeedArgs(),
		RunE: func(*cobra.Command, []string) error {
			program, err := runfolder.Program()
			if err != nil {
				return err
			}
			b := runfolder.ThisBuild()
			t.Emit(struct {
				Event string `json:"event"`
				runfolder.Build
				System  string `json:"os"`
				Program string `json:"program"` // as in run.json
			}{"version", b, runtime.GOOS, program})
			t.Say("%s", b.Words("toile"))
			return nil
		},
	}
	cli.AddJSON(cmd, t)
	return cmd
}
