package paths_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestVisitedBlocks bounds the sets of blocks that are kept outside of internal/paths and the control-flow graph of
// internal/flow.
func TestVisitedBlocks(t *testing.T) {
	sets, found := regexp.MustCompile(`map\[\*ssa\.BasicBlock\](bool|struct)`), 0
	for _, dir := range []string{"../../analyzers", "../../internal"} {
		err := filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
			own := strings.HasPrefix(file, "../../internal/paths/") || file == "../../internal/flow/cfg.go"
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
		t.Errorf("%d sets of basic blocks, want at most 10: use flow.Search, flow.Blocks or internal/paths", found)
	}
}
