package baseline_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/baseline"
	"github.com/ctrllint/ctrllint/internal/report"
)

func finding(pkg, function, message string, line int) report.Finding {
	return report.Finding{
		Rule: "lockheld", Category: "lockheld/relock", Package: pkg, Function: function, Message: message,
		Place: report.Place{File: "x.go", Line: line, Column: 2},
	}
}

func all(string) bool  { return true }
func none(string) bool { return false }

// What an edit elsewhere changes in a message is not in the key; what tells two findings apart is.
func TestOperation(t *testing.T) {
	for _, test := range []struct{ message, want string }{
		{"s.mu (locked at line 8) is locked again, which deadlocks", "s.mu is locked again, which deadlocks"},
		{"r.lock (locked at line 19) is held across cache.WaitForCacheSync (waiter.go:21, through (*registry).refresh, (*Set).Ready), which waits", "r.lock is held across cache.WaitForCacheSync, which waits"},
		{"deadlocks as soon as a writer ((*roster).Add at paths.go:176) waits", "deadlocks as soon as a writer waits"},
		{"s.mu (locked by (*Set).Exclusive) is locked again", "s.mu (locked by (*Set).Exclusive) is locked again"},
		{"(*syncer).sync locks a.mu while it holds b.mu (registry.go:23); (*x).y locks b.mu (across.go:25): they wait", "(*syncer).sync locks a.mu while it holds b.mu; (*x).y locks b.mu: they wait"},
		{"obj is deleted only later, at line 34: its controller", "obj is deleted only later, at line: its controller"},
		{"dropped, though open reads it at lines 9, 12 and 95", "dropped, though open reads it at line"},
		{"needs it at pkg/store.go:31:4 before", "needs it at place before"},
		{"the assertion to *v1.Pod panics", "the assertion to *v1.Pod panics"},
		{"an open ( parenthesis at line 3", "an open ( parenthesis at line"},
		{"a closed ) parenthesis (line 3) and (words)", "a closed ) parenthesis and (words)"},
	} {
		if got := baseline.KeyOf(report.Finding{Message: test.message}).Operation; got != test.want {
			t.Errorf("%s\n got %q\nwant %q", test.message, got, test.want)
		}
	}
}

// A finding is known by the code that it is about, not by the words in which it is told.
func TestReworded(t *testing.T) {
	a, b := finding("m", "F", "s.mu (locked at line 3) is locked again, which deadlocks", 4), finding("m", "F", "locks s.mu twice", 9)
	a.Code, b.Code = "s.mu.Lock()", "s.mu.Lock()"
	if x, y := baseline.KeyOf(a), baseline.KeyOf(b); x != y {
		t.Errorf("%v and %v are to be one", x, y)
	}
	b.Code = "s.mu.Lock()     // for the second time"
	if x, y := baseline.KeyOf(a), baseline.KeyOf(b); x != y {
		t.Errorf("%v and %v are to be one: a comment is no code", x, y)
	}
	b.Code, b.Message = "s.mu.Lock()", "s.nu (locked at line 3) is locked again, which deadlocks"
	if x, y := baseline.KeyOf(a), baseline.KeyOf(b); x == y {
		t.Errorf("%v is the key of two locks", x)
	}
	b.Code = "s.other.Lock()"
	if x, y := baseline.KeyOf(a), baseline.KeyOf(b); x == y {
		t.Errorf("%v is the key of two findings", x)
	}
	// Which function has a cycle hangs on the order of the source, and with it the code.
	a = finding("m", "(*q).add", "lock order: (*q).add locks s.mu while it holds q.mu (a.go:1); (*q).evict locks q.mu while it holds s.mu (a.go:5): they wait", 1)
	b = finding("m", "(*q).evict", "locks in two orders: (*q).evict takes q.mu under s.mu (a.go:3); (*q).add takes s.mu under q.mu (b.go:7)", 3)
	a.Code, b.Code = "s.mu.Lock()", "q.mu.Lock()"
	if x, y := baseline.KeyOf(a), baseline.KeyOf(b); x != y || x.Operation != "(*q).add (*q).evict q.mu s.mu" {
		t.Errorf("%v and %v are to be one", x, y)
	}
}

// A finding about several functions alike is in the one that comes last in the source, and names it first.
func TestSeveralFunctions(t *testing.T) {
	a := finding("m", "(*q).add", "lock order: (*q).add locks s.mu while it holds q.mu (a.go:1); evict locks q.mu while it holds s.mu (a.go:5): they wait", 1)
	b := finding("m", "evict", "lock order: evict locks q.mu while it holds s.mu (a.go:3); (*q).add locks s.mu while it holds q.mu (b.go:7): they wait", 3)
	if x, y := baseline.KeyOf(a), baseline.KeyOf(b); x != y || x.Function != "" {
		t.Errorf("%v and %v are to be one", x, y)
	}
	b.Message = strings.ReplaceAll(b.Message, "(*q).add", "(*q).drop")
	if x, y := baseline.KeyOf(a), baseline.KeyOf(b); x == y {
		t.Errorf("%v is the key of two findings", x)
	}
	c := finding("m", "F", "it hangs; delete first", 3)
	if k := baseline.KeyOf(c); k.Function != "F" || k.Operation != c.Message {
		t.Errorf("the key is %v", k)
	}
}

func TestFilter(t *testing.T) {
	old := []report.Finding{
		finding("m/a", "F", "mu (locked at line 3) is locked again", 4),
		finding("m/a", "F", "mu (locked at line 5) is locked again", 6),
		finding("m/a", "G", "mu (locked at line 9) is locked again", 10),
	}
	b := baseline.New(old, nil)
	if b.Len() != 3 {
		t.Errorf("%d findings are accepted, want 3", b.Len())
	}

	moved := []report.Finding{
		finding("m/a", "F", "mu (locked at line 103) is locked again", 104),
		finding("m/a", "F", "mu (locked at line 105) is locked again", 106),
		finding("m/a", "G", "mu (locked at line 109) is locked again", 110),
	}
	moved[2].File = "other.go"
	if rest := b.Filter(moved); len(rest) != 0 {
		t.Errorf("new after lines and files have moved: %v", rest)
	}
	third := finding("m/a", "F", "mu (locked at line 107) is locked again", 108)
	for _, f := range []report.Finding{third, finding("m/b", "F", old[0].Message, 4), finding("m/a", "H", old[0].Message, 4), finding("m/a", "F", "other (locked at line 3) is locked again", 4)} {
		if rest := b.Filter(append(slices.Clone(moved), f)); len(rest) != 1 || rest[0].Line != f.Line {
			t.Errorf("want only %v, got %v", f, rest)
		}
	}
}

func TestShrink(t *testing.T) {
	mu := "mu is locked again"
	b := baseline.New([]report.Finding{finding("m/a", "F", mu, 4), finding("m/a", "F", mu, 6), finding("m/b", "F", mu, 4)}, nil)
	now := []report.Finding{finding("m/a", "F", mu, 4), finding("m/a", "New", mu, 40)}

	gone := b.Gone(now, all)
	if len(gone) != 2 || gone[0].Package != "m/a" || gone[0].Count != 1 || gone[1].Package != "m/b" || gone[1].Count != 1 {
		t.Fatalf("gone: %v", gone)
	}
	if shrunk := b.Without(gone); shrunk.Len() != 1 || len(shrunk.Filter(now)) != 1 {
		t.Errorf("after shrinking %d are accepted, and %v is new", shrunk.Len(), shrunk.Filter(now))
	}
	if b.Len() != 3 {
		t.Error("shrinking changed the baseline that it started from")
	}
	onlyA := func(pkg string) bool { return pkg == "m/a" }
	if gone := b.Gone(now, onlyA); len(gone) != 1 || gone[0].Package != "m/a" {
		t.Errorf("gone from a partial run: %v", gone)
	}
	if gone := b.Gone(nil, none); len(gone) != 0 {
		t.Errorf("gone from a run that says nothing: %v", gone)
	}
	if r := b.Renewed(now, nil, onlyA); r.Len() != 3 || len(r.Filter(now)) != 0 {
		t.Errorf("renewed: %d are accepted, and %v is new", r.Len(), r.Filter(now))
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "baseline.jsonl")
	b := baseline.New([]report.Finding{
		finding("m/b", "(*T).F", "<-c & mu", 4), finding("m/a", "", "x", 6), finding("m/a", "", "x", 8),
	}, []string{"-lockheld.slow=true"})
	if err := b.Write(path); err != nil {
		t.Fatal(err)
	}
	const want = `{"tool":"ctrllint","kind":"baseline","version":2,"options":["-lockheld.slow=true"]}
{"package":"m/a","category":"lockheld/relock","operation":"x","count":2}
{"package":"m/b","category":"lockheld/relock","function":"(*T).F","operation":"<-c & mu"}
`
	if data, err := os.ReadFile(path); err != nil || string(data) != want {
		t.Errorf("wrote %s, %v, want %s", data, err, want)
	}
	got, err := baseline.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.Len() != 3 || !slices.Equal(got.Options, b.Options) {
		t.Errorf("read %+v", got)
	}
	if err := got.Write(path); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != want {
		t.Errorf("wrote %s, %v, want %s", data, err, want)
	}
}

// Every error about a file names its line.
func TestBroken(t *testing.T) {
	const head = `{"tool":"ctrllint","kind":"baseline","version":2,"options":[]}` + "\n"
	const entry = `{"package":"m","category":"lockheld/relock","operation":"x"}` + "\n"
	for _, test := range []struct{ content, want string }{
		{"", ":1: the file is empty"},
		{"\n \n", ":1: the file is empty"},
		{"hello\n", ":1: not a baseline"},
		{entry, ":1: not a baseline"},
		{strings.Replace(head, `:2,`, `:3,`, 1), ":1: a baseline of version 3, and this ctrllint knows version 2"},
		{strings.Replace(head, `:2,`, `:1,`, 1), ":1: a baseline of version 1, whose entries are known by the words of messages: make it anew with -write-baseline=all"},
		{head + entry + "{\"package\":", ":3: not an entry: "},
		{head + "\n" + strings.Replace(entry, "operation", "text", 1), `:3: not an entry: json: unknown field "text"`},
		{head + strings.TrimSpace(entry) + entry, ":2: not an entry: there is more than one object"},
		{head + strings.Replace(entry, `"m"`, `""`, 1), ":2: an entry without a package"},
		{head + strings.Replace(entry, `"lockheld/relock"`, `""`, 1), ":2: an entry without a category"},
		{head + strings.Replace(entry, `"x"`, `""`, 1), ":2: an entry without an operation"},
		{head + strings.Replace(entry, `"x"`, `"x","count":-1`, 1), ":2: an entry with the count -1"},
		{head + entry + entry, ":3: the same entry as in line 2"},
		{head + entry + "<<<<<<< HEAD\n", ":3: a merge conflict"},
		{"<<<<<<< HEAD\n" + head, ":1: a merge conflict"},
	} {
		path := filepath.Join(t.TempDir(), "b")
		if err := os.WriteFile(path, []byte(test.content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := baseline.Read(path); err == nil || !strings.HasPrefix(err.Error(), path+test.want) {
			t.Errorf("%q: error %v, want one that starts with %q", test.content, err, test.want)
		}
	}
}

func TestFingerprint(t *testing.T) {
	a, b := finding("m", "F", "mu (locked at line 3) is locked again", 4), finding("m", "F", "mu (locked at line 8) is locked again", 9)
	if x, y := baseline.KeyOf(a).Fingerprint(), baseline.KeyOf(b).Fingerprint(); x != y || len(x) != 32 {
		t.Errorf("%q and %q are to be one fingerprint", x, y)
	}
	b.Function = "G"
	if x, y := baseline.KeyOf(a).Fingerprint(), baseline.KeyOf(b).Fingerprint(); x == y {
		t.Errorf("%q is the fingerprint of two findings", x)
	}
}
