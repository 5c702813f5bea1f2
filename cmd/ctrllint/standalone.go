package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/config"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/phrase"
)

// The exit codes.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailure  = 2 // something could not be analysed, or the command line is wrong
)

// A subcommand runs with the arguments after its name.
type subcommand func(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int

func subcommands() map[string]subcommand {
	return map[string]subcommand{
		"help": help, "explain": explain, "flags": printFlags, "completion": completion, "clean": cleanCache, "init": initialise,
		"version": printVersion, "footprint": printFootprint(footprint.Analyzer),
	}
}

// standalone runs the command with args, and returns its exit code.
func standalone(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if run := subcommands()[args[0]]; run != nil {
			return written(stdout, stderr, func(stdout io.Writer) int { return run(rules, args[1:], stdout, stderr) })
		}
	}

	s := newSettings(rules)
	return s.run(args, stdout, stderr, func() (int, error) { return perform(s, stdout, stderr) })
}

// run reads the command line, then performs the command, and returns the exit code.
func (s *settings) run(args []string, stdout, stderr io.Writer, perform func() (int, error)) int {
	fail := failing(stderr)
	var mistake *config.Error
	if err := s.parse(args); errors.Is(err, flag.ErrHelp) {
		return written(stdout, stderr, func(stdout io.Writer) int { return help(s.rules, nil, stdout, stderr) })
	} else if errors.As(err, &mistake) {
		return fail("%v", mistake)
	} else if err != nil {
		return fail("%v", s.better(err))
	}
	if s.version {
		return written(stdout, stderr, func(stdout io.Writer) int { return printVersion(nil, nil, stdout, stderr) })
	}
	if !slices.Contains(s.formats, s.format) {
		return fail("%s", s.unknownFormat())
	}
	if err := s.mistaken(); err != nil {
		return fail("%v", err)
	}

	code, err := perform()
	if err != nil {
		return fail("%v", err)
	}
	return code
}

// written returns the exit code of run, which writes to stdout, or reports that writing has failed.
func written(stdout, stderr io.Writer, run func(stdout io.Writer) int) int {
	w := &remembering{w: stdout}
	code := run(w)
	if w.err != nil {
		return failing(stderr)("%v", w.err)
	}
	return code
}

// remembering is a writer that keeps its first error.
type remembering struct {
	w   io.Writer
	err error
}

func (r *remembering) Write(p []byte) (int, error) {
	n, err := r.w.Write(p)
	if r.err == nil {
		r.err = err
	}
	return n, err
}

// failing returns a function that prints an error on stderr, and returns the exit code.
func failing(stderr io.Writer) func(format string, args ...any) int {
	return func(format string, args ...any) int {
		fmt.Fprintf(stderr, "ctrllint: "+format+"\n", args...)
		return exitFailure
	}
}

// perform runs the rules that s picks, and prints findings and failures. Inputs of later steps are read before the
// run, so that errors come early.
func perform(s *settings, stdout, stderr io.Writer) (code int, err error) {
	known, err := openBaseline(s.dir, s.baseline, shaping(s.flags))
	if err != nil {
		return 0, err
	}
	touched, err := openChanges(s.dir, s.newFrom)
	if err != nil {
		return 0, err
	}
	rules := s.pick()
	begin := time.Now()
	result, warnings, err := execute(s, rules, stderr)
	if err != nil {
		return 0, err
	}
	all := len(result.Findings)
	if err := known.apply(&result, stderr); err != nil {
		return 0, err
	}
	accepted := all - len(result.Findings)
	unchanged := touched.apply(&result)
	found, err := applyFixes(s.dir, s.fixing, s.diff, &result, stdout, stderr)
	if err != nil {
		return 0, err
	}
	if !s.diff {
		if err := printFindings(stdout, s.format, s.dir, rules, result, warnings); err != nil {
			return 0, err
		}
	}
	s.printMissing(stderr, result)
	if s.debugging {
		printDebug(stderr, result)
	}
	if s.format == "text" && !s.diff && !s.quiet && (result.Packages() > 0 || len(result.Failures) == 0) {
		fmt.Fprintf(stderr, "ctrllint: %s\n", summary(result, accepted, unchanged, time.Since(begin)))
	}
	switch {
	case len(result.Failures) > 0:
		return exitFailure, nil
	case found > 0:
		return exitFindings, nil
	}
	return exitClean, nil
}

// printMissing says what was not analysed.
func (s *settings) printMissing(stderr io.Writer, result driver.Result) {
	if left := result.Left; left != nil {
		fmt.Fprintf(stderr, "ctrllint: note: not analysed, because they are separate modules: %s (run ctrllint in them, or list them in a go.work)\n", phrase.Some(left))
	}
	for _, text := range slices.Concat(result.Remarks, s.remarks()) {
		fmt.Fprintf(stderr, "ctrllint: note: %s\n", text)
	}
	for _, f := range result.Failures {
		fmt.Fprintf(stderr, "ctrllint: %v\n", f)
	}
}

// execute runs the rules with a cache, progress and profiles, until a signal ends it. It returns its warnings.
func execute(s *settings, rules []*analysis.Analyzer, stderr io.Writer) (result driver.Result, warnings []string, err error) {
	stopProfiles, err := s.profiles.start()
	if err != nil {
		return result, nil, err
	}
	defer func() { err = errors.Join(err, stopProfiles()) }()

	// The first signal cancels the run, the second one ends the program.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)

	warn := func(text string) {
		fmt.Fprintf(stderr, "ctrllint: warning: %s\n", text)
		warnings = append(warnings, text)
	}
	kept := openCache(s.cache, warn)
	line := showProgress(stderr, s.quiet)
	result, err = analyse(ctx, s, rules, kept, line.Phase)
	line.Stop()
	if ctx.Err() != nil {
		return result, nil, errors.New("stopped by a signal: no results for the packages")
	}
	kept.Close()
	for _, w := range kept.Warnings() {
		warn(w)
	}
	return result, warnings, err
}

// buildVersion returns the version of the module that the program was built from, and of Go.
func buildVersion() string { return moduleVersion() + " " + runtime.Version() }

func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return info.Main.Version
}
