package paths_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// TestVisitedBlocks bounds the sets of blocks that are kept outside of internal/paths and the control-flow graph of
// internal/flow.
func TestVisitedBlocks(t *testing.T) {
	found := filetest.Count(t, `map\[\*ssa\.BasicBlock\](bool|struct)`, "internal/paths/", "internal/flow/cfg.go")
	if found > 10 {
		t.Errorf("%d sets of basic blocks, want at most 10: use flow.Search, flow.Blocks or internal/paths", found)
	}
}
