// Package words takes identifiers apart, so that rules compare names as words and not as parts of others: a threshold
// holds nothing.
package words

import (
	"slices"
	"strings"
	"unicode"
)

// Of returns the words of a Go identifier, in lower case: of HTTPServer2 they are http and server2.
func Of(name string) []string {
	var out []string
	runes := []rune(name)
	start := 0
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && !begins(runes, i) {
			continue
		}
		if w := strings.ToLower(strings.Trim(string(runes[start:i]), "_")); w != "" {
			out = append(out, w)
		}
		start = i
	}
	return out
}

// First returns the first word of the identifier, "" where it has none.
func First(name string) string {
	if w := Of(name); len(w) > 0 {
		return w[0]
	}
	return ""
}

// begins reports whether a word begins at i: at a capital behind a small letter, at the last of several capitals
// where a small letter follows, and at an underscore.
func begins(runes []rune, i int) bool {
	switch {
	case runes[i] == '_':
		return true
	case !unicode.IsUpper(runes[i]):
		return false
	case !unicode.IsUpper(runes[i-1]):
		return true
	}
	return i+1 < len(runes) && unicode.IsLower(runes[i+1])
}

// Has reports whether name has one of these words.
func Has(name string, list ...string) bool {
	return slices.ContainsFunc(Of(name), func(w string) bool { return slices.Contains(list, w) })
}
