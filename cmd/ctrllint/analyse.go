package main

import (
	"context"
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/affected"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/phrase"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/store"
)

// analyse runs the rules over the packages of the command line or, with -affected, over those that its files can
// affect, module by module.
func analyse(ctx context.Context, s *settings, rules []*analysis.Analyzer, kept *store.Store, phase func(func() string)) (driver.Result, error) {
	rule.Active.Programs = true
	o := driver.Options{
		Context: ctx, Store: kept,
		Dir: s.dir, Patterns: s.flags.Args(), Tags: s.tags, Tests: rule.Active.Tests, Phase: phase,
	}
	if !s.affected {
		return driver.RunAll(rules, o, s.matrix), nil
	}
	modules, without, err := affected.Packages(ctx, s.dir, s.flags.Args(), s.tags)
	if err != nil {
		return driver.Result{}, fmt.Errorf("-affected: %w", err)
	}
	var results []driver.Result
	for _, m := range modules {
		o.Dir, o.Base, o.Patterns = m.Dir, s.dir, m.Packages
		if o.Base == "" {
			o.Base = "."
		}
		results = append(results, driver.RunAll(rules, o, s.matrix))
	}
	all := driver.Join(results...)
	switch {
	case s.flags.NArg() == 0:
		all.Remarks = append(all.Remarks, "-affected names no files: nothing is analysed")
	case len(modules) == 0:
		all.Remarks = append(all.Remarks, "nothing is analysed: no package has "+phrase.Some(without))
	case len(without) > 0:
		all.Remarks = append(all.Remarks, "no package has "+phrase.Some(without))
	}
	return all, nil
}
