package analyzers_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/ruletest"
)

// TestCircles runs every rule over variables that are made of themselves: an access path through one of them would have no end,
// and a stack that overflows cannot be caught.
func TestCircles(t *testing.T) {
	for _, a := range analyzers.All() {
		t.Run(a.Name, func(t *testing.T) { ruletest.Run(t, a, "circles") })
	}
}
