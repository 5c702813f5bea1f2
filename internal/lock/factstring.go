package lock

import (
	"fmt"
	"strings"

	"github.com/ctrllint/ctrllint/internal/blocking"
)

// String is the fact in words, for tests. Parameters are p0 and so on, the receiver first.
func (f *Fact) String() string {
	text := f.Summary.String()
	if !f.Literal.empty() {
		text += " gives what " + f.Literal.String()
	}
	return strings.TrimSpace(text)
}

// String is the summary of one function in words.
func (s *Summary) String() string {
	var parts []string
	for _, a := range s.Acquired {
		parts = append(parts, "has "+a.Mode.Verb()+" "+a.spell())
	}
	for _, r := range s.Released {
		parts = append(parts, "has un"+r.Mode.Verb()+" "+r.spell())
	}
	for _, r := range s.May {
		parts = append(parts, "may have unlocked "+r.spell())
	}
	for i := range s.Acquires {
		a := &s.Acquires[i]
		how := "locks "
		if a.Mode == Read {
			how = "read-locks "
		}
		parts = append(parts, how+a.Lock.spell()+a.circumstances())
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		parts = append(parts, "waits for "+b.What+b.end()+b.circumstances())
	}
	for i := range s.Calls {
		c := &s.Calls[i]
		text := fmt.Sprintf("calls p%d", c.Param)
		for _, h := range c.Held {
			text += " with " + h.spell() + " " + h.Mode.Verb()
		}
		parts = append(parts, text+c.circumstances())
	}
	for i := range s.Slow {
		x := &s.Slow[i]
		text := "is slow in " + x.What
		if x.Over != nil {
			text += " over " + x.Over.spell()
		}
		parts = append(parts, text+x.circumstances())
	}
	if s.NoReturn {
		parts = append(parts, "does not return")
	}
	return strings.Join(parts, "; ")
}

// String lists the edges of the lock-order graph and the classes that are locked for writing.
func (f *PackageFact) String() string {
	var parts []string
	for _, e := range f.Edges {
		parts = append(parts,
			fmt.Sprintf("%s %s %s with %s %s", e.Func, e.ToMode.Verb(), e.To, e.From, e.FromMode.Verb()))
	}
	for _, w := range f.Writers {
		parts = append(parts, string(w)+" is locked for writing")
	}
	return strings.Join(parts, "; ")
}

// spell is the path of r from a parameter or package variable. It is not named String, since fmt would use it in dumps
// of summaries.
func (r Ref) spell() string {
	if r.Param < 0 && r.Global == "" {
		return "some " + string(r.Class)
	}
	if r.Param < 0 {
		return r.Global + r.Sel
	}
	return fmt.Sprintf("p%d%s", r.Param, r.Sel)
}

// circumstances are the conditions of an event and the calls that lead to it.
func (ev *Event) circumstances() string {
	var s string
	for _, d := range ev.Dropped {
		s += " without " + d.spell()
	}
	for _, g := range ev.Guards {
		op := "=="
		if g.Not {
			op = "!="
		}
		s += fmt.Sprintf(" if p%d %s %s", g.Param, op, g.Const)
	}
	var names []string
	for _, h := range ev.Hops() {
		names = append(names, h.Func)
	}
	if names != nil {
		s += " through " + strings.Join(names, ", ")
	}
	return s
}

// end is the end of a wait in words.
func (b *BlockEvent) end() string {
	var s string
	switch b.Limit {
	case blocking.Deadline:
		s = " until a deadline"
	case blocking.Parameter:
		s = " until " + b.Bound.spell()
	case blocking.Never:
		s = " forever"
	}
	for _, p := range []*Peers{b.Peers, b.Stop} {
		if p == nil {
			continue
		}
		switch {
		case p.None:
			s += ", which nothing ends"
		case p.Unknown:
			s += ", which others may end"
		default:
			s += fmt.Sprintf(", which can end in %d ways", len(p.Contexts))
		}
	}
	return s
}
