package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
	"github.com/ctrllint/ctrllint/internal/sariftest"
)

func TestFormats(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"a/main.go": deadlock})
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil { // the top of a repository
		t.Fatal(err)
	}
	for _, test := range []struct{ args, want string }{
		{"", "a/main.go:10:11: s.mu (locked at line 8) is locked again, which deadlocks; unlock first, or call a variant that does not lock (lockheld/relock)\n" +
			"\t    s.mu.Lock()\n\t    ~~~~~~~~~^\n" +
			"\ta/main.go:8:11: s.mu is locked here\n"},
		{"-format github -C a", "::error file=a/main.go,line=10,endLine=10,col=11,title=lockheld/relock::" +
			"s.mu (locked at line 8) is locked again, which deadlocks; unlock first, or call a variant that does not lock%0Aa/main.go:8: s.mu is locked here%0A" +
			"https://github.com/ctrllint/ctrllint/blob/main/docs/rules/lockheld/relock.md\n"},
	} {
		stdout, stderr, code := command(t, dir, tool, strings.Fields(test.args)...)
		if code != exitFindings || stdout != test.want || stderr != "" {
			t.Errorf("%s: exit code %d, stderr %q, got\n%swant\n%s", test.args, code, stderr, stdout, test.want)
		}
	}
}

// TestSARIF runs the program over examples of several rules, and over what it cannot analyse.
func TestSARIF(t *testing.T) {
	t.Parallel()
	examples, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := someExamples(); err != nil { // of which the cache then has some
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, dir, args string
		results         int // at least
		code            int
	}{
		{"examples", examples, "-lockheld.slow -nursery ./lockheld/again ./eventfilter/... ./expectttl/...", 20, exitFindings},
		{"clean", filetest.Module(t, map[string]string{"p.go": clean}), "", 0, exitClean},
		{"failure", filetest.Module(t, map[string]string{"p.go": "package p\n\nvar X int = \"\"\n", "a/main.go": deadlock}), "", 1, exitFailure},
		{"nothing", t.TempDir(), "", 0, exitFailure},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, code := command(t, test.dir, tool, append([]string{"-format", "sarif"}, strings.Fields(test.args)...)...)
			if code != test.code {
				t.Fatalf("exit code %d, want %d: %s", code, test.code, stderr)
			}
			sariftest.Valid(t, []byte(stdout))
			var log struct {
				Runs []struct {
					Results []struct {
						RuleID    string
						RuleIndex int
					}
					Tool struct {
						Driver struct{ Rules []struct{ ID string } }
					}
					Invocations []struct {
						ExecutionSuccessful        bool
						ToolExecutionNotifications []any
					}
				}
			}
			if err := json.Unmarshal([]byte(stdout), &log); err != nil {
				t.Fatal(err)
			}
			run := log.Runs[0]
			if len(run.Results) < test.results || test.results == 0 && len(run.Results) > 0 {
				t.Errorf("%d results, want %d or more", len(run.Results), test.results)
			}
			for _, r := range run.Results {
				if id := run.Tool.Driver.Rules[r.RuleIndex].ID; id != r.RuleID {
					t.Errorf("a result of %s leads to rule %s", r.RuleID, id)
				}
			}
			if i := run.Invocations[0]; i.ExecutionSuccessful != (code != exitFailure) || i.ExecutionSuccessful != (len(i.ToolExecutionNotifications) == 0) {
				t.Errorf("exit code %d, and %+v", code, i)
			}
		})
	}
}

// What a comment keeps back is in SARIF, as suppressed; it is no finding anywhere else.
func TestSARIFSuppressed(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"main.go": strings.Replace(deadlock, "\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n}", "\t//lint:ignore ctrllint/lockheld an example\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n}", 1)})
	for _, args := range []string{"-format sarif", "-lockheld -format sarif"} {
		stdout, stderr, code := command(t, dir, tool, strings.Fields(args)...)
		sariftest.Valid(t, []byte(stdout))
		var log struct {
			Runs []struct {
				Results []struct {
					RuleID       string
					Suppressions []struct{ Kind, Justification string }
				}
			}
		}
		if err := json.Unmarshal([]byte(stdout), &log); err != nil {
			t.Fatal(err)
		}
		if r := log.Runs[0].Results; code != exitClean || len(r) != 1 || r[0].RuleID != "lockheld/relock" ||
			len(r[0].Suppressions) != 1 || r[0].Suppressions[0].Kind != "inSource" || r[0].Suppressions[0].Justification != "an example" {
			t.Errorf("%s: exit code %d, stderr %q, results %+v", args, code, stderr, r)
		}
	}
	for _, args := range []string{"", "-format json", "-format github"} {
		if stdout, stderr, code := command(t, dir, tool, strings.Fields(args)...); code != exitClean || stdout != "" {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", args, code, stdout, stderr)
		}
	}
}

// Colours are for people at a terminal who have not asked for none.
func TestTerminal(t *testing.T) {
	t.Parallel()
	script, err := exec.LookPath("script")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no script(1) of Linux to make a terminal")
	}
	dir := filetest.Module(t, map[string]string{"main.go": deadlock})
	for _, test := range []struct {
		env   []string
		color bool
	}{
		{[]string{"TERM=xterm"}, true},
		{[]string{"TERM=xterm", "NO_COLOR=1"}, false},
		{[]string{"TERM=dumb"}, false},
	} {
		cmd := exec.Command(script, "-qec", tool, os.DevNull)
		cmd.Dir = dir
		cmd.Env = append(append(os.Environ(), "GOWORK=off", "NO_COLOR="), test.env...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(out), "\x1b[1mmain.go:10:11:\x1b[0m"); got != test.color || !strings.Contains(string(out), "main.go:10:11:") {
			t.Errorf("%v: colour %t, want %t, in %q", test.env, got, test.color, out)
		}
	}
}

// The forms for CI systems name files as the repository does, wherever in it ctrllint runs, and tell of all findings.
func TestCIFormats(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"a/main.go": deadlock, "broken/p.go": "package p\n\nvar X int = \"\"\n"})
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil { // the top of a repository
		t.Fatal(err)
	}
	for format, want := range map[string][]string{
		"junit": {
			`<testsuite name="lockheld" tests="1" failures="1" errors="0">`, `message="a/main.go:10:11: s.mu (locked at line 8)`,
			`<testcase name="no findings" classname="startctx">`, `<testsuite name="analysis" tests="1" failures="0" errors="1">`,
		},
		"checkstyle":  {`<file name="a/main.go">`, `<error line="10" column="11" severity="`, `source="ctrllint.lockheld/relock"`},
		"codequality": {`"path": "a/main.go"`, `"begin": 10`, `"check_name": "lockheld/relock"`},
	} {
		stdout, stderr, code := command(t, dir, tool, "-C", "a", "-format", format, "../...")
		if code != exitFailure || !strings.Contains(stderr, "broken") {
			t.Errorf("%s: exit code %d, stderr %q", format, code, stderr)
		}
		for _, w := range want {
			if !strings.Contains(stdout, w) {
				t.Errorf("%s: no %s in\n%s", format, w, stdout)
			}
		}
	}
}

// The page shows the source, wherever ctrllint was told to work; what failed and how much was analysed stand above.
func TestHTML(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"a/main.go": deadlock, "clean/p.go": clean, "broken/p.go": "package p\n\nvar X int = \"\"\n"})
	stdout, _, code := command(t, t.TempDir(), tool, "-C", dir, "-format", "html", "./...")
	if code != exitFailure {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		"<b>1</b> finding</li>", "<b>2</b> packages</li>", "<b>1</b> failure</li>", "example.com/m/broken: ", `<code class="place">a/main.go:10:11</code>`,
		"<mark>s.mu.Lock</mark>", "lockheld/relock.md",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %s in the page", want)
		}
	}
	if strings.Contains(stdout, "cannot be read") {
		t.Error("the source is missing")
	}
}

// Each finding about an order of locks in the examples has its cycle, from which the page draws a picture.
func TestCycles(t *testing.T) {
	t.Parallel()
	examples, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr, code := command(t, examples, tool, "-format", "json", "./lockheld/cycles/...", "./lockheld/linked/...", "./lockheld/modes")
	if code != exitFindings {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	cycles, linked := 0, 0
	for line := range strings.Lines(stdout) {
		var f struct {
			Category, Message, File string
			Cycle                   []struct {
				File                   string
				Line                   int
				Function, Holds, Takes string
			}
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(err)
		}
		if (f.Category == "lockheld/order") != (len(f.Cycle) > 1) {
			t.Errorf("%s has the cycle %+v", f.Message, f.Cycle)
		}
		for i, s := range f.Cycle {
			if next := f.Cycle[(i+1)%len(f.Cycle)]; s.Takes != next.Holds || s.Function == "" || s.Line == 0 || !strings.HasSuffix(s.File, ".go") || filepath.IsAbs(s.File) {
				t.Errorf("%s: step %+v, and then %+v", f.Message, s, next)
			}
			if s.File != f.File {
				linked++
			}
		}
		cycles += len(f.Cycle)
	}
	if cycles == 0 || linked == 0 {
		t.Errorf("%d steps, %d of them in other files", cycles, linked)
	}
	stdout, _, _ = command(t, examples, tool, "-format", "html", "./lockheld/cycles/...")
	if pictures, orders := strings.Count(stdout, "<svg"), strings.Count(stdout, `data-category="lockheld/order"`); pictures != orders || orders == 0 {
		t.Errorf("%d pictures of %d orders", pictures, orders)
	}
}
