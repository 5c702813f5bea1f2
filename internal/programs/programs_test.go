package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestDecide(t *testing.T) {
	lock := finding{Rule: "lockheld", Category: "lockheld/leak", Confidence: "certain"}
	sync := finding{Rule: "unboundedsync", Category: "unboundedsync/neverstops"}
	for _, x := range []struct {
		kind, rules         string
		found               []finding
		verdict, categories string
	}{
		{"bad", "lockheld", nil, "missed", "-"},
		{"bad", "lockheld", []finding{sync}, "missed", "unboundedsync/neverstops"},
		{"bad", "lockheld", []finding{sync, lock, lock}, "found", "lockheld/leak,unboundedsync/neverstops"},
		{"bug", "startctx|unboundedsync", []finding{sync}, "found", "unboundedsync/neverstops"},
		{"bug", "-", []finding{sync}, "found", "unboundedsync/neverstops"},
		{"good", "-", nil, "quiet", "-"},
		{"good", "-", []finding{sync}, "possible", "unboundedsync/neverstops"},
		{"good", "-", []finding{sync, lock}, "certain", "lockheld/leak,unboundedsync/neverstops"},
	} {
		p := program{Rules: x.rules}
		if p.decide(x.kind, x.found); p.Verdict != x.verdict || p.Categories != x.categories {
			t.Errorf("%s for %s with %v: %s, %s", x.kind, x.rules, x.found, p.Verdict, p.Categories)
		}
	}
}

func TestHeading(t *testing.T) {
	for src, want := range map[string]string{
		"// A lockheld/blocking: a send\npackage p\n":                            "lockheld yes",
		"// What it is about.\n//\n//adv:rule=a|b sub=c claim=near\npackage p\n": "a|b near",
		"// Package p is nothing of that kind.\npackage p\n":                     "",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		rules, claim, err := heading(dir)
		if got := strings.TrimSpace(rules + " " + claim); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", src, got, err)
		}
	}
}

// Any difference counts: another verdict, another category, a program more or less.
func TestCompare(t *testing.T) {
	ps := parse("a/bad/x\tr\tyes\tfound\tr/s\t1\na/bad/y\tr\tyes\tmissed\t-\t2\n")
	if n := compare(os.Stderr, ps, parse(text(ps))); n != 0 {
		t.Errorf("%d differences between equal verdicts", n)
	}
	for _, change := range []func(now []program) []program{
		func(now []program) []program { now[0].Verdict = "missed"; return now },
		func(now []program) []program { now[0].Categories = "r/t"; return now },
		func(now []program) []program { now[0].Digest = "3"; return now },
		func(now []program) []program { return now[1:] },
		func(now []program) []program { return append(now, program{Name: "a/good/z"}) },
	} {
		var b strings.Builder
		if n := compare(&b, ps, change(slices.Clone(ps))); n != 1 || b.Len() == 0 {
			t.Errorf("%d differences: %s", n, b.String())
		}
	}
}

const dir = "../../testdata/programs"

// What is recorded can be read, is in order, and says something of each kind.
func TestRecorded(t *testing.T) {
	for _, file := range []string{"verdicts.tsv", "elsewhere.tsv"} {
		t.Run(file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			checkRecorded(t, string(data))
		})
	}
}

func checkRecorded(t *testing.T, recorded string) {
	ps := parse(recorded)
	if text(ps) != recorded {
		t.Error("there is a line that is no verdict")
	}
	if !slices.IsSortedFunc(ps, func(a, b program) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the lines are not in the order of the names")
	}
	count := map[string]int{}
	for _, p := range ps {
		count[p.Verdict]++
	}
	delete(count, "possible") // of a good program, which nobody misses
	for _, v := range []string{"found", "missed", "quiet"} {
		if count[v] == 0 {
			t.Errorf("no program is %s", v)
		}
		delete(count, v)
	}
	if n := count["certain"]; n > 0 { // of a good program, which would be false
		t.Errorf("%d good programs are said to be certain bugs", n)
	}
	delete(count, "certain")
	if len(count) > 0 {
		t.Errorf("verdicts that there are not: %v", count)
	}
}

// TestPrograms runs the command on the programs of the repository.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	tool := filepath.Join(t.TempDir(), "ctrllint")
	if out, err := exec.Command("go", "build", "-o", tool, "../../cmd/ctrllint").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	exit, err := Run(t.Context(), t.Output(), Options{Tool: tool, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if exit != 0 {
		t.Error("verdicts differ; make trial TRIALFLAGS=-update writes what is said now")
	}
}
