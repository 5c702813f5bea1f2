package config

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// testRules are two rules with flags of every kind.
func testRules() []*analysis.Analyzer {
	a, b := &analysis.Analyzer{Name: "alpha"}, &analysis.Analyzer{Name: "beta"}
	a.Flags.Bool("io", false, "a switch")
	a.Flags.Int("depth", 3, "a number")
	a.Flags.Var(new(kubeapi.List), "blocks", "functions")
	b.Flags.Var(new(rule.Stores), "types", "stores")
	return []*analysis.Analyzer{a, b}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		name, content string
		want          []Flag
	}{
		{"empty", "", nil},
		{"only a comment", "# nothing\n", nil},
		{"no keys", "{}", nil},
		{"all", `# settings
disable: [beta]
options:
  alpha:
    io: true
    depth: "4"
    blocks:
      - a.io/b.F
      - (a.io/b.T).M
  beta:
    types:
      - type: a.io/b.S
        expect: [Raise]
        observe: [Lower, Drop]
        satisfied: [Done]
      - {type: c.U, expect: [E], delete: [D], satisfied: [S]}
exclude:
  - test/e2e
  - "**/zz_*.go"
  - a,b
tests: true
deps: all
tags: [e2e, slow]
matrix: [linux/amd64, windows/amd64+tags=e2e]
format: json
baseline: hack/accepted.jsonl
`, []Flag{
			{"beta", "false", 2},
			{"alpha.io", "true", 5},
			{"alpha.depth", "4", 6},
			{"alpha.blocks", "a.io/b.F,(a.io/b.T).M", 7},
			{"beta.types", "a.io/b.S:expect=Raise,observe=Lower,observe=Drop,satisfied=Done;c.U:expect=E,satisfied=S,delete=D", 11},
			{"exclude", dir + "/test/e2e," + dir + "/**/zz_*.go," + dir + `/a\,b`, 17},
			{"tests", "true", 21},
			{"deps", "all", 22},
			{"tags", "e2e,slow", 23},
			{"matrix", "linux/amd64,windows/amd64+tags=e2e", 24},
			{"format", "json", 25},
			{"baseline", dir + "/hack/accepted.jsonl", 26},
		}},
		{"enable", "enable:\n  - alpha\n  - beta\n", []Flag{{"alpha", "true", 2}, {"beta", "true", 3}}},
	} {
		name := filepath.Join(dir, ".ctrllint.yml")
		write(t, name, test.content)
		f, err := Load(name, testRules())
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if !reflect.DeepEqual(f.Flags, test.want) {
			t.Errorf("%s: got  %+v\nwant %+v", test.name, f.Flags, test.want)
		}
	}
}

// A mistake names the file, the line and the key.
func TestMistakes(t *testing.T) {
	name := filepath.Join(t.TempDir(), ".ctrllint.yml")
	for content, want := range map[string]string{
		"tests: true\nfoo: 1\n":        `:2: unknown key "foo": want baseline, confidence, deps, disable, enable, exclude, format, `,
		"tests: 1\n":                   ":1: tests: want true or false, got a number",
		"tests: yes\n":                 ":1: tests: want true or false, got a string", // no bool in YAML 1.2
		"tests:\n":                     ":1: tests: want true or false, got nothing",
		"\n- tests\n":                  ":2: want keys with values, got a list",
		"tests: true\ntests: true\n":   `:2: duplicate key "tests"`,
		"disable: alpha\n":             ":1: disable: want a list, got a string",
		"disable:\n- alpha\n- gamma\n": `:3: disable[1]: unknown value "gamma": want alpha or beta`,
		"enable: [alpha]\ntests: true\ndisable: [beta, alpha]\n": `:3: disable[1]: "alpha" is also in enable: keep one of them`,
		"disable: [alpa]\n":                                       `:1: disable[0]: unknown value "alpa": did you mean alpha?`,
		"enable: []\n":                                            ":1: enable: an empty list",
		"options:\n  gamma: {}\n":                                 `:2: options: unknown rule "gamma": want alpha or beta`,
		"options:\n  alpha:\n    oi: true\n":                      `:3: options.alpha: unknown key "oi": did you mean io?`,
		"options:\n  alpha:\n    io: 'true'\n":                    ":3: options.alpha.io: want true or false, got a string",
		"options:\n  alpha:\n    depth: many\n":                   ":3: options.alpha.depth: ",
		"options:\n  alpha:\n    blocks: [a.io/b.F, F]\n":         `:3: options.alpha.blocks[1]: "F" is not a function`,
		"options:\n  alpha:\n    blocks: ['a.io/b.F,c.G']\n":      `:3: options.alpha.blocks[0]: "a.io/b.F,c.G" contains ","`,
		"options:\n  beta:\n    types:\n    - expect: [E]\n":      `:4: options.beta.types[0]: key "type" is missing`,
		"options:\n  beta:\n    types:\n    - type: a.T\n":        ":4: options.beta.types: ",
		"options:\n  beta:\n    types:\n    - typ: a.T\n":         `:4: options.beta.types[0]: unknown key "typ": did you mean type?`,
		"options:\n  beta:\n    types:\n    - type: 'a.T:e=f,'\n": ":4: options.beta.types[0].type: ",
		"exclude:\n- ok\n- a[\n":                                  `:3: exclude[1]: bad pattern "a["`,
		"exclude: [/etc]\n":                                       ":1: exclude[0]: pattern \"/etc\" leads out of",
		"exclude: [../x]\n":                                       "leads out of",
		"exclude: ['']\n":                                         "an empty pattern",
		"tags: ['a,b']\n":                                         `:1: tags[0]: "a,b" is not a build tag`,
		"tags: [1.5]\n":                                           ":1: tags[0]: want a string, got a number (quote it",
		"matrix: [linux]\n":                                       `:1: matrix[0]: bad build "linux"`,
		"format: xml\n":                                           `:1: format: unknown value "xml": want text, json, sarif, github, html, junit, checkstyle or codequality`,
		"tests: true\n---\ntests: true\n":                         "more than one YAML document",
		"tests: &x true\n":                                        ":1: tests: aliases and anchors are not supported",
		"a: &x {}\n<<: *x\n":                                      `:1: unknown key "a"`,
		"<<: {}\n":                                                ":1: keys must be strings",
		"tests: true\n\tgenerated: true\n":                        ":2: ",
		"tests: [true\n":                                          ": did not find expected",
		"? [a]\n: b\n":                                            ":1: keys must be strings",
	} {
		write(t, name, content)
		_, err := Load(name, testRules())
		var mistake *Error
		if !errors.As(err, &mistake) || !strings.HasPrefix(err.Error(), name+":") || mistake.Line < 1 || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", content, err, want)
		}
	}
	if _, err := Load(name+"x", nil); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: got error %v", err)
	}
}

// Checking a file leaves the flags alone.
func TestLoadSetsNothing(t *testing.T) {
	name := filepath.Join(t.TempDir(), ".ctrllint.yml")
	write(t, name, "options: {alpha: {io: true, depth: '5', blocks: [a.B]}}")
	rules := testRules()
	if _, err := Load(name, rules); err != nil {
		t.Fatal(err)
	}
	rules[0].Flags.VisitAll(func(f *flag.Flag) {
		if f.Value.String() != f.DefValue {
			t.Errorf("%s is %s", f.Name, f.Value)
		}
	})
}

func TestDecode(t *testing.T) {
	got, err := Decode(map[string]any{
		"disable": []any{"beta"},
		"tests":   true,
		"options": map[string]any{"alpha": map[string]any{"io": true, "blocks": []any{"a.io/b.F"}}},
	}, testRules())
	for i := range got {
		got[i].Line = 0
	}
	want := []Flag{{"beta", "false", 0}, {"alpha.blocks", "a.io/b.F", 0}, {"alpha.io", "true", 0}, {"tests", "true", 0}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if got, err := Decode(nil, testRules()); got != nil || err != nil {
		t.Errorf("no settings: got %+v, %v", got, err)
	}
	for _, test := range []struct {
		settings any
		want     string
	}{
		{map[string]any{"exclude": []any{"x"}}, `key "exclude" is not allowed here: golangci-lint excludes files itself`},
		{map[string]any{"nope": 1}, `unknown key "nope": want confidence, deps, disable, enable, generated, nursery, options, severity or tests`},
		{map[string]any{"options": map[string]any{"alpha": map[string]any{"io": "true"}}}, "options.alpha.io: want true or false, got a string"},
		{[]any{1}, "want keys with values, got a list"},
		{struct{ Tests bool }{true}, ""},
	} {
		_, err := Decode(test.settings, testRules())
		if test.want == "" && err != nil || test.want != "" && (err == nil || err.Error() != test.want && !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("%v: got error %v, want %q", test.settings, err, test.want)
		}
	}
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, ".ctrllint.yml"), "")
	write(t, filepath.Join(root, "repo/.git"), "gitdir: elsewhere\n")
	write(t, filepath.Join(root, "repo/a/b/x"), "")
	write(t, filepath.Join(root, "with/.ctrllint.yaml"), "")
	write(t, filepath.Join(root, "with/.git/HEAD"), "")
	write(t, filepath.Join(root, "with/a/b/x"), "")
	write(t, filepath.Join(root, "with/a/both/.ctrllint.yml"), "")
	write(t, filepath.Join(root, "with/a/both/.ctrllint.yaml"), "")
	for dir, want := range map[string]string{
		"repo/a/b":    "", // the root of the repository ends the search
		"repo":        "",
		"with":        "with/.ctrllint.yaml",
		"with/a/b":    "with/.ctrllint.yaml",
		"elsewhere/a": ".ctrllint.yml", // no repository at all
	} {
		got, err := Find(filepath.Join(root, dir))
		if want != "" {
			want = filepath.Join(root, want)
		}
		if err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", dir, got, err, want)
		}
	}
	if got, err := Find(filepath.Join(root, "with/a/both")); err == nil || !strings.Contains(err.Error(), "keep one") {
		t.Errorf("both names: got %q, %v", got, err)
	}
}
