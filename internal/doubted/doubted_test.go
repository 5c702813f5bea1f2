package doubted

import (
	"slices"
	"strings"
	"testing"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Flags and All are of one mind with the rules about each sub-rule.
func TestDoubted(t *testing.T) {
	flags := Flags()
	for _, a := range analyzers.All() {
		for _, s := range rule.Subs(a) {
			name := a.Name + "/" + s.Name
			if got := All([]string{name}); got != s.Doubted {
				t.Errorf("All(%s) is %v", name, got)
			}
			if got := slices.Contains(flags, "-"+a.Name+"."+s.FlagName()); got != s.Doubted {
				t.Errorf("whether there is a flag for %s: %v", name, got)
			}
		}
	}
	for _, unknown := range []string{"lockheld/nothing", "nothing/leak"} {
		if All([]string{unknown}) {
			t.Errorf("All(%s): what is no sub-rule is doubted", unknown)
		}
	}
	if slices.ContainsFunc(flags, func(f string) bool { return !strings.Contains(f, ".") }) {
		t.Errorf("flags of whole rules: %v", flags)
	}
}
