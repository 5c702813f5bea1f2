package rule

import (
	"flag"
	"fmt"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"
)

// Severity is the effect of the bug of a finding.
type Severity uint8

// An error hangs, crashes or loses something in production. After a warning, the process ends anyway, or a retry
// succeeds.
const (
	Warning Severity = iota + 1
	Error
)

// Severities are their names, in order.
var Severities = []string{Warning.String(), Error.String()}

// String returns the name in outputs and settings.
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// Set makes Severity the value of a flag.
func (s *Severity) Set(name string) error {
	i := slices.Index(Severities, name)
	if i < 0 {
		return fmt.Errorf("want warning or error")
	}
	*s = Severity(i) + Warning
	return nil
}

// A Sub is a sub-rule of an analyzer, and the value of the flag that turns it on and off.
type Sub struct {
	Name     string
	Severity Severity
	OptIn    string // what it reports, for a sub-rule that is off by default; empty for others

	on bool
}

// String is "true" if the sub-rule is on.
func (s *Sub) String() string { return strconv.FormatBool(s.on) }

// Default reports whether the sub-rule is on by default.
func (s *Sub) Default() bool { return s.OptIn == "" }

// On reports whether the sub-rule is on.
func (s *Sub) On() bool { return s.on }

// IsBoolFlag makes the value of the flag optional.
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

// Flags returns the flags of an analyzer with these sub-rules, one for each.
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

// Subs returns the sub-rules of a, in the order of their flags.
func Subs(a *analysis.Analyzer) []*Sub {
	var out []*Sub
	a.Flags.VisitAll(func(f *flag.Flag) {
		if s, ok := f.Value.(*Sub); ok {
			out = append(out, s)
		}
	})
	return out
}

// SubOf returns the sub-rule of a with that name, nil if there is none.
func SubOf(a *analysis.Analyzer, name string) *Sub {
	if f := a.Flags.Lookup(name); f != nil {
		s, _ := f.Value.(*Sub)
		return s
	}
	return nil
}

// SeverityOf returns the severity of the findings of a's sub-rule; Error by default.
func SeverityOf(a *analysis.Analyzer, sub string) Severity {
	if s := SubOf(a, sub); s != nil {
		return s.Severity
	}
	return Error
}

// asked reports whether f is to be reported, by its sub-rule, level, confidence and severity.
func asked(a *analysis.Analyzer, f Finding) bool {
	if s := SubOf(a, f.Sub); s != nil && !s.on {
		return false
	}
	if !Active.Nursery && LevelOf(f.Site) == Nursery {
		return false
	}
	return (f.Confidence == 0 || f.Confidence >= Active.Confidence) && SeverityOf(a, f.Sub) >= Active.Severity
}
