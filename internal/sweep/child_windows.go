package sweep

import (
	"os/exec"
	"syscall"
)

// alone keeps signals of the terminal from a child, which is stopped by its tether.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
