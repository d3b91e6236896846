package runfolder

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"sync"
)

// Program returns the SHA-256, in hex, of the file of the running executable. Versions do not tell programs apart:
// builds without stamps, and builds of sources that were changed, all have the same one. The file is read once, and not
// at all by a process whose parent runs the same file and set ProgramEnv.
var Program = sync.OnceValues(func() (string, error) {
	f, err := openExecutable()
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // read only
	if sum := inherited(os.Getenv(programVariable), fileIdentity(f)); sum != "" {
		return sum, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
})

// openExecutable opens the file that runs. On Linux that is so even after another file took its name.
func openExecutable() (*os.File, error) {
	if f, err := os.Open("/proc/self/exe"); err == nil {
		return f, nil
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// programVariable names the hash of an executable and the identity of its file to processes that may run the same.
const programVariable = "TOILE_PROGRAM"

// ProgramEnv returns an entry for the environment of processes that this one starts and waits for, by which those that
// run the same file need not read it again: nobody can write to a file while it runs. Empty: there is none.
func ProgramEnv() string {
	sum, err := Program()
	if err != nil {
		return ""
	}
	f, err := openExecutable()
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }() // read only
	identity := fileIdentity(f)
	if identity == "" {
		return ""
	}
	return programVariable + "=" + sum + " " + identity
}

// inherited returns the hash in an entry of the environment if that is of the file with an identity.
func inherited(entry, identity string) string {
	sum, of, _ := strings.Cut(entry, " ")
	if identity == "" || of != identity || len(sum) != hex.EncodedLen(sha256.Size) {
		return ""
	}
	if _, err := hex.DecodeString(sum); err != nil {
		return ""
	}
	return sum
}
