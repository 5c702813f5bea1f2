package workspace

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

func TestExpand(t *testing.T) {
	modules := []string{"a/go.mod", "b/go.mod", "b/inner/go.mod", "c/go.mod", "testdata/d/go.mod", "_e/go.mod", ".f/go.mod", "vendor/g/go.mod", "a/pkg/x.go"}
	const use = "go 1.26\n\nuse (\n\t./a\n\t./b\n)\n"
	for _, test := range []struct {
		name     string
		work     string // the content of go.work
		root     bool   // the root is a module, too
		dir      string
		patterns []string
		groups   [][]string
		left     []string
	}{
		{"no workspace", "", true, ".", []string{"./..."}, [][]string{{"./..."}}, []string{"a", "b", "b/inner", "c"}},
		{"no workspace, in a module", "", true, "a", []string{"./..."}, [][]string{{"./..."}}, nil},
		{"no workspace, around a module", "", true, "b", []string{"./..."}, [][]string{{"./..."}}, []string{"inner"}},
		{"no workspace, a package", "", true, ".", []string{"./a", "example.com/m/..."}, [][]string{{"./a"}, {"example.com/m/..."}}, nil},
		{"no module", "", false, ".", []string{"./..."}, [][]string{{"./..."}}, []string{"a", "b", "b/inner", "c"}},
		{"workspace", use, false, ".", []string{"./..."}, [][]string{{"./a/...", "./b/..."}}, []string{"b/inner", "c"}},
		{"workspace around a module", use + "use .\n", true, ".", []string{"./..."}, [][]string{{"./...", "./a/...", "./b/..."}}, []string{"b/inner", "c"}},
		{"workspace, a module that is not used", use, true, ".", []string{"./..."}, [][]string{{"./a/...", "./b/..."}}, []string{".", "b/inner", "c"}},
		{"in a workspace", use, false, "a/pkg", []string{"./...", "../...", "../../..."}, [][]string{{"./..."}, {"../..."}, {"../...", "../../b/..."}}, []string{"../../b/inner", "../../c"}},
		{"several patterns", use, false, ".", []string{"./a/...", "./c/...", "fmt", "./.../x", "std/..."}, [][]string{{"./a/..."}, {"./c/..."}, {"fmt"}, {"./.../x"}, {"std/..."}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			files := map[string]string{}
			for _, name := range modules {
				files[name] = "module example.com/m\n\ngo 1.26\n"
			}
			if test.work != "" {
				files["go.work"] = test.work
			}
			if test.root {
				files["go.mod"] = "module example.com/root\n\ngo 1.26\n"
			}
			filetest.Write(t, root, files)
			got, err := Expand(t.Context(), filepath.Join(root, test.dir), append(os.Environ(), "GOWORK="), test.patterns)
			if err != nil {
				t.Fatal(err)
			}
			if want := (&Expanded{test.groups, test.left}); !reflect.DeepEqual(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// A workspace whose file cannot be read is an error, not a run over the wrong modules.
func TestBadWorkspace(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte("nonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := Expand(t.Context(), dir, append(os.Environ(), "GOWORK="), []string{"./..."}); err == nil {
		t.Errorf("got %q", got)
	}
	// GOWORK=off leaves it alone.
	if _, err := Expand(t.Context(), dir, append(os.Environ(), "GOWORK=off"), []string{"./..."}); err != nil {
		t.Error(err)
	}
}
