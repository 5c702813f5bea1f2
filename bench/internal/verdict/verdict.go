// Package verdict has the words in which people judge findings.
package verdict

import (
	"errors"
	"fmt"
	"slices"
)

// The verdicts: what a maintainer would say who reads the code.
const (
	Right      = "right"       // it can happen, and matters
	Weak       = "weak"        // true, and of little consequence or intended
	Wrong      = "wrong"       // it cannot happen
	CannotTell = "cannot tell" // it depends on something outside of the code
	Unjudged   = ""            // nobody has read it yet
)

// All are the verdicts that a person can give, in the order in which tables have them.
var All = []string{Right, Weak, Wrong, CannotTell}

// A Judgement is what a person made of a finding.
type Judgement struct {
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"` // one line
}

// Check is an error where somebody has still to judge.
func (j Judgement) Check() error {
	switch {
	case j.Verdict == Unjudged:
		return errors.New("nobody has judged it")
	case !slices.Contains(All, j.Verdict):
		return fmt.Errorf("%q is no verdict: want one of %q", j.Verdict, All)
	case j.Reason == "":
		return errors.New("the verdict has no reason")
	}
	return nil
}
