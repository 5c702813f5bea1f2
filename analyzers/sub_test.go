package analyzers

import (
	"slices"
	"testing"

	"github.com/ctrllint/ctrllint/internal/page"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Each sub-rule has a section on the page of its rule, and a flag that turns it on and off; nothing else has either.
func TestSubs(t *testing.T) {
	for _, a := range All() {
		var written, chosen []string
		for _, s := range page.Subs(a) {
			written = append(written, s.Name)
		}
		for _, s := range rule.Subs(a) {
			chosen = append(chosen, s.Name)
			if s.Severity == 0 {
				t.Errorf("%s/%s has no severity", a.Name, s.Name)
			}
		}
		slices.Sort(written)
		slices.Sort(chosen)
		if !slices.Equal(written, chosen) {
			t.Errorf("%s: the page has %q, flags have %q", a.Name, written, chosen)
		}
	}
}
