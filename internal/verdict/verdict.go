// Package verdict has the words in which people judge findings.
package verdict

import "slices"

// The verdicts: what a maintainer would say who reads the code.
const (
	Right      = "right"       // it can happen, and matters
	Weak       = "weak"        // true, and of little consequence or intended
	Wrong      = "wrong"       // it cannot happen
	CannotTell = "cannot tell" // it depends on something outside of the code
	Unjudged   = ""            // nobody has judged it yet
)

// All are the verdicts that a person can give, in the order in which tables have them.
var All = []string{Right, Weak, Wrong, CannotTell}

// lowest are the verdicts that two readers may give of one finding, from the one that counts most on.
var lowest = []string{Wrong, Weak, Right}

// Lower returns the one of two readers' verdicts that counts; Unjudged where one of them is none that both may give.
func Lower(first, second string) string {
	i, j := slices.Index(lowest, first), slices.Index(lowest, second)
	if i < 0 || j < 0 {
		return Unjudged
	}
	return lowest[min(i, j)]
}
