package rule

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
)

// MustExtractDoc returns the Doc of analyzer name from content, the source of its package's doc.go. The package comment
// holds the page below a heading
//
//	# Analyzer NAME
//
//	NAME: summary in one line
//
// and the page runs to the end of the comment or the next such heading: unlike x/tools' function of the same name, a
// heading of another kind is a section of the page and no end of it. The result starts with the summary, as
// analysis.Analyzer wants it. Anything else is a mistake in the source of this program, and panics.
func MustExtractDoc(content, name string) string {
	doc, err := extractDoc(content, name)
	if err != nil {
		panic(err)
	}
	return doc
}

func extractDoc(content, name string) (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", content, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	if f.Doc == nil {
		return "", fmt.Errorf("doc.go of %s has no package comment", name)
	}
	text := "\n" + f.Doc.Text()
	// The heading may also carry the summary itself, with or without the mark of a heading.
	for _, heading := range []string{"\n# Analyzer " + name + "\n", "\n# Analyzer " + name + ":", "\nAnalyzer " + name + ":"} {
		_, page, found := strings.Cut(text, heading)
		if !found {
			continue
		}
		page, _, _ = strings.Cut(page, "\n# Analyzer ")
		page = strings.TrimSpace(page)
		if strings.HasSuffix(heading, "\n") {
			if page, found = strings.CutPrefix(page, name+":"); !found {
				return "", fmt.Errorf("heading %q is not followed by %q", strings.TrimSpace(heading), name+": summary")
			}
		}
		return strings.TrimSpace(page), nil
	}
	return "", fmt.Errorf("the package comment has no heading %q", "# Analyzer "+name)
}
