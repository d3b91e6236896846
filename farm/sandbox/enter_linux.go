package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// enter closes this thread in and replaces the process by program. Threads that the other program has are born from
// this one and inherit all of it.
func enter(f *Fence, program string, argv []string) error {
	runtime.LockOSThread()
	if err := limit(&f.Limits); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	if err := closeFiles(f, program); err != nil {
		return fmt.Errorf("landlock: %w", err)
	}
	if err := closeCalls(f.Strict); err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	if program == probe {
		return tryFence(f)
	}
	return syscall.Exec(program, argv, os.Environ())
}

func limit(l *Limits) error {
	var errs []error
	set := func(what int, value uint64) {
		if value > 0 {
			errs = append(errs, unix.Setrlimit(what, &unix.Rlimit{Cur: value, Max: value}))
		}
	}
	// Memory that is written to, not addresses that are set aside: Go sets much aside.
	set(unix.RLIMIT_DATA, uint64(l.Memory))
	set(unix.RLIMIT_FSIZE, uint64(l.File))
	set(unix.RLIMIT_NOFILE, uint64(l.Files))
	set(unix.RLIMIT_CPU, uint64((l.CPU+time.Second-1)/time.Second))
	errs = append(errs, unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("limits: %w", err)
	}
	return nil
}

// closeFiles leaves the program itself, what may be read, and the own folder. Version 3 of Landlock (Linux 6.2) is the
// first that also guards truncation.
func closeFiles(f *Fence, program string) error {
	const read = ll.AccessFSReadFile | ll.AccessFSReadDir
	rules := []landlock.Rule{landlock.RWDirs(f.Write), landlock.RWFiles("/dev/null")}
	if program != probe {
		// The libraries are for a program that is not linked statically.
		rules = append(rules, landlock.ROFiles(program), landlock.RODirs("/lib", "/lib64", "/usr/lib").IgnoreIfMissing())
	}
	for _, path := range f.Read {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.IsDir() {
			rules = append(rules, landlock.PathAccess(read, path))
		} else {
			rules = append(rules, landlock.PathAccess(ll.AccessFSReadFile, path))
		}
	}
	if f.Strict {
		return landlock.V3.RestrictPaths(rules...)
	}
	return landlock.V3.BestEffort().RestrictPaths(rules...)
}

// tryFence does what the fence forbids.
func tryFence(f *Fence) error {
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		_ = l.Close()
		return errors.New("a socket could be opened")
	}
	if _, err := os.ReadDir("/"); err == nil {
		return errors.New("a folder outside could be read")
	}
	if err := os.WriteFile(filepath.Join(f.Write, "probe"), []byte("x"), 0o600); err != nil {
		return fmt.Errorf("the own folder cannot be written: %w", err)
	}
	if err := unix.Kill(unix.Getppid(), 0); err == nil {
		return errors.New("the parent could be sent a signal")
	}
	os.Exit(0)
	return nil
}
