package main

import (
	"fmt"
	"io"

	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/fix"
)

// applyFixes is the step that applies the fixes of r, or prints them as a diff, if one of the two is asked for. It
// leaves in r what is still to be printed, and gives the number of findings, or with diff of changed files.
func applyFixes(dir string, fixing, diff bool, r *driver.Result, stdout, stderr io.Writer) (found int, err error) {
	if !fixing && !diff {
		return len(r.Findings), nil
	}
	plan, err := fix.Make(dir, r.Findings)
	if err != nil {
		return 0, fmt.Errorf("nothing is fixed: %w", err)
	}
	for _, f := range plan.Conflicts {
		fmt.Fprintf(stderr, "ctrllint: %s:%d: not fixed, another fix changes the same code: run again\n", f.File, f.Line)
	}
	if diff {
		r.Findings = nil
		return len(plan.Files), plan.Diff(stdout)
	}
	if err := plan.Write(); err != nil {
		return 0, err
	}
	if len(plan.Fixed) > 0 {
		fmt.Fprintf(stderr, "ctrllint: %d findings fixed in %d files\n", len(plan.Fixed), len(plan.Files))
	}
	r.Findings = plan.Left
	return len(plan.Left), nil
}
