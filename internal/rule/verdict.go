package rule

import (
	"errors"
	"go/token"
	"slices"
)

// Confidence is the confidence of a finding.
type Confidence uint8

// A certain finding hangs whenever its path runs at the wrong moment. A possible one depends on what is not known: a
// server that does not answer, two objects that are one.
const (
	Possible Confidence = iota + 1
	Certain
)

// Confidences are their names, in order.
var Confidences = []string{"possible", "certain"}

// String returns the name in outputs and settings; empty for zero.
func (c Confidence) String() string {
	if c == 0 {
		return ""
	}
	return Confidences[c-Possible]
}

// Set makes Confidence the value of a flag.
func (c *Confidence) Set(name string) error {
	i := slices.Index(Confidences, name)
	if i < 0 {
		return errors.New("want possible or certain")
	}
	*c = Confidence(i) + Possible
	return nil
}

// Verdicts have what diagnostics have no field for: the confidences of findings, their causes elsewhere, and cycles of
// locks. It is the result of an analyzer with such findings.
type Verdicts struct{ of map[verdictKey]verdict }

type verdict struct {
	sure  Confidence
	cause string
	cycle []Step
}

// change changes the verdict on f.
func (v *Verdicts) change(f Finding, change func(*verdict)) {
	if v.of == nil {
		v.of = make(map[verdictKey]verdict)
	}
	k := verdictKey{f.Pos, f.Message}
	x := v.of[k]
	change(&x)
	v.of[k] = x
}

// A Step is one step of a cycle in the lock order: Func takes the lock Takes, at Pos or in what it calls there, while
// it holds Holds.
type Step struct {
	Func, Holds, Takes string
	Read               bool // it takes the lock for reading
	Pos                token.Pos
}

type verdictKey struct {
	pos     token.Pos
	message string
}

// Note sets the confidence of f.
func (v *Verdicts) Note(f Finding, c Confidence) { v.change(f, func(x *verdict) { x.sure = c }) }

// Blame sets the cause of f: the full name of the function to be fixed, for this finding and for those of its other
// callers.
func (v *Verdicts) Blame(f Finding, cause string) { v.change(f, func(x *verdict) { x.cause = cause }) }

// Draw sets the cycle of f: each step takes what the next one holds, the last one what the first one holds.
func (v *Verdicts) Draw(f Finding, cycle []Step) { v.change(f, func(x *verdict) { x.cycle = cycle }) }

// Of returns the confidence of the finding at pos with this message, zero if it was not set.
func (v *Verdicts) Of(pos token.Pos, message string) Confidence {
	return v.of[verdictKey{pos, message}].sure
}

// Cause returns the cause of the finding at pos with this message, empty if it lies there.
func (v *Verdicts) Cause(pos token.Pos, message string) string {
	return v.of[verdictKey{pos, message}].cause
}

// Cycle returns the cycle of the finding at pos with this message, nil if it is about none.
func (v *Verdicts) Cycle(pos token.Pos, message string) []Step {
	return v.of[verdictKey{pos, message}].cycle
}
