package report

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// textEnd is the number of related places that are printed at each end of a chain. Nobody reads more at a terminal, and
	// what matters stands at the ends: the lock, and the operation.
	textEnd = 20

	// MaxRelated is the number of related places of one finding in JSON and SARIF. Programs get chains whole up to here;
	// the output is kept linear in the number of findings by it, where each could have a chain through the whole program.
	MaxRelated = 1000
)

// gap stands for n places that are left out.
func gap(n int) string { return fmt.Sprintf("… %s more calls …", thousands(n)) }

// thousands is n with a comma between each three digits.
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

// cut gives both ends of a chain that has more than most places, and the number of those between them. A gap of one place
// would be no shorter than the place.
func cut(chain []Related, most int) (head []Related, left int, tail []Related) {
	if len(chain) <= most+1 {
		return chain, 0, nil
	}
	end := most / 2
	return chain[:end], len(chain) - 2*end, chain[len(chain)-end:]
}

// Shown is what people get to see of a chain: its head and, where that is not all of it, a line that stands for what is left
// out, and its tail.
func Shown(chain []Related) (head []Related, missing string, tail []Related) {
	head, left, tail := cut(chain, 2*textEnd)
	if left > 0 {
		missing = gap(left)
	}
	return head, missing, tail
}

// Bounded is chain with no more than MaxRelated places and one for those that are left out from the middle, at the first
// of them.
func Bounded(chain []Related) []Related {
	head, left, tail := cut(chain, MaxRelated)
	if left == 0 {
		return chain
	}
	out := append([]Related(nil), head...)
	out = append(out, Related{Place: chain[len(head)].Place, Message: gap(left)})
	return append(out, tail...)
}
