package ruletest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/rule"
)

// checkWants compares the findings and facts of a package with its want comments, and tells t of each difference.
func checkWants(t reporter, dir string, one *analysed) {
	t.Helper()
	wanted := make(map[lineKey][]string)
	facts := one.facts(dir)
	found := make(map[lineKey][]string)
	for _, c := range one.wantComments(dir) {
		if c.err != nil {
			t.Errorf("%v: %v", one.line(dir, c.Pos()), c.err)
		}
		for _, w := range c.wants {
			wanted[c.lineKey] = append(wanted[c.lineKey], w.String())
		}
		for i, object := range c.objects {
			if !slices.Contains(c.objects[:i], object) {
				for _, f := range facts[c.lineKey][object] {
					found[c.lineKey] = append(found[c.lineKey], f.String())
				}
			}
		}
	}
	var errs []string
	for _, d := range one.found {
		k := one.line(dir, d.Pos)
		if d.Category == rule.InternalError {
			t.Errorf("%v: %s", k, d.Message)
			continue
		}
		found[k] = append(found[k], one.finding(d).String())
	}
	for k, all := range found {
		for _, f := range all {
			if i := slices.Index(wanted[k], f); i >= 0 {
				wanted[k] = slices.Delete(wanted[k], i, i+1)
			} else {
				errs = append(errs, fmt.Sprintf("%v: unexpected: %s", k, f))
			}
		}
	}
	for k, all := range wanted {
		for _, w := range all {
			errs = append(errs, fmt.Sprintf("%v: not found: %s", k, w))
		}
	}
	slices.SortFunc(errs, strings.Compare)
	for _, e := range errs {
		t.Errorf("%s", e)
	}
}
