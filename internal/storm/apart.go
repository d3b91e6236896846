package storm

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"time"
)

// PlayApart plays a seed in a process of its own, so that one that dies takes nothing with it: there is no recovering
// from a stack without end. The program is called as in `toile verify storm --seeds 7 --outcome 15s`, and prints the
// outcome as JSON.
func PlayApart(ctx context.Context, program string, seed int, limit time.Duration) (*Outcome, error) {
	cmd := exec.CommandContext(ctx, program, "verify", "storm", "--seeds", fmt.Sprint(seed), "--outcome", limit.String())
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	o := &Outcome{Seed: seed, Family: FamilyOf(seed).Name}
	if err == nil {
		err = json.Unmarshal(out.Bytes(), o)
	}
	if err == nil {
		return o, nil
	}
	// A program that could not begin is no fault of the scene; one that ended otherwise than by its own will has died.
	if state := cmd.ProcessState; state == nil || state.ExitCode() == exitByItself {
		return nil, fmt.Errorf("seed %d: %w: %s", seed, err, said.Bytes())
	}
	o.Panic = fmt.Sprintf("%v: %.2000s", err, said.Bytes())
	o.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return o, nil
}

// exitByItself is the exit code of a program that says what kept it from playing.
const exitByItself = 1
