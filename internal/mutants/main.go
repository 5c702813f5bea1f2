// Command mutants asks whether the tests notice what they should: it breaks the code in the ways that mutants.yaml lists,
// one after the other, and runs the tests that must fail then.
//
//	mutants [flags]
//
// Mutants are passed to `go test` as an overlay, so that no file of the working tree is touched. The tests run without any
// mutant first. A mutant is killed when tests fail; one that does not compile, or whose text is not in its file exactly
// once, is an error. The exit code is 1 where a mutant lives that the list does not give a reason for, and where one is
// killed that the list says lives.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/gocommand"
)

func main() {
	only := flag.String("only", "", "the `names` of the mutants to run, separated by commas; all if empty")
	rules := flag.String("rules", "", "run the mutants of these `areas` only (lock, eventfilter, ...), separated by commas")
	verbose := flag.Bool("v", false, "print what each mutant breaks, and what the tests say to it")
	timeout := flag.String("timeout", "5m", "how long the tests of one package may take before they count as hung")
	flag.Parse()
	if flag.NArg() != 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := mutate(ctx, os.Stdout, *only, *rules, *timeout, *verbose)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func mutate(ctx context.Context, w io.Writer, only, rules, timeout string, verbose bool) (err error) {
	list, err := parseList(listed)
	if err != nil {
		return fmt.Errorf("mutants.yaml: %w", err)
	}
	if list, err = choose(list, only, rules); err != nil {
		return err
	}
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	return (&lab{root, timeout, temp}).all(ctx, w, list, verbose)
}

// all runs the mutants of list and prints what becomes of each. It is an error where that is not what the list says.
func (l *lab) all(ctx context.Context, w io.Writer, list []*Mutant, verbose bool) error {
	if err := l.unmutated(ctx, w, list); err != nil {
		return err
	}
	killed, hung := 0, 0
	var living []*Mutant
	var wrong []error
	for _, m := range list {
		if verbose {
			fmt.Fprintf(w, "%s: %s\n", m.Name, m.Breaks)
		}
		pkg, o, err := l.kill(ctx, m)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			wrong = append(wrong, err)
			fmt.Fprintf(w, "error   %s\n", m.Name)
			continue
		}
		switch {
		case pkg == "":
			living = append(living, m)
			fmt.Fprintf(w, "lives   %s\n", m.Name)
			if m.Lives == "" {
				wrong = append(wrong, fmt.Errorf("%s lives: %s", m.Name, m.Breaks))
			}
		default:
			killed++
			what := "killed"
			if o.hung {
				hung++
				what = "hangs "
			}
			fmt.Fprintf(w, "%s  %s  %s: %s\n", what, m.Name, pkg, strings.Join(o.tests, " "))
			if m.Lives != "" {
				wrong = append(wrong, fmt.Errorf("%s is killed by now: take its reason out of the list", m.Name))
			}
			if verbose {
				fmt.Fprintln(w, indented(o.output))
			}
		}
	}
	fmt.Fprintf(w, "%d of %d mutants are killed", killed, len(list))
	if hung > 0 {
		fmt.Fprintf(w, ", %d of them because the tests hang", hung)
	}
	fmt.Fprintln(w)
	for _, m := range living {
		fmt.Fprintf(w, "%s lives: %s\n\t%s\n", m.Name, m.Breaks, m.Lives)
	}
	return errors.Join(wrong...)
}

// unmutated runs the tests that the mutants of list need as they are. A failure there would count as a kill of each.
func (l *lab) unmutated(ctx context.Context, w io.Writer, list []*Mutant) error {
	var pkgs []string
	for _, m := range list {
		pkgs = append(pkgs, m.Tests...)
	}
	slices.Sort(pkgs)
	for _, pkg := range slices.Compact(pkgs) {
		o, err := l.test(ctx, pkg)
		if err != nil {
			return err
		}
		if o.failed {
			return fmt.Errorf("the tests of %s fail without any mutant:\n%s", pkg, indented(o.output))
		}
		fmt.Fprintf(w, "ok      %s\n", pkg)
	}
	return nil
}

// indented returns what the output of tests tells of failures, at most twenty lines.
func indented(output string) string {
	var lines []string
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\n")
		text := strings.TrimSpace(line)
		if !strings.HasPrefix(text, "=== ") && !strings.HasPrefix(text, "--- PASS") && len(lines) < 20 {
			lines = append(lines, "\t"+line)
		}
	}
	return strings.Join(lines, "\n")
}

// moduleRoot returns the folder of the module that the working directory is in.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := gocommand.Run(ctx, "", nil, "env", "GOMOD")
	if err != nil {
		return "", err
	}
	file := strings.TrimSpace(string(out))
	if filepath.Base(file) != "go.mod" {
		return "", errors.New("there is no module here")
	}
	return filepath.Dir(file), nil
}
