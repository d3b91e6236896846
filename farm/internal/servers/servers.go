// Package servers starts the real servers that a farm needs, for tests and trials: an S3 (versitygw), a Temporal
// development server, and the Temporal server on PostgreSQL. Programs are looked for in the cache folder that farm/real
// fills and on the PATH.
package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// CacheFolder is where farm/real builds the servers.
func CacheFolder() string {
	if dir := os.Getenv("FARM_CACHE"); dir != "" {
		return dir
	}
	home, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, "toile-farm")
}

// Find returns the path of a server's program, or an error if it is neither in the cache folder nor on the PATH.
func Find(name string) (string, error) {
	path := filepath.Join(CacheFolder(), "bin", name)
	if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
		return path, nil
	}
	return exec.LookPath(name)
}

// FreePort returns a port of this machine that nobody listens on.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// Process is a server that can be killed and started again.
type Process struct {
	Address string // host:port that it answers at
	program string
	args    []string
	env     []string
	log     string
	cmd     *exec.Cmd
}

// Start starts the server, and returns when it accepts connections.
func (p *Process) Start(ctx context.Context) error {
	out, err := os.OpenFile(p.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	p.cmd = exec.Command(p.program, p.args...)
	p.cmd.Env = append(os.Environ(), p.env...)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return err
	}
	if err := Listening(ctx, p.Address); err != nil {
		p.Kill()
		return fmt.Errorf("%s did not start: %w; see %s", filepath.Base(p.program), err, p.log)
	}
	return nil
}

// PID is the process that runs now.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Kill ends the server at once, as a crash does.
func (p *Process) Kill() {
	if p.cmd == nil {
		return
	}
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // how it ended is known
	p.cmd = nil
}

// Listening waits until something accepts connections at address.
func Listening(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	var dialer net.Dialer
	for {
		c, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil {
			return c.Close()
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// S3 keys of the trial server; they open nothing else.
const (
	S3User   = "farmtrial"
	S3Secret = "farmtrialsecret"
)

// S3 prepares versitygw on the folder dir, with one bucket called farm.
func S3(dir string, port int) (*Process, error) { return s3(dir, port, S3Secret) }

// S3Changed is S3 after its keys have changed: those that the farm has are no longer good.
func S3Changed(dir string, port int) (*Process, error) { return s3(dir, port, "another"+S3Secret) }

func s3(dir string, port int, secret string) (*Process, error) {
	program, err := Find("versitygw")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "data", "farm"), 0o777); err != nil {
		return nil, err
	}
	address := "127.0.0.1:" + strconv.Itoa(port)
	return &Process{
		Address: address, program: program, args: []string{"--port", address, "posix", filepath.Join(dir, "data")},
		env: []string{"ROOT_ACCESS_KEY=" + S3User, "ROOT_SECRET_KEY=" + secret}, log: filepath.Join(dir, "s3.log"),
	}, nil
}

// S3Address is the store on that server.
func S3Address(p *Process, tenant string) string {
	return "s3://farm?prefix=" + tenant + "/&region=us-east-1&use_path_style=true&endpoint=http://" + p.Address
}

// S3Environment is what a program needs to use it.
func S3Environment() []string {
	return []string{"AWS_ACCESS_KEY_ID=" + S3User, "AWS_SECRET_ACCESS_KEY=" + S3Secret, "AWS_EC2_METADATA_DISABLED=true"}
}

// Development prepares a Temporal development server that keeps its history in dir.
func Development(dir string, port int) (*Process, error) {
	program, err := Find("temporal")
	if err != nil {
		return nil, err
	}
	return &Process{
		Address: "127.0.0.1:" + strconv.Itoa(port), program: program,
		args: []string{
			"server", "start-dev", "--headless", "--ip", "127.0.0.1", "--port", strconv.Itoa(port),
			"--db-filename", filepath.Join(dir, "temporal.db"), "--log-level", "error",
		},
		log: filepath.Join(dir, "temporal.log"),
	}, nil
}
