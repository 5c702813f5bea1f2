// Package ci writes findings in the forms that systems for continuous integration read: as the outcome of tests
// (JUnit), as what checkstyle writes, and as GitLab's Code Quality.
package ci

import (
	"encoding/xml"
	"io"
	"slices"

	"github.com/ctrllint/ctrllint/internal/report"
)

// Run is what is to be told of a run.
type Run struct {
	Rules    []string // the names of those that have run
	Findings []report.Finding
	Failures []string // what could not be analysed

	// InRepository turns the names of files in findings into those in the repository, by which these systems know them.
	InRepository func(file string) string
}

// named returns the findings with the names of files in the repository.
func (r *Run) named() []report.Finding {
	out := slices.Clone(r.Findings)
	for i := range out {
		f := &out[i]
		f.File = r.InRepository(f.File)
		f.Related = slices.Clone(f.Related)
		for j := range f.Related {
			f.Related[j].File = r.InRepository(f.Related[j].File)
		}
	}
	return out
}

// writeXML writes v as a document. Characters that XML cannot have are replaced by the encoder.
func writeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
