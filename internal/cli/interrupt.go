package cli

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/toile-sim/toile/internal/words"
)

// SameCommand returns the command line as it can be typed again. --force would start anew.
func SameCommand() string {
	typed := []string{"toile"}
	for _, a := range os.Args[1:] {
		if a != "--force" && a != "-f" {
			typed = append(typed, words.ShellWord(a))
		}
	}
	return strings.Join(typed, " ")
}

// UntilInterrupt returns a context that ends with the first Ctrl-C, request to terminate or loss of the terminal. A
// second one kills the process, as if nobody listened, but for the loss of the terminal, of which shell and system both
// tell. Whoever started the process with nohup wants it to survive that.
func UntilInterrupt(ctx context.Context, said func()) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			signal.Ignore(syscall.SIGHUP)
			signal.Stop(signals)
			said()
			cancel()
		case <-done:
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(done)
		cancel()
	}
}
