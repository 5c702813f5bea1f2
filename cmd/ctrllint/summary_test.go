package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// The summary says what was found, in how much, and what can be fixed at once. Forms for programs have none, and -q leaves it out.
func TestSummary(t *testing.T) {
	both := map[string]string{"clean/p.go": clean, "deadlock/main.go": deadlock, "again/main.go": deadlock}
	for _, test := range []struct {
		files      map[string]string
		args, want string
	}{
		{both, "./...", `^ctrllint: 2 findings in 3 packages \(\d+\.\d s\): lockheld 2\n$`},
		{both, "./deadlock", `^ctrllint: 1 finding in 1 package \(\d+\.\d s\): lockheld 1\n$`},
		{both, "./clean", `^ctrllint: no findings in 1 package \(\d+\.\d s\)\n$`},
		{both, "-lockheld.relock=false ./...", `^ctrllint: no findings in 3 packages \(\d+\.\d s\)\n$`},
		{both, "-q ./...", `^$`},
		{both, "-format json ./...", `^$`},
		{map[string]string{"clean/p.go": clean, "broken/p.go": "package p\n\nvar X int = \"\"\n"}, "./...", `(?s)broken.*ctrllint: no findings in 1 package \(\d+\.\d s\)\n$`},
	} {
		t.Run(test.args, func(t *testing.T) {
			cmd := exec.Command(tool, strings.Fields(test.args)...)
			cmd.Dir, cmd.Env = filetest.Module(t, test.files), append(os.Environ(), "GOWORK=off")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			_ = cmd.Run() // the exit code is for others
			if !regexp.MustCompile(test.want).MatchString(stderr.String()) {
				t.Errorf("wrote %q, want %s", &stderr, test.want)
			}
		})
	}
}

// The summary says how many findings are left out, and why: by a baseline, by -new-from, and by both.
func TestSummaryBeside(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"old/main.go": deadlock})
	if _, stderr, code := command(t, dir, tool, "-baseline", "known.jsonl", "-write-baseline", "./..."); code != exitClean {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	filetest.Write(t, dir, map[string]string{"later/main.go": deadlock})
	commit(t, dir)
	filetest.Write(t, dir, map[string]string{"new/main.go": deadlock})
	for args, want := range map[string]string{
		"./...":                                      `: lockheld 3`,
		"-baseline known.jsonl ./...":                ` beside 1 that the baseline accepts: lockheld 2`,
		"-new-from HEAD ./...":                       ` beside 2 in code that has not changed: lockheld 1`,
		"-new-from HEAD ./old ./later":               ` beside 2 in code that has not changed`,
		"-new-from HEAD ./new":                       `: lockheld 1`,
		"-baseline known.jsonl -new-from HEAD ./...": ` beside 1 that the baseline accepts and 1 in code that has not changed: lockheld 1`,
	} {
		cmd := exec.Command(tool, strings.Fields(args)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run() // the exit code is for others
		if !regexp.MustCompile(`^ctrllint: (no findings|\d findings?) in \d packages? \(\d+\.\d s\)` + want + `\n$`).MatchString(stderr.String()) {
			t.Errorf("%s wrote %q, want %s", args, &stderr, want)
		}
	}
}

// Sub-rules are chosen like rules, in every way in which rules are; so is how sure and how severe a finding has to be.
func TestSubRules(t *testing.T) {
	// A relock, which is certain, and a leak of a lock.
	files := map[string]string{"main.go": deadlock + `
func (s *store) forget(b bool) {
	s.mu.Lock()
	if b {
		return
	}
	s.mu.Unlock()
}
`}
	all := []string{"lockheld/leak", "lockheld/relock"}
	for _, test := range []struct {
		config, args string
		want         []string
	}{
		{"", "", all},
		{"", "-lockheld.leak=false", all[1:]},
		{"", "-only lockheld/leak", all[:1]},
		{"", "-only lockheld/leak,lockheld/relock", all},
		{"", "-only lockheld,eventfilter/tombstone", all},
		{"", "-only lockheld/leak -only lockheld/relock", all},
		{"", "-only lockheld -lockheld.leak=false", all[1:]},
		{"disable: [lockheld/relock]\n", "-only lockheld -lockheld.leak=false", all[1:]},
		{"", "-only lockheld/leak -startctx=false", all[:1]},
		{"", "-only eventfilter", nil},
		{"", "-severity error", all},
		{"", "-confidence certain", all},
		{"enable: [lockheld/leak]\n", "", all[:1]},
		{"enable: [lockheld/leak, startctx]\n", "", all[:1]},
		{"enable: [lockheld/leak, lockheld]\n", "", all},
		{"disable: [lockheld/leak]\n", "", all[1:]},
		{"enable: [lockheld]\ndisable: [lockheld/leak]\n", "", all[1:]},
		{"disable: [lockheld]\nenable: [lockheld/leak]\n", "", all[:1]},
		{"enable: [lockheld/leak]\ndisable: [startctx, eventfilter/tombstone]\n", "", all[:1]},
		{"enable: [lockheld]\noptions: {lockheld: {leak: false}}\n", "", all[1:]},
		{"options: {lockheld: {relock: false}}\n", "", all[:1]},
		{"disable: [lockheld/leak]\n", "-lockheld.leak", all},
		{"disable: [lockheld/leak]\n", "-only lockheld", all},
		{"enable: [lockheld/relock]\n", "-only lockheld", all},
		{"disable: [lockheld/leak]\nseverity: error\nconfidence: certain\n", "", all[1:]},
	} {
		t.Run(test.config+test.args, func(t *testing.T) {
			if test.config != "" {
				files[".ctrllint.yml"] = test.config
			} else {
				delete(files, ".ctrllint.yml")
			}
			dir := filetest.Module(t, files)
			stdout, stderr, _ := command(t, dir, tool, append(strings.Fields(test.args), "./...")...)
			expectCategories(t, stdout, stderr, test.want)

			args := []string{"vet", "-vettool=" + tool}
			if test.config != "" {
				flags, stderr, _ := command(t, dir, tool, "flags")
				if stderr != "" {
					t.Error(stderr)
				}
				args = append(args, strings.Fields(flags)...)
			}
			if strings.Contains(test.args, "-only") {
				return // what is chosen for go vet is chosen by the flags of rules
			}
			args = append(args, strings.Fields(test.args)...)
			stdout, stderr, _ = command(t, dir, "go", append(args, "./...")...)
			expectCategories(t, stdout+stderr, "", test.want)
		})
	}
}

// category is the sub-rule behind a message.
var category = regexp.MustCompile(`\((lockheld/[a-z-]+)\)\n`)

// expectCategories compares the sub-rules of the findings in out.
func expectCategories(t *testing.T, out, stderr string, want []string) {
	t.Helper()
	var got []string
	for _, w := range []string{"lockheld/leak", "lockheld/relock"} {
		for _, m := range category.FindAllStringSubmatch(out, -1) {
			if m[1] == w {
				got = append(got, w)
			}
		}
	}
	if stderr != "" || strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %q, want %q; output %q, and %q", got, want, out, stderr)
	}
}
