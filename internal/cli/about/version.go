// Package about has the commands that tell of the program itself: toile version and toile schema.
package about

import (
	"fmt"
	"runtime"
	"strings"

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
			t.Say("%s", Version("toile", b))
			return nil
		},
	}
	cli.AddJSON(cmd, t)
	return cmd
}

// Version returns the lines that a program says about its build, for toile version and toile --version.
func Version(program string, b runfolder.Build) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s\n", program, b.Title())
	if b.Revision != "" {
		changed := ""
		if b.Modified {
			changed = " (changed since)"
		}
		fmt.Fprintf(&out, "revision  %s%s\n", b.Revision, changed)
	}
	fmt.Fprintf(&out, "compiler  %s\nsystem    %s\nprocessor %s %s", b.Go, runtime.GOOS, b.Arch, b.Level)
	return out.String()
}
