// Command golangci-lint-ctrllint is golangci-lint with ctrllint in it, for those who would rather build it than have
// `golangci-lint custom` clone golangci-lint:
//
//	go build -o golangci-lint-ctrllint .
//
// It is a module of its own: golangci-lint's several hundred dependencies are not ctrllint's.
package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/ctrllint/ctrllint/plugin"
)

func main() {
	// golangci-lint salts its cache with this version. With "(devel)" it takes the hash of the binary, so that results of
	// an older ctrllint are not shown again.
	info := commands.BuildInfo{GoVersion: runtime.Version(), Version: "(devel)", Commit: "?"}
	if err := commands.Execute(info); err != nil {
		fmt.Fprintln(os.Stderr, "The command is terminated due to an error:", err)
		os.Exit(exitcodes.Failure)
	}
}
