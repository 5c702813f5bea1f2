//go:build !unix

// Package subprocess ends commands together with what they have started.
package subprocess

import (
	"os/exec"
	"time"
)

// EndWithChildren bounds the wait for what cmd has started once its context has ended. It comes before cmd is started.
func EndWithChildren(cmd *exec.Cmd) { cmd.WaitDelay = time.Second }
