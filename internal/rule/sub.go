package rule

import (
	"flag"
	"fmt"
	"strconv"

	"golang.org/x/tools/go/analysis"
)

// Severity says what becomes of somebody who does nothing about a finding.
type Severity uint8

// An error hangs, crashes or loses something in production. A warning is anything else: the process ends anyway, or another try fixes it.
const (
	Warning Severity = iota + 1
	Error
)

// Severities are the words for them, the milder one first.
var Severities = []string{Warning.String(), Error.String()}

// String is the word of the outputs and settings.
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Set takes the word, as the value of a flag.
func (s *Severity) Set(word string) error {
	switch word {
	case "warning":
		*s = Warning
	case "error":
		*s = Error
	default:
		return fmt.Errorf("want warning or error")
	}
	return nil
}

// A Sub is a sub-rule of an analyzer, and the value of the flag that turns it on and off.
type Sub struct {
	Name     string
	Severity Severity
	OptIn    string // what it reports, of a sub-rule that is off by default, since what it is about is meant by many; empty for others

	on bool
}

// String is "true" where the sub-rule is on.
func (s *Sub) String() string { return strconv.FormatBool(s.on) }

// Default reports whether the sub-rule is on where nobody has said anything.
func (s *Sub) Default() bool { return s.OptIn == "" }

// On reports whether the sub-rule is on.
func (s *Sub) On() bool { return s.on }

// IsBoolFlag lets the flag stand without a value.
func (s *Sub) IsBoolFlag() bool { return true }

// Get makes Sub a [flag.Getter].
func (s *Sub) Get() any { return s.on }

// Set turns the sub-rule on or off.
func (s *Sub) Set(value string) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return fmt.Errorf("want true or false")
	}
	s.on = on
	return nil
}

// Flags are the flags of an analyzer that has these sub-rules: one for each.
func Flags(subs ...Sub) flag.FlagSet {
	var f flag.FlagSet
	for i := range subs {
		s := &subs[i]
		s.on = s.Default()
		usage := "report " + s.Name
		if s.OptIn != "" {
			usage = s.OptIn
		}
		f.Var(s, s.Name, usage)
	}
	return f
}

// Subs are the sub-rules of a that have flags, in the order of these.
func Subs(a *analysis.Analyzer) []*Sub {
	var out []*Sub
	a.Flags.VisitAll(func(f *flag.Flag) {
		if s, ok := f.Value.(*Sub); ok {
			out = append(out, s)
		}
	})
	return out
}

// SubOf is the sub-rule of a that is named so, nil where there is none.
func SubOf(a *analysis.Analyzer, name string) *Sub {
	for _, s := range Subs(a) {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// SeverityOf is the severity of the findings of a's sub-rule: an error where nothing else was said.
func SeverityOf(a *analysis.Analyzer, sub string) Severity {
	if s := SubOf(a, sub); s != nil {
		return s.Severity
	}
	return Error
}

// asked reports whether f is one of the findings that are asked for: of a sub-rule that is on and a level that is, as sure and as severe as they have to be.
func asked(a *analysis.Analyzer, f Finding) bool {
	if s := SubOf(a, f.Sub); s != nil && !s.on {
		return false
	}
	if !Active.Nursery && LevelOf(f.Site) == Nursery {
		return false
	}
	return (f.Confidence == 0 || f.Confidence >= Active.Confidence) && SeverityOf(a, f.Sub) >= Active.Severity
}
