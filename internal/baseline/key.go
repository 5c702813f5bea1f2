package baseline

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/report"
)

// A Key says which finding is meant, in words that edits elsewhere do not change: neither its line nor its file is in
// it, so functions can move inside of their package.
type Key struct {
	Package   string `json:"package"`
	Category  string `json:"category"`           // rule/sub-rule
	Function  string `json:"function,omitempty"` // the enclosing one, where it is not one of several in the message
	Operation string `json:"operation"`          // the line of the source, or what names the message has
}

// KeyOf returns the key of f. Several findings can have the same one. The words of the message are not in it, which a
// new version may choose better: it is the code that is known, without its comments and spaces, and the names of what
// it is about, since many a finding is at a return; of a finding about several functions alike, these names alone.
// Only a finding without its code is known by what it says, without places.
func KeyOf(f report.Finding) Key {
	k := Key{Package: f.Package, Category: f.Category, Function: f.Function, Operation: operation(f.Message)}
	sorted, several := sortParts(k.Operation, f.Function)
	switch {
	case several && f.Code != "":
		k.Function, k.Operation = "", names(k.Operation, "")
	case several:
		k.Function, k.Operation = "", sorted
	case f.Code != "":
		code := tokens(f.Code)
		k.Operation = strings.TrimSpace(code + " " + names(k.Operation, code))
	}
	return k
}

// tokens returns those of a line of code, with one space where there is some between them, and without comments.
func tokens(code string) string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(code))
	s.Init(file, []byte(code), nil, 0) // what is no token of Go comes as one that is illegal
	var out strings.Builder
	end := 0
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return out.String()
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue
		}
		if text == "" {
			text = tok.String()
		}
		if at := file.Offset(pos); end > 0 && at > end {
			out.WriteByte(' ')
		}
		end = file.Offset(pos) + len(text)
		out.WriteString(text)
	}
}

// name is a name with a dot in it, as methods, fields and what packages declare have, which no word of a message has.
var name = regexp.MustCompile(`(\(\*?[\w.]+\)|\w+)(\.\w+)+`)

// names returns the names in text that code has not, sorted, each of them once.
func names(text, code string) string {
	found := slices.DeleteFunc(name.FindAllString(text, -1), func(n string) bool { return strings.Contains(code, n) })
	slices.Sort(found)
	return strings.Join(slices.Compact(found), " ")
}

// sortParts puts the parts of a message into an order that does not depend on that of the functions in the source,
// where it tells of several functions alike ("F locks B while holding A; G locks A while holding B"). Which of them
// has the finding depends on that order, too.
func sortParts(operation, function string) (string, bool) {
	sections := strings.Split(operation, ": ")
	for i, s := range sections {
		parts := strings.Split(s, "; ")
		if function != "" && len(parts) > 1 && slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, function+" ") }) {
			slices.Sort(parts)
			sections[i] = strings.Join(parts, "; ")
			return strings.Join(sections, ": "), true
		}
	}
	return "", false
}

func (k Key) compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Package, o.Package), cmp.Compare(k.Category, o.Category),
		cmp.Compare(k.Function, o.Function), cmp.Compare(k.Operation, o.Operation))
}

// Fingerprint returns a short name of the key, the same on every machine.
func (k Key) Fingerprint() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{k.Package, k.Category, k.Function, k.Operation}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Fingerprints returns findings names that are the same on every machine, and stay the same when lines move: that of
// the key, with a number where several findings have it. The zero value is not usable; make one for each run.
type Fingerprints map[Key]int

// Next returns the fingerprint of f, the next one of the run.
func (p Fingerprints) Next(f report.Finding) string {
	k := KeyOf(f)
	p[k]++
	return fmt.Sprintf("%s:%d", k.Fingerprint(), p[k])
}

// place is a reference to a place in the source, as messages have it.
var place = regexp.MustCompile(`\blines? \d+((, | and )\d+)*|[^\s()]+\.go:\d+(:\d+)?`)

// operation is message without what changes when lines are added or functions move. A parenthesis that names a place is
// left out as a whole: the rest of it is the path ("waiter.go:21, via (*registry).refresh"), and a caller that
// reorders those calls has not fixed anything.
func operation(message string) string {
	var out strings.Builder
	depth, start := 0, 0
	for i, r := range message {
		switch r {
		case '(':
			if depth == 0 {
				out.WriteString(message[start:i])
				start = i
			}
			depth++
		case ')':
			if depth--; depth == 0 {
				if group := message[start : i+1]; !place.MatchString(group) {
					out.WriteString(group)
				}
				start = i + 1
			}
			depth = max(depth, 0)
		}
	}
	out.WriteString(message[start:]) // an open parenthesis is text
	bare := place.ReplaceAllStringFunc(out.String(), func(at string) string {
		if strings.HasPrefix(at, "line") {
			return "line"
		}
		return "place"
	})
	return strings.NewReplacer(" ;", ";", " ,", ",", " :", ":").Replace(strings.Join(strings.Fields(bare), " "))
}
