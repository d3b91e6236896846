package main

import (
	"github.com/spf13/cobra"

	"github.com/toile-sim/toile/cache"
)

func newVersionCommand(t *term) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Long: `Say which build this is: version, source revision, compiler and processor level.
Results are the same bit for bit between builds that agree in all of these.
With --json it also tells the fingerprint of the program itself, without which a run is
not gone on with.`,
		Example: "  toile version --json",
		Args:    needArgs(),
		RunE: func(*cobra.Command, []string) error {
			program, err := cache.Program()
			if err != nil {
				return err
			}
			showVersion(t, cache.ThisBuild(), program)
			return nil
		},
	}
	addJSON(cmd, t)
	return cmd
}

func showVersion(t *term, b cache.Build, program string) {
	t.emit(struct {
		Event string `json:"event"`
		cache.Build
		Program string `json:"program"` // as in run.json
	}{"version", b, program})
	t.say("toile %s", b.Version)
	if b.Revision != "" {
		changed := ""
		if b.Modified {
			changed = " (changed since)"
		}
		t.say("revision  %s%s", b.Revision, changed)
	}
	t.say("compiler  %s", b.Go)
	t.say("processor %s %s", b.Arch, b.Level)
}
