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
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// The exit codes.
const (
	exitClean    = 0
	exitFindings = 1
	exitFailure  = 2 // something could not be analysed, or the command line is wrong
)

// gcPercent is the growth of the heap, in percent, at which garbage is collected, unless GOGC says otherwise.
const gcPercent = 40

// standalone runs the command with args, and gives its exit code.
func standalone(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "help" {
		return help(rules, args[1:], stdout, stderr)
	}
	if len(args) > 0 && args[0] == "explain" {
		return explain(rules, args[1:], stdout, stderr)
	}

	flags := flag.NewFlagSet("ctrllint", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the messages are printed here, in one form
	format := flags.String("format", "text", "print findings as `text`, json, sarif or github")
	dir := flags.String("C", "", "work in `dir`; paths are relative to it")
	tags := flags.String("tags", "", "build tags, separated by commas")
	fixing := flags.Bool("fix", false, "apply the fixes that findings suggest")
	diff := flags.Bool("diff", false, "print the fixes as a diff, and apply none")
	debugging := flags.Bool("debug", false, "say where the analysis was cut short")
	newFrom := flags.String("new-from", "", "report only findings in code that has changed since the revision `rev`")
	var base baselineFlags
	base.add(flags)
	version := flags.Bool("version", false, "print the version and exit")
	fileFlags(flags, &rule.Active)
	chosen := make(map[*analysis.Analyzer]*choice)
	for _, a := range rules {
		chosen[a] = new(choice)
		flags.Var(chosen[a], a.Name, "run only the rules named so, or with =false all but those")
		a.Flags.VisitAll(func(f *flag.Flag) { flags.Var(f.Value, a.Name+"."+f.Name, f.Usage) })
	}

	fail := func(format string, args ...any) int {
		fmt.Fprintf(stderr, "ctrllint: "+format+"\n", args...)
		return exitFailure
	}
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return help(rules, nil, stdout, stderr)
	} else if err != nil {
		return fail("%v (see ctrllint help)", err)
	}
	if *version {
		fmt.Fprintln(stdout, "ctrllint", buildVersion())
		return exitClean
	}
	if !slices.Contains(formats, *format) {
		return fail("%s", unknownFormat(*format))
	}
	for _, p := range flags.Args() {
		if strings.HasPrefix(p, "-") {
			return fail("flag %s stands after the packages: flags come first (see ctrllint help)", p)
		}
	}

	known, err := openBaseline(*dir, base, shaping(flags))
	if err != nil {
		return fail("%v", err)
	}
	touched, err := openChanges(*dir, *newFrom)
	if err != nil {
		return fail("%v", err)
	}

	// A run is short and its garbage is young: a smaller heap costs no time that can be measured.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	rules = pick(rules, chosen)
	line := showProgress(stderr)
	result := driver.Run(rules, driver.Options{
		Dir:      *dir,
		Patterns: flags.Args(),
		Tags:     *tags,
		Tests:    rule.Active.Tests,
		Phase:    line.Phase,
	})
	line.Stop()
	if err := known.apply(&result, stderr); err != nil {
		return fail("%v", err)
	}
	touched.apply(&result)
	found, err := applyFixes(*dir, *fixing, *diff, &result, stdout, stderr)
	if err != nil {
		return fail("%v", err)
	}
	if !*diff {
		if err := printFindings(stdout, *format, *dir, rules, result); err != nil {
			return fail("%v", err)
		}
	}
	for _, w := range result.Warnings {
		fmt.Fprintf(stderr, "ctrllint: warning: %v (analysed all the same)\n", w)
	}
	for _, f := range result.Failures {
		fail("%v", f)
	}
	if *debugging {
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

// choice is the value of a flag -RULE: empty, "true" or "false".
type choice string

func (c *choice) String() string   { return string(*c) }
func (c *choice) IsBoolFlag() bool { return true }
func (c *choice) Set(value string) error {
	b, err := strconv.ParseBool(value)
	if err != nil {
		return errors.New("want true or false")
	}
	*c = choice(strconv.FormatBool(b))
	return nil
}

// pick is the rules to run, chosen as go vet does: those set to true if there are any, else all that are not set to
// false.
func pick(rules []*analysis.Analyzer, chosen map[*analysis.Analyzer]*choice) []*analysis.Analyzer {
	var named, rest []*analysis.Analyzer
	for _, a := range rules {
		switch *chosen[a] {
		case "true":
			named = append(named, a)
		case "":
			rest = append(rest, a)
		}
	}
	if named != nil {
		return named
	}
	return rest
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
