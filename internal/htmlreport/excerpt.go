package htmlreport

import (
	"bytes"
	"cmp"
	"go/scanner"
	"go/token"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctrllint/ctrllint/internal/report"
	"github.com/ctrllint/ctrllint/internal/source"
)

const (
	// around is the number of lines that are shown before and behind a place.
	around = 3

	// longest is the number of bytes of a line that are shown. Only what a program writes is longer.
	longest = 400

	// mostLines is the number of lines of a finding that are shown, where it has an end of its own.
	mostLines = 12
)

// excerpt is a part of a file.
type excerpt struct {
	File  string
	Lines []line

	// Missing are the places of a file that cannot be read, or has no such lines any more.
	Missing []hop

	first, last int
	marks       []mark
}

// line is one line of an excerpt.
type line struct {
	Number   int
	Finding  bool // the finding is here
	Hit      bool // a place of the chain is here
	Segments []segment
	Notes    []hop
}

// segment is a part of a line that looks the same.
type segment struct {
	Class string // of the text in Go: "k" a keyword, "s" a string, "c" a comment, "n" a number, or nothing
	Text  string
	Mark  bool // the place
}

// mark is a place in the source. The zero hop is that of the finding itself.
type mark struct {
	place              report.Place
	endLine, endColumn int
	hop                hop
}

func (m mark) ofFinding() bool { return m.hop.Number == 0 }

// sources reads files, each once.
type sources struct {
	files *source.Files
	read  map[string]*text
}

// text is a file by lines.
type text struct {
	data  []byte
	lines []string
	spans [][]span // of each line
}

// span is a range of bytes of a line with its class.
type span struct {
	first, last int
	class       string
}

// of returns the text of the file with that name; nil if it cannot be read.
func (s *sources) of(name string) *text {
	if t, ok := s.read[name]; ok {
		return t
	}
	if s.read == nil {
		s.read = make(map[string]*text)
	}
	data, err := os.ReadFile(s.files.Path(name))
	if err != nil {
		s.read[name] = nil
		return nil
	}
	t := &text{data: data}
	clean := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	t.lines = strings.Split(string(clean), "\n")
	t.colour(clean)
	s.read[name] = t
	return t
}

// colour finds the spans by Go's own scanner, which takes any text.
func (t *text) colour(src []byte) {
	t.spans = make([][]span, len(t.lines))
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		class := ""
		switch {
		case tok == token.EOF:
			return
		case tok == token.COMMENT:
			class = "c"
		case tok == token.STRING, tok == token.CHAR:
			class = "s"
		case tok == token.INT, tok == token.FLOAT, tok == token.IMAG:
			class = "n"
		case tok.IsKeyword():
			class = "k"
		default:
			continue
		}
		at := file.Position(pos)
		n, column := at.Line-1, at.Column-1
		if at.Line > len(t.lines) { // behind a line directive
			continue
		}
		for part := range strings.SplitSeq(lit, "\n") {
			if n >= len(t.lines) {
				break
			}
			t.spans[n] = append(t.spans[n], span{column, column + len(part), class})
			n, column = n+1, 0
		}
	}
}

// excerpts returns the parts of files around places, in the order of the first place in each. What overlaps is one.
func (s *sources) excerpts(places []mark) []excerpt {
	var out []excerpt
	for _, m := range places {
		last := m.place.Line
		if m.endLine > last {
			last = min(m.endLine, last+mostLines)
		}
		e := excerpt{File: m.place.File, first: max(m.place.Line-around, 1), last: last + around, marks: []mark{m}}
		// It can close the gap between two that are there already.
		for i := 0; i < len(out); {
			o := out[i]
			if o.File != e.File || o.first > e.last+1 || e.first > o.last+1 {
				i++
				continue
			}
			e = excerpt{File: e.File, first: min(o.first, e.first), last: max(o.last, e.last), marks: append(o.marks, e.marks...)}
			out = slices.Delete(out, i, i+1)
		}
		out = append(out, e)
	}
	order := func(e excerpt) int {
		first := e.marks[0].hop.Number
		for _, m := range e.marks {
			first = min(first, m.hop.Number)
		}
		return first
	}
	slices.SortStableFunc(out, func(a, b excerpt) int { return cmp.Compare(order(a), order(b)) })
	for i := range out {
		s.fill(&out[i])
	}
	return out
}

// fill returns e its lines, or says which places have none.
func (s *sources) fill(e *excerpt) {
	t := s.of(e.File)
	slices.SortStableFunc(e.marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(a.place.Line, b.place.Line), cmp.Compare(a.hop.Number, b.hop.Number))
	})
	if t != nil {
		for n := e.first; n <= min(e.last, len(t.lines)); n++ {
			e.Lines = append(e.Lines, t.line(n, e.marks))
		}
		// What stands behind the last line end is no line.
		if k := len(e.Lines); k > 0 && e.Lines[k-1].Number == len(t.lines) && t.lines[len(t.lines)-1] == "" && !e.Lines[k-1].Finding && e.Lines[k-1].Notes == nil {
			e.Lines = e.Lines[:k-1]
		}
	}
	for _, m := range e.marks {
		if t == nil || m.place.Line < 1 || m.place.Line > len(t.lines) {
			h := m.hop
			h.Place = placeText(m.place)
			e.Missing = append(e.Missing, h)
		}
	}
}

// line is line n with those of marks that are in it.
func (t *text) line(n int, marks []mark) line {
	text, cut := t.lines[n-1], false
	if len(text) > longest {
		end := longest
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text, cut = text[:end], true
	}
	l := line{Number: n}
	var ranges []span
	for _, m := range marks {
		if m.place.Line != n {
			continue
		}
		if m.ofFinding() {
			l.Finding = true
		} else {
			l.Hit = true
			l.Notes = append(l.Notes, m.hop)
		}
		if first, last, ok := report.Marked(text, m.place, m.endLine, m.endColumn); ok {
			ranges = append(ranges, span{first: first, last: end(text, first, min(last, len(text)))})
		}
	}
	l.Segments = segments(text, t.spans[n-1], ranges)
	if cut {
		l.Segments = append(l.Segments, segment{Class: "c", Text: " …"})
	}
	return l
}

// end returns where a mark from first to last ends for readers who see colours: what is called is marked without
// the parenthesis, and an operator of two characters as a whole.
func end(text string, first, last int) int {
	switch {
	case last > first+1 && last <= len(text) && text[last-1] == '(':
		return last - 1
	case last == first+1 && last < len(text) && slices.Contains([]string{"!=", "==", "<-", "&&", "||", ":=", "<=", ">=", "+=", "-="}, text[first:last+1]):
		return last + 1
	}
	return last
}

// segments cuts text where a span or a mark begins or ends.
func segments(text string, spans, marks []span) []segment {
	cuts := []int{0, len(text)}
	for _, s := range slices.Concat(spans, marks) {
		for _, at := range []int{s.first, s.last} {
			if 0 < at && at < len(text) {
				cuts = append(cuts, at)
			}
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	in := func(list []span, at int) (span, bool) {
		for _, s := range list {
			if s.first <= at && at < s.last {
				return s, true
			}
		}
		return span{}, false
	}
	var out []segment
	for i := 1; i < len(cuts); i++ {
		s, _ := in(spans, cuts[i-1])
		_, marked := in(marks, cuts[i-1])
		out = append(out, segment{s.class, text[cuts[i-1]:cuts[i]], marked})
	}
	return out
}
