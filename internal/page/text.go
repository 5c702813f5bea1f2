package page

import (
	"regexp"
	"strings"
)

// width is how long a line of text gets, in letters. Code and tables keep their lines.
const width = 80

var (
	link  = regexp.MustCompile(`\[([^\]]+)\]\(([^)]+)\)`)
	code  = regexp.MustCompile("`([^`]+)`")
	bold  = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	rule  = regexp.MustCompile(`^\|[-| ]+\|$`)
	aside = regexp.MustCompile(`(?s)<!--.*?-->\n*`)
)

// Text is a page in Markdown as plain text for a terminal: code is indented, paragraphs are wrapped, and an address
// stands behind the words that link to it. It knows what the pages use: headings, paragraphs, lists, tables, fenced
// code, links, `code` and **bold**.
func Text(markdown string) string {
	var out, paragraph []string
	indent := ""
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, wrap(strings.Join(paragraph, " "), indent)...)
		}
		paragraph, indent = nil, ""
	}
	inCode := false
	for line := range strings.SplitSeq(strings.TrimSpace(aside.ReplaceAllString(markdown, "")), "\n") {
		fence := strings.HasPrefix(line, "```")
		switch {
		case inCode && !fence:
			if line != "" {
				line = "    " + line
			}
			out = append(out, strings.ReplaceAll(line, "\t", "    "))
		case fence:
			flush()
			inCode = !inCode
		case line == "":
			flush()
			if len(out) > 0 && out[len(out)-1] != "" {
				out = append(out, "")
			}
		case strings.HasPrefix(line, "#"):
			flush()
			out = append(out, strings.TrimPrefix(line, "#")) // the title of the page loses its mark
			out[len(out)-1] = strings.TrimLeft(out[len(out)-1], " ")
		case strings.HasPrefix(line, "|"):
			flush()
			if !rule.MatchString(line) {
				out = append(out, strings.TrimRight(plain(line), " "))
			}
		default:
			if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), "- "); ok {
				flush()
				indent = strings.Repeat(" ", len(line)-len(rest))
			}
			paragraph = append(paragraph, strings.TrimSpace(line))
		}
	}
	flush()
	return strings.Join(out, "\n") + "\n"
}

// plain is a line of Markdown without its marks.
func plain(line string) string {
	line = link.ReplaceAllStringFunc(line, func(l string) string {
		m := link.FindStringSubmatch(l)
		if strings.Contains(m[2], "://") {
			return m[1] + " (" + m[2] + ")"
		}
		return m[1]
	})
	return bold.ReplaceAllString(code.ReplaceAllString(line, "$1"), "$1")
}

// wrap breaks text into lines, all but the first one behind indent. An item of a list brings its own mark.
func wrap(text, indent string) []string {
	var lines []string
	line := strings.Repeat(" ", max(0, len(indent)-2))
	empty := true
	for word := range strings.FieldsSeq(plain(text)) {
		if !empty && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	return append(lines, line)
}
