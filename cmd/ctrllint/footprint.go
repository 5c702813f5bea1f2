package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/phrase"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// footprintSettings are those of the command footprint.
type footprintSettings struct {
	*settings
	before    string // the file with the inventories of an earlier run
	failOnNew bool
}

func newFootprintSettings(rules []*analysis.Analyzer) *footprintSettings {
	s := &footprintSettings{settings: sharedSettings("footprint", rules, []string{"text", "json", "md"})}
	s.flags.StringVar(&s.format, "format", "text", "print inventories as `text`, json or md")
	s.flags.StringVar(&s.before, "diff", "", "print what has changed since the run that wrote `file` (-format json)")
	s.flags.BoolVar(&s.failOnNew, "fail-on-new", false, "with -diff, exit with 1 if an informer, a wider scope or a request that writes is new")
	s.flags.Var(&rule.Active.Deps, "deps", "analyse dependencies from source: `auto`, off or all")
	return s
}

// printFootprint returns the command footprint: it prints the inventories that a computes of the programs among the
// packages, or what has changed in them.
func printFootprint(a *analysis.Analyzer) subcommand {
	return func(rules []*analysis.Analyzer, args []string, stdout, stderr io.Writer) int {
		s := newFootprintSettings(rules)
		return s.run(args, stdout, stderr, func() (int, error) { return s.perform(a, stdout, stderr) })
	}
}

// perform computes and prints the inventories. The file of -diff is read before, so that errors come early.
func (s *footprintSettings) perform(a *analysis.Analyzer, stdout, stderr io.Writer) (code int, err error) {
	before, err := s.earlier()
	if err != nil {
		return 0, err
	}
	result, _, err := execute(s.settings, []*analysis.Analyzer{a}, stderr)
	if err != nil {
		return 0, err
	}
	var all []footprint.Inventory
	for _, data := range result.Inventories {
		program, err := footprint.Read(data)
		if err != nil {
			return 0, err
		}
		all = append(all, program...)
	}
	changes, left := footprint.Diff(before, all, result.Others)
	known := len(all)+len(changes) > 0
	if known && s.before != "" {
		err = footprint.PrintChanges(stdout, s.format, changes)
	} else if known {
		err = footprint.Print(stdout, s.format, all)
	}
	if err != nil {
		return 0, err
	}
	s.printMissing(stderr, result)
	if result.Others != nil {
		fmt.Fprintf(stderr, "ctrllint: note: without a manager, and so without a footprint: %s\n", phrase.Some(result.Others))
	}
	if left != nil {
		fmt.Fprintf(stderr, "ctrllint: note: in %s, but not among the packages: %s\n", s.before, phrase.Some(left))
	}
	switch {
	case len(result.Failures) > 0:
		return exitFailure, nil
	case !known:
		return 0, errors.New("no program: the packages have no main package that makes a manager")
	case s.failOnNew && slices.ContainsFunc(changes, func(c footprint.Change) bool { return c.New }):
		return exitFindings, nil
	}
	return exitClean, nil
}

// earlier returns the inventories in the file of -diff.
func (s *footprintSettings) earlier() ([]footprint.Inventory, error) {
	if s.before == "" && s.failOnNew {
		return nil, errors.New("-fail-on-new needs -diff FILE")
	} else if s.before == "" {
		return nil, nil
	}
	data, err := os.ReadFile(s.inDir(s.before))
	if err != nil {
		return nil, fmt.Errorf("-diff %s: %w", s.before, reason(err))
	}
	all, err := footprint.Read(data)
	if err != nil {
		return nil, fmt.Errorf("-diff %s is not what ctrllint footprint -format json has written: %w", s.before, err)
	}
	return all, nil
}
