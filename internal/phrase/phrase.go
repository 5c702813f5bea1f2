// Package phrase has parts of the sentences that the command says: how many there are of something, and which.
package phrase

import (
	"fmt"
	"strings"
)

// Count returns n with the word for one or for many.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// most is how many names a line has: more than a reader takes in at once are counted.
const most = 8

// Some lists the first of names, and counts the others.
func Some(names []string) string {
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
