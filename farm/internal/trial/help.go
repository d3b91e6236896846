package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"github.com/toile-sim/toile/farm/flow"
	"github.com/toile-sim/toile/farm/internal/servers"
	"github.com/toile-sim/toile/farm/store"
)

func openStore(ctx context.Context, f *site) (*store.Store, error) {
	for _, v := range servers.S3Environment() {
		name, value, _ := strings.Cut(v, "=")
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
	}
	return store.Open(ctx, f.address())
}

func replaceFolders(args []string, input, run string) []string {
	words := strings.NewReplacer(flow.InputFolder, input, flow.RunFolder, run)
	var out []string
	for _, a := range args {
		out = append(out, words.Replace(a))
	}
	return out
}

// hashFrames returns the hash of the one frame that a run keeps.
func hashFrames(folder string) (string, error) {
	frames, err := filepath.Glob(filepath.Join(folder, "frames", "*.glb"))
	if err != nil || len(frames) != 1 {
		return "", errors.Join(err, fmt.Errorf("%d frames in %s", len(frames), folder))
	}
	text, err := os.ReadFile(frames[0])
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// lastFrame fetches the frame of a run from the store, which verifies it, and returns its hash.
func lastFrame(ctx context.Context, kept *store.Store, m *store.Manifest, folder string) (string, error) {
	defer func() { _ = os.RemoveAll(folder) }()
	for _, f := range m.Files {
		if strings.HasPrefix(f.Name, "frames/") {
			if err := kept.GetFile(ctx, f, folder); err != nil {
				return "", err
			}
		}
	}
	return hashFrames(folder)
}

// processor returns the processor time of a process so far and, with its children, of those that it has waited for and
// that live.
func processor(pid int, children bool) time.Duration {
	const tick = 10 * time.Millisecond // of Linux, in what it tells programs
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+2:]))
	sum := 0
	last := 13 // own user and system time are fields 14 and 15 of proc(5), those of the dead children 16 and 17
	if children {
		last = 15
	}
	for _, f := range fields[11:last] {
		n, _ := strconv.Atoi(f)
		sum += n
	}
	total := time.Duration(sum) * tick
	if children {
		list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
		for _, word := range strings.Fields(string(list)) {
			if child, err := strconv.Atoi(word); err == nil {
				total += processor(child, true)
			}
		}
	}
	return total
}

// memory returns the resident memory of a process [bytes], now and at most.
func memory(pid int) (now, most int64) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for _, l := range strings.Split(string(text), "\n") {
		var kb int64
		if _, err := fmt.Sscanf(l, "VmRSS: %d kB", &kb); err == nil {
			now = kb << 10
		}
		if _, err := fmt.Sscanf(l, "VmHWM: %d kB", &kb); err == nil {
			most = kb << 10
		}
	}
	return now, most
}

// dial connects to the engine, and says errors only.
func (f *site) dial() (client.Client, error) {
	quiet := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	return client.Dial(client.Options{HostPort: f.engine.Address, Logger: log.NewStructuredLogger(quiet)})
}
