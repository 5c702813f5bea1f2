package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
)

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		args           string
		stdout, stderr string
		code           int
	}{
		{"lockheld/relock", `^lockheld/relock\n\n(.*\n)+# Why it hurts\n(.*\n)+https://\S+/lockheld\.md#relock\n$`, "", 0},
		{"(lockheld/relock)", `^lockheld/relock\n`, "", 0},
		{"lockheld", `^lockheld: waits, relocks`, "", 0},
		{"lockheld/nope", "", `^ctrllint: rule lockheld has no sub-rule "nope"`, 2},
		{"nope/relock", "", `^ctrllint: unknown rule "nope"`, 2},
		{"lockheld/relock nope", `^lockheld/relock\n`, `unknown rule "nope"`, 2},
		{"", "", `^ctrllint: explain what\?`, 2},
	} {
		var stdout, stderr strings.Builder
		code := explain(analyzers.All(), strings.Fields(test.args), &stdout, &stderr)
		if code != test.code || !matches(test.stdout, stdout.String()) || !matches(test.stderr, stderr.String()) {
			t.Errorf("explain %s: exit code %d, want %d\nstdout %q\nstderr %q", test.args, code, test.code, stdout.String(), stderr.String())
		}
	}
}

// Every category that an example asks for has a part of its rule's page, where its finding's address points to.
func TestExplainAll(t *testing.T) {
	stdout, stderr, _ := command(t, "../../testdata", tool, "-lockheld.io", "./...")
	categories := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\S.* \((\w+/[\w-]+)\)$`).FindAllStringSubmatch(stdout, -1) {
		categories[m[1]] = true
	}
	if len(categories) < 10 {
		t.Fatalf("only %d categories found\n%s", len(categories), stderr)
	}
	for c := range categories {
		if _, err := explanation(analyzers.All(), c); err != nil {
			t.Errorf("%s: %v", c, err)
		}
	}
}
