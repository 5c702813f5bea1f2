package program_test

import (
	"testing"

	"github.com/ctrllint/ctrllint/internal/program"
)

func TestAlways(t *testing.T) {
	// What is above each place; capitals are decided: Y holds, N does not.
	above := map[string][]string{
		"a": {"Y"}, "b": {"Y", "N"}, "c": {"a", "b"}, "d": {"a", "Y"},
		"e": {"f"}, "f": {"e", "Y"}, "g": {"h"}, "h": {"i"}, "i": {"g", "N"}, "j": {"j"},
	}
	want := map[string]bool{"Y": true, "N": false, "a": true, "b": false, "c": false, "d": true, "e": true, "f": true, "g": false, "h": false, "i": false, "j": true}
	looks := 0
	look := func(k string) (decided, holds bool, up []string) {
		looks++
		return k == "Y" || k == "N", k == "Y", above[k]
	}
	for first := range want { // whoever is asked first
		looks = 0
		var all program.Always[string]
		all.Holds(first, look)
		for k, holds := range want {
			if got := all.Holds(k, look); got != holds {
				t.Errorf("%s, after %s: %t, want %t", k, first, got, holds)
			}
		}
		if looks > 2*len(want) {
			t.Errorf("%d looks at %d places", looks, len(want))
		}
	}
}
