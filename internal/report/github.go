package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// escapeData and escapeProperty escape the characters that end a command of GitHub Actions, or a property of one.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes for each finding a command by which GitHub Actions shows it in the changes of a pull request, with
// the related places in further lines of the message. inRepository converts names of files to those in the
// repository. See https://docs.github.com/actions/reference/workflow-commands-for-github-actions; the escapes are
// those of @actions/core.
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
		places := func(chain []Related) {
			for _, r := range chain {
				message += fmt.Sprintf("\n%s:%d: %s", inRepository(r.File), r.Line, r.Message)
			}
		}
		head, missing, tail := Shown(f.Related)
		places(head)
		if missing != "" {
			message += "\n" + missing
		}
		places(tail)
		if f.URL != "" {
			message += "\n" + f.URL
		}
		fmt.Fprintf(out, ",title=%s::%s\n", escapeProperty.Replace(f.Category), escapeData.Replace(message))
	}
	return out.Flush()
}
