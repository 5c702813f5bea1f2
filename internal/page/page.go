// Package page turns the Doc of a rule into its page under docs/rules. The Doc is the source; the pages are in the
// repository because findings link to them.
package page

import (
	"go/doc/comment"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Markdown is the page of a. The headings of its Doc become sections, whose anchors are the names of the sub-rules.
func Markdown(a *analysis.Analyzer) []byte {
	summary, body, _ := strings.Cut(a.Doc, "\n")
	text := "# " + a.Name + "\n\n" +
		"<!-- Made from analyzers/" + a.Name + "/doc.go by `make docs`. -->\n\n" +
		summary + "\n\n"
	printer := &comment.Printer{
		HeadingLevel: 2,
		HeadingID:    func(*comment.Heading) string { return "" }, // GitHub makes its own
	}
	return append([]byte(text), printer.Markdown(new(comment.Parser).Parse(strings.TrimSpace(body)))...)
}
