// Package page reads what is written about rules: the list of sub-rules in a rule's Doc, and the pages under
// docs/rules. Package writer makes these pages.
package page

import (
	"go/doc/comment"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/docs"
)

// ListHeading is the heading of a Doc below which the sub-rules are listed, as "name: what it reports".
const ListHeading = "Sub-rules"

// A Sub is what is written about a sub-rule of a rule.
type Sub struct {
	Name     string
	Summary  string // one sentence, without a period
	Markdown string // its page; empty for a rule that is not in the suite
}

// Subs gives the sub-rules of a, in the order in which its Doc lists them.
func Subs(a *analysis.Analyzer) []Sub {
	var subs []Sub
	listed := false
	for _, block := range new(comment.Parser).Parse(a.Doc).Content {
		switch b := block.(type) {
		case *comment.Heading:
			listed = len(b.Text) == 1 && b.Text[0] == comment.Plain(ListHeading)
		case *comment.List:
			if !listed {
				continue
			}
			for _, item := range b.Items {
				printed := new(comment.Printer).Text(&comment.Doc{Content: item.Content})
				name, summary, _ := strings.Cut(strings.Join(strings.Fields(string(printed)), " "), ": ")
				subs = append(subs, Sub{Name: name, Summary: summary, Markdown: docs.Page(a.Name + "/" + name)})
			}
		}
	}
	return subs
}

// Overview is the Doc of a as plain text for a terminal.
func Overview(a *analysis.Analyzer) string {
	doc := new(comment.Parser).Parse(a.Name + ": " + a.Doc)
	text := (&comment.Printer{TextWidth: width}).Text(doc)
	return strings.ReplaceAll(string(text), "`", "")
}

// Section is the text of a page in Markdown below a heading, up to the next one of the same level. It is empty where
// there is none.
func Section(markdown, heading string) string {
	_, rest, found := strings.Cut("\n"+markdown, "\n## "+heading+"\n")
	if !found {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return strings.TrimSpace(rest)
}
