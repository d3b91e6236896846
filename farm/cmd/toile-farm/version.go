package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/internal/runfolder"
)

func newVersionCommand(build *runfolder.Build) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Say which build this is",
		Example: "  toile-farm version",
		Args:    cobra.NoArgs,
		Run:     func(*cobra.Command, []string) { fmt.Println(build.Words("toile-farm")) },
	}
}
