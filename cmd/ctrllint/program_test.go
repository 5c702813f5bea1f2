package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// shop is a program of three packages, two of which hang together: one calls what the other one has, with a lock held.
var shop = map[string]string{
	"desk/desk.go": `package desk

import "sync"

type Clerk interface{ Serve(n int) }

type Desk struct {
	mu    sync.Mutex
	Clerk Clerk
	sum   int
}

func (d *Desk) Ask(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Clerk.Serve(n)
}

func (d *Desk) Add(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sum += n
}
`,
	"clerk/clerk.go": `package clerk

type Books interface{ Add(n int) }

type Clerk struct {
	in    chan int
	Books Books
}

func New() *Clerk { return &Clerk{in: make(chan int)} }

func (c *Clerk) Serve(n int) { c.in <- n }

func (c *Clerk) Run() {
	for n := range c.in {
		c.Books.Add(n)
	}
}
`,
	"cmd/shop/main.go": `package main

import (
	"example.com/m/clerk"
	"example.com/m/desk"
)

func main() {
	c := clerk.New()
	d := &desk.Desk{Clerk: c}
	c.Books = d
	go c.Run()
	d.Ask(1)
	d.Ask(2)
}
`,
	"other/other.go": "package other\n\nfunc F() {}\n",
}

// What is said of a package does not depend on what else is named: the program that it is a part of is looked at as
// well.
func TestProgram(t *testing.T) {
	t.Parallel()
	dir := filetest.Module(t, shop)
	const found = "desk/desk.go:16:15: d.mu (locked at line 14) is held across the send to c.in (clerk.go:12, via (*Clerk).Serve), " +
		"which deadlocks: (*Clerk).Run at clerk.go:16 via (*Desk).Add needs the same lock to unblock it; unlock first (lockheld/blocking)"
	for patterns, want := range map[string]bool{
		"./...": true, "./desk": true, "./clerk": true, "./desk ./clerk": true, "./cmd/shop": false, "./other": false, "./cmd/... ./desk": true,
	} {
		stdout, stderr, code := command(t, dir, tool, append([]string{"-cache=off"}, strings.Fields(patterns)...)...)
		got := strings.Contains(stdout, found)
		if got != want || (code == exitFindings) != want || stderr != "" || strings.Count(stdout, "(lockheld/") > 1 {
			t.Errorf("%s: exit code %d\n%s%s", patterns, code, stdout, stderr)
		}
	}
}

// What is wrong with the rest of a module is for those to hear who name it.
func TestProgramBroken(t *testing.T) {
	t.Parallel()
	files := map[string]string{"cmd/broken/main.go": "package main\n\nimport \"example.com/m/desk\"\n\nfunc main() { undefined(desk.Desk{}) }\n"}
	for name, text := range shop {
		files[name] = text
	}
	dir := filetest.Module(t, files)
	stdout, stderr, code := command(t, dir, tool, "-cache=off", "./desk")
	if code != exitFindings || stderr != "" || !strings.Contains(stdout, "desk/desk.go:16:15") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if _, stderr, code := command(t, dir, tool, "-cache=off", "./..."); code != exitFailure || !strings.Contains(stderr, "undefined") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// Two checkouts share results, and the findings of each name its own files. A baseline accepts what a program finds, and knows
// it by the package and the function that it is in.
func TestProgramKept(t *testing.T) {
	t.Parallel()
	one, two := checkout{dir: filetest.Module(t, shop)}, checkout{dir: filetest.Module(t, shop)}
	one.cache = t.TempDir()
	two.cache = one.cache
	first, second := one.run(t), two.run(t)
	if first.code != exitFindings || first.stdout != second.stdout {
		t.Errorf("%v\n%v", first, second)
	}
	if _, n := two.counted(t); n.stored != n.own {
		t.Errorf("%+v", n)
	}
	stdout, stderr, code := command(t, one.dir, tool, "-cache=off", "-baseline", "accepted.json", "-write-baseline", "./...")
	_ = stdout
	if code != exitClean {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	data, err := os.ReadFile(filepath.Join(one.dir, "accepted.json"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if !strings.Contains(text, `"example.com/m/desk"`) || !strings.Contains(text, "(*Desk).Ask") {
		t.Errorf("the baseline is\n%s", text)
	}
	if stdout, stderr, code := command(t, one.dir, tool, "-cache=off", "-baseline", "accepted.json", "./..."); code != exitClean {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
