package markers

import (
	_ "embed"
	"slices"
	"strings"
)

// The list that `make summaries` writes.
//
//go:generate go run ./wordsgen
//go:embed words.txt
var table string

// words are those lines of the list that are no comments.
var words = slices.DeleteFunc(strings.Split(strings.TrimSpace(table), "\n"), func(l string) bool { return l[0] == '#' })

// Words returns the names of the markers that a version of controller-gen knows.
func Words() []string { return words }

// Known reports whether a version of controller-gen knows the marker. What stands between the last colon and an equals
// sign may be an argument's name. The items of lists of lists have several words items.
func (m Marker) Known() bool {
	word := m.Word()
	for strings.Contains(word, ":items:items:") {
		word = strings.Replace(word, ":items:items:", ":items:", 1)
	}
	i := strings.LastIndex(word, ":")
	return slices.Contains(words, word) || i >= 0 && strings.Contains(m.Text, "=") && slices.Contains(words, word[:i])
}
