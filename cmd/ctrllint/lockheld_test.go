package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// slow is a program that does two slow things under a lock: one that asks a server, and one that has a bound.
const slow = `package main

import (
	"net/http"
	"sync"
	"time"
)

type store struct{ mu sync.Mutex }

func (s *store) fetch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = timed.Get("http://localhost/")
}

func (s *store) nap() {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(time.Second)
}

var timed = &http.Client{Timeout: time.Second}

func main() {
	s := new(store)
	s.fetch()
	s.nap()
}
`

// many is a function with more lock operations than a summary has room for.
func many() string {
	var b strings.Builder
	b.WriteString("package p\n\nimport \"sync\"\n\nvar (\n")
	for i := range 70 {
		fmt.Fprintf(&b, "\tm%d sync.Mutex\n", i)
	}
	b.WriteString(")\n\nfunc F() {\n")
	for i := range 70 {
		fmt.Fprintf(&b, "\tm%d.Lock()\n\tm%[1]d.Unlock()\n", i)
	}
	b.WriteString("}\n\nfunc G() { F() }\n")
	return b.String()
}

func TestRuleFlags(t *testing.T) {
	t.Parallel()
	const (
		io      = `main\.go:14:\d+: s\.mu .* is held across timed\.Get, .* \(lockheld/slow\)\n(\t.*\n)*`
		bounded = `main\.go:20:\d+: s\.mu .* is held across time\.Sleep, .* \(lockheld/slow\)\n(\t.*\n)*`
	)
	dir := filetest.Module(t, map[string]string{"main.go": slow})
	for _, test := range []struct {
		args           string
		stdout, stderr string
		code           int
	}{
		{"", "", "", 0},
		{"-lockheld", "", "", 0},
		{"-lockheld.slow", "^" + io + bounded + "$", "", 1},
		{"-lockheld.slow=true", "^" + io + bounded + "$", "", 1},
		{"-lockheld -lockheld.slow", "^" + io + bounded + "$", "", 1},
		{"-lockheld.slow=false", "", "", 0},

		{"-lockheld=false -lockheld.slow", "", `^ctrllint: -lockheld\.slow enables lockheld/slow, but the rule lockheld does not run: .*\n$`, 2},
		{"-startctx -lockheld.slow", "", `^ctrllint: -lockheld\.slow enables lockheld/slow, but the rule lockheld does not run: .*\n$`, 2},
		{"-lockheld.nope", "", `^ctrllint: flag provided but not defined: -lockheld\.nope .*\n$`, 2},
		{"-startctx.io", "", `^ctrllint: flag provided but not defined: -startctx\.io .*\n$`, 2},
		{"-io", "", `^ctrllint: flag provided but not defined: -io .*\n$`, 2},
		{"-lockheld.slow=perhaps", "", `^ctrllint: invalid boolean value "perhaps" for -lockheld\.slow: .*\n$`, 2},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, code := command(t, dir, tool, strings.Fields(test.args)...)
			if code != test.code || !matches(test.stdout, stdout) || !matches(test.stderr, stderr) {
				t.Errorf("exit code %d, want %d\nstdout %q\nwant   %s\nstderr %q\nwant   %s",
					code, test.code, stdout, test.stdout, stderr, test.stderr)
			}
		})
	}
}

// The flags of a rule are those of go vet, too. What is slow imports much of the standard library, which go vet looks
// at anew for each set of flags: this is one run.
func TestExhaustiveRuleFlagsOfVet(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"main.go": slow})
	_, stderr, code := command(t, dir, "go", "vet", "-vettool="+tool, "-lockheld.slow", "./...")
	if code == 0 || strings.Count(stderr, "is held across") != 2 || !strings.Contains(stderr, "timed.Get") {
		t.Errorf("exit code %d, and not two findings, one of them about timed.Get\n%s", code, stderr)
	}
}

// jsonLines decodes the output, one object a line.
func jsonLines(t *testing.T, stdout string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for line := range strings.Lines(stdout) {
		var f map[string]any
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		out = append(out, f)
	}
	return out
}

func TestConfidence(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{"deadlock/main.go": deadlock, "slow/main.go": slow, "child/p.go": `package p

import (
	"os/exec"
	"sync"
)

type store struct{ mu sync.Mutex }

func (s *store) Run() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = exec.Command("true").Run()
}

func (s *store) Touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
}
`})
	stdout, stderr, code := command(t, dir, tool, "-format", "json", "-lockheld.slow", "./...")
	if code != exitFindings || stderr != "" {
		t.Fatalf("exit code %d, stderr %q", code, stderr)
	}
	want := map[string]string{"deadlock/main.go": "certain", "slow/main.go": "possible", "child/p.go": "possible"}
	found := jsonLines(t, stdout)
	if len(found) != len(want)+1 { // two in one file
		t.Errorf("%d findings, want %d", len(found), len(want)+1)
	}
	for _, f := range found {
		if f["confidence"] != want[f["file"].(string)] {
			t.Errorf("%s: confidence %v, want %s", f["file"], f["confidence"], want[f["file"].(string)])
		}
	}
	// In text a finding is the same with any confidence.
	if stdout, _, _ = command(t, dir, tool, "./..."); strings.Contains(stdout, "certain\n") || strings.Contains(stdout, "possible\n") {
		t.Errorf("text tells confidences: %s", stdout)
	}
}

// someExamples and allExamples are findings in the examples, which need all of Kubernetes.
var (
	someExamples = sync.OnceValues(func() ([]byte, error) {
		return findingsInExamples("./eventfilter/...", "./expectttl/...", "./lockheld/again", "./lockheld/cycles/...", "./startctx/...", "./suppression/...")
	})
	allExamples = sync.OnceValues(func() ([]byte, error) { return findingsInExamples("./...") })
)

// findingsInExamples is what the command says, a line a finding, with the nursery and what is opt-in.
func findingsInExamples(patterns ...string) (stdout []byte, err error) {
	cmd := exec.Command(tool, append([]string{"-format", "json", "-lockheld.slow", "-nursery"}, patterns...)...)
	cmd.Dir, cmd.Env = filepath.Join("..", "..", "testdata"), append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err = cmd.Output()
	if cmd.ProcessState.ExitCode() != exitFindings {
		return nil, fmt.Errorf("%w\n%s", err, &stderr)
	}
	return stdout, nil
}

// Only the rule that tells confidences apart has them, for each of its findings in the examples.
func TestConfidenceOfRules(t *testing.T) {
	t.Parallel()
	confidenceOfRules(t, someExamples)
}

func TestExhaustiveConfidenceOfRules(t *testing.T) {
	t.Parallel()
	confidenceOfRules(t, allExamples)
}

func confidenceOfRules(t *testing.T, examples func() ([]byte, error)) {
	t.Helper()
	stdout, err := examples()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, f := range jsonLines(t, string(stdout)) {
		c, told := f["confidence"]
		switch rule := f["rule"].(string); {
		case rule != "lockheld" && told:
			t.Errorf("%v has the confidence %v", f, c)
		case rule == "lockheld" && c != "certain" && c != "possible":
			t.Errorf("%v has the confidence %v", f, c)
		case rule == "lockheld":
			seen[c.(string)]++
		default:
			seen["others"]++
		}
	}
	for _, kind := range []string{"certain", "possible", "others"} {
		if seen[kind] == 0 {
			t.Errorf("no findings of kind %q in the examples", kind)
		}
	}
}

// What -debug says goes to stderr, and changes neither findings nor exit codes.
func TestDebug(t *testing.T) {
	t.Parallel()
	const note = `(?m)^ctrllint: debug: example\.com/m/many: lockheld: \d+ .*\n(ctrllint: debug: .*\n)*\z`
	// Behind the notes stand where types came from and what took how long.
	const cost = `(ctrllint: debug: (packages|phase|rule|package): .*\n)+$`
	const none = `^ctrllint: debug: 0 notes\n` + cost
	dir := filetest.Module(t, map[string]string{
		"many/p.go": many(), "clean/p.go": clean, "deadlock/main.go": deadlock, "broken/p.go": "package p\n\nvar X int = \"\"\n",
	})
	for _, test := range []struct {
		args   string
		stderr string
		code   int
	}{
		{"./clean", none, 0},
		{"./many", note, 0},
		{"./deadlock", none, 1},
		{"./many ./deadlock", note, 1},
		{"-format json ./many ./deadlock", note, 1},
		{"-lockheld=false ./many ./deadlock", none, 0},
		{"./many ./broken", note, 2},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(test.args)
			want, quiet, code := command(t, dir, tool, args...)
			if code != test.code || strings.Contains(quiet, "debug") {
				t.Errorf("without -debug: exit code %d, want %d; stderr %q", code, test.code, quiet)
			}
			stdout, stderr, code := command(t, dir, tool, append([]string{"-debug"}, args...)...)
			if code != test.code || stdout != want || !matches(test.stderr, stderr) {
				t.Errorf("exit code %d, want %d\nstdout %q\nwant   %q\nstderr %q\nwant   %s", code, test.code, stdout, want, stderr, test.stderr)
			}
			if rest, ok := strings.CutPrefix(stderr, quiet); !ok || rest == "" {
				t.Errorf("stderr %q does not begin with what is said without -debug, %q", stderr, quiet)
			}
		})
	}
}

// A package alone has the findings that it has among the others, those too that need to know what its imports do.
func TestOnePackage(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, map[string]string{
		"store/store.go": `package store

import (
	"sync"
	"sync/atomic"
	"time"
)

type Store struct {
	Mu    sync.Mutex
	Index sync.Mutex
}

func (s *Store) Wait() { wait() }

var ready atomic.Bool

func wait() {
	for !ready.Load() {
		time.Sleep(time.Second)
	}
}

func (s *Store) Len() int {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return 0
}

func (s *Store) Reindex() {
	s.Index.Lock()
	defer s.Index.Unlock()
	s.Mu.Lock()
	defer s.Mu.Unlock()
}
`,
		"cache/cache.go": `package cache

import "example.com/m/store"

func Fill(s *store.Store) { s.Wait() }
`,
		"deep/deep.go": `package deep

import (
	"example.com/m/cache"
	"example.com/m/store"
)

func Blocks(s *store.Store) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	cache.Fill(s)
}
`,
		"relock/relock.go": `package relock

import "example.com/m/store"

func Twice(s *store.Store) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Len()
}
`,
		"order/order.go": `package order

import "example.com/m/store"

func Turned(s *store.Store) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Index.Lock()
	defer s.Index.Unlock()
}
`,
	})
	findings := func(pattern string) (map[string][]string, int) {
		stdout, stderr, code := command(t, dir, tool, "-format", "json", pattern)
		if stderr != "" {
			t.Errorf("%s: %s", pattern, stderr)
		}
		out := map[string][]string{}
		for line := range strings.Lines(stdout) {
			file := jsonLines(t, line)[0]["file"].(string)
			out[filepath.Dir(file)] = append(out[filepath.Dir(file)], line)
		}
		return out, code
	}
	all, _ := findings("./...")
	for pkg, category := range map[string]string{
		"deep": "lockheld/blocking", "relock": "lockheld/relock", "order": "lockheld/order", "store": "", "cache": "",
	} {
		if category == "" && len(all[pkg]) > 0 || category != "" && (len(all[pkg]) != 1 || !strings.Contains(all[pkg][0], `"`+category+`"`)) {
			t.Errorf("%s among all: want one finding of category %q, got\n%s", pkg, category, strings.Join(all[pkg], ""))
		}
		alone, code := findings("./" + pkg)
		if got, want := strings.Join(alone[pkg], ""), strings.Join(all[pkg], ""); got != want {
			t.Errorf("%s alone:\n%s\namong all:\n%s", pkg, got, want)
		}
		if len(alone) > 1 || (code == exitFindings) != (category != "") {
			t.Errorf("%s alone: exit code %d, findings in %d packages", pkg, code, len(alone))
		}
	}
}
