package main

import (
	"fmt"
	"slices"

	"github.com/ctrllint/ctrllint/internal/changed"
	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/report"
)

// changes keeps the findings in changed code. It is nil without -new-from.
type changes struct{ lines *changed.Lines }

// openChanges asks git for the changes, before the run.
func openChanges(dir, rev string) (*changes, error) {
	if rev == "" {
		return nil, nil
	}
	lines, err := changed.Since(dir, rev)
	if err != nil {
		return nil, fmt.Errorf("-new-from: %w", err)
	}
	return &changes{lines}, nil
}

// apply leaves in r the findings with a change in their lines or in those of a related place, as a new Lock above an
// old call. It returns the number of the others.
func (c *changes) apply(r *driver.Result) int {
	if c == nil {
		return 0
	}
	all := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f report.Finding) bool {
		return !c.lines.Has(f.File, f.Line, f.EndLine) && !slices.ContainsFunc(f.Related, func(p report.Related) bool {
			return c.lines.Has(p.File, p.Line, p.Line)
		})
	})
	return all - len(r.Findings)
}
