package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/config"
	"github.com/ctrllint/ctrllint/internal/page"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/spelling"
)

// explain prints the documentation of the named rules and sub-rules: "lockheld" or "lockheld/relock".
func explain(rules []*analysis.Analyzer, names []string, stdout, stderr io.Writer) int {
	if len(names) == 0 {
		fmt.Fprintln(stderr, "ctrllint: explain: name a RULE or RULE/CHECK, as at the end of a finding (see ctrllint help)")
		return exitFailure
	}
	return explainAll(rules, names, stdout, stderr)
}

func explainAll(rules []*analysis.Analyzer, names []string, stdout, stderr io.Writer) int {
	code := exitClean
	for i, name := range names {
		text, err := explanation(rules, strings.Trim(name, "()"))
		if err != nil {
			fmt.Fprintf(stderr, "ctrllint: %v\n", err)
			code = exitFailure
			continue
		}
		if i > 0 {
			fmt.Fprintln(stdout)
		}
		fmt.Fprint(stdout, text)
	}
	return code
}

// explanation returns the Doc of a rule, or the page of a sub-rule. For an unknown name, the error suggests another
// one.
func explanation(rules []*analysis.Analyzer, name string) (string, error) {
	for _, a := range rules {
		if a.Name == name {
			return page.Overview(a) + "\n" + a.URL + "\n", nil
		}
		for _, s := range page.Subs(a) {
			if a.Name+"/"+s.Name == name {
				return page.Text(s.Markdown) + "\n" + rule.PageURL(a.Name, s.Name) + "\n", nil
			}
		}
	}
	if meant := spelling.Meant(name, config.Names(rules)); len(meant) > 0 {
		return "", fmt.Errorf("unknown rule %q: try ctrllint explain %s", name, strings.Join(meant, " or "))
	}
	of, sub, _ := strings.Cut(name, "/")
	if slices.ContainsFunc(rules, func(a *analysis.Analyzer) bool { return a.Name == of }) {
		return "", fmt.Errorf("rule %s has no check %q: ctrllint explain %s lists them", of, sub, of)
	}
	return "", fmt.Errorf("unknown rule %q (see ctrllint help)", name)
}
