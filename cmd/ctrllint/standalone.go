package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/config"
)

// The exit codes.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailure  = 2 // something could not be analysed, or the command line is wrong
)

// gcPercent is the growth of the heap, in percent, at which garbage is collected, unless GOGC says otherwise.
const gcPercent = 40

// A subcommand is a first word that is no package, with the arguments behind it.
type subcommand func(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int

func subcommands() map[string]subcommand {
	return map[string]subcommand{"help": help, "explain": explain, "flags": printFlags, "completion": completion}
}

// standalone runs the command with args, and gives its exit code.
func standalone(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if run := subcommands()[args[0]]; run != nil {
			return run(rules, args[1:], stdout, stderr)
		}
	}

	s := newSettings(rules)
	fail := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "ctrllint: "+format+"\n", args...)
		return exitFailure
	}
	var mistake *config.Error
	if err := s.parse(args); errors.Is(err, flag.ErrHelp) {
		return help(rules, nil, stdout, stderr)
	} else if errors.As(err, &mistake) {
		return fail("%v", mistake)
	} else if err != nil {
		return fail("%v (see ctrllint help)", err)
	}
	if s.version {
		fmt.Fprintln(stdout, "ctrllint", buildVersion())
		return exitClean
	}
	if !slices.Contains(config.Formats, s.format) {
		return fail("%s", unknownFormat(s.format))
	}
	for _, p := range s.flags.Args() {
		if strings.HasPrefix(p, "-") {
			return fail("flag %s stands after the packages: flags come first (see ctrllint help)", p)
		}
	}

	known, err := openBaseline(s.dir, s.baseline, shaping(s.flags))
	if err != nil {
		return fail("%v", err)
	}
	touched, err := openChanges(s.dir, s.newFrom)
	if err != nil {
		return fail("%v", err)
	}

	// A run is short and its garbage is young: a smaller heap costs no time that can be measured.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	rules = s.pick()
	line := showProgress(stderr)
	result, err := analyse(s, rules, line.Phase)
	line.Stop()
	if err != nil {
		return fail("%v", err)
	}
	if err := known.apply(&result, stderr); err != nil {
		return fail("%v", err)
	}
	touched.apply(&result)
	found, err := applyFixes(s.dir, s.fixing, s.diff, &result, stdout, stderr)
	if err != nil {
		return fail("%v", err)
	}
	if !s.diff {
		if err := printFindings(stdout, s.format, s.dir, rules, result); err != nil {
			return fail("%v", err)
		}
	}
	if left := result.Left; left != nil {
		fmt.Fprintf(stderr, "ctrllint: note: not analysed, being modules of their own: %s (run ctrllint in them, or list them in a go.work)\n", some(left))
	}
	for _, w := range result.Warnings {
		fmt.Fprintf(stderr, "ctrllint: warning: %v (analysed all the same)\n", w)
	}
	for _, f := range result.Failures {
		fail("%v", f)
	}
	if s.debugging {
		for _, n := range result.Notes {
			fmt.Fprintf(stderr, "ctrllint: debug: %v\n", n)
		}
		fmt.Fprintf(stderr, "ctrllint: debug: %d notes\n", len(result.Notes))
	}
	switch {
	case len(result.Failures) > 0:
		return exitFailure
	case found > 0:
		return exitFindings
	}
	return exitClean
}

// some lists the first of names.
func some(names []string) string {
	const most = 8
	if more := len(names) - most; more > 0 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// buildVersion is the version of the module that the program was built from, and of Go.
func buildVersion() string { return moduleVersion() + " " + runtime.Version() }

func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
