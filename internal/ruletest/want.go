package ruletest

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

const wantKeyword = "// want "

// ofPackage is the name of the object of a fact that belongs to the package. No object can be named so.
const ofPackage = "package"

// A want is one thing that a comment asks for: a finding, or a fact of an object.
type want struct {
	object  string // whose fact it is; empty for a finding
	sub     string // the category without the rule's name, and the confidence behind a slash
	text    string // the message, or the fact's String
	related []related
}

// related is a place that a finding refers to.
type related struct {
	at   string // the line, behind its file and a colon where that is another one
	text string
}

// String is w as a comment has it. Two wants are the same when their Strings are.
func (w want) String() string {
	if w.object != "" {
		return w.object + ":" + quote(w.text)
	}
	var b strings.Builder
	b.WriteString(w.sub + " " + quote(w.text))
	for _, r := range w.related {
		b.WriteString(" @" + r.at + " " + quote(r.text))
	}
	return b.String()
}

// quote is s in the quotes that leave it readable.
func quote(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// finding is d as a comment would ask for it.
func (one *analysed) finding(d analysis.Diagnostic) want {
	w := want{sub: strings.TrimPrefix(d.Category, one.rule+"/"), text: d.Message}
	if one.verdicts != nil {
		if sure := one.verdicts.Of(d.Pos, d.Message); sure != 0 {
			w.sub += "/" + sure.String()
		}
	}
	at := one.fset.Position(d.Pos)
	for _, r := range d.Related {
		p := one.fset.Position(r.Pos)
		place := strconv.Itoa(p.Line)
		if p.Filename != at.Filename {
			place = filepath.Base(p.Filename) + ":" + place
		}
		w.related = append(w.related, related{place, r.Message})
	}
	return w
}

// lineKey is a line of an example. The file is named below testdata.
type lineKey struct {
	file string
	line int
}

func (k lineKey) String() string { return fmt.Sprintf("%s:%d", k.file, k.line) }

func (one *analysed) line(dir string, pos token.Pos) lineKey {
	p := one.fset.Position(pos)
	name := p.Filename
	if rel, err := filepath.Rel(dir, name); err == nil {
		name = filepath.ToSlash(rel)
	}
	return lineKey{name, p.Line}
}

// facts returns the facts of the package's objects and of the package, as comments would ask for them, by line and
// object. Those of the package belong to the package clause of each file.
func (one *analysed) facts(dir string) map[lineKey]map[string][]want {
	all := make(map[lineKey]map[string][]want)
	add := func(k lineKey, object string, fact analysis.Fact) {
		if all[k] == nil {
			all[k] = make(map[string][]want)
		}
		all[k][object] = append(all[k][object], want{object: object, text: fmt.Sprint(fact)})
	}
	for _, f := range one.exported.Objects() {
		add(one.line(dir, f.Object.Pos()), f.Object.Name(), f.Fact)
	}
	for _, f := range one.exported.Package() {
		for _, file := range one.Files {
			add(one.line(dir, file.Package), ofPackage, f)
		}
	}
	return all
}

// wantComment is a comment that asks for something.
type wantComment struct {
	*ast.Comment
	lineKey        // the line that it is about
	delta   string // how it says that this is another line than its own
	wants   []want
	objects []string // whose facts it asks for
	from    int      // where in the comment it begins, and
	to      int      // where it ends: another comment may follow on the line
	err     error    // where it cannot be read
}

// wantComments returns those of the package.
func (one *analysed) wantComments(dir string) []wantComment {
	var all []wantComment
	for _, file := range one.Files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				if w, ok := parseWant(c.Text); ok {
					w.Comment, w.lineKey = c, one.line(dir, c.Pos())
					delta, err := strconv.Atoi(cmp.Or(w.delta, "0"))
					if err != nil && w.err == nil {
						w.err = err
					}
					w.line += delta
					all = append(all, w)
				}
			}
		}
	}
	return all
}

// parseWant reads the text of a comment; false if it asks for nothing. With an error, what could be read is there
// all the same: to write the comment anew, it is enough to know where it is and whose facts it is about.
func parseWant(text string) (w wantComment, ok bool) {
	w.from = strings.Index(text, wantKeyword)
	if w.from < 0 {
		return w, false
	}
	rest := text[w.from+len(wantKeyword):]
	fail := func(format string, args ...any) {
		if w.err == nil {
			w.err = fmt.Errorf("want comment: "+format, args...)
		}
	}
	if m := lineDelta.FindString(rest); m != "" {
		w.delta, rest = strings.TrimSpace(m), rest[len(m):]
	}
	for {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" || strings.HasPrefix(rest, "//") {
			break
		}
		word := rest[:wordEnd(rest)]
		rest = strings.TrimLeft(rest[len(word):], " \t")
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			fail("%q is followed by no quoted text", word)
			continue
		}
		rest = rest[len(quoted):]
		value, err := strconv.Unquote(quoted)
		if err != nil {
			fail("%w", err)
			continue
		}
		if err := w.add(word, value); err != nil {
			fail("%w", err)
		}
	}
	w.to = len(text) - len(rest)
	if w.wants == nil {
		fail("it asks for nothing")
	}
	return w, true
}

var (
	lineDelta = regexp.MustCompile(`^\s*[+-]\d+\s`)
	subRule   = regexp.MustCompile(`^[a-z][a-z-]*(/(certain|possible))?$`)
	placeName = regexp.MustCompile(`^@(([\w.]+\.go:)?\d+|-)$`)
)

// wordEnd returns the end of the word that rest begins with: it stands before a quoted text, with or without a space
// between.
func wordEnd(rest string) int {
	if i := strings.IndexAny(rest, " \t\"`"); i >= 0 {
		return i
	}
	return len(rest)
}

// add adds the quoted text that follows word.
func (w *wantComment) add(word, text string) error {
	if object, ok := strings.CutSuffix(word, ":"); ok && (token.IsIdentifier(object) || object == ofPackage) {
		w.wants = append(w.wants, want{object: object, text: text})
		w.objects = append(w.objects, object)
		return nil
	}
	if placeName.MatchString(word) {
		last := len(w.wants) - 1
		if last < 0 || w.wants[last].object != "" {
			return fmt.Errorf("%s belongs to no finding", word)
		}
		w.wants[last].related = append(w.wants[last].related, related{word[1:], text})
		return nil
	}
	if word == "" {
		return errors.New("a message has no sub-rule in front of it; " + UpdateWants + "=1 writes what is found")
	}
	if !subRule.MatchString(word) {
		return fmt.Errorf("%q is neither a sub-rule with its confidence, nor a place, nor the object of a fact", word)
	}
	w.wants = append(w.wants, want{sub: word, text: text})
	return nil
}
