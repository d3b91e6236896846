package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/farm/flow"
)

// askBuild asks a toile program which build it is, and returns that and the stamp that its runs and queues carry. The
// fingerprint of the program is part of the stamp, because toile goes on only with what the very same program began.
func askBuild(program string) (cache.Build, string, error) {
	var told struct {
		cache.Build
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

// findToile returns the path of the toile program.
func findToile(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("the program toile is not found: %w; name it with --toile", err)
	}
	return path, nil
}
