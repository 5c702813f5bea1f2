// Package writer keeps the pages under docs/rules. Each fact is in one place: what a rule is about in its doc.go,
// what a check of it is about in the page itself, severities and flags in the analyzer, levels and figures in
// internal/rule/sites.tsv, and fixes of other projects in eval/data. The parts that are not written by hand are
// brought up to date in the page.
package writer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/page"
)

// The sections of a check's page, in their order.
const (
	reports  = "What it reports"
	hurts    = "Why it hurts"
	bad      = "Bad code"
	good     = "Good code"
	works    = "How it works"
	leaves   = "What is left alone"
	sure     = "How sure it is"
	measured = "How it was measured"
	turnOff  = "How to turn it off"
)

// written are the sections that somebody writes. Of hurts and sure there is more; sure may be missing.
var written = []string{reports, hurts, bad, good, works, leaves, sure}

// The beginnings of what is added to the sections that somebody writes: the text ends before the first one, and goes
// on behind the paragraph of the second one.
const (
	fixedIn    = "Fixed in real projects:"
	consequent = "Severity: "
)

// maxLeftAlone is how many items the section on what is left alone has at most: more are a list of guards instead of
// one property.
const maxLeftAlone = 12

// A source is the text that somebody has written about a check, by section.
type source map[string]string

// parse reads what somebody has written of the page of a check, and leaves out what was added to it. A section that
// is missing, empty, unknown or out of order is an error, and so are examples without code and more than 12 items of
// what is left alone.
func parse(text string) (source, error) {
	s := make(source)
	next := 0
	_, text, _ = strings.Cut("\n"+text, "\n## ") // the title, and the summary
	for part := range strings.SplitSeq("\n"+text, "\n## ") {
		heading, _, _ := strings.Cut(strings.TrimPrefix(part, "\n"), "\n")
		if heading == "" || heading == measured || heading == turnOff {
			continue
		}
		at := slices.Index(written, heading)
		switch {
		case at < 0:
			return nil, fmt.Errorf("%q is none of the sections %q", heading, written)
		case at < next:
			return nil, fmt.Errorf("section %q is out of order: want %q", heading, written)
		}
		next = at + 1
		s[heading] = page.Section("## "+text, heading)
	}
	s[hurts], _, _ = strings.Cut(s[hurts], "\n\n"+fixedIn)
	if added, rest, _ := strings.Cut(s[sure], "\n\n"); strings.HasPrefix(added, consequent) {
		s[sure] = rest
	}
	for _, heading := range written {
		if s[heading] == "" && heading != sure {
			return nil, fmt.Errorf("there is no text below %q", "## "+heading)
		}
	}
	if n := strings.Count("\n"+s[leaves], "\n- "); n > maxLeftAlone {
		return nil, fmt.Errorf("%d items of what is left alone: want at most %d", n, maxLeftAlone)
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
