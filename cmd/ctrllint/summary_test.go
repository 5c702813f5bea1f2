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

// The summary says what was found, in how much, and what can be fixed at once. Forms for programs have none, and -q
// leaves it out.
func TestSummary(t *testing.T) {
	t.Parallel()
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
		"-baseline known.jsonl ./...":                ` beside 1 in the baseline: lockheld 2`,
		"-new-from HEAD ./...":                       ` beside 2 in unchanged code: lockheld 1`,
		"-new-from HEAD ./old ./later":               ` beside 2 in unchanged code`,
		"-new-from HEAD ./new":                       `: lockheld 1`,
		"-baseline known.jsonl -new-from HEAD ./...": ` beside 1 in the baseline and 1 in unchanged code: lockheld 1`,
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

// A relock, which is certain, and a leak of a lock.
const twoSubRules = deadlock + `
func (s *store) forget(b bool) {
	s.mu.Lock()
	if b {
		return
	}
	s.mu.Unlock()
}
`

var (
	onlyLeak      = []string{"lockheld/leak"}
	onlyRelock    = []string{"lockheld/relock"}
	leakAndRelock = []string{"lockheld/leak", "lockheld/relock"}
)

// subRuleChoices are ways to choose sub-rules, with those of which twoSubRules then has findings.
var subRuleChoices = []struct {
	config, args string
	want         []string
}{
	{"", "", leakAndRelock},
	{"", "-lockheld.leak=false", onlyRelock},
	{"", "-only lockheld/leak", onlyLeak},
	{"", "-only lockheld/leak,lockheld/relock", leakAndRelock},
	{"", "-only lockheld,eventfilter/tombstone", leakAndRelock},
	{"", "-only lockheld/leak -only lockheld/relock", leakAndRelock},
	{"", "-only lockheld -lockheld.leak=false", onlyRelock},
	{"disable: [lockheld/relock]\n", "-only lockheld -lockheld.leak=false", onlyRelock},
	{"", "-only lockheld/leak -startctx=false", onlyLeak},
	{"", "-only eventfilter", nil},
	{"", "-severity error", leakAndRelock},
	{"", "-confidence certain", leakAndRelock},
	{"enable: [lockheld/leak]\n", "", onlyLeak},
	{"enable: [lockheld/leak, startctx]\n", "", onlyLeak},
	{"enable: [lockheld/leak, lockheld]\n", "", leakAndRelock},
	{"disable: [lockheld/leak]\n", "", onlyRelock},
	{"enable: [lockheld]\ndisable: [lockheld/leak]\n", "", onlyRelock},
	{"disable: [lockheld]\nenable: [lockheld/leak]\n", "", onlyLeak},
	{"enable: [lockheld/leak]\ndisable: [startctx, eventfilter/tombstone]\n", "", onlyLeak},
	{"enable: [lockheld]\noptions: {lockheld: {leak: false}}\n", "", onlyRelock},
	{"options: {lockheld: {relock: false}}\n", "", onlyLeak},
	{"disable: [lockheld/leak]\n", "-lockheld.leak", leakAndRelock},
	{"disable: [lockheld/leak]\n", "-only lockheld", leakAndRelock},
	{"enable: [lockheld/relock]\n", "-only lockheld", leakAndRelock},
	{"disable: [lockheld/leak]\nseverity: error\nconfidence: certain\n", "", onlyRelock},
}

// Sub-rules are chosen like rules, in every way in which rules are; so is how sure and how severe a finding has to be.
func TestSubRules(t *testing.T) {
	t.Parallel()
	for _, test := range subRuleChoices {
		t.Run(test.config+test.args, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, _ := command(t, subRuleModule(t, test.config), tool, append(strings.Fields(test.args), "./...")...)
			expectCategories(t, stdout, stderr, test.want)
		})
	}
}

// Under go vet they are chosen by flags, as ctrllint makes them of the settings.
func TestSubRulesOfVet(t *testing.T) {
	t.Parallel()
	expectCategories(t, vetSubRules(t, subRuleModule(t, "disable: [lockheld/leak]\n"), ""), "", onlyRelock)
}

// TestExhaustiveSubRulesOfVet has go vet look at the standard library anew for each choice.
func TestExhaustiveSubRulesOfVet(t *testing.T) {
	t.Parallel()
	for _, test := range subRuleChoices {
		if strings.Contains(test.args, "-only") {
			continue // what is chosen for go vet is chosen by the flags of rules
		}
		t.Run(test.config+test.args, func(t *testing.T) {
			t.Parallel()
			expectCategories(t, vetSubRules(t, subRuleModule(t, test.config), test.args), "", test.want)
		})
	}
}

// subRuleModule is a module of twoSubRules, with those settings.
func subRuleModule(t *testing.T, config string) (dir string) {
	t.Helper()
	files := map[string]string{"main.go": twoSubRules}
	if config != "" {
		files[".ctrllint.yml"] = config
	}
	return filetest.Module(t, files)
}

// vetSubRules is what go vet prints in dir with the flags that ctrllint makes of the settings, and those in args.
func vetSubRules(t *testing.T, dir, args string) string {
	t.Helper()
	flags, stderr, _ := command(t, dir, tool, "flags")
	if stderr != "" {
		t.Error(stderr)
	}
	all := append([]string{"vet", "-vettool=" + tool}, strings.Fields(flags+" "+args)...)
	stdout, stderr, _ := command(t, dir, "go", append(all, "./...")...)
	return stdout + stderr
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
