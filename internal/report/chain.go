package report

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// textEnd is the number of related places that text has at each end of a chain: the lock and the operation are there.
	textEnd = 20

	// MaxRelated bounds the related places of one finding in JSON and SARIF, so that the output is linear in the number of
	// findings.
	MaxRelated = 1000
)

// gap stands for n places that are left out.
func gap(n int) string { return fmt.Sprintf("… %s more calls …", thousands(n)) }

// thousands returns n with a comma between each three digits.
func thousands(n int) string {
	s := strconv.Itoa(n)
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// cut splits a chain of more than most places into its ends and the number of places between them. A gap of one place
// would not be shorter than the place.
func cut(chain []Related, most int) (head []Related, left int, tail []Related) {
	if len(chain) <= most+1 {
		return chain, 0, nil
	}
	end := most / 2
	return chain[:end], len(chain) - 2*end, chain[len(chain)-end:]
}

// Shown returns the part of a chain for people: its head and, if that is not all of it, a line for what is left out,
// and its tail.
func Shown(chain []Related) (head []Related, missing string, tail []Related) {
	head, left, tail := cut(chain, 2*textEnd)
	if left > 0 {
		missing = gap(left)
	}
	return head, missing, tail
}

// Bounded is chain with at most MaxRelated places, and one more at the first of those that are left out from the
// middle.
func Bounded(chain []Related) []Related {
	head, left, tail := cut(chain, MaxRelated)
	if left == 0 {
		return chain
	}
	out := append([]Related(nil), head...)
	out = append(out, Related{Place: chain[len(head)].Place, Message: gap(left)})
	return append(out, tail...)
}
