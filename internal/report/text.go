package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctrllint/ctrllint/internal/source"
)

// Style is the style of text.
type Style struct {
	Source *source.Files // of the lines to be shown; nil for none
	Color  bool
}

// The escape sequences of a terminal.
const (
	bold  = "\x1b[1m"    // the place of a finding
	cyan  = "\x1b[36m"   // the rule
	green = "\x1b[1;32m" // the mark below the source
	faint = "\x1b[2m"    // related places
	plain = "\x1b[0m"
)

// Text writes a line for each finding, and below it, indented, the line of the source with a mark at the place, and the
// related places.
func Text(w io.Writer, findings []Finding, style Style) error {
	out := bufio.NewWriter(w)
	paint := func(color, text string) string {
		if !style.Color {
			return text
		}
		return color + text + plain
	}
	for _, f := range findings {
		at := fmt.Sprintf("%s:%d:%d:", f.File, f.Line, f.Column)
		fmt.Fprintf(out, "%s %s %s%s\n", paint(bold, at), f.Message, paint(cyan, "("+f.Category+")"), f.InBuilds())
		if line, mark, ok := style.excerpt(f); ok {
			fmt.Fprintf(out, "\t    %s\n\t    %s\n", line, paint(green, mark))
		}
		places := func(chain []Related) {
			for _, r := range chain {
				at := fmt.Sprintf("%s:%d:%d:", r.File, r.Line, r.Column)
				fmt.Fprintf(out, "\t%s %s\n", paint(faint, at), r.Message)
			}
		}
		head, missing, tail := Shown(f.Related)
		places(head)
		if missing != "" {
			fmt.Fprintf(out, "\t%s\n", paint(faint, missing))
		}
		places(tail)
	}
	return out.Flush()
}

// maxExcerpt is the length in bytes of the longest line that is shown.
const maxExcerpt = 200

// excerpt returns the line of the source of f, without its indentation, and a line that marks the place in it.
func (s Style) excerpt(f Finding) (line, mark string, ok bool) {
	if s.Source == nil {
		return "", "", false
	}
	line, ok = s.Source.Line(f.File, f.Line)
	if !ok || len(line) > maxExcerpt {
		return "", "", false
	}
	first, last, ok := Marked(line, f.Place, f.EndLine, f.EndColumn)
	if !ok {
		return "", "", false
	}
	text := strings.TrimLeftFunc(line, unicode.IsSpace)
	indent := len(line) - len(text)
	if first < indent {
		return "", "", false
	}
	var b strings.Builder
	for _, r := range line[indent:first] {
		if r == '\t' {
			b.WriteByte('\t') // as wide as the one above it
		} else {
			b.WriteByte(' ')
		}
	}
	before := utf8.RuneCountInString(line[first : f.Column-1])
	after := utf8.RuneCountInString(line[f.Column-1:last]) - 1
	b.WriteString(strings.Repeat("~", before) + "^" + strings.Repeat("~", max(after, 0)))
	return Printable(text), b.String(), true
}

// Printable replaces control characters and invisible ones.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// Marked returns the range of bytes in line, from 0, that the place is about: up to an end on the same line,
// otherwise the name at its column, or the callee for the parenthesis of a call. It is false if the line has no such
// column.
func Marked(line string, at Place, endLine, endColumn int) (first, last int, ok bool) {
	if at.Column < 1 || at.Column > len(line) {
		return 0, 0, false
	}
	first, last = marked(line, at.Column-1, at.Line, endLine, endColumn)
	return first, last, true
}

func marked(line string, at, startLine, endLine, endColumn int) (first, last int) {
	if endLine == startLine && endColumn-1 > at && endColumn-1 <= len(line) {
		return at, endColumn - 1
	}
	if endLine > startLine {
		return at, len(line)
	}
	notName := func(r rune) bool { return r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if line[at] == '(' {
		return strings.LastIndexFunc(line[:at], notName) + 1, at + 1
	}
	if n := strings.IndexFunc(line[at:], notName); n > 0 {
		return at, at + n
	} else if n < 0 {
		return at, len(line)
	}
	return at, at + 1
}
