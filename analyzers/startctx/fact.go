package startctx

import (
	"go/types"
	"strings"
)

// Lasting is the fact of a method that goes on until something that its receiver keeps is shut down, or shuts such a thing down,
// where nobody else can: the names of the fields. Fresh is one of a function that makes such an object, and keeps it to itself until
// it returns it.
type Lasting struct {
	Waits, Ends []string
	Fresh       bool
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
	return strings.Join(parts, "; ")
}

// factOf is the fact of fn; the zero fact if it has none.
func (c *checker) factOf(fn *types.Func) (f Lasting) {
	c.pass.ImportObjectFact(fn, &f)
	return f
}
