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

// Style says how text looks.
type Style struct {
	Source *source.Files // where the lines are taken from that are shown; nil for none
	Color  bool
}

// The escape sequences of a terminal, by what they are for.
const (
	bold  = "\x1b[1m"    // where a finding is
	cyan  = "\x1b[36m"   // its rule
	green = "\x1b[1;32m" // the mark below the source
	faint = "\x1b[2m"    // the places that lead there
	plain = "\x1b[0m"
)

// Text writes a line for each finding, and indented below it the line of the source, with a mark at the place, and the
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
		fmt.Fprintf(out, "%s %s %s%s\n", paint(bold, at), f.Message, paint(cyan, "("+f.Category+")"), f.inBuilds())
		if line, mark, ok := style.excerpt(f); ok {
			fmt.Fprintf(out, "\t    %s\n\t    %s\n", line, paint(green, mark))
		}
		places := func(chain []Related) {
			for _, r := range chain {
				at := fmt.Sprintf("%s:%d:%d:", r.File, r.Line, r.Column)
				fmt.Fprintf(out, "\t%s %s\n", paint(faint, at), r.Message)
			}
		}
		head, left, tail := cut(f.Related, 2*textEnd)
		places(head)
		if left > 0 {
			fmt.Fprintf(out, "\t%s\n", paint(faint, gap(left)))
		}
		places(tail)
	}
	return out.Flush()
}

// maxExcerpt is the length in bytes from which on a line is no help to anybody.
const maxExcerpt = 200

// excerpt gives the line of the source that f is in, without its indentation, and a line that marks the place in it.
func (s Style) excerpt(f Finding) (line, mark string, ok bool) {
	if s.Source == nil {
		return "", "", false
	}
	line, ok = s.Source.Line(f.File, f.Line)
	if !ok || len(line) > maxExcerpt || f.Column < 1 || f.Column > len(line) {
		return "", "", false
	}
	first, last := marked(line, f)
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
	printable := strings.Map(func(r rune) rune {
		if r != '\t' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar // a terminal may obey it
		}
		return r
	}, text)
	return printable, b.String(), true
}

// marked gives the range of bytes in line, counted from 0, that f is about: as far as f says, or else the name at its
// column, or for the parenthesis of a call what is called.
func marked(line string, f Finding) (first, last int) {
	at := f.Column - 1
	if f.EndLine == f.Line && f.EndColumn > f.Column && f.EndColumn-1 <= len(line) {
		return at, f.EndColumn - 1
	}
	if f.EndLine > f.Line {
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
