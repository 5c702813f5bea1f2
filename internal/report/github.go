package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// The characters that end a command of GitHub Actions, or a property of one, where they stand as themselves.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes a command for each finding that makes GitHub Actions show it in the changes of a pull request, with the
// related places in further lines of its message. Since GitHub knows files by their names in the repository, inRepository
// turns the names of findings into those.
//
// The form is the one of https://docs.github.com/actions/reference/workflow-commands-for-github-actions; the escapes are
// those of the @actions/core library.
func GitHub(w io.Writer, findings []Finding, inRepository func(file string) string) error {
	out := bufio.NewWriter(w)
	for _, f := range findings {
		command := LevelError
		if f.Severity != "" {
			command = f.Level()
		}
		fmt.Fprintf(out, "::%s file=%s,line=%d", command, escapeProperty.Replace(inRepository(f.File)), f.Line)
		switch {
		case f.EndLine > f.Line: // GitHub takes columns only within one line
			fmt.Fprintf(out, ",endLine=%d", f.EndLine)
		case f.EndColumn > f.Column:
			fmt.Fprintf(out, ",endLine=%d,col=%d,endColumn=%d", f.Line, f.Column, f.EndColumn)
		default:
			fmt.Fprintf(out, ",endLine=%d,col=%d", f.Line, f.Column)
		}
		message := f.Message + f.InBuilds()
		head, missing, tail := Shown(f.Related)
		for _, r := range head {
			message += fmt.Sprintf("\n%s:%d: %s", inRepository(r.File), r.Line, r.Message)
		}
		if missing != "" {
			message += "\n" + missing
		}
		for _, r := range tail {
			message += fmt.Sprintf("\n%s:%d: %s", inRepository(r.File), r.Line, r.Message)
		}
		if f.URL != "" {
			message += "\n" + f.URL
		}
		fmt.Fprintf(out, ",title=%s::%s\n", escapeProperty.Replace(f.Category), escapeData.Replace(message))
	}
	return out.Flush()
}
