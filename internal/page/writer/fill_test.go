package writer

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFill(t *testing.T) {
	word := strings.Repeat("x", 50)
	for _, test := range []struct{ in, want string }{
		{"a\nb\n\nc\n", "a b\n\nc\n"},
		{"- " + word + " " + word + " " + word, "- " + word + " " + word + "\n  " + word},
		{"1. " + word + "\n   " + word + " " + word, "1. " + word + " " + word + "\n   " + word},
		{"a\n- b\n- c", "a\n- b\n- c"},
		{"# a\nb\n| c |\n| d |", "# a\nb\n| c |\n| d |"},
		{"```go\n" + word + word + word + "\n```", "```go\n" + word + word + word + "\n```"},
		{"\n    code  code\n\tcode", "\n    code  code\n\tcode"},
		{"a " + word + word + word, "a\n" + word + word + word},
	} {
		if got := Fill(test.in); got != test.want {
			t.Errorf("%q: %q, want %q", test.in, got, test.want)
		}
		if again := Fill(test.want); again != test.want {
			t.Errorf("%q is filled to %q", test.want, again)
		}
	}
}

// The prose of all pages has lines of at most Width: those that a link or a name makes longer by itself, tables and
// code are not prose.
func TestWidth(t *testing.T) {
	pages := 0
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != "../../.." || d.Name() == "testdata" || d.Name() == "node_modules"):
			if path != "../../.." {
				return filepath.SkipDir
			}
		case strings.HasSuffix(path, ".md") && !strings.Contains(path, "docs/rules/"):
			pages++
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			before, after := strings.Split(string(text), "\n"), strings.Split(Fill(string(text)), "\n")
			kept := map[string]bool{}
			for _, line := range after {
				kept[line] = true
			}
			for i, line := range before {
				if utf8.RuneCountInString(line) > Width && !kept[line] {
					t.Errorf("%s:%d: %d characters", path, i+1, utf8.RuneCountInString(line))
				}
			}
		}
		return nil
	})
	if err != nil || pages < 10 {
		t.Errorf("%d pages, %v", pages, err)
	}
}
