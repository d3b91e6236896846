package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// workersUsed returns how many cores a number of workers stands for.
func workersUsed(n int) int {
	if n == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// addRehearse adds the flag for how long a rehearsal may take.
func addRehearse(cmd *cobra.Command, may *time.Duration) {
	cmd.Flags().DurationVar(
		may, "rehearse", 10*time.Second,
		"`time` for playing a scene to find out what a run takes, about; sewing has twice as long",
	)
}

// needArgs returns a check of the number of arguments that names what is missing.
func needArgs(names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("%s is missing", names[len(args)])
		case len(args) > len(names):
			return fmt.Errorf(
				"%q is one argument too many; there is only %s",
				args[len(names)],
				strings.Join(names, " "),
			)
		}
		return nil
	}
}

// addJSON gives a command the flag --json.
func addJSON(cmd *cobra.Command, t *term) {
	cmd.Flags().BoolVar(&t.json, "json", false, "one JSON object a line on standard output, for programs")
}

// addWorkers gives a command the flag --workers.
func addWorkers(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVarP(workers, "workers", "w", 0, "`cores` to use; 0 means all. Results do not depend on it")
}

func checkWorkers(n int) error {
	if n < 0 {
		return badUsage("--workers %d: write 0 for all cores, or how many", n)
	}
	return nil
}

// sceneEndings and meshEndings are what the names of files end with.
var (
	sceneEndings = []string{"yaml", "yml", "json"}
	meshEndings  = []string{"obj", "ply", "glb"}
)

// complete returns what a shell completes arguments with: words or endings of file names, as the directive
// says.
func complete(directive cobra.ShellCompDirective, words ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return words, directive
	}
}

// completeFlag lets a shell complete a flag with the given words.
func completeFlag(cmd *cobra.Command, flag string, words ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete(cobra.ShellCompDirectiveNoFileComp, words...)); err != nil {
		panic(err) // there is no such flag
	}
}

// addSets gives a command the flag --set.
func addSets(cmd *cobra.Command, sets *[]string) {
	cmd.Flags().StringArrayVarP(
		sets, "set", "s", nil, "replace a value of the scene: `path=value`, as in time.end='2 s'; may be repeated",
	)
}
