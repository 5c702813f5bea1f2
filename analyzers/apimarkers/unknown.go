package apimarkers

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/markers"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/spelling"
)

// prefix is how all words of controller-gen begin, and others those of other tools that begin so.
const prefix = "kubebuilder:"

var others = []string{prefix + "scaffold", prefix + "docs-gen", prefix + "ac"}

// unknown reports markers in file that controller-gen does not know. It reads neither the documentation of functions nor
// their bodies, nor comments behind code.
func (c *checker) unknown(file *ast.File) {
	behind := map[*ast.CommentGroup]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			behind[n.Doc] = true
		case *ast.Field:
			behind[n.Comment] = true
		case *ast.ValueSpec:
			behind[n.Comment] = true
		case *ast.TypeSpec:
			behind[n.Comment] = true
		}
		return true
	})
	for _, group := range file.Comments {
		inBody := slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && fn.Body != nil && fn.Body.Pos() < group.Pos() && group.Pos() < fn.Body.End()
		})
		for _, m := range markers.In(group) {
			other := slices.ContainsFunc(others, func(tool string) bool { return m.Is(tool) })
			if word := m.Word(); !inBody && !behind[group] && strings.HasPrefix(word, prefix) && !other && !m.Known() {
				c.reportUnknown(m, word)
			}
		}
	}
}

func (c *checker) reportUnknown(m markers.Marker, word string) {
	f := rule.Finding{Pos: m.Pos, End: m.Pos + token.Pos(len(word)+1), Sub: "unknown", Site: "unknown-marker"}
	shown, _, _ := strings.Cut(word, " ")
	advice := "remove it, or write one that it knows"
	if shown != word && (markers.Marker{Text: "+" + shown}).Known() {
		shown, advice = word, "write nothing behind "+shown
	} else if i := strings.LastIndex(word, ":"); !strings.Contains(m.Text, "=") && (markers.Marker{Text: "+" + word[:i]}).Known() {
		advice = "write an equals sign instead of the last colon"
		f.Fixes = []analysis.SuggestedFix{{
			Message:   advice,
			TextEdits: []analysis.TextEdit{{Pos: m.Pos + 1 + token.Pos(i), End: m.Pos + 2 + token.Pos(i), NewText: []byte("=")}},
		}}
	} else if meant, length := nearest(m); meant != "" && !strings.HasPrefix(m.Text[1+length:], "=false") { // which few flags take

		advice = "write " + meant
		f.Fixes = []analysis.SuggestedFix{{
			Message:   "write " + meant,
			TextEdits: []analysis.TextEdit{{Pos: m.Pos + 1, End: m.Pos + 1 + token.Pos(length), NewText: []byte(meant)}},
		}}
	}
	f.Message = fmt.Sprintf("controller-gen does not know +%s, and drops it without a word: %s", shown, advice)
	rule.Report(c.pass, f)
}

// nearest returns the word of controller-gen that is meant by the first letters of what is written, and their number: of
// the whole word, the only one that differs in case alone, else that has the same last part, else that differs in one
// letter or two; of the word without the name of an argument at its end, one that differs in letters. It is "" if there
// is none.
func nearest(m markers.Marker) (meant string, length int) {
	word := m.Word()
	if meant := near(word, true); meant != "" {
		return meant, len(word)
	}
	if base := word[:strings.LastIndex(word, ":")]; strings.Contains(m.Text, "=") && strings.Contains(base, ":") {
		return near(base, false), len(base)
	}
	return "", 0
}

// near returns the only one of controller-gen's words that is nearest to word, with the same last part if moved.
func near(word string, moved bool) string {
	lower, best := strings.ToLower(word), 4
	last := lower[strings.LastIndex(lower, ":"):]
	var same []string
	for _, known := range markers.Words() {
		other := strings.ToLower(known)
		far := 2 * spelling.Distance(lower, other)
		if far > 2 && moved && strings.HasSuffix(other, last) && !strings.Contains(lower+other, ":items:") {
			far = 1
		}
		if far < best {
			best, same = far, nil
		}
		if far == best {
			same = append(same, known)
		}
	}
	if len(same) != 1 {
		return ""
	}
	return same[0]
}

// noPlus reports what is a marker but for its plus sign in the documentation of a type or field, where it becomes part
// of the description. A line in another comment, or without space in front, does not, and is turned off on purpose.
func (c *checker) noPlus(decl markers.Decl) {
	for _, m := range markers.In(decl.Doc) {
		if with := (markers.Marker{Pos: m.Pos, Text: "+" + m.Text}); m.Spaced && strings.HasPrefix(m.Text, prefix) && with.Known() {
			rule.Report(c.pass, rule.Finding{
				Pos: m.Pos, End: m.Pos + token.Pos(len(with.Word())), Sub: "unknown", Site: "marker-without-plus",
				Message: fmt.Sprintf("without a plus sign %s is part of the description, and not in the schema: write +%[1]s, or remove it", with.Word()),
				Fixes: []analysis.SuggestedFix{{
					Message:   "add the plus sign",
					TextEdits: []analysis.TextEdit{{Pos: m.Pos, End: m.Pos, NewText: []byte("+")}},
				}},
			})
		}
	}
}
