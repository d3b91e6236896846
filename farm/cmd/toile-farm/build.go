package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/toile-sim/toile/farm/flow"
	"github.com/toile-sim/toile/farm/store"
	"github.com/toile-sim/toile/internal/runfolder"
)

// askBuild asks a toile program which build it is, and returns that and the stamp that its runs and queues carry. The
// SHA-256 of the program is part of the stamp, because toile goes on only with what the very same program began.
func askBuild(program string) (runfolder.Build, string, error) {
	var told struct {
		runfolder.Build
		Program string `json:"program"`
	}
	out, err := exec.Command(program, "version", "--json").Output()
	if err == nil {
		err = json.Unmarshal(out, &told)
	}
	if err == nil && told.Program == "" {
		err = errors.New("it is too old for this farm")
	}
	if err != nil {
		return told.Build, "", fmt.Errorf("%s does not say which build it is: %w", program, err)
	}
	text, err := json.Marshal(told)
	return told.Build, flow.Stamp(text), err
}

// askKeys asks a toile program for the keys of its runs, given their arguments. No other program knows them: the one
// that plays is part of the key.
func askKeys(ctx context.Context, program string, runs [][]string) ([]string, error) {
	var lines bytes.Buffer
	for _, args := range runs {
		line, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		lines.Write(append(line, '\n'))
	}
	cmd := exec.CommandContext(ctx, program, "key", "--json", "--lines")
	var said bytes.Buffer
	cmd.Stdin, cmd.Stderr = &lines, &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s does not say the keys of its runs: %w\n%s", program, err, strings.TrimSpace(said.String()))
	}
	var keys []string
	for line := range bytes.Lines(out) {
		var told struct {
			Key string `json:"key"`
		}
		if err := json.Unmarshal(line, &told); err != nil {
			return nil, fmt.Errorf("%s does not say the keys of its runs: %w", program, err)
		}
		if err := store.CheckKey(told.Key); err != nil {
			return nil, fmt.Errorf("%s: %w", program, err)
		}
		keys = append(keys, told.Key)
	}
	if len(keys) != len(runs) {
		return nil, fmt.Errorf("%s says %d keys for %d runs", program, len(keys), len(runs))
	}
	return keys, nil
}

// findToile returns the path of the toile program.
func findToile(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("the program toile is not found: %w; name it with --toile", err)
	}
	return path, nil
}
