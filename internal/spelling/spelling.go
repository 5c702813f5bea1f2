// Package spelling finds the names that a user meant by a misspelt one.
package spelling

import (
	"slices"
	"strings"
)

// separators stand between the name of a rule and what is its own: lockheld/relock is a sub-rule, lockheld.slow a flag.
const separators = "/."

// Meant returns those of names that are nearest to written, in their order: none if all are far, several where they
// are equally near. Capital letters count as small ones. A name with a rule in front, as lockheld/relock, may be
// written without it; where both have the same one, it says nothing of what is meant, and only what stands behind it
// is compared.
func Meant(written string, names []string) []string {
	if written = strings.ToLower(written); written == "" {
		return nil
	}
	best := 0
	var out []string
	consider := func(name, written, as string) {
		switch d := Distance(written, strings.ToLower(as)); {
		case d > wrong(written):
		case out == nil || d < best:
			best, out = d, []string{name}
		case d == best && !slices.Contains(out, name):
			out = append(out, name)
		}
	}
	for _, name := range names {
		at := strings.IndexAny(name, separators) + 1
		rest, same := strings.CutPrefix(written, strings.ToLower(name[:at]))
		switch {
		case at > 0 && same:
			consider(name, rest, name[at:])
		case at > 0 && !strings.ContainsAny(written, separators):
			consider(name, written, name)
			consider(name, written, name[at:])
		default:
			consider(name, written, name)
		}
	}
	return out
}

// DidYouMean asks for the names that [Meant] gives, as "did you mean a or b?". It is empty if there are none.
func DidYouMean(written string, names []string) string {
	meant := Meant(written, names)
	if len(meant) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(meant, " or ") + "?"
}

// wrong returns how many letters are wrong in what is written so.
func wrong(written string) int { return min(max(1, len(written)/3), 3) }

// Distance returns the number of letters to put in, to take out, to change, or to swap with the next one, that makes
// b of a, after Damerau and Levenshtein.
func Distance(a, b string) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
