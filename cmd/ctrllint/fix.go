package main

import (
	"fmt"
	"io"

	"github.com/ctrllint/ctrllint/internal/driver"
	"github.com/ctrllint/ctrllint/internal/fix"
	"github.com/ctrllint/ctrllint/internal/phrase"
	"github.com/ctrllint/ctrllint/internal/source"
)

// applyFixes applies the fixes of r, or prints them as a diff, if asked to. It leaves in r the findings still to be
// printed, adds files that could not be changed to the failures, and returns the number of findings or, with diff, of
// changed files.
func applyFixes(dir string, fixing, diff bool, r *driver.Result, stdout, stderr io.Writer) (found int, err error) {
	if !fixing && !diff {
		return len(r.Findings), nil
	}
	counts := len(r.Findings) > 0
	plan := fix.Make(dir, r.Findings, r.Analysed)
	if !diff {
		plan.Write()
	}
	for _, f := range plan.Conflicts {
		fmt.Fprintf(stderr, "ctrllint: %s:%d: not fixed: another fix changes the same code; run again\n", f.File, f.Line)
	}
	for _, f := range plan.Refused {
		r.Failures = append(r.Failures, driver.Failure{Message: fmt.Sprintf("%s: not fixed: %v", f.Name, f.Err)})
	}
	if counts {
		fmt.Fprintf(stderr, "ctrllint: %s\n", fixSummary(plan, diff))
	}
	if diff {
		r.Findings = nil
		root, err := source.Root(dir)
		if err != nil {
			return 0, err
		}
		files := &source.Files{Dir: dir}
		return len(plan.Files), plan.Diff(stdout, func(name string) (string, bool) { return files.Below(root, name) })
	}
	r.Findings = plan.Left
	return len(plan.Left), nil
}

// fixSummary has the numbers of findings with and without fixes.
func fixSummary(p fix.Plan, diff bool) string {
	text := "nothing fixed"
	if n := len(p.Fixed); n > 0 {
		where := "in"
		if diff {
			where = "by changes of"
		}
		text = fmt.Sprintf("%s fixed %s %s", phrase.Count(n, "finding", "findings"), where, phrase.Count(len(p.Files), "file", "files"))
	}
	switch n := p.Unfixable; n {
	case 0:
		return text
	case 1:
		return text + ", 1 has no fix"
	default:
		return fmt.Sprintf("%s, %d have no fix", text, n)
	}
}
