package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newCollectCommand(c *connection) *cobra.Command {
	var (
		forget []string
		dry    bool
	)
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Remove from the store what no kept sweep names",
		Long: `Remove from the store what no kept sweep names, and what is left of finished runs. Nothing
that is younger than a day is removed. Sweeps are kept until --forget names them.`,
		Example: "  toile-farm gc --forget 3f2a09c1d55e7b81aa60f3d2 --dry-run",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kept, err := c.openStore(cmd.Context())
			if err != nil {
				return err
			}
			defer func() { _ = kept.Close() }()
			if !dry {
				for _, id := range forget {
					if err := kept.Forget(cmd.Context(), id); err != nil {
						return err
					}
				}
			}
			removed, err := kept.Collect(cmd.Context(), dry, forget...)
			fmt.Printf("%d objects, %d bytes\n", removed.Objects, removed.Bytes)
			return err
		},
	}
	cmd.Flags().StringSliceVar(&forget, "forget", nil, "`sweeps` that are kept no longer")
	cmd.Flags().BoolVarP(&dry, "dry-run", "n", false, "say what would be removed, and remove nothing")
	return cmd
}
