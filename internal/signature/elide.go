package signature

import (
	"bytes"
	"slices"
)

// Elide returns src, the text of a Go file, without its comments and without the bodies of its functions, which become {}.
// What is left keeps its line and its column.
//
// A parser cannot leave bodies out, and most of what there is to parse is in them. Their end is found by matching
// braces, for which strings and comments are all that has to be understood. A declaration that does not begin a line, as
// gofmt has it, keeps its body. What is no Go comes out as something that is no Go either.
func Elide(src []byte) []byte {
	e := elider{src: src, out: make([]byte, 0, len(src)/2)}
	for e.at < len(src) {
		if e.atFunc() {
			e.function()
		} else {
			e.copyToken()
		}
	}
	return e.out
}

// special are the bytes that a literal, a comment or a block may begin or end with.
var special = [256]bool{'"': true, '\'': true, '`': true, '/': true, '(': true, ')': true, '[': true, ']': true, '{': true, '}': true}

type elider struct {
	src   []byte
	at    int // what comes next in src
	out   []byte
	depth int  // open parentheses, brackets and braces
	last  byte // the last byte that was copied and is no space; 0 before the first one
}

// atFunc reports whether the declaration of a function begins at e.at.
func (e *elider) atFunc() bool {
	if e.depth != 0 || e.src[e.at] != 'f' || e.at > 0 && e.src[e.at-1] != '\n' {
		return false
	}
	rest, ok := bytes.CutPrefix(e.src[e.at:], []byte("func"))
	if !ok || len(rest) == 0 || rest[0] != ' ' && rest[0] != '(' && rest[0] != '\t' {
		return false
	}
	switch e.last { // behind others, it is a function literal or a type
	case 0, '}', ')', ']', ';', '"', '`', '\'':
		return true
	}
	return isWord(e.last)
}

// function copies the signature of the function that is declared at e.at, and skips its body.
func (e *elider) function() {
	for range "func" {
		e.copyToken()
	}
	for e.at < len(e.src) {
		c := e.src[e.at]
		if e.depth == 0 && (c == '\n' || c == ';') { // no body
			return
		}
		if e.depth == 0 && c == '{' && !e.afterType() {
			e.copyToken()
			start := e.at
			for e.at < len(e.src) && (e.depth > 1 || e.src[e.at] != '}') {
				if special[e.src[e.at]] {
					e.token()
				} else {
					e.at++
				}
			}
			e.blank(e.src[start:e.at])
			if e.at < len(e.src) {
				e.copyToken()
			}
			return
		}
		e.copyToken()
	}
}

// afterType reports whether what was copied ends in a word that a type's braces follow.
func (e *elider) afterType() bool {
	text := bytes.TrimRight(e.out, " \t\n")
	return slices.ContainsFunc([]string{"interface", "struct"}, func(word string) bool {
		rest, ok := bytes.CutSuffix(text, []byte(word))
		return ok && (len(rest) == 0 || !isWord(rest[len(rest)-1]))
	})
}

// copyToken copies the next token, a comment as space.
func (e *elider) copyToken() {
	start := e.at
	if c := e.src[start]; !special[c] { // most are
		e.at++
		e.out = append(e.out, c)
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			e.last = c
		}
		return
	}
	comment := e.token()
	text := e.src[start:e.at]
	if comment {
		if text[1] == '/' { // nothing comes behind it whose column would matter
			e.out = bytes.TrimRight(e.out, " \t")
			return
		}
		e.blank(text)
		return
	}
	e.out = append(e.out, text...)
	if c := text[len(text)-1]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
		e.last = c
	}
}

// blank adds space that ends at the line and column where text ends.
func (e *elider) blank(text []byte) {
	for {
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			break
		}
		e.out = append(e.out, '\n')
		text = text[n+1:]
	}
	for range text {
		e.out = append(e.out, ' ')
	}
}

// token goes behind the comment or the literal in quotes that begins at e.at, or else behind one byte. It reports
// whether it was a comment.
func (e *elider) token() bool {
	rest := e.src[e.at:]
	switch c := rest[0]; c {
	case '/':
		if n := comment(rest); n > 0 {
			e.at += n
			return true
		}
	case '"', '\'':
		e.at += quoted(rest)
		return false
	case '`':
		if n := bytes.IndexByte(rest[1:], '`'); n >= 0 {
			e.at += n + 2
		} else {
			e.at = len(e.src)
		}
		return false
	case '(', '[', '{':
		e.depth++
	case ')', ']', '}':
		e.depth--
	}
	e.at++
	return false
}

// comment returns the length of the comment that text begins with, 0 if it begins with something else. The line end
// behind a line comment is not part of it.
func comment(text []byte) int {
	end := -1
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		end = bytes.IndexByte(text, '\n')
	case bytes.HasPrefix(text, []byte("/*")):
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			end = n + 4
		}
	default:
		return 0
	}
	if end < 0 {
		return len(text)
	}
	return end
}

// quoted returns the length of the string or rune that text begins with. One that is not closed ends with its line.
func quoted(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
