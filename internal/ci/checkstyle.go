package ci

import (
	"encoding/xml"
	"io"
)

// The types are what checkstyle's own XMLLogger writes. There is no schema of it.
type (
	checkstyleLog struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"`
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr,omitempty"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

// checkstyleVersion is the one of the form. No code has asked for another one since.
const checkstyleVersion = "5.0"

// Checkstyle writes the files that have findings, each with these. A finding has one place there: the ones that lead
// to it are left out. What could not be analysed has no place, and so no part in it.
func Checkstyle(w io.Writer, r Run) error {
	log := checkstyleLog{Version: checkstyleVersion}
	at := make(map[string]int) // from the name of a file to its place in the log
	for _, f := range r.named() {
		i, known := at[f.File]
		if !known {
			i = len(log.Files)
			at[f.File] = i
			log.Files = append(log.Files, checkstyleFile{Name: f.File})
		}
		log.Files[i].Errors = append(log.Files[i].Errors, checkstyleError{
			Line: f.Line, Column: f.Column, Severity: f.Level(), Message: f.Message + f.InBuilds(), Source: "ctrllint." + f.Category,
		})
	}
	return writeXML(w, log)
}
