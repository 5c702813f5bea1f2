package startctx

import (
	"fmt"
	"go/types"
	"strings"
)

// Lasting is the fact of a method that goes on until something that its receiver keeps is shut down, or shuts such a thing down,
// where nobody else can: the names of the fields. Fresh is one of a function that makes such an object, and keeps it to itself until
// it returns it. Queues are the parameters of a function of which it does nothing but call methods, and does not shut them down.
// Closes is about the channels that it returns.
type Lasting struct {
	Waits, Ends []string
	Fresh       bool
	Queues      []lentQueue
	Closes      Closes
}

// A lentQueue is a parameter of a function, the receiver is the first, for a queue; whether the function goes on until that is shut down, or tells by its only
// result whether it is not.
type lentQueue struct {
	Param        int
	Waits, Tells bool
}

// AFact marks Lasting as a fact.
func (*Lasting) AFact() {}

// String is for the tests of facts.
func (l *Lasting) String() string {
	var parts []string
	if l.Waits != nil {
		parts = append(parts, "goes on until "+strings.Join(l.Waits, ", ")+" is shut down")
	}
	if l.Ends != nil {
		parts = append(parts, "shuts down "+strings.Join(l.Ends, ", "))
	}
	if l.Fresh {
		parts = append(parts, "makes a new one")
	}
	for _, q := range l.Queues {
		text := fmt.Sprintf("p%d is lent", q.Param)
		if q.Waits {
			text += " until it is shut down"
		}
		if q.Tells {
			text += ", and it tells whether it is not shut down"
		}
		parts = append(parts, text)
	}
	if l.Closes.Results != nil {
		parts = append(parts, fmt.Sprintf("closes: %v", l.Closes.Results))
	}
	return strings.Join(parts, "; ")
}

// factOf is the fact of fn; the zero fact if it has none.
func (c *checker) factOf(fn *types.Func) (f Lasting) {
	c.pass.ImportObjectFact(fn, &f)
	return f
}
