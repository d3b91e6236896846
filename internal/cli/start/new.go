package start

import (
	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/cli"
	"github.com/toile-sim/toile/internal/scenefile"
	"github.com/toile-sim/toile/internal/words"
)

// NewCommand returns toile new.
func NewCommand(t *cli.Term) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new DIR",
		Short: "Write a small commented scene to start from",
		Long: `Write a small commented scene into a folder, which is made if need be. It runs as it
is, in about a minute. Nothing is ever overwritten.`,
		Example: `  toile new curtain
  toile run curtain/scene.yaml`,
		Args: cli.NeedArgs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error { return newScene(t, args[0]) },

		ValidArgsFunction: cli.Complete(cobra.ShellCompDirectiveFilterDirs),
	}
	cli.AddJSON(cmd, t)
	return cmd
}

func newScene(t *cli.Term, dir string) error {
	path, err := scenefile.New(dir)
	if err != nil {
		return cli.BadInput(err)
	}
	t.Wrote(path)
	t.Say("Wrote %s. Next:", path)
	t.Say("  toile run %s", words.ShellWord(path))
	return nil
}
