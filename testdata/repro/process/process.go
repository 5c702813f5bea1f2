// Package process runs programs of a test binary as processes of their own, for what ends a whole process, or is decided
// before its main function.
package process

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

const programVar = "REPRO_PROGRAM"

// Main is the TestMain of a binary with programs: in a process that Run has started it runs the one that is named, and no
// tests, and it runs the tests in any other. It does not return.
func Main(m *testing.M, programs map[string]func()) {
	name, named := os.LookupEnv(programVar)
	if !named {
		os.Exit(m.Run())
	}
	program, ok := programs[name]
	if !ok {
		fmt.Printf("there is no program %q\n", name)
		os.Exit(2)
	}
	program()
	os.Exit(0)
}

// Run runs the program of that name to its end, or to that of ctx, with env in its environment, and gives what it has
// written. The error tells of a program that did not end well.
func Run(ctx context.Context, name string, env ...string) (output string, err error) {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(append(os.Environ(), programVar+"="+name), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
