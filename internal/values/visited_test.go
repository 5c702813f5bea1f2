package values_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVisitedValues bounds the walks over values that keep a set of visited ones of their own, outside of this package.
func TestVisitedValues(t *testing.T) {
	sets, found := regexp.MustCompile(`\bseen( :=)? map\[ssa\.Value\]`), 0
	for _, dir := range []string{"../../analyzers", "../../internal"} {
		err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
			own := strings.HasPrefix(file, "../../internal/values/")
			if err != nil || own || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			text, err := os.ReadFile(file)
			found += len(sets.FindAll(text, -1))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found > 10 {
		t.Errorf("%d sets of visited values, want at most 10: use a Worklist, Uses or Origins", found)
	}
}
