package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/eval/record"
	"github.com/ctrllint/ctrllint/internal/verdict"
)

// What a person spoils is an error with its file and line.
func TestRead(t *testing.T) {
	const (
		target  = `{"name":"m","list":"modules","source":"m","at":"v1","patterns":["./..."],"packages":1,"failures":null}`
		finding = `{"list":"modules","split":"tuned","source":"m","at":"v1","check":"r/s","site":"x","file":"a.go","line":3,"message":"m","key":{"package":"m","category":"r/s","operation":""},"verdicts":[]}`
		fix     = `{"list":"list1","id":"a","rules":["r"],"repo":"o/n","before":"1","after":"2","package":"p","file":"p/a.go","functions":["F"],"first":{"before":""},"today":{"before":"hit"}}`
	)
	for _, test := range []struct{ name, file, text, want string }{
		{"good", "fixes", fix, ""},
		{"unknown key", "modules", strings.Replace(finding, `"line"`, `"row":1,"line"`, 1), "modules.jsonl:1: json: unknown field"},
		{"no site", "modules", strings.Replace(finding, `"site":"x",`, "", 1), "modules.jsonl:1: m a.go:3 r/s: m: no site"},
		{"no check", "modules", strings.Replace(finding, `"check":"r/s"`, `"check":"r"`, 1), `"r" is no check`},
		{"no place", "modules", strings.Replace(finding, `"line":3,`, "", 1), "without list, source, version, place"},
		{"another split", "modules", strings.Replace(finding, "tuned", "old", 1), `split "old"`},
		{"short commit", "trees", strings.Replace(finding, `"list":"modules"`, `"list":"trees"`, 1), `"v1" is no commit`},
		{"no target", "modules", strings.Replace(finding, `"at":"v1"`, `"at":"v2"`, 1), "modules.jsonl: no target has m a.go:3"},
		{"second line", "fixes", fix + "\n{", "fixes.jsonl:2: "},
		{"twice", "fixes", fix + "\n" + fix, "a second fix list1/a"},
		{"nowhere", "fixes", strings.Replace(fix, `["F"]`, "null", 1), "neither a line nor a function"},
		{"two on a line", "fixes", fix + fix, "fixes.jsonl:1: there is more than one row"},
		{"two names", "names", `{"kind":"check","old":"a","new":"b"}` + "\n" + `{"kind":"check","old":"a","new":"c"}`, "the check a got two other names"},
		{"a circle", "names", `{"kind":"check","old":"a","new":"b"}` + "\n" + `{"kind":"check","old":"b","new":"a"}`, "go round in a circle"},
		{"no change", "names", `{"kind":"check","old":"a","new":"a"}`, "is no change of name"},
		{"two targets", "targets", target + "\n" + target, "a second target modules/m"},
		{"no patterns", "targets", strings.Replace(target, `["./..."]`, "null", 1), `target "m" lacks`},
		{"no repository", "seen", `{"repo":""}`, "without a name"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"targets": target, "modules": "", "trees": "", "fresh": "", "fixes": "", "names": "", "seen": ""}
			files[test.file] = test.text
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
				if text == "" {
					if err := os.Truncate(filepath.Join(dir, name+".jsonl"), 0); err != nil {
						t.Fatal(err)
					}
				}
			}
			_, err := record.Read(os.DirFS(dir))
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
	if _, err := record.Read(os.DirFS(t.TempDir())); err == nil {
		t.Error("a folder without data is no error")
	}
}

func TestCounts(t *testing.T) {
	for _, test := range []struct {
		words []string
		want  string
	}{
		{nil, verdict.Unjudged},
		{[]string{verdict.CannotTell}, verdict.CannotTell},
		{[]string{verdict.Right, verdict.Weak}, verdict.Weak},
		{[]string{verdict.Wrong, verdict.Right}, verdict.Wrong},
		{[]string{verdict.Right, verdict.Right, verdict.Right}, verdict.Right},
	} {
		f := new(record.Finding)
		for _, w := range test.words {
			f.Verdicts = append(f.Verdicts, record.Verdict{Verdict: w})
		}
		if got := f.Counts(); got != test.want {
			t.Errorf("%q count as %q, want %q", test.words, got, test.want)
		}
	}
}

// A name that changed twice is known.
func TestRenamed(t *testing.T) {
	d := &record.Data{Names: []*record.Name{{Kind: "check", Old: "a", New: "b"}, {Kind: "check", Old: "b", New: "c"}, {Kind: "site", Old: "a", New: "x"}}}
	for _, test := range []struct{ kind, name, want string }{
		{"check", "a", "c"}, {"check", "b", "c"}, {"check", "c", "c"}, {"site", "a", "x"}, {"site", "b", "b"},
	} {
		if got := d.Renamed(test.kind, test.name); got != test.want {
			t.Errorf("%s %s is %s, want %s", test.kind, test.name, got, test.want)
		}
	}
}

// What somebody else has written since it was read stays.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	d := &record.Data{Names: []*record.Name{{Kind: "check", Old: "a", New: "b"}}}
	if err := d.Write(dir); err != nil {
		t.Fatal(err)
	}
	read := func() *record.Data {
		d, err := record.Read(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	mine, other := read(), read()
	other.Seen = append(other.Seen, &record.Seen{Repo: "o/n"})
	mine.Names[0].New = "c"
	for _, d := range []*record.Data{other, mine, mine} { // each has another file
		if err := d.Write(dir); err != nil {
			t.Fatal(err)
		}
	}
	if now := read(); len(now.Seen) != 1 || now.Names[0].New != "c" {
		t.Errorf("one of two changes is lost: %+v", now)
	}
	other.Names[0].New = "d"
	if err := other.Write(dir); err == nil || read().Names[0].New != "c" {
		t.Errorf("a change of somebody else is lost (%v)", err)
	}
}

func TestExplained(t *testing.T) {
	for _, test := range []struct {
		before, after, note string
		want                bool
	}{
		{record.Hit, record.Quiet, "", true}, {record.Miss, "", "", false}, {record.Miss, "", "why", true}, {record.Hit, record.Again, "", false}, {record.Broken, "", "", false},
	} {
		r := &record.Fix{Today: record.Outcome{Before: test.before, After: test.after}, Note: test.note}
		if err := r.Explained(); (err == nil) != test.want {
			t.Errorf("%s, note %q: %v", r.Today, test.note, err)
		}
	}
}
