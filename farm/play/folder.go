package play

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// Folder is where one worker has its runs. It is locked for as long as the worker lives.
type Folder struct {
	path string
	lock *os.File
}

const lockName = ".worker"

// ClaimFolder makes a folder for this worker below parent, and removes those of workers that are dead.
func ClaimFolder(parent string) (*Folder, error) {
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	old, err := filepath.Glob(filepath.Join(parent, "worker-*"))
	if err != nil {
		return nil, err
	}
	for _, path := range old {
		lock, err := lockFolder(path)
		if err != nil {
			continue // somebody lives there, or it is just being removed
		}
		err = os.RemoveAll(path)
		_ = lock.Close()
		if err != nil {
			return nil, err
		}
	}
	// A folder that another worker takes for dead before it is locked is made again.
	for {
		path, err := os.MkdirTemp(parent, "worker-")
		if err != nil {
			return nil, err
		}
		lock, err := lockFolder(path)
		if err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(path, lockName)); err == nil {
			return &Folder{path, lock}, nil
		}
		_ = lock.Close()
	}
}

func lockFolder(path string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(path, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// Path is the folder itself.
func (f *Folder) Path() string { return f.path }

// Make makes a new folder for a run.
func (f *Folder) Make(key string) (string, error) { return os.MkdirTemp(f.path, key+"-") }

// Release removes the folder.
func (f *Folder) Release() error {
	err := os.RemoveAll(f.path)
	_ = f.lock.Close() // nothing was written to it
	return err
}

// longest is how much of a run's messages is kept [bytes].
const longest = 8 << 10

// tail is a writer that keeps the end of what is written.
type tail struct {
	mutex sync.Mutex
	text  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - longest; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return string(t.text)
}
