package ruletest

import (
	"fmt"
	"slices"
)

// reportDifferences fails t with what differs between orders. There are no exceptions.
func reportDifferences(t reporter, differ map[difference]witness) {
	t.Helper()
	var found []string
	for d, w := range differ {
		found = append(found, fmt.Sprintf("%s: %s depends on the order of the source; %v", d.example, d.what, w))
	}
	slices.Sort(found)
	for _, f := range found {
		t.Errorf("%s", f)
	}
}
