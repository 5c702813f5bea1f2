package fix_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/fix"
	"github.com/ctrllint/ctrllint/internal/report"
)

// change is an edit of src: the first old becomes text.
func change(t *testing.T, src, old, text string) report.Edit {
	t.Helper()
	at := strings.Index(src, old)
	if at < 0 {
		t.Fatalf("no %q in %q", old, src)
	}
	return report.Edit{File: "a.go", Start: at, End: at + len(old), NewText: text}
}

// behind is an edit of src that inserts text behind old.
func behind(t *testing.T, src, old, text string) report.Edit {
	e := change(t, src, old, text)
	e.Start = e.End
	return e
}

func TestApply(t *testing.T) {
	const body = "package p\n\nfunc f() {\n\tg()\n\th()\n}\n"
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	const after = "package p\n\nfunc f() {\n\tif g() {\n\t\treturn\n\t}\n\th()\n}\n"
	const mess = "package p\n\nvar  x=1\nfunc f( ) {\n    g()\n    h()\n}\n\n\n\nvar  y   = 2 // kept as it is\n"
	const text = "if g() {\nreturn\n}"
	for name, test := range map[string]struct{ src, old, text, want string }{
		"formatted":                      {body, "g()", text, after},
		"ends of Windows":                {crlf(body), "g()", text, crlf(after)},
		"ends of Windows, in the text":   {crlf(body), "g()", crlf(text), crlf(after)},
		"ends of both kinds":             {"package p\r\n\r\nfunc f() {\n\tg()\n\th()\n}\r\n", "g()", text, "package p\r\n\r\nfunc f() {\n\tif g() {\n\t\treturn\n\t}\n\th()\n}\r\n"},
		"no newline at the end":          {strings.TrimSuffix(body, "\n"), "g()", text, strings.TrimSuffix(after, "\n")},
		"no newline at the end, Windows": {strings.TrimSuffix(crlf(body), "\r\n"), "g()", text, strings.TrimSuffix(crlf(after), "\r\n")},
		"byte order mark":                {"\ufeff" + body, "g()", text, "\ufeff" + after},
		"carriage return in a string":    {"package p\n\nvar s = `a\r\nb`\n\nvar x = 1\n", "x = 1", "x  =  2", "package p\n\nvar s = `a\r\nb`\n\nvar x = 2\n"},
		"not formatted": {
			mess, "    g()", text,
			"package p\n\nvar  x=1\nfunc f( ) {\n\tif g() {\n\t\treturn\n\t}\n    h()\n}\n\n\n\nvar  y   = 2 // kept as it is\n",
		},
		"not formatted, ends of Windows": {
			crlf(mess), "    g()", text,
			crlf("package p\n\nvar  x=1\nfunc f( ) {\n\tif g() {\n\t\treturn\n\t}\n    h()\n}\n\n\n\nvar  y   = 2 // kept as it is\n"),
		},
		"last line": {"package p\n\nvar  y=1\nvar x = 1", "x = 1", "x  =  2", "package p\n\nvar  y=1\nvar x = 2"},
		"nothing":   {body, "g()", "g()", body},
	} {
		got, err := fix.Apply([]byte(test.src), []report.Edit{change(t, test.src, test.old, test.text)})
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got (%v)\n%q\nwant\n%q", name, err, got, test.want)
		}
	}
}

// An insertion at the end of a line does not come between the two bytes that end it.
func TestApplyAtLineEnd(t *testing.T) {
	const src = "package p\r\n\r\nfunc f(c chan int) {\r\n\tselect {\r\n\tcase <-c:\r\n\t}\r\n}\r\n"
	got, err := fix.Apply([]byte(src), []report.Edit{behind(t, src, "<-c:\r", "\nreturn")})
	if want := strings.Replace(src, "<-c:\r\n", "<-c:\r\n\t\treturn\r\n", 1); err != nil || string(got) != want {
		t.Errorf("got (%v)\n%q\nwant\n%q", err, got, want)
	}
}

// Imports go where goimports puts them, in whatever form the fix brings them.
func TestApplyImports(t *testing.T) {
	const rest = "\nvar _ = cache.X\n"
	const std, line = "\n\t\"errors\"", "import \"errors\"\n"
	for name, test := range map[string]struct{ before, at, text, want string }{
		"of others only": {
			"import (\n\t\"k8s.io/a\"\n\t\"k8s.io/cache\"\n)\n", "import (", std,
			"import (\n\t\"errors\"\n\n\t\"k8s.io/a\"\n\t\"k8s.io/cache\"\n)\n",
		},
		"of both": {
			"import (\n\t\"context\"\n\t\"fmt\"\n\n\t\"k8s.io/cache\"\n)\n", "import (", std,
			"import (\n\t\"context\"\n\t\"errors\"\n\t\"fmt\"\n\n\t\"k8s.io/cache\"\n)\n",
		},
		"others first": {
			"import (\n\t\"k8s.io/cache\"\n\n\t\"fmt\"\n)\n", "import (", std,
			"import (\n\t\"errors\"\n\n\t\"k8s.io/cache\"\n\n\t\"fmt\"\n)\n",
		},
		"one line": {
			"import \"k8s.io/cache\"\n", "", line,
			"import (\n\t\"errors\"\n\n\t\"k8s.io/cache\"\n)\n",
		},
		"comments": {
			"import (\n\t\"fmt\" // to print\n\n\t// The cache.\n\t\"k8s.io/cache\"\n)\n", "import (", std,
			"import (\n\t\"errors\"\n\t\"fmt\" // to print\n\n\t// The cache.\n\t\"k8s.io/cache\"\n)\n",
		},
		"groups that goimports would divide": {
			"import (\n\t\"fmt\"\n\t\"k8s.io/cache\"\n)\n\nvar  a=1\n", "import (", std,
			"import (\n\t\"errors\"\n\t\"fmt\"\n\t\"k8s.io/cache\"\n)\n\nvar  a=1\n",
		},
		"ends of Windows": {
			"import (\r\n\t\"k8s.io/cache\"\r\n)\r\n", "import (", std,
			"import (\r\n\t\"errors\"\r\n\r\n\t\"k8s.io/cache\"\r\n)\r\n",
		},
	} {
		head := "package p\n\n"
		if strings.Contains(test.before, "\r") {
			head = "package p\r\n\r\n"
		}
		src := head + test.before + rest
		at := head
		if test.at != "" {
			at = test.at
		}
		edits := []report.Edit{behind(t, src, at, test.text)}
		got, err := fix.Apply([]byte(src), edits)
		if want := head + test.want + rest; err != nil || string(got) != want {
			t.Errorf("%s: got (%v)\n%s\nwant\n%s", name, err, got, want)
		}
	}
}

// git apply takes the diff, and makes of the files what -fix makes of them.
func TestDiffGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git")
	}
	var long strings.Builder
	long.WriteString("package p\n")
	for i := range 60 {
		fmt.Fprintf(&long, "\nfunc f%d() int { return %d }\n", i, i)
	}
	crlf := strings.ReplaceAll(long.String(), "\n", "\r\n")
	many := [][2]string{
		{"return 1 }", "return 100 }"}, {"return 2 }", "return (\n200) }"}, {"return 4 }", "return 400 }"},
		{"func f30() int { return 30 }\n", ""}, {"return 33 }", "return 330 }"}, {"return 59 }", "return 590 }"},
	}
	for name, test := range map[string]struct {
		file, src string
		changes   [][2]string
	}{
		"one":                      {"a.go", long.String(), many[:1]},
		"several":                  {"sub/a.go", long.String(), many},
		"ends of Windows":          {"a.go", crlf, many[:3]},
		"no newline at the end":    {"a.go", strings.TrimSuffix(long.String(), "\n"), many},
		"no newline, last line":    {"a.go", strings.TrimSuffix(long.String(), "\n"), many[5:]},
		"a space in the name":      {"a b.go", long.String(), many},
		"first line":               {"a.go", long.String(), [][2]string{{"package p", "// Package p.\npackage p"}}},
		"above the working folder": {"../a.go", long.String(), many},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			dir := top
			if strings.HasPrefix(test.file, "../") {
				dir = filepath.Join(top, "work")
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			write(t, dir, test.file, test.src)
			var edits []report.Edit
			for _, c := range test.changes {
				e := change(t, test.src, c[0], c[1])
				e.File = test.file
				edits = append(edits, e)
			}
			p := fix.Make(dir, []report.Finding{{Fixes: []report.Fix{{Edits: edits}}}}, always)
			if len(p.Files) != 1 {
				t.Fatalf("nothing to write: %v", p.Refused)
			}
			var diff bytes.Buffer
			below := func(name string) (string, bool) { return strings.TrimPrefix(name, "../"), true }
			if err := p.Diff(&diff, below); err != nil {
				t.Fatal(err)
			}
			run := func(args ...string) {
				t.Helper()
				cmd := exec.Command(git, args...)
				cmd.Dir, cmd.Stdin = top, bytes.NewReader(diff.Bytes())
				cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %s: %v\n%s\n%s", args[0], err, out, diff.String())
				}
			}
			run("init", "-q", top)
			run("apply", "--unidiff-zero", "-") // with the option, it takes the numbers of the lines as they are
			content(t, filepath.Join(dir, test.file), string(p.Files[0].After))
			write(t, dir, test.file, test.src)
			run("apply", "-")
			content(t, filepath.Join(dir, test.file), string(p.Files[0].After))
		})
	}
}
