package page_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/analyzers"
	"github.com/ctrllint/ctrllint/internal/page"
)

func TestSubs(t *testing.T) {
	got := page.Subs(&analysis.Analyzer{Name: "x", Doc: `find x

Of x:

  - other: no sub-rule

# Sub-rules

  - one-two: a thing is
    there
  - three: a rare thing: this

# Over packages

  - four: no sub-rule
`})
	want := []page.Sub{{Name: "one-two", Summary: "a thing is there"}, {Name: "three", Summary: "a rare thing: this"}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
	for _, a := range analyzers.All() {
		subs := page.Subs(a)
		if len(subs) == 0 {
			t.Errorf("%s lists no sub-rule", a.Name)
		}
		for _, s := range subs {
			if page.Section(s.Markdown, "What it reports") == "" {
				t.Errorf("%s/%s has no page that says what it reports", a.Name, s.Name)
			}
		}
	}
}

func TestOverview(t *testing.T) {
	got := page.Overview(&analysis.Analyzer{Name: "x", Doc: "find x\n\nMore of `it`, in a line that is so long that it has to be broken at eighty letters or so.\n\n# Sub-rules\n\n  - a: b\n"})
	want := "x: find x\n\nMore of it, in a line that is so long that it has to be broken at eighty\nletters or so.\n\n# Sub-rules\n\n  - a: b\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestText(t *testing.T) {
	const markdown = "# x/a\n\n<!-- Made from x. -->\n\nSome **bold** words with `code<-`, a [link](https://a.example/b) and [another](../x.md), and so many of\n" +
		"them that the line is broken.\n\n- an item, which is long enough as well to be broken somewhere behind its eightieth letter\n- two\n\n" +
		"| a | b |\n| --- | --- |\n| `c` | d |\n\n```go\nif a {\n\n\tb()\n}\n```\n\n## More\n\nEnd.\n"
	const want = "x/a\n\nSome bold words with code<-, a link (https://a.example/b) and another, and so\nmany of them that the line is broken.\n\n" +
		"- an item, which is long enough as well to be broken somewhere behind its\n  eightieth letter\n- two\n\n" +
		"| a | b |\n| c | d |\n\n    if a {\n\n        b()\n    }\n\n# More\n\nEnd.\n"
	if got := page.Text(markdown); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// No mark of Markdown is left in the text of a page.
func TestTextOfPages(t *testing.T) {
	for _, a := range analyzers.All() {
		for _, s := range page.Subs(a) {
			text := page.Text(s.Markdown)
			for _, mark := range []string{"```", "](", "<!--", "**"} {
				for line := range strings.SplitSeq(text, "\n") {
					if strings.Contains(line, mark) && !strings.HasPrefix(line, "    ") {
						t.Errorf("%s/%s: %q is left in %q", a.Name, s.Name, mark, line)
					}
				}
			}
		}
	}
}
