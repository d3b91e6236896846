package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/toile-sim/toile/cache"
	"github.com/toile-sim/toile/farm/flow"
)

// askBuild asks a toile program which build it is, and returns that and the stamp that its runs and queues carry. Its
// bytes are part of the stamp, because toile goes on only with what the very same program began.
func askBuild(program string) (cache.Build, string, error) {
	var build cache.Build
	out, err := exec.Command(program, "version", "--json").Output()
	if err != nil {
		return build, "", fmt.Errorf("%s does not say which build it is: %w", program, err)
	}
	if err := json.Unmarshal(out, &build); err != nil {
		return build, "", fmt.Errorf("%s does not say which build it is: %w", program, err)
	}
	text, err := json.Marshal(build)
	if err != nil {
		return build, "", err
	}
	sum, err := hashFile(program)
	if err != nil {
		return build, "", err
	}
	return build, flow.Stamp(append(text, sum...)), nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// findToile returns the path of the toile program.
func findToile(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("the program toile is not found: %w; name it with --toile", err)
	}
	return path, nil
}
