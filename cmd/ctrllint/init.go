package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/config"
)

// settingsFile is what init writes: all keys with their defaults, as comments.
const settingsFile = `# yaml-language-server: $schema=https://raw.githubusercontent.com/ctrllint/ctrllint/main/docs/ctrllint.schema.json
# Settings of ctrllint. Each line has the default, or an example: uncomment it to change it.
# Flags on the command line take precedence.

# Report only these rules and checks, or all except those in disable.
#enable: [lockheld, eventfilter/tombstone]
#disable: [startctx/loop]

# Warnings as well, or only errors; for rules with a confidence, possible findings as well, or only certain ones.
#severity: warning
#confidence: possible

# Also report the nursery: checks that are not yet right often enough.
#nursery: false

# Options of rules, such as -lockheld.slow: see ctrllint help RULE.
#options:
#  lockheld:
#    slow: false
#    blocks:
#      - example.com/m/store.Flush

# Files and folders in which nothing is reported, relative to this file; ** is any number of folders.
#exclude:
#  - test/e2e
#  - "**/zz_generated*.go"
#tests: false
#generated: false

# Which dependencies are analysed from source: auto (those without built-in knowledge), off, or all.
#deps: auto

# Build tags, and the builds to analyse.
#tags: [e2e]
#matrix: [linux/amd64, windows/amd64+cgo=off]

#format: text
`

// baselineLine is added to the file if there is a baseline.
const baselineLine = "\n# Findings in this file are accepted for now.\nbaseline: " + baselineName + "\n"

const baselineName = ".ctrllint-baseline.jsonl"

// nextSteps is the end of the output of init.
const nextSteps = `Next:
  ctrllint ./...                              report the findings
  ctrllint -fix -diff ./...                   show the suggested fixes
  ctrllint explain lockheld/relock            document a check

With golangci-lint: .custom-gcl.yml, for golangci-lint custom,
  version: v2.15.0
  plugins:
    - module: github.com/ctrllint/ctrllint
      import: github.com/ctrllint/ctrllint/plugin
      version: VERSION
and .golangci.yml:
  version: "2"
  linters:
    enable: [ctrllint]
    settings:
      custom:
        ctrllint: {type: module}

With pre-commit, in .pre-commit-config.yaml:
  - repo: https://github.com/ctrllint/ctrllint
    rev: VERSION
    hooks: [{id: ctrllint}]

In GitHub Actions:
  - uses: actions/setup-go@v6
  - uses: ctrllint/ctrllint@VERSION
`

// initialise writes a file with all settings as comments, and a baseline if asked to, and prints the next steps.
func initialise(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int {
	fail := failing(stderr)
	flags := flag.NewFlagSet("init", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	dir := flags.String("C", "", "work in `dir`")
	accept := flags.Bool("baseline", false, "accept the current findings")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return help(rules, nil, stdout, stderr)
	} else if err != nil {
		return fail("%v: init takes -C and -baseline (see ctrllint help)", err)
	}
	if flags.NArg() > 0 {
		return fail("init takes no packages: %s (see ctrllint help)", flags.Arg(0))
	}
	if _, err := os.Stat(filepath.Join(*dir, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(*dir, "go.work")); err != nil {
			return fail("init works at the root of a module, and there is no go.mod here (-C names another folder)")
		}
	}
	if found, err := config.Find(*dir); err != nil {
		return fail("%v", err)
	} else if found != "" {
		return fail("%s is there already, and init changes no settings", found)
	}
	if !*accept && isTerminal(os.Stdin) && isTerminal(stdout) {
		fmt.Fprintf(stdout, "Accept what is found now in %s, and report only what is new? [y/N] ", baselineName)
		answer, _ := bufio.NewReader(os.Stdin).ReadString('\n') // without an answer it is no
		*accept = strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y")
	}
	content := settingsFile
	if *accept {
		path := filepath.Join(*dir, baselineName)
		if _, err := os.Stat(path); err == nil {
			return fail("%s is there already: \"baseline: %s\" in a .ctrllint.yml uses it", path, baselineName)
		}
		if code := standalone(rules, []string{"-config", "off", "-C", *dir, "-q", "-baseline", baselineName, "-write-baseline=all", "./..."}, stdout, stderr); code == exitFailure {
			_ = os.Remove(path) // it is ours, if it is there
			return fail("no settings are written: %s would not have what could not be analysed", baselineName)
		}
		content += baselineLine
	}
	const name = ".ctrllint.yml"
	file, err := os.OpenFile(filepath.Join(*dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		_, err = file.WriteString(content)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fail("%v", err)
	}
	fmt.Fprintf(stdout, "%s is written, with all settings as comments.\n", name)
	if !*accept {
		fmt.Fprintf(stdout, "To report only what is new: ctrllint -baseline %s -write-baseline ./... and \"baseline: %s\" in %s.\n", baselineName, baselineName, name)
	}
	fmt.Fprintf(stdout, "\n%s", strings.ReplaceAll(nextSteps, "VERSION", release()))
	return exitClean
}

// release returns the version of this program for other configurations; main if it was built from a checkout.
func release() string {
	if v := moduleVersion(); strings.HasPrefix(v, "v") && !strings.ContainsAny(v, "-+") {
		return v
	}
	return "main"
}
