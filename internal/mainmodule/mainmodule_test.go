package mainmodule_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/gocommand"
	"github.com/ctrllint/ctrllint/internal/mainmodule"
	"github.com/ctrllint/ctrllint/internal/proxytest"
)

// serve publishes a module with folders that it does not have as published, and one of these.
func serve(t *testing.T) {
	proxytest.Serve(t, map[string]map[string]string{
		"example.com/m@v1.2.0": {
			"go.mod": `module example.com/m

go 1.26

require (
	example.com/api v0.0.0
	example.com/kept v1.0.0
)

replace (
	example.com/api => ./staging/api
	example.com/kept => example.com/other v1.1.0
	example.com/old v1.0.0 => ../old
)
`,
			"m.go":               "package m\n",
			"a/a.go":             "package a\n\nimport _ \"example.com/api\"\n",
			"go.work":            "go 1.26\n\nuse ./staging/api\n",
			"go.work.sum":        "",
			"vendor/modules.txt": "# example.com/api v0.0.0 => ./staging/api\n",
		},
		"example.com/other@v1.1.0": {"go.mod": "module example.com/kept\n\ngo 1.26\n", "kept.go": "package kept\n"},
		"example.com/api@v0.2.0":   {"go.mod": "module example.com/api\n\ngo 1.26\n", "api.go": "package api\n"},
	})
}

// A published module in place of a folder makes all packages good; without one, those that need it fail and no others.
func TestUnpack(t *testing.T) {
	serve(t)
	for name, test := range map[string]struct {
		published string
		mod       string
		broken    string
	}{
		"published": {
			published: "v0.2.0",
			mod: `module example.com/m

go 1.26

require (
	example.com/api v0.0.0
	example.com/kept v1.0.0
)

replace (
	example.com/api => example.com/api v0.2.0
	example.com/kept => example.com/other v1.1.0
	example.com/old v1.0.0 => example.com/old v0.2.0
)
`,
			broken: "",
		},
		"dropped": {
			mod: `module example.com/m

go 1.26

require example.com/kept v1.0.0

replace example.com/kept => example.com/other v1.1.0
`,
			broken: "example.com/m/a",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "m")
			m := mainmodule.Module{Path: "example.com/m", Version: "v1.2.0", Published: test.published}
			if err := mainmodule.Unpack(t.Context(), m, dir); err != nil {
				t.Fatal(err)
			}
			if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err != nil || string(mod) != test.mod {
				t.Errorf("go.mod is %s, %v, want %s", mod, err, test.mod)
			}
			if got, want := files(t, dir), []string{".mainmodule", "a/a.go", "go.mod", "m.go"}; !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			if test.published != "" {
				if err := mainmodule.Complete(t.Context(), dir, nil, "./..."); err != nil {
					t.Fatal(err)
				}
			}
			out, err := gocommand.Run(t.Context(), dir, nil, "list", "-e", "-deps", "-f", "{{with .DepsErrors}}{{$.ImportPath}}{{end}}", "./...")
			if err != nil || strings.TrimSpace(string(out)) != test.broken {
				t.Errorf("broken: got %q, %v, want %q", out, err, test.broken)
			}
		})
	}
}

// A module that was made before is left as it is; another one, or one that somebody else put there, is an error.
func TestUnpackAgain(t *testing.T) {
	serve(t)
	dir := filepath.Join(t.TempDir(), "m")
	m := mainmodule.Module{Path: "example.com/m", Version: "v1.2.0"}
	if err := mainmodule.Unpack(t.Context(), m, dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "m.go")); err != nil {
		t.Fatal(err)
	}
	if err := mainmodule.Unpack(t.Context(), m, dir); err != nil {
		t.Fatal(err)
	}
	if got, want := files(t, dir), []string{".mainmodule", "a/a.go", "go.mod"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	other := m
	other.Published = "v0.2.0"
	if err := mainmodule.Unpack(t.Context(), other, dir); err == nil || !strings.Contains(err.Error(), "is there and not known to be") {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(filepath.Join(dir, ".mainmodule")); err != nil {
		t.Fatal(err)
	}
	if err := mainmodule.Unpack(t.Context(), m, dir); err == nil || !strings.Contains(err.Error(), "is there and not known to be") {
		t.Errorf("got %v", err)
	}
}

func TestUnpackMissing(t *testing.T) {
	serve(t)
	dir := filepath.Join(t.TempDir(), "m")
	err := mainmodule.Unpack(t.Context(), mainmodule.Module{Path: "example.com/m", Version: "v1.3.0"}, dir)
	if err == nil || !strings.Contains(err.Error(), "example.com/m@v1.3.0: reading file:") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a module that is not there left a folder")
	}
}

// files are those below dir.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		out = append(out, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
