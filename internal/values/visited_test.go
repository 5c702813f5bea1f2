package values_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/filetest"
)

// TestVisitedValues bounds the walks over values that keep a set of visited ones of their own, outside of this package.
func TestVisitedValues(t *testing.T) {
	if found := filetest.Count(t, `\bseen( :=)? map\[ssa\.Value\]`, "internal/values/"); found > 10 {
		t.Errorf("%d sets of visited values, want at most 10: use a Worklist, Uses or Origins", found)
	}
}
