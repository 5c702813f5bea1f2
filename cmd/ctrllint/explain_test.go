package main

import (
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/page"
)

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		args           string
		stdout, stderr string
		code           int
	}{
		{"lockheld/leak", `^lockheld/leak\n\nA function returns with a lock held\.\n(.*\n)+# Bad code\n\n    func .*\n        c\.mu\.Lock\(\)\n(.*\n)+# How to turn it off\n(.*\n)+https://\S+/rules/lockheld/leak\.md\n$`, "", 0},
		{"(lockheld/relock)", `^lockheld/relock\n`, "", 0},
		{"lockheld", `^lockheld: waits under a lock, (.*\n)+  - leak: .*\n(.*\n)+https://\S+/rules/lockheld\.md\n$`, "", 0},
		{"lockheld/relock lockheld/leak", `^lockheld/relock\n(.*\n)+\nlockheld/leak\n`, "", 0},
		{"lockheld/relock nope", `^lockheld/relock\n`, `unknown rule "nope"`, 2},
		{"", "", `^ctrllint: explain: name a RULE`, 2},

		{"lockheld/nope", "", `^ctrllint: rule lockheld has no check "nope": ctrllint explain lockheld lists them\n$`, 2},
		{"nope/relock", "", `^ctrllint: unknown rule "nope/relock" \(see ctrllint help\)\n$`, 2},
		{"relock", "", `^ctrllint: unknown rule "relock": try ctrllint explain lockheld/relock\n$`, 2},
		{"lockhold", "", `^ctrllint: unknown rule "lockhold": try ctrllint explain lockheld\n$`, 2},
		{"leek", "", `^ctrllint: unknown rule "leek": try ctrllint explain lockheld/leak\n$`, 2},
		{"lokcheld/leak", "", `^ctrllint: unknown rule "lokcheld/leak": try ctrllint explain lockheld/leak\n$`, 2},
		{"lockheld/Relock", "", `^ctrllint: unknown rule "lockheld/Relock": try ctrllint explain lockheld/relock\n$`, 2},
	} {
		var stdout, stderr strings.Builder
		code := explain(analyzers.All(), strings.Fields(test.args), &stdout, &stderr)
		if code != test.code || !matches(test.stdout, stdout.String()) || !matches(test.stderr, stderr.String()) {
			t.Errorf("explain %s: exit code %d, want %d\nstdout %q\nstderr %q", test.args, code, test.code, stdout.String(), stderr.String())
		}
	}
}

// The page of a sub-rule is about that one alone, and help shows the same as explain.
func TestExplainSubRules(t *testing.T) {
	for _, a := range analyzers.All() {
		for _, s := range page.Subs(a) {
			var explained, helped, stderr strings.Builder
			name := []string{a.Name + "/" + s.Name}
			if explain(analyzers.All(), name, &explained, &stderr) != exitClean || help(analyzers.All(), name, &helped, &stderr) != exitClean || explained.String() != helped.String() {
				t.Errorf("%s: help and explain differ: %s", name, stderr.String())
			}
			for _, heading := range []string{"What it reports", "Why it hurts", "Bad code", "Good code", "What is left alone", "How sure it is", "How it was measured", "How to turn it off"} {
				if n := strings.Count(explained.String(), "\n# "+heading+"\n"); n != 1 {
					t.Errorf("%s: %d sections %q", name, n, heading)
				}
			}
		}
	}
}

// Every category that an example asks for has a page, where its finding's address points to.
func TestExplainAll(t *testing.T) {
	t.Parallel()
	explainEach(t, someExamples, 10)
}

func TestExhaustiveExplainAll(t *testing.T) {
	t.Parallel()
	explainEach(t, allExamples, 20)
}

// explainEach fails t unless each category of a finding in examples has a page, and there are so many.
func explainEach(t *testing.T, examples func() ([]byte, error), least int) {
	t.Helper()
	stdout, err := examples()
	if err != nil {
		t.Fatal(err)
	}
	categories := map[string]bool{}
	for _, f := range jsonLines(t, string(stdout)) {
		categories[f["category"].(string)] = true
	}
	if len(categories) < least {
		t.Fatalf("only %d categories found", len(categories))
	}
	for c := range categories {
		if _, err := explanation(analyzers.All(), c); err != nil {
			t.Errorf("%s: %v", c, err)
		}
	}
}
