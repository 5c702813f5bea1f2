package main

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// general are the parts of a rule's page that are about all of its sub-rules.
var general = []string{"Why it hurts", "Bad", "Good", "Not reported", "How to suppress"}

// explain prints what the rules and sub-rules that names names are about: "lockheld" or, as findings have it,
// "lockheld/relock".
func explain(rules []*analysis.Analyzer, names []string, stdout, stderr io.Writer) int {
	if len(names) == 0 {
		fmt.Fprintln(stderr, "ctrllint: explain what? Say RULE or RULE/SUB-RULE, as in a finding's last word (see ctrllint help)")
		return exitFailure
	}
	code := exitClean
	for _, name := range names {
		text, err := explanation(rules, name)
		if err != nil {
			fmt.Fprintf(stderr, "ctrllint: %v\n", err)
			code = exitFailure
			continue
		}
		fmt.Fprint(stdout, text)
	}
	return code
}

func explanation(rules []*analysis.Analyzer, name string) (string, error) {
	name, sub, ofSub := strings.Cut(strings.Trim(name, "()"), "/")
	for _, a := range rules {
		if a.Name != name {
			continue
		}
		if !ofSub {
			return fmt.Sprintf("%s: %s\n", a.Name, strings.TrimSpace(a.Doc)), nil
		}
		parts := sections(a.Doc)
		if parts[sub] == "" {
			return "", fmt.Errorf("rule %s has no sub-rule %q: ctrllint explain %s shows its page", name, sub, name)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s/%s\n\n%s\n", name, sub, parts[sub])
		for _, g := range general {
			if parts[g] != "" {
				fmt.Fprintf(&b, "\n# %s\n\n%s\n", g, parts[g])
			}
		}
		fmt.Fprintf(&b, "\n%s#%s\n", a.URL, sub)
		return b.String(), nil
	}
	return "", fmt.Errorf("unknown rule %q (see ctrllint help)", name)
}

// sections are the parts of a page under their headings.
func sections(doc string) map[string]string {
	parts := map[string]string{}
	heading := ""
	var lines []string
	flush := func() {
		if heading != "" {
			parts[heading] = strings.TrimSpace(strings.Join(lines, "\n"))
		}
		lines = nil
	}
	for line := range strings.SplitSeq(doc, "\n") {
		if h, ok := strings.CutPrefix(line, "# "); ok {
			flush()
			heading = h
			continue
		}
		lines = append(lines, line)
	}
	flush()
	return parts
}
