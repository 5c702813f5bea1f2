// Command sweep runs all rules over large bodies of code that others wrote, the standard library and modules among them
// that are dependencies elsewhere, and fails where one of them does not come through: a rule that panics, a package that
// is not analysed, a finding without a position, a function without a result that no note of -debug accounts for.
//
//	sweep [flags]
//
// It prints for each body how many packages and functions it has, what was found by rule, and the notes. What lockheld
// finds in the standard library is held against std.jsonl, where each finding has a verdict and its reason.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/report"
)

func main() {
	only := flag.String("only", "", "the `names` of the bodies of code to sweep, separated by commas; all if empty: "+strings.Join(names(), ", "))
	kruise := flag.String("kruise", "", "a `checkout` of github.com/openkruise/kruise; it is left out if empty")
	kubernetes := flag.String("kubernetes", "", "the `folder` for k8s.io/kubernetes, made a module there; it is left out if empty")
	update := flag.Bool("update", false, "write new findings in the standard library to std.jsonl, for somebody to judge")
	verbose := flag.Bool("v", false, "print all findings, and all notes")
	flag.Parse()
	if flag.NArg() != 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := sweepAll(ctx, os.Stdout, options{
		only: *only, folders: map[string]string{"kruise": *kruise, "kubernetes": *kubernetes}, update: *update, verbose: *verbose,
	})
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "sweep:", err)
		os.Exit(1)
	}
}

type options struct {
	only            string
	folders         map[string]string // by name of a body: where it is, or is to be
	update, verbose bool
}

func sweepAll(ctx context.Context, w io.Writer, o options) (err error) {
	chosen, err := choose(o.only)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "sweep")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	var problems []error
	for _, b := range chosen {
		dir := o.folders[b.name]
		if b.needsFolder && dir == "" {
			if o.only != "" {
				return fmt.Errorf("%s needs -%s", b.name, b.name)
			}
			fmt.Fprintf(w, "%s: left out, no folder is given\n", b.name)
			continue
		}
		if dir == "" {
			dir = filepath.Join(temp, b.name)
			if err := os.Mkdir(dir, 0o755); err != nil {
				return err
			}
		}
		p, err := b.prepare(ctx, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
		start := time.Now()
		s := run(ctx, p)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.print(w, b.name, time.Since(start), o.verbose)
		for _, err := range s.problems {
			problems = append(problems, fmt.Errorf("%s: %w", b.name, err))
		}
		if b.judged != "" {
			if err := s.judge(ctx, w, b.judged, o.update); err != nil {
				problems = append(problems, fmt.Errorf("%s: %w", b.name, err))
			}
		}
	}
	return errors.Join(problems...)
}

// place is packages to sweep.
type place struct {
	dir      string // where the patterns mean something
	base     string // what the names of files are relative to
	patterns []string
	env      []string
	broken   map[string]bool // packages that cannot be loaded
}

// swept is what came out of a place.
type swept struct {
	driver.Result
	packages, functions int
	problems            []error
}

// run sweeps p with all rules, and more.
func run(ctx context.Context, p place, more ...*analysis.Analyzer) swept {
	c := new(checker)
	s := swept{Result: driver.Run(append(c.analyzers(), more...), driver.Options{
		Context: ctx, Dir: p.dir, Base: p.base, Patterns: p.patterns, Build: p.env,
	})}
	s.packages, s.functions = int(c.packages.Load()), int(c.functions.Load())
	if s.packages == 0 {
		s.problems = append(s.problems, errors.New("no package was analysed"))
	}
	broken := maps.Clone(p.broken)
	for _, f := range s.Failures {
		if p.broken[f.Package] {
			delete(broken, f.Package)
			continue
		}
		s.problems = append(s.problems, errors.New(f.String()))
	}
	for pkg := range broken {
		s.problems = append(s.problems, fmt.Errorf("%s is said to be broken, and is not", pkg))
	}
	for _, f := range s.Findings {
		if f.File == "" || f.Line <= 0 || f.Column <= 0 || f.Message == "" {
			s.problems = append(s.problems, fmt.Errorf("a finding of %s in %s has no position: %s:%d:%d: %s", f.Category, f.Package, f.File, f.Line, f.Column, f.Message))
		}
	}
	return s
}

func (s *swept) print(w io.Writer, name string, took time.Duration, verbose bool) {
	fmt.Fprintf(w, "%s: %d packages, %d functions, %d findings, %d notes, %d problems, %v\n",
		name, s.packages, s.functions, len(s.Findings), len(s.Notes), len(s.problems), took.Round(time.Second))
	byRule := map[string]int{}
	for _, f := range s.Findings {
		byRule[f.Category]++
		if verbose {
			fmt.Fprintf(w, "\t%s:%d:%d: %s (%s)\n", f.File, f.Line, f.Column, f.Message, f.Category)
			for _, r := range report.Bounded(f.Related) {
				fmt.Fprintf(w, "\t\t%s:%d: %s\n", r.File, r.Line, r.Message)
			}
		}
	}
	for _, category := range slices.Sorted(maps.Keys(byRule)) {
		fmt.Fprintf(w, "\t%5d %s\n", byRule[category], category)
	}
	kinds := map[string]int{}
	for _, n := range s.Notes {
		kinds[kindOf(n.Message)]++
		if verbose {
			fmt.Fprintf(w, "\tnote: %v\n", n)
		}
	}
	most := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return cmp.Or(kinds[b]-kinds[a], strings.Compare(a, b)) })
	for _, kind := range most {
		fmt.Fprintf(w, "\tnotes in %d packages: %s\n", kinds[kind], kind)
	}
}

// kindOf is the note without its numbers.
func kindOf(note string) string {
	words := strings.Fields(note)
	for i, word := range words {
		if strings.Trim(word, "0123456789") == "" {
			words[i] = "N"
		}
	}
	return strings.Join(words, " ")
}
