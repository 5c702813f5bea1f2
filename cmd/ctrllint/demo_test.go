package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// demoDir is the operator of `make demo`.
const demoDir = "../../demo"

// demoBug is one of its bugs.
type demoBug struct {
	category, file, function string
	hasFix                   bool
}

func (b demoBug) String() string { return b.category + " " + b.file + " " + b.function }

var demoBugs = []demoBug{
	{"unboundedsync/neverstops", "admission/validator.go", "NewValidator", true},
	{"lockheld/relock", "clusters/registry.go", "(*Registry).Inventory", false},
	{"lockheld/blocking", "clusters/registry.go", "(*Registry).Inventory", false},
	{"expectttl/nowayout", "controllers/backup.go", "(*BackupReconciler).Reconcile", false},
	{"finalizerorder/removedbeforedelete", "controllers/backup.go", "(*BackupReconciler).drop", false},
	{"eventfilter/tombstone", "inventory/inventory.go", "Open", true},
	{"lockheld/leak", "inventory/inventory.go", "(*Inventory).Claims", false},
	{"cachemutation/write", "inventory/inventory.go", "(*Inventory).Template", true},
	{"startctx/ignored", "sweeper/journal.go", "(*Journal).Start", false},
	{"startctx/loop", "sweeper/sweeper.go", "(*Sweeper).Start", true},
}

// demoFindings is what the command finds in dir, decoded, and as demoBug writes it.
func demoFindings(t *testing.T, dir string) (found []map[string]any, texts []string) {
	t.Helper()
	stdout, stderr, code := command(t, dir, tool, "-format", "json", "./...")
	if code != exitFindings || stderr != "" {
		t.Fatalf("exit code %d, stderr %q", code, stderr)
	}
	found = jsonLines(t, stdout)
	for _, f := range found {
		texts = append(texts, fmt.Sprintf("%s %s %s", f["category"], f["file"], f["function"]))
	}
	return found, texts
}

// demoCopy copies the operator. The go command caches by folder what go vet has said, of a package also what it said,
// nothing, when only its facts were asked for: so its turn is in a folder that it has not seen.
func demoCopy(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(demoDir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func passesTests(t *testing.T, dir string) {
	t.Helper()
	if stdout, stderr, code := command(t, dir, "go", "test", "./..."); code != 0 || !strings.Contains(stdout, "ok ") {
		t.Errorf("go test: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestDemo holds the operator of `make demo` to its ten bugs: the command finds all of them and nothing else, and has
// a fix for those that it should.
func TestDemo(t *testing.T) {
	t.Parallel()
	findings, found := demoFindings(t, demoDir)
	if bugs := demoTexts(func(demoBug) bool { return true }); len(bugs) != 10 || !slices.Equal(found, bugs) {
		t.Fatalf("found is\n%s\nand wanted\n%s", strings.Join(found, "\n"), strings.Join(bugs, "\n"))
	}
	for i, f := range findings {
		if fixes, _ := f["fixes"].([]any); len(fixes) > 0 != demoBugs[i].hasFix {
			t.Errorf("%s has %d fixes", found[i], len(fixes))
		}
	}
}

// demoTexts are the bugs of the demo that take takes, as demoFindings writes them.
func demoTexts(take func(demoBug) bool) (out []string) {
	for _, b := range demoBugs {
		if take(b) {
			out = append(out, b.String())
		}
	}
	return out
}

// TestExhaustiveDemo does with the operator what its reader is told to: its own tests pass, go vet finds what the
// command does, and with the fixes applied the tests pass, too, and all but what they fix is found.
func TestExhaustiveDemo(t *testing.T) {
	t.Parallel()
	t.Run("tests", func(t *testing.T) {
		t.Parallel()
		passesTests(t, demoDir)
	})
	t.Run("go vet", func(t *testing.T) {
		t.Parallel()
		findings, _ := demoFindings(t, demoDir)
		var lines []string
		for _, f := range findings {
			lines = append(lines, fmt.Sprintf("%s:%v:%v: %s (%s)", f["file"], f["line"], f["column"], f["message"], f["category"]))
		}
		stdout, stderr, code := command(t, demoCopy(t), "go", "vet", "-vettool="+tool, "./...")
		vetted := regexp.MustCompile(`(?m)^\S+:\d+:\d+: [^\t].*$`).FindAllString(stdout+stderr, -1) // a tab begins a place that leads to one
		slices.Sort(vetted)
		slices.Sort(lines)
		if code != 1 || !slices.Equal(vetted, lines) {
			t.Errorf("exit code %d, found is\n%s\nand wanted\n%s\nin\n%s%s", code, strings.Join(vetted, "\n"), strings.Join(lines, "\n"), stdout, stderr)
		}
	})
	t.Run("fix", func(t *testing.T) {
		t.Parallel()
		dir := demoCopy(t)
		if stdout, stderr, code := command(t, dir, tool, "-fix", "./..."); code != exitFindings {
			t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
		}
		left := demoTexts(func(b demoBug) bool { return !b.hasFix })
		if _, found := demoFindings(t, dir); len(left) > len(demoBugs)-3 || !slices.Equal(found, left) {
			t.Errorf("left is\n%s\nand wanted\n%s", strings.Join(found, "\n"), strings.Join(left, "\n"))
		}
		passesTests(t, dir)
	})
}
