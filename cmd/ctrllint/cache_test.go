package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// A checkout is a module, and how the program is run in it.
type checkout struct {
	dir   string
	cache string   // of the results; empty for none
	tool  string   // the program, empty for the one under test
	env   []string // beside that
}

// An answer is what a run of the program gives.
type answer struct {
	stdout, stderr string
	code           int
}

func (a answer) String() string {
	return fmt.Sprintf("exit code %d\nstdout:\n%s\nstderr:\n%s", a.code, a.stdout, a.stderr)
}

// command is the program with args, not started yet.
func (c checkout) command(args ...string) *exec.Cmd {
	name := c.tool
	if name == "" {
		name = tool
	}
	cache := c.cache
	if cache == "" {
		cache = "off"
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), append([]string{"GOWORK=off", "GOCACHEPROG=", cacheVariable + "=" + cache}, c.env...)...)
	return cmd
}

// run runs the program with args.
func (c checkout) run(t *testing.T, args ...string) answer {
	t.Helper()
	cmd := c.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return answer{out.String(), unsummed(errs.String()), cmd.ProcessState.ExitCode()}
}

// A count is how a run came to its findings, as -debug tells.
type count struct{ own, stored, signatures int }

var countLine = regexp.MustCompile(`(?m)^ctrllint: debug: packages: (\d+) of the modules under analysis, (\d+) of those answered by the cache; \d+ of dependencies, \d+ of those answered by the cache; \d+ other dependencies; types of (\d+) from`)

// counted runs the program with -debug, and gives the answer without what that adds.
func (c checkout) counted(t *testing.T, args ...string) (answer, count) {
	t.Helper()
	a := c.run(t, append([]string{"-debug"}, args...)...)
	lines := countLine.FindAllStringSubmatch(a.stderr, -1)
	if lines == nil {
		t.Fatalf("-debug does not say where types came from: %v", a)
	}
	var n count
	for _, line := range lines {
		for i, of := range []*int{&n.own, &n.stored, &n.signatures} {
			k, err := strconv.Atoi(line[i+1])
			if err != nil {
				t.Fatal(err)
			}
			*of += k
		}
	}
	var rest []string
	for line := range strings.Lines(a.stderr) {
		if !strings.HasPrefix(line, "ctrllint: debug: ") {
			rest = append(rest, line)
		}
	}
	a.stderr = strings.Join(rest, "")
	return a, n
}

// uncached is the same checkout without a cache.
func (c checkout) uncached() checkout {
	c.cache = ""
	return c
}

// gives fails t unless a run with args answers want, with so many packages analysed, not answered by the cache.
func (c checkout) gives(t *testing.T, what string, want answer, analysed int, args ...string) {
	t.Helper()
	got, n := c.counted(t, args...)
	if got != want {
		t.Errorf("%s: got %v\nwant %v", what, got, want)
	}
	if n.own-n.stored != analysed {
		t.Errorf("%s: %d of %d packages were analysed, want %d", what, n.own-n.stored, n.own, analysed)
	}
}

// write writes a file of the checkout.
func (c checkout) write(t *testing.T, name, content string) {
	t.Helper()
	filetest.Write(t, c.dir, map[string]string{name: content})
}

// Three packages that import each other in a row, and one that none of them has to do with. Mid and top lock what base
// gives them, and call it with the lock held: they are right as long as Add does not lock.
const (
	baseGo = `package base

import "sync"

type Store struct {
	Mu sync.Mutex
	n  int
}

func (s *Store) Add(n int) {
	s.n += n
}
`
	midGo = `package mid

import "example.com/m/base"

func Bump(s *base.Store) { s.Add(1) }

func Twice(s *base.Store) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Add(2)
}
`
	topGo = `package top

import (
	"example.com/m/base"
	"example.com/m/mid"
)

func Outer(s *base.Store) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	mid.Bump(s)
}
`
)

// locking is base with an Add that locks.
var locking = strings.Replace(baseGo, "\ts.n += n\n", "\ts.Mu.Lock()\n\ts.n += n\n\ts.Mu.Unlock()\n", 1)

// row gives a checkout of those packages, with a finding in side, and others in mid and top if base is locking.
func row(t *testing.T, base string) checkout {
	t.Helper()
	return checkout{
		dir:   filetest.Module(t, map[string]string{"base/base.go": base, "mid/mid.go": midGo, "top/top.go": topGo, "side/main.go": deadlock}),
		cache: filepath.Join(t.TempDir(), "cache"),
	}
}

// Where nothing has changed, the cache answers for all packages. Neither that nor how many processors there are can be
// seen in what is printed.
func TestCacheSameOutput(t *testing.T) {
	t.Parallel()
	c := row(t, locking)
	want := c.uncached().run(t)
	if want.code != exitFindings || strings.Count(want.stdout, "(lockheld/relock)") != 3 || want.stderr != "" {
		t.Fatalf("without a cache: %v", want)
	}
	c.gives(t, "cold", want, 4)
	if got, n := c.counted(t); got != want || n != (count{own: 4, stored: 4}) {
		t.Errorf("warm: %v\n%+v", got, n)
	}
	c.givesWith(t, want, 1, 8)
	for _, flag := range []string{"-cache=off", "-cache off"} {
		c.gives(t, flag, want, 4, strings.Fields(flag)...)
	}
	for _, format := range []string{"json", "sarif", "github", "html", "junit", "checkstyle", "codequality"} {
		want := c.uncached().run(t, "-format", format)
		c.gives(t, format, want, 0, "-format", format)
	}
}

func TestExhaustiveCacheProcessors(t *testing.T) {
	t.Parallel()
	c := row(t, locking)
	want := c.run(t)
	c.givesWith(t, want, 1, 2, 3, 4, 5, 6, 7, 8)
}

// givesWith fails t unless runs answer want with each number of processors, out of the cache and without it.
func (c checkout) givesWith(t *testing.T, want answer, processors ...int) {
	t.Helper()
	for _, n := range processors {
		c.env = []string{fmt.Sprintf("GOMAXPROCS=%d", n)}
		c.gives(t, "warm "+c.env[0], want, 0)
		c.uncached().gives(t, "off "+c.env[0], want, 4)
	}
}

// What is edited is analysed again, together with those that the edit can make a difference to.
func TestCacheEdit(t *testing.T) {
	t.Parallel()
	c := row(t, baseGo)
	first := c.uncached().run(t)
	c.gives(t, "cold", first, 4)
	for _, step := range []struct {
		name, file, content string
		analysed            int
		findings            string // the files that have some
	}{
		{"a line in a body", "base/base.go", strings.Replace(baseGo, "s.n += n", "s.n += n + 1", 1), 1, "side/main.go"},
		{"undone", "base/base.go", baseGo, 0, "side/main.go"},
		{"a fact", "base/base.go", locking, 3, "mid/mid.go side/main.go top/top.go"},
		{"undone", "base/base.go", baseGo, 0, "side/main.go"},
		{"done again", "base/base.go", locking, 0, "mid/mid.go side/main.go top/top.go"},
		{"undone again", "base/base.go", baseGo, 0, "side/main.go"},
		{"a comment that moves nothing", "mid/mid.go", strings.Replace(midGo, "s.Add(1) }", "s.Add(1) } // once", 1), 1, "side/main.go"},
		{"a type", "base/base.go", strings.Replace(baseGo, "n  int", "n  int64\n\tN  int", 1), 3, "side/main.go"},
		{"a type error below", "base/base.go", strings.Replace(baseGo, "Add(n int)", "Add()", 1), 3, "side/main.go"},
		{"undone, and a new file", "mid/more.go", "package mid\n\nfunc More() {}\n", 3, "side/main.go"},
		{"a leaf", "side/main.go", clean, 1, ""},
		{"a suppression", "side/main.go", strings.Replace(deadlock, "\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n}", "\ts.mu.Lock() //nolint:lockheld // tried\n\tdefer s.mu.Unlock()\n}", 1), 1, ""},
		{"undone", "side/main.go", deadlock, 0, "side/main.go"},
	} {
		if step.name == "undone, and a new file" {
			c.write(t, "base/base.go", baseGo)
			step.analysed = 2 // the new mid, and top; base is known
		}
		c.write(t, step.file, step.content)
		want := c.uncached().run(t)
		c.gives(t, step.name, want, step.analysed)
		files := make(map[string]bool)
		for _, m := range regexp.MustCompile(`(?m)^(\S+\.go):\d+:\d+: `).FindAllStringSubmatch(want.stdout, -1) {
			files[m[1]] = true
		}
		if got := strings.Join(slices.Sorted(maps.Keys(files)), " "); got != step.findings {
			t.Errorf("%s: findings in %q, want %q", step.name, got, step.findings)
		}
	}
	if err := os.Remove(filepath.Join(c.dir, "mid", "more.go")); err != nil {
		t.Fatal(err)
	}
	c.write(t, "mid/mid.go", midGo)
	c.gives(t, "all undone", first, 0)
}

// A package that was analysed without its import is analysed again once that is fixed, also where neither the types
// nor the facts of the import show a difference.
func TestCacheMendedImport(t *testing.T) {
	t.Parallel()
	const body = "package base\n\nfunc F() int {\n\tvar n int = %s\n\treturn n\n}\n"
	c := checkout{cache: filepath.Join(t.TempDir(), "cache"), dir: filetest.Module(t, map[string]string{
		"base/base.go": fmt.Sprintf(body, `""`),
		"main.go":      strings.Replace(strings.Replace(deadlock, `import "sync"`, "import (\n\t\"sync\"\n\n\t\"example.com/m/base\"\n)", 1), "main() {", "main() { base.F();", 1),
	})}
	broken := c.uncached().run(t)
	if broken.code != exitFailure || !strings.Contains(broken.stderr, "example.com/m/base: 1 package that imports it was analysed without it") {
		t.Fatalf("broken: %v", broken)
	}
	c.gives(t, "broken", broken, 2)
	c.gives(t, "broken, warm", broken, 0)
	c.write(t, "base/base.go", fmt.Sprintf(body, "1"))
	fixed := c.uncached().run(t)
	if fixed.code != exitFindings || !strings.HasPrefix(fixed.stdout, "main.go:") {
		t.Fatalf("fixed: %v", fixed)
	}
	c.gives(t, "fixed", fixed, 2)
	c.write(t, "base/base.go", fmt.Sprintf(body, `""`))
	c.gives(t, "broken again", broken, 0)
}

// What importing packages see of C types is in comments.
func TestCacheCgo(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip(err)
	}
	const base = "package base\n\n// typedef %s num;\nimport \"C\"\n\ntype Num = C.num\n"
	c := checkout{cache: filepath.Join(t.TempDir(), "cache"), dir: filetest.Module(t, map[string]string{
		"base/base.go": fmt.Sprintf(base, "int           "), // as long as the other one
		"p.go":         "package p\n\nimport \"example.com/m/base\"\n\nfunc F(n base.Num) int { return int(n) }\n",
	})}
	if a := c.run(t); a.code != exitClean {
		t.Fatal(a)
	}
	c.write(t, "base/base.go", fmt.Sprintf(base, "struct{int n;}"))
	want := c.uncached().run(t)
	if want.code != exitFailure || !strings.Contains(want.stderr, "p.go:5:") {
		t.Fatal(want)
	}
	if got := c.run(t); got != want {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// What is replaced by a folder has a version and can be edited all the same.
func TestCacheReplacedModule(t *testing.T) {
	t.Parallel()
	const dep = "package dep\n\ntype N %s\n"
	c := checkout{cache: filepath.Join(t.TempDir(), "cache"), dir: filetest.Module(t, map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.26\n\nrequire example.com/dep v1.0.0\n\nreplace example.com/dep => ./dep\n",
		"dep/go.mod": "module example.com/dep\n\ngo 1.26\n",
		"dep/dep.go": fmt.Sprintf(dep, "int"),
		"p.go":       "package p\n\nimport \"example.com/dep\"\n\nfunc F(n dep.N) int { return int(n) }\n",
	})}
	fine := c.uncached().run(t, ".")
	if fine.code != exitClean {
		t.Fatal(fine)
	}
	c.gives(t, "cold", fine, 2, ".")
	c.gives(t, "warm", fine, 0, ".")
	c.write(t, "dep/dep.go", fmt.Sprintf(dep, "struct{}"))
	broken := c.uncached().run(t, ".")
	if broken.code != exitFailure {
		t.Fatal(broken)
	}
	c.gives(t, "edited", broken, 2, ".")
}

// deadlockTest is deadlock for a package that has that, too.
var deadlockTest = strings.ReplaceAll(strings.ReplaceAll(deadlock, "store", "other"), "main()", "_()")

// settingsModule is a module of which something else is said with each setting.
var settingsModule = map[string]string{
	"main.go":           deadlock,
	"main_test.go":      deadlockTest,
	"main_windows.go":   strings.ReplaceAll(deadlockTest, "other", "windowed"),
	"main_extra.go":     "//go:build extra\n\n" + strings.ReplaceAll(deadlockTest, "other", "tagged"),
	"generated.go":      "// Code generated by hand. DO NOT EDIT.\n\n" + strings.ReplaceAll(deadlockTest, "other", "made"),
	"io/io.go":          "package io\n\nimport \"sync\"\n\nvar mu sync.Mutex\n\nfunc Save() {\n\tmu.Lock()\n\tdefer mu.Unlock()\n\tFlush()\n}\n\nfunc Flush() {}\n",
	"range/range.go":    "package range_\n\nfunc F() {\n\tfor range 3 {\n\t}\n}\n",
	"sub/p.go":          clean,
	"one.yml":           "disable: [lockheld]\n",
	"two.yml":           "options: {lockheld: {blocks: [example.com/m/io.Flush]}}\n",
	"three.yml":         "exclude: [main.go]\n",
	"suppressed/s.go":   strings.Replace(strings.Replace(deadlock, "\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n}", "\ts.mu.Lock() //nolint:lockheld // tried\n\tdefer s.mu.Unlock()\n}", 1), "package main", "package suppressed", 1),
	"suppressed/doc.go": "package suppressed\n\nfunc init() { main() }\n",
}

// A question is what a run is told.
type question struct {
	args, env, config, goVersion string
	same                         bool // as the first one
}

// A run that is told something else never gets the answer to another question.
func TestCacheSettings(t *testing.T) {
	t.Parallel()
	answersEach(t, []question{
		{},
		{args: "-lockheld", same: true},
		{args: "-startctx"},
		{args: "-lockheld.blocks=example.com/m/io.Flush"},
		{args: "-tests"},
		{env: "GOOS=windows"},
		{config: "exclude: [main.go]\n"},
		{goVersion: "1.21"},
		{same: true},
	})
}

func TestExhaustiveCacheSettings(t *testing.T) {
	t.Parallel()
	answersEach(t, []question{
		{},
		{args: "-lockheld", same: true},
		{args: "-lockheld=false"},
		{args: "-startctx"},
		{args: "-suppression"},
		{args: "-lockheld.blocks=example.com/m/io.Flush"},
		{args: "-tests"},
		{args: "-generated"},
		{args: "-deps off", same: true},
		{args: "-tags extra"},
		{args: "-exclude main.go"},
		{args: "-exclude sub", same: true},
		{args: "-C sub -exclude main.go ../..."},
		{args: "-matrix tags=extra,windows/amd64"},
		{env: "GOOS=windows"},
		{env: "GOFLAGS=-tags=extra"},
		{args: "-config one.yml"},
		{args: "-config two.yml"},
		{config: "disable: [lockheld]\n"},
		{config: "options: {lockheld: {blocks: [example.com/m/io.Flush]}}\n"},
		{config: "exclude: [main.go]\n"},
		{args: "-exclude /**/main.go"},
		{goVersion: "1.21"},
		{same: true},
	})
}

// answersEach asks the questions one after the other, with a cache that they share and without one.
func answersEach(t *testing.T, questions []question) {
	t.Helper()
	plain := checkout{dir: filetest.Module(t, settingsModule), cache: filepath.Join(t.TempDir(), "cache")}
	var first answer
	for i, q := range questions {
		c := plain
		if q.env != "" {
			c.env = []string{q.env}
		}
		version := q.goVersion
		if version == "" {
			version = "1.26"
		}
		c.write(t, "go.mod", "module example.com/m\n\ngo "+version+"\n")
		c.write(t, ".ctrllint.yml", q.config)
		args := strings.Fields(q.args)
		want := c.uncached().run(t, args...)
		if i == 0 {
			first = want
		}
		if (want == first) != (q.same || i == 0) {
			t.Errorf("%+v: without a cache: %v", q, want)
		}
		if got := c.run(t, args...); got != want {
			t.Errorf("%+v: got %v\nwant %v", q, got, want)
		}
	}
}

// busy has a finding with a fix.
const busy = `package loop

import "context"

func Run(ctx context.Context, work <-chan int) {
	for {
		select {
		case <-ctx.Done():
			break
		case <-work:
		}
	}
}

func Start(ctx context.Context, work, done chan int) {
	go func() {
		defer close(done)
		Run(ctx, work)
	}()
}
`

// A checkout in another folder is answered by the cache of the first, with names of its own.
func TestCacheElsewhere(t *testing.T) {
	t.Parallel()
	files := map[string]string{"base/base.go": locking, "mid/mid.go": midGo, "top/top.go": topGo, "loop/loop.go": busy, "broken/b.go": "package broken\n\nvar N int = \"\"\n"}
	one := checkout{dir: filetest.Module(t, files), cache: filepath.Join(t.TempDir(), "cache")}
	two := checkout{dir: filetest.Module(t, files), cache: one.cache}
	if _, n := one.counted(t); n.stored != 0 {
		t.Fatalf("%+v", n)
	}
	for _, args := range []string{"", "-format json", "-format sarif", "-diff", "-C mid ../..."} {
		want := two.uncached().run(t, strings.Fields(args)...)
		if !strings.Contains(want.stdout, ".go") {
			t.Errorf("%s: %v", args, want)
		}
		two.gives(t, args, want, 0, strings.Fields(args)...)
		if strings.Contains(want.stdout+want.stderr, one.dir) {
			t.Errorf("%s names the other folder: %v", args, want)
		}
	}
	if a := two.run(t, "-fix", "./loop"); a.code != exitClean {
		t.Error(a)
	}
	for c, want := range map[*checkout]string{&one: busy, &two: strings.Replace(busy, "break", "return", 1)} {
		if got, err := os.ReadFile(filepath.Join(c.dir, "loop", "loop.go")); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", c.dir, err, got)
		}
	}

	// What absolute patterns match is not the same in two places.
	if a := one.run(t, "-exclude", filepath.Dir(filepath.Dir(one.dir))+"/**/top"); !strings.Contains(a.stdout, "mid.go") || strings.Contains(a.stdout, "\ntop/top.go") {
		t.Error(a)
	}
	pattern := "/**/" + filepath.Base(filepath.Dir(one.dir)) + "/" + filepath.Base(one.dir)
	one.run(t, "-exclude", pattern)
	if got, want := two.run(t, "-exclude", pattern), two.uncached().run(t, "-exclude", pattern); got != want {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// Another program, though it be made of the same source, takes nothing that this one has kept. It has to be built.
func TestExhaustiveCacheOfAnotherVersion(t *testing.T) {
	t.Parallel()
	c := row(t, locking)
	want := c.run(t)
	other := c
	other.tool = filepath.Join(t.TempDir(), "ctrllint")
	if out, err := exec.Command("go", "build", "-ldflags=-buildid=other", "-o", other.tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	other.gives(t, "the other one, cold", want, 4)
	other.gives(t, "the other one, warm", want, 0)
	c.gives(t, "the first one", want, 0)
}

// TestClean removes what was kept, and nothing else.
func TestClean(t *testing.T) {
	t.Parallel()
	c := row(t, locking)
	want := c.run(t)
	size := func(a answer) int {
		t.Helper()
		var n int
		if _, err := fmt.Sscanf(a.stdout, "%d kB removed from "+c.cache, &n); err != nil || a.code != exitClean || a.stderr != "" {
			t.Errorf("%v: %v", err, a)
		}
		return n
	}
	if n := size(c.run(t, "clean")); n < 10 {
		t.Errorf("%d kB removed", n)
	}
	if left, err := os.ReadDir(c.cache); err != nil || len(left) > 0 {
		t.Errorf("%v is left: %v", left, err)
	}
	if n := size(c.run(t, "clean")); n != 0 {
		t.Errorf("%d kB removed of nothing", n)
	}
	c.gives(t, "after that", want, 4)

	foreign := c
	foreign.cache = filepath.Join(t.TempDir(), "home")
	if err := os.MkdirAll(filepath.Join(foreign.cache, "00"), 0o755); err != nil {
		t.Fatal(err)
	}
	letter := filepath.Join(foreign.cache, "00", strings.Repeat("0", 64)+"-d")
	for _, name := range []string{letter, filepath.Join(foreign.cache, "letter")} {
		if err := os.WriteFile(name, []byte("dear"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if a := foreign.run(t, "clean"); a.code != exitFailure || a.stdout != "" || !strings.Contains(a.stderr, "is not a store of ctrllint") {
		t.Error(a)
	}
	if _, err := os.Stat(letter); err != nil {
		t.Error(err)
	}
	if got := foreign.run(t); got.code != want.code || got.stdout != want.stdout || !strings.Contains(got.stderr, "warning: results are not cached") {
		t.Error(got)
	}
	off, relative := c, c
	off.cache, relative.cache = "off", "sub/cache"
	for _, test := range []struct {
		c            checkout
		args, stderr string
	}{
		{off, "clean", `^ctrllint: clean: CTRLLINT_CACHE=off: there is no cache\n$`},
		{relative, "clean", `^ctrllint: clean: CTRLLINT_CACHE=sub/cache is neither off nor an absolute path\n$`},
		{c, "clean all", `^ctrllint: clean: takes no arguments\n$`},
		{c, "-cache=no", `^ctrllint: invalid value "no" for flag -cache: want on or off \(see ctrllint help\)\n$`},
		{c, "-cache=", `^ctrllint: invalid value "" for flag -cache: want on or off \(see ctrllint help\)\n$`},
	} {
		if a := test.c.run(t, strings.Fields(test.args)...); a.code != exitFailure || a.stdout != "" || !matches(test.stderr, a.stderr) {
			t.Errorf("%s: %v", test.args, a)
		}
	}
}

// The default is a folder of the user's.
func TestCacheDefault(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the folder is found through XDG_CACHE_HOME")
	}
	home := t.TempDir()
	build, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := row(t, locking)
	want := c.uncached().run(t)
	c.env = []string{cacheVariable + "=", "XDG_CACHE_HOME=" + home, "GOCACHE=" + strings.TrimSpace(string(build))}
	c.gives(t, "cold", want, 4)
	c.gives(t, "warm", want, 0)
	if _, err := os.Stat(filepath.Join(home, "ctrllint")); err != nil {
		t.Error(err)
	}
}
