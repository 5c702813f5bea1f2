package writer

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Width is the longest line of prose, in characters.
const Width = 120

var item = regexp.MustCompile(`^\s*([-*]|\d+\.)\s+`)

// Fill breaks the paragraphs and list items of a text in Markdown into lines of at most Width. Code, tables, headings
// and HTML stay as they are, and so does a word that is longer by itself.
func Fill(markdown string) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, fillParagraph(paragraph)...)
			paragraph = nil
		}
	}
	fenced := false
	for line := range strings.SplitSeq(markdown, "\n") {
		fence := strings.HasPrefix(line, "```")
		indented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
		switch {
		case fence:
			flush()
			fenced = !fenced
			out = append(out, line)
		case fenced, indented && len(paragraph) == 0:
			out = append(out, line)
		case line == "" || strings.ContainsAny(line[:1], "#|<!["):
			flush()
			out = append(out, line)
		default:
			if item.MatchString(line) {
				flush()
			}
			paragraph = append(paragraph, line)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// fillParagraph is one paragraph or list item in lines of at most Width, all but its first line behind the
// indentation of its text.
func fillParagraph(lines []string) (out []string) {
	mark := item.FindString(lines[0])
	indent := strings.Repeat(" ", len(mark))
	if mark == "" {
		indent = lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " "))]
	}
	line, text := mark, strings.Join(lines, " ")[len(mark):]
	if mark == "" {
		line = indent
	}
	empty := true
	for _, word := range strings.Fields(text) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > Width {
			out = append(out, line)
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	return append(out, line)
}
