//go:build e2e

package e2e

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

func TestStandalone(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"store/store.go": bug, "clean/clean.go": clean, "quiet/quiet.go": nolint})
	run(t, dir, nil, ctrllint, "./...").wants(t, 1, "store/store.go:19", "lockheld/relock", "!quiet/quiet.go", "!clean/clean.go")
	run(t, dir, nil, ctrllint, "./clean", "./quiet").wants(t, 0, "!lockheld")
	run(t, dir, nil, ctrllint, "./nowhere").wants(t, 2, "nowhere")
}

func TestGoVet(t *testing.T) {
	dir := filetest.Module(t, map[string]string{"store/store.go": bug, "clean/clean.go": clean, "quiet/quiet.go": nolint})
	run(t, dir, nil, "go", "vet", "-vettool="+ctrllint, "./...").wants(t, 1, "store/store.go:19", "s.mu (locked at line 17)", "!quiet/quiet.go")
	run(t, dir, nil, "go", "vet", "-vettool="+ctrllint, "-lockheld=false", "./...").wants(t, 0, "!s.mu")
}

func TestFix(t *testing.T) {
	for name, fix := range map[string][]string{
		"ctrllint -fix":      {ctrllint, "-fix", "./..."},
		"go vet -fix":        {"go", "vet", "-vettool=" + ctrllint, "-fix", "./..."},
		"go fix -fixtool":    {"go", "fix", "-fixtool=" + ctrllint, "./..."},
		"ctrllint -fix once": {ctrllint, "-fix", "-startctx", "./loop"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filetest.Module(t, map[string]string{"loop/loop.go": busy})
			run(t, dir, nil, ctrllint, "./...").wants(t, 1, "loop/loop.go:8", "startctx/loop")
			run(t, dir, nil, ctrllint, "-diff", "./...").wants(t, 1, "--- a/loop/loop.go", "-\t\t\tbreak", "+\t\t\treturn")
			if got, err := os.ReadFile(filepath.Join(dir, "loop/loop.go")); err != nil || string(got) != busy {
				t.Errorf("-diff has changed the file (%v)", err)
			}
			run(t, dir, nil, fix[0], fix[1:]...).wants(t, 0)
			must(t, dir, nil, "go", "build", "./...")
			run(t, dir, nil, ctrllint, "./...").wants(t, 0, "!loop.go")
			run(t, dir, nil, ctrllint, "-diff", "./...").wants(t, 0, "!loop.go")
		})
	}
}

// TestFixExamples applies the fix of each kind to the examples, which are compiled against the real modules, and compares
// with the golden files.
func TestFixExamples(t *testing.T) {
	patterns := []string{"./startctx/fixes/...", "./fixes/...", "./eventfilter/tombstone/...", "./cachemutation/fixes/...", "./churn/pointer/...", "./churn/maporder/...", "./churn/across/...", "./requestobject/empty/...", "./requestobject/kinds/..."}
	alone := []string{"-fix", "-nursery"} // what is in the nursery has fixes, too
	for name, fix := range map[string][]string{
		"ctrllint -fix": append([]string{ctrllint}, alone...),
		"go vet -fix":   append([]string{"go", "vet", "-vettool=" + ctrllint}, alone...),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, dir, nil, "cp", "-r", filepath.Join(root, "testdata")+"/.", ".")
			run(t, dir, nil, fix[0], append(fix[1:], patterns...)...) // what has no fix is left, and said
			must(t, dir, nil, "go", append([]string{"build"}, patterns...)...)
			compared := 0
			err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
				file, isGolden := strings.CutSuffix(path, ".golden")
				if err != nil || !isGolden {
					return err
				}
				compared++
				want, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				got, err := os.ReadFile(file)
				if fix[0] != ctrllint { // the go command puts imports where the fix has them, and sorts them
					got, want = withoutImports(t, got), withoutImports(t, want)
				}
				if err != nil || string(got) != string(want) {
					t.Errorf("%s is not its golden file (%v)", file, err)
				}
				return nil
			})
			if err != nil || compared < 4 {
				t.Errorf("%d files compared (%v)", compared, err)
			}
		})
	}
}

// withoutImports is a file with its imports in one order, and nothing else of them.
func withoutImports(t *testing.T, src []byte) []byte {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	start, end := -1, -1
	for _, d := range file.Decls {
		if start < 0 {
			start = fset.Position(d.Pos()).Offset
		}
		end = fset.Position(d.End()).Offset
	}
	if start < 0 {
		return src
	}
	for _, i := range file.Imports {
		paths = append(paths, i.Path.Value)
	}
	slices.Sort(paths)
	return slices.Concat(src[:start], []byte(strings.Join(paths, "\n")), src[end:])
}

// TestFixAll applies every fix to all examples of all rules. What comes out compiles, has nothing more to fix, and no finding that was not
// there before: a fix never makes it worse.
func TestFixAll(t *testing.T) {
	dir := t.TempDir()
	must(t, dir, nil, "cp", "-r", filepath.Join(root, "testdata")+"/.", ".")
	found := func() map[string]int {
		all := map[string]int{}
		for line := range strings.Lines(run(t, dir, nil, ctrllint, "-format", "json", "./...").out) {
			if !strings.HasPrefix(line, "{") {
				continue // a note
			}
			var f struct{ Package, Function, Category, Message string }
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			all[strings.Join([]string{f.Package, f.Function, f.Category, digits.ReplaceAllString(f.Message, "N")}, " ")]++
		}
		return all
	}
	before := found()
	run(t, dir, nil, ctrllint, "-fix", "./...")
	must(t, dir, nil, "go", "build", "./...")
	if diff := run(t, dir, nil, ctrllint, "-diff", "./...").out; strings.Contains(diff, "--- a/") {
		t.Errorf("there is more to fix:\n%s", diff)
	}
	fixed, after := 0, found()
	for f, n := range before {
		fixed += max(0, n-after[f])
	}
	for f, n := range after {
		if n > before[f] {
			t.Errorf("new behind a fix: %s", f)
		}
	}
	if fixed < 40 {
		t.Errorf("%d findings fixed", fixed)
	}
}

var digits = regexp.MustCompile(`\d+`)
