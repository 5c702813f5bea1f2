// Package writer makes the pages under docs/rules. Each fact stands in one place: what a rule is about in its doc.go, what one
// of its sub-rules is about in analyzers/RULE/SUB.md, severities and flags in the analyzer, and what was measured in bench.
package writer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/page"
)

// The sections of a sub-rule's page, in their order.
const (
	reports  = "What it reports"
	hurts    = "Why it hurts"
	bad      = "Bad code"
	good     = "Good code"
	leaves   = "What is left alone"
	sure     = "How sure it is"
	measured = "How it was measured"
	turnOff  = "How to turn it off"
)

// written are the sections that somebody writes. Of sure there is more: it may be missing.
var written = []string{reports, hurts, bad, good, leaves, sure}

// A source is the text that somebody has written about a sub-rule, by section.
type source map[string]string

// parse reads the text of a sub-rule. A section that is missing, empty, unknown or out of order is an error, and so are examples without
// code.
func parse(text string) (source, error) {
	s := make(source)
	next := 0
	for part := range strings.SplitSeq("\n"+text, "\n## ") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		heading, _, _ := strings.Cut(part, "\n")
		at := slices.Index(written, heading)
		switch {
		case at < 0:
			return nil, fmt.Errorf("%q is none of the sections %q", heading, written)
		case at < next:
			return nil, fmt.Errorf("section %q is out of order: want %q", heading, written)
		}
		next = at + 1
		s[heading] = page.Section(text, heading)
	}
	for _, heading := range written {
		if s[heading] == "" && heading != sure {
			return nil, fmt.Errorf("there is no text below %q", "## "+heading)
		}
	}
	for _, heading := range []string{bad, good} {
		if len(Blocks(s[heading])) == 0 {
			return nil, fmt.Errorf("section %q has no code between \"```go\" and \"```\"", heading)
		}
	}
	return s, nil
}

// Blocks are the pieces of Go code in a text in Markdown.
func Blocks(text string) []string {
	var blocks []string
	for {
		_, rest, found := strings.Cut(text, "```go\n")
		if !found {
			return blocks
		}
		block, after, closed := strings.Cut(rest, "```")
		if !closed {
			return blocks
		}
		blocks, text = append(blocks, block), after
	}
}
