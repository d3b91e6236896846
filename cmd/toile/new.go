package main

import (
	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/scene"
)

func newNewCommand(t *term) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new DIR",
		Short: "Write a small commented scene to start from",
		Long: `Write a small commented scene into a folder, which is made if need be. It runs as it
is, in about a minute. Nothing is ever overwritten.`,
		Example: `  toile new curtain
  toile run curtain/scene.yaml`,
		Args: needArgs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error { return newScene(t, args[0]) },

		ValidArgsFunction: complete(cobra.ShellCompDirectiveFilterDirs),
	}
	addJSON(cmd, t)
	return cmd
}

func newScene(t *term, dir string) error {
	path, err := scene.New(dir)
	if err != nil {
		return badInput(err)
	}
	t.wrote(path)
	t.say("Wrote %s. Next:", path)
	t.say("  toile run %s", quote(path))
	return nil
}
