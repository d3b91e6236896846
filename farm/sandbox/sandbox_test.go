package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostile is what the test program does when it is run inside the fence.
const hostile = "TOILE_HOSTILE"

func TestMain(m *testing.M) {
	if Entering() {
		Enter()
	}
	if len(os.Args) > 2 && os.Args[1] == hostile {
		if err := attack(os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// attack tries one thing; nil is success of the attacker.
func attack(what, target string) error {
	switch what {
	case "nothing":
		return os.WriteFile("result", []byte("done"), 0o600)
	case "read":
		_, err := os.ReadFile(target)
		return err
	case "write":
		return os.WriteFile(target, []byte("x"), 0o600)
	case "truncate":
		return os.Truncate(target, 0)
	case "remove":
		return os.Remove(target)
	case "list":
		_, err := os.ReadDir(target)
		return err
	case "listen":
		_, err := net.Listen("tcp", "127.0.0.1:0")
		return err
	case "udp":
		_, err := net.Dial("udp", "127.0.0.1:53")
		return err
	case "unix":
		_, err := net.Listen("unix", "socket")
		return err
	case "signal":
		return syscall.Kill(syscall.Getppid(), 0)
	case "execute":
		return exec.Command(target).Run()
	case "environment":
		if os.Getenv("AWS_SECRET_ACCESS_KEY") == "" {
			return errors.New("no secret found")
		}
		return nil
	case "memory":
		return fill(1 << 30)
	case "disk":
		return os.WriteFile("large", make([]byte, 2<<20), 0o600)
	case "processor":
		for i := 0; ; i++ {
			if i < 0 {
				return nil
			}
		}
	case "files":
		for i := range 100 {
			if _, err := os.Create(fmt.Sprint(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("unknown attack %q", what)
}

func fill(bytes int) error {
	block := make([]byte, bytes)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	return nil
}

func TestTheFenceHolds(t *testing.T) {
	if err := Missing(); err != nil {
		t.Skip("this machine cannot close a program in: ", err)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	outside := t.TempDir()
	victim := filepath.Join(outside, "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	input := filepath.Join(outside, "input")
	if err := os.Mkdir(input, 0o777); err != nil {
		t.Fatal(err)
	}
	scene := filepath.Join(input, "scene.yaml")
	if err := os.WriteFile(scene, []byte("scene"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, target string
		allowed      bool
	}{
		{"nothing", "", true},
		{"read", scene, true},
		{"list", input, true},
		{"write", scene, false},
		{"truncate", scene, false},
		{"read", victim, false},
		{"read", "/etc/passwd", false},
		{"write", filepath.Join(outside, "new"), false},
		{"truncate", victim, false},
		{"remove", victim, false},
		{"list", "/", false},
		{"list", "/proc", false},
		{"execute", "/bin/true", false},
		{"listen", "", false},
		{"udp", "", false},
		{"unix", "", false},
		{"signal", "", false},
		{"environment", "", false},
		{"memory", "", false},
		{"disk", "", false},
		{"processor", "", false},
		{"files", "", false},
	} {
		fence := Fence{
			Limits: Limits{Memory: 300 << 20, File: 1 << 20, Files: 40, CPU: time.Second},
			Read:   []string{input}, Write: t.TempDir(), Strict: true,
		}
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd, err := Command(fence, self, hostile, c.what, c.target)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err = cmd.Run()
		text, _, _ := strings.Cut(out.String(), "\n")
		switch {
		case strings.Contains(out.String(), "could not be closed"):
			t.Errorf("%s %s: %s", c.what, c.target, out.String())
		case (err == nil) != c.allowed:
			t.Errorf("%s %s: %v, %s", c.what, c.target, err, text)
		}
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "precious" {
		t.Errorf("the victim is now %q, %v", text, err)
	}
}
