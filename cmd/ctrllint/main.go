// Ctrllint finds bugs that hang or corrupt Kubernetes controllers.
//
// On its own it takes packages:
//
//	ctrllint [flags] [packages]
//
// As a tool of the go command it analyses one package at a time:
//
//	go vet -vettool=$(which ctrllint) ./...
package main

import (
	"os"
	"runtime/debug"
	"strings"

	"github.com/ctrllint/ctrllint/analyzers"
)

func main() {
	if args := os.Args[1:]; isVet(args) {
		vet(analyzers.All())
	} else {
		collectLess()
		os.Exit(standalone(analyzers.All(), args, os.Stdout, os.Stderr))
	}
}

// isVet reports whether the arguments are those of the go command for a vet tool.
func isVet(args []string) bool {
	for _, a := range args {
		if a == "-V=full" || a == "-flags" {
			return true
		}
	}
	return len(args) > 0 && strings.HasSuffix(args[len(args)-1], ".cfg")
}

// garbage is the value of GOGC: above the default, for less CPU time and a higher peak memory (docs/cost.md).
const garbage = 150

// collectLess sets the percentage, unless the environment does.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}
