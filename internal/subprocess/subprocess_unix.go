//go:build unix

// Package subprocess ends commands together with what they have started.
package subprocess

import (
	"os/exec"
	"syscall"
	"time"
)

// EndWithChildren makes the end of cmd's context end what cmd has started, too: a go command that is killed leaves its
// compilers running. It comes before cmd is started.
func EndWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
}
