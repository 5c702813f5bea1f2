// Command golden runs ctrllint over published modules at pinned versions, and compares what it finds with what is kept of
// them in bench/golden: a file of JSON lines for each module, in which each finding has a verdict and a reason.
//
//	golden [flags]
//
// It prints what is new, gone or changed, by the key that a baseline has, and exits with 1 where anything is, or where a
// finding has no verdict; with 2 where a module could not be run. -update writes the files anew: a finding with the key of
// an old one keeps its verdict, and a new one has none until a person writes it into the file.
//
// The modules come from the module proxy, or, as those of bench/golden/trees, from mirrors of repositories. They are
// analysed as main modules, for one platform, without cgo and without what earlier runs have kept. What ctrllint cannot
// load of them is a part of the files.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctrllint/ctrllint/internal/gocommand"
)

// The exit codes.
const (
	exitSame    = 0
	exitDiffers = 1
	exitFailure = 2
)

// options are the flags.
type options struct {
	dir      string
	binary   string
	mirrors  string
	only     string
	short    bool
	update   bool
	list     bool
	table    bool
	findings bool
}

func main() {
	var o options
	flag.StringVar(&o.dir, "dir", filepath.Join("bench", "golden"), "the `folder` of "+listName+" and the files")
	flag.StringVar(&o.binary, "ctrllint", "", "the ctrllint `binary`; built if empty")
	flag.StringVar(&o.mirrors, "mirrors", "", "the `folder` with a git directory owner+name/repo for each repository of the list")
	flag.StringVar(&o.only, "only", "", "a `list` of the modules to run, separated by commas; all if empty")
	flag.BoolVar(&o.short, "short", false, "run the selection that takes minutes")
	flag.BoolVar(&o.update, "update", false, "write the files anew")
	flag.BoolVar(&o.list, "list", false, "run nothing, and say which modules there are")
	flag.BoolVar(&o.table, "table", false, "run nothing, and print the verdicts of the files as tables in Markdown")
	flag.BoolVar(&o.findings, "findings", false, "as -table, with a table of all findings")
	flag.Parse()
	if flag.NArg() != 0 {
		flag.Usage()
		os.Exit(exitFailure)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code, err := golden(ctx, o, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "golden:", err)
	}
	os.Exit(code)
}

// golden does what o says, writes what there is to read to w, and gives the exit code. An error is what could not be done.
func golden(ctx context.Context, o options, w io.Writer) (code int, err error) {
	modules, err := readModules(o.dir)
	if err != nil {
		return exitFailure, err
	}
	stray, err := strays(o.dir, modules)
	if err == nil && len(stray) > 0 {
		err = fmt.Errorf("no module of %s has %s", listName, strings.Join(stray, ", "))
	}
	if err == nil {
		modules, err = choose(modules, o.only, o.short)
	}
	if err != nil {
		return exitFailure, err
	}
	switch {
	case o.list:
		for _, m := range modules {
			fmt.Fprintln(w, strings.TrimSpace(fmt.Sprintf("%s\t%s@%s %s\t%s", m.Name, m.Path, m.Version, strings.Join(m.Patterns, " "), m.Note)))
		}
		return exitSame, nil
	case o.table || o.findings:
		return printTables(w, o.dir, modules, o.findings)
	}

	temp, err := os.MkdirTemp("", "golden")
	if err != nil {
		return exitFailure, err
	}
	defer func() {
		if e := os.RemoveAll(temp); e != nil {
			code, err = exitFailure, errors.Join(err, e)
		}
	}()
	if o.binary, err = gocommand.Tool(ctx, o.binary, temp); err != nil {
		return exitFailure, err
	}
	return runAll(ctx, o, temp, modules, w)
}

// runAll runs the modules one after the other. One that could not be run does not keep the others from it.
func runAll(ctx context.Context, o options, temp string, modules []*Module, w io.Writer) (int, error) {
	code := exitSame
	var failed []error
	var ran []*Module
	var all []*Golden
	for _, m := range modules {
		g, took, err := run(ctx, o, temp, m)
		if err == nil {
			fmt.Fprintf(w, "%s: %d packages, %d findings, %v\n", m.Name, g.Packages, len(g.Findings), took.Round(100*time.Millisecond))
			var same bool
			same, err = settle(w, m.fileName(o.dir), g, o.update)
			if !same {
				code = max(code, exitDiffers)
			}
		}
		if err != nil {
			code = exitFailure
			failed = append(failed, fmt.Errorf("%s: %w", m.Name, err))
			continue
		}
		ran, all = append(ran, m), append(all, g)
	}
	if len(all) > 0 {
		fmt.Fprintln(w)
		modulesTable(w, ran, all)
		fmt.Fprintln(w)
		byRule(all).table(w)
	}
	if code == exitDiffers {
		fmt.Fprintln(w, "\nNot as the files say. To accept it, run golden -update, and write a verdict and a reason for each finding that has none.")
	}
	return code, errors.Join(failed...)
}

// settle compares g, the outcome of a run, with the file, prints what is otherwise, and gives g the verdicts of the file.
// With update, it writes the file anew, and all is well, so that the next run says what has still to be judged.
func settle(w io.Writer, name string, g *Golden, update bool) (same bool, err error) {
	was, err := read(name)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case missing:
		fmt.Fprintf(w, "\tnew      the file %s\n", filepath.Base(name))
		was = &Golden{Header: g.Header}
	case err != nil:
		return false, err
	}
	differences := compare(was, g)
	for _, d := range differences {
		fmt.Fprintf(w, "\t%-8s %s\n", d.kind, indent(d.what))
		for _, m := range d.more {
			fmt.Fprintf(w, "\t         %s\n", indent(m))
		}
	}
	keep(was, g)
	left := 0
	for _, f := range g.Findings {
		err := f.Check()
		if err == nil {
			continue
		}
		left++
		if !slices.ContainsFunc(differences, func(d difference) bool { return d.added == f }) {
			fmt.Fprintf(w, "\tunjudged %s\n\t         %v\n", indent(f.String()), err)
		}
	}
	if update {
		return true, g.write(name)
	}
	return !missing && len(differences) == 0 && left == 0, nil
}

// indent keeps the lines of text below what it is about.
func indent(text string) string { return strings.ReplaceAll(text, "\n", "\n\t         ") }

// printTables prints what the files say, and compares nothing. With findings, a table of all of them comes last.
func printTables(w io.Writer, dir string, modules []*Module, findings bool) (int, error) {
	var all []*Golden
	for _, m := range modules {
		g, err := read(m.fileName(dir))
		if err != nil {
			return exitFailure, err
		}
		all = append(all, g)
	}
	modulesTable(w, modules, all)
	fmt.Fprintln(w)
	byRule(all).table(w)
	if findings {
		fmt.Fprintln(w)
		findingsTable(w, modules, all)
	}
	return exitSame, nil
}
