package page

import (
	"go/doc/comment"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A Sub is what the page of a rule says of one of its sub-rules.
type Sub struct {
	Name     string
	Summary  string // one sentence, without a period
	Text     string // the sub-rule's own section
	Markdown string // the page without the sections of the other sub-rules
}

// subName is the heading of a sub-rule; those of other sections are sentences, or begin with a capital.
var subName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Subs gives the sub-rules of a, in the order of its page.
func Subs(a *analysis.Analyzer) []Sub {
	_, body, _ := strings.Cut(a.Doc, "\n")
	page := new(comment.Parser).Parse(strings.TrimSpace(body))
	printer := &comment.Printer{HeadingLevel: 2, HeadingID: func(*comment.Heading) string { return "" }, TextWidth: -1}
	var subs []Sub
	for _, block := range page.Content {
		if name := headed(block); subName.MatchString(name) {
			section := *page
			section.Content = sectionOf(page.Content, name)
			text := strings.TrimSpace(string(printer.Text(&section)))
			section.Content = without(page.Content, name)
			subs = append(subs, Sub{
				Name:     name,
				Summary:  sentence(text),
				Text:     text,
				Markdown: strings.TrimSpace(string(printer.Markdown(&section))),
			})
		}
	}
	return subs
}

// headed is the text of block, if it is a heading.
func headed(block comment.Block) string {
	h, ok := block.(*comment.Heading)
	if !ok || len(h.Text) != 1 {
		return ""
	}
	text, _ := h.Text[0].(comment.Plain)
	return string(text)
}

// sectionOf gives the blocks below the heading name, up to the next one.
func sectionOf(blocks []comment.Block, name string) []comment.Block {
	var out []comment.Block
	in := false
	for _, b := range blocks {
		if _, ok := b.(*comment.Heading); ok {
			in = headed(b) == name
		} else if in {
			out = append(out, b)
		}
	}
	return out
}

// without gives the blocks that are not in the section of a sub-rule other than name.
func without(blocks []comment.Block, name string) []comment.Block {
	var out []comment.Block
	in := true
	for _, b := range blocks {
		if _, ok := b.(*comment.Heading); ok {
			in = headed(b) == name || !subName.MatchString(headed(b))
		}
		if in {
			out = append(out, b)
		}
	}
	return out
}

// sentence is the first sentence of text that says what is reported, and not how that is turned on.
func sentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for {
		first, rest, more := strings.Cut(text, ". ")
		if more && strings.HasPrefix(first, "Off by default") {
			text = rest
			continue
		}
		first, _, _ = strings.Cut(first, ": ")
		return strings.TrimRight(first, ".:")
	}
}
