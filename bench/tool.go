package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ctrllint/ctrllint/internal/gocommand"
)

// A tool is a command line in front of the packages. No two have the same name: a tool has to find the same in all rows
// of a module.
type tool struct {
	name    string
	binary  *binary
	args    []string
	noTests string // the flag that leaves out tests; those who have none leave them out
	vet     bool   // the go command runs the binary
}

// A binary is one to be measured, or found.
type binary struct {
	path string
	// What the go command builds it from, and the folder below the root of ctrllint where it does.
	pkg, dir string
}

var (
	ctrllintBinary    = &binary{pkg: "./cmd/ctrllint"}
	staticcheckBinary = &binary{pkg: "honnef.co/go/tools/cmd/staticcheck"}
	golangciBinary    = &binary{}
	pluginBinary      = &binary{pkg: ".", dir: "plugin/golangci-lint-ctrllint"}
	emptyvetBinary    = &binary{pkg: "./bench/emptyvet"}
)

var (
	ctrllint    = &tool{name: "ctrllint", binary: ctrllintBinary}
	staticcheck = &tool{name: "staticcheck", binary: staticcheckBinary, noTests: "-tests=false"}
	// Caps on issues would leave it to chance which are shown.
	golangci        = &tool{name: "golangci-lint", binary: golangciBinary, noTests: "--tests=false", args: golangciArgs("standard.yml")}
	golangciWith    = &tool{name: "golangci-lint with ctrllint", binary: pluginBinary, noTests: "--tests=false", args: golangciArgs("plugin.yml")}
	golangciWithout = &tool{name: "the same without", binary: pluginBinary, noTests: "--tests=false", args: golangciArgs("standard.yml")}
	vetCtrllint     = &tool{name: "go vet with ctrllint", binary: ctrllintBinary, vet: true}
	vetEmpty        = &tool{name: "go vet with no analyzer", binary: emptyvetBinary, vet: true}
)

// configs are the settings that golangciArgs names: the linters that golangci-lint runs by default, and these with ctrllint.
var configs = map[string]string{
	"standard.yml": `version: "2"
run: {relative-path-mode: wd}
`,
	"plugin.yml": `version: "2"
run: {relative-path-mode: wd}
linters:
  enable: [ctrllint]
  settings: {custom: {ctrllint: {type: module}}}
`,
}

// configDir stands in the arguments for the folder of the configs.
const configDir = "CONFIGS"

func golangciArgs(config string) []string {
	return []string{"run", "--allow-parallel-runners", "--show-stats=false", "--max-issues-per-linter=0", "--max-same-issues=0",
		"--config=" + configDir + "/" + config}
}

// find makes the path of b absolute, and builds b if there is none.
func (b *binary) find(ctx context.Context, root, temp string) (err error) {
	switch {
	case b.path == "":
		b.path = filepath.Join(temp, filepath.Base(filepath.Join(b.dir, b.pkg)))
		_, err = gocommand.Run(ctx, filepath.Join(root, b.dir), nil, "build", "-o", b.path, b.pkg)
		return err
	case filepath.Base(b.path) == b.path:
		b.path, err = exec.LookPath(b.path)
		return err
	}
	if b.path, err = filepath.Abs(b.path); err != nil {
		return err
	}
	_, err = os.Stat(b.path)
	return err
}

// command is the tool's command line for patterns. temp is a folder for this run, and serial is like no other run's.
func (t *tool) command(configs, temp, serial string, tests bool, patterns []string) ([]string, error) {
	argv := []string{t.binary.path}
	if t.vet {
		// The go command knows a tool by its content, and so has no results of one that ends in other bytes.
		salted := filepath.Join(temp, filepath.Base(t.binary.path))
		data, err := os.ReadFile(t.binary.path)
		if err == nil {
			err = os.WriteFile(salted, append(data, serial...), 0o755)
		}
		if err != nil {
			return nil, err
		}
		argv = []string{"go", "vet", "-vettool=" + salted}
	}
	for _, arg := range t.args {
		argv = append(argv, strings.Replace(arg, configDir, configs, 1))
	}
	if t.noTests != "" && !tests {
		argv = append(argv, t.noTests)
	}
	return append(argv, patterns...), nil
}

// version is what the binary says it is, for the caption.
func (b *binary) version(ctx context.Context) (string, error) {
	arg := []string{"-version"}
	if b == golangciBinary {
		arg = []string{"version", "--short"}
	}
	out, err := exec.CommandContext(ctx, b.path, arg...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", b.path, arg, errors.Join(err, ctx.Err()))
	}
	return strings.TrimSpace(string(out)), nil
}
