package view

import (
	"os"
	"os/exec"
	"runtime"
)

// openBrowser opens an address in the browser, if there is one. That there is none is no failure: the address has been
// printed.
func openBrowser(url string) {
	command := browserCommand(runtime.GOOS, url)
	if command == nil {
		return
	}
	cmd := exec.Command(command[0], command[1:]...)
	if cmd.Start() == nil {
		go func() { _ = cmd.Wait() }() // so that no dead process is left
	}
}

// browserCommand returns the command that opens an address on a system, nil if it has no screen to do so.
func browserCommand(system, url string) []string {
	switch system {
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", url}
	case "darwin":
		return []string{"open", url}
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return nil
	}
	return []string{"xdg-open", url}
}
