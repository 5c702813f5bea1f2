package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ctrllint/ctrllint/internal/measure"
)

func TestCopyTree(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	for _, name := range []string{"go.mod", "a/a.go", ".git/HEAD", "a/.hidden.go"} {
		path := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyTree(from, to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"go.mod": "go.mod", "a/a.go": "a/a.go", "a/.hidden.go": "a/.hidden.go", ".git/HEAD": ""} {
		if got, _ := os.ReadFile(filepath.Join(to, name)); string(got) != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func seconds(cpu ...float64) []measure.Cost {
	var out []measure.Cost
	for _, s := range cpu {
		out = append(out, measure.Cost{CPU: time.Duration(s * float64(time.Second)), Peak: 1 << 20})
	}
	return out
}

// Pairs are compared with each other: a slow round is slow for both.
func TestRatio(t *testing.T) {
	if got := ratio(seconds(1, 9, 2), seconds(10, 30, 10)); math.Abs(got-0.2) > 1e-9 {
		t.Errorf("got %v", got)
	}
}

func TestDiff(t *testing.T) {
	gone, more := diff(canonical("b\na\na\n"), canonical("a\nb\nc\n"))
	if gone != "-a\n" || more != "+c\n" {
		t.Errorf("got %q, %q", gone, more)
	}
	if gone, more := diff(canonical("b\na\n"), canonical("a\nb\n")); gone+more != "" {
		t.Errorf("an order makes a difference: %q, %q", gone, more)
	}
}

func TestLine(t *testing.T) {
	want := "| self, cold | staticcheck | 2.00 / 31.00 | 1/15.5 | 0.00 / 0.00 | 1024 / 1024 |"
	if got := line("self, cold", "staticcheck", seconds(2, 2, 2), seconds(30, 31, 32)); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if got := fraction(1.3); got != "1.30 times" {
		t.Errorf("got %s", got)
	}
}

func TestChoose(t *testing.T) {
	if got, err := choose(""); err != nil || len(got) != len(rows) {
		t.Errorf("all: got %v, %v", got, err)
	}
	if got, err := choose("warm,nobuild"); err != nil || len(got) != 2 || got[0].name != "nobuild" || got[1].name != "warm" {
		t.Errorf("some: got %v, %v", got, err)
	}
	if got, err := choose("cold,cool"); err == nil {
		t.Errorf("a row that is not there: got %v", got)
	}
}

// Only what the rows need is built, and ctrllint always is.
func TestTools(t *testing.T) {
	for spec, want := range map[string][]*tool{"": {ctrllint, staticcheck, golangci}, "warm": {ctrllint, staticcheck}} {
		chosen, err := choose(spec)
		if got := tools(chosen); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %v, %v", spec, got, err)
		}
	}
}

func TestCommand(t *testing.T) {
	one := &tool{path: "tool", args: []string{"run"}, noTests: "-tests=false"}
	for tests, want := range map[bool][]string{true: {"tool", "run", "./..."}, false: {"tool", "run", "-tests=false", "./..."}} {
		if got := one.command(tests); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestAddModule(t *testing.T) {
	var o options
	for value, good := range map[string]bool{"a=x": true, "b": false, "=x": false, "c=": false, "a b=x": false} {
		if err := o.addModule(value); (err == nil) != good {
			t.Errorf("%q: got %v", value, err)
		}
	}
	if err := o.addModule("a=y"); err == nil {
		t.Error("two modules have one name")
	}
}
