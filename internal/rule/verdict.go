package rule

import (
	"errors"
	"go/token"
)

// Confidence says how sure a finding is.
type Confidence uint8

// A certain finding hangs whenever its path runs at the wrong moment, and everything that shows it is in sight. A
// possible one depends on what is not: a server that does not answer, two objects that are one.
const (
	Possible Confidence = iota + 1
	Certain
)

// String is the word of the JSON output.
func (c Confidence) String() string {
	switch c {
	case Possible:
		return "possible"
	case Certain:
		return "certain"
	}
	return ""
}

// Confidences are the words for them, the less sure one first.
var Confidences = []string{Possible.String(), Certain.String()}

// Set takes the word, as the value of a flag.
func (c *Confidence) Set(word string) error {
	switch word {
	case "possible":
		*c = Possible
	case "certain":
		*c = Certain
	default:
		return errors.New("want possible or certain")
	}
	return nil
}

// Verdicts are what an analyzer has to say beside its diagnostics, which have no place for it: the confidences of its
// findings, their causes elsewhere, and cycles of locks. It is the result of an analyzer that has such things.
type Verdicts struct {
	sure   map[verdictKey]Confidence
	causes map[verdictKey]string
	cycles map[verdictKey][]Step
}

// A Step is one step of a cycle in the order of locks: Func takes the lock Takes, at Pos or in what it calls there, while it holds
// Holds. A report draws a picture of them, for which a message is no source.
type Step struct {
	Func, Holds, Takes string
	Read               bool // it takes the lock for reading
	Pos                token.Pos
}

type verdictKey struct {
	pos     token.Pos
	message string
}

// Note keeps the confidence of f.
func (v *Verdicts) Note(f Finding, c Confidence) {
	if v.sure == nil {
		v.sure = make(map[verdictKey]Confidence)
	}
	v.sure[verdictKey{f.Pos, f.Message}] = c
}

// Blame keeps the cause of f: the full name of the function that has to be fixed, for this finding and for the same one of its other callers.
func (v *Verdicts) Blame(f Finding, cause string) {
	if v.causes == nil {
		v.causes = make(map[verdictKey]string)
	}
	v.causes[verdictKey{f.Pos, f.Message}] = cause
}

// Cause is the cause of the finding at pos with this message, empty where it lies there.
func (v *Verdicts) Cause(pos token.Pos, message string) string {
	return v.causes[verdictKey{pos, message}]
}

// Of is the confidence of the finding at pos with this message, zero where none was noted.
func (v *Verdicts) Of(pos token.Pos, message string) Confidence {
	return v.sure[verdictKey{pos, message}]
}

// Draw keeps the cycle that f is about: each step takes what the next one holds, the last one what the first one holds.
func (v *Verdicts) Draw(f Finding, cycle []Step) {
	if v.cycles == nil {
		v.cycles = make(map[verdictKey][]Step)
	}
	v.cycles[verdictKey{f.Pos, f.Message}] = cycle
}

// Cycle is the cycle of the finding at pos with this message, nil where it is about none.
func (v *Verdicts) Cycle(pos token.Pos, message string) []Step {
	return v.cycles[verdictKey{pos, message}]
}
