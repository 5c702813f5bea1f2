package unboundedsync

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// neverMade reports the sends to a channel, and the receives, that wait for nothing else, and those who close it, where the channel lies in a field of the
// package into which nobody ever puts one: what is sent to a nil channel, or received from one, blocks forever, and who closes one panics.
func (c *checker) neverMade() {
	fields := c.fieldChans()
	for _, f := range inOrder(fields) {
		u := fields[f]
		if u.makes > 0 || u.unknown || u.taken || len(u.sends)+len(u.receives)+len(u.closes) == 0 || !c.makesOwner(f) {
			continue
		}
		waits := make([]ssa.Instruction, 0, len(u.sends))
		for _, s := range u.sends {
			waits = append(waits, s)
		}
		for _, r := range u.receives {
			if recv, ok := r.(*ssa.UnOp); ok && recv.Op == token.ARROW {
				waits = append(waits, r)
			}
		}
		for _, at := range u.closes {
			waits = append(waits, at)
		}
		for _, w := range waits {
			if c.excused(w) || !rule.Wanted(c.pass, flow.Pos(w)) {
				continue
			}
			var ch ssa.Value
			does := ""
			switch w := w.(type) {
			case *ssa.Send:
				ch, does = w.Chan, "sending to a nil channel blocks forever"
			case *ssa.UnOp:
				ch, does = w.X, "receiving from a nil channel blocks forever"
			case ssa.CallInstruction:
				ch, does = w.Common().Args[0], "closing a nil channel panics"
			}
			rule.Report(c.pass, rule.Finding{
				Pos: flow.Pos(w), Sub: "neverstops", Site: "nil-channel",
				Message: fmt.Sprintf("%s is never initialized: %s; create the channel in the constructor", flow.PathOf(ch), does),
			})
			break
		}
	}
}

// makesOwner reports whether the package makes an object that has the field f.
func (c *checker) makesOwner(f *types.Var) bool {
	return flow.Any(flow.InstrsOf[*ssa.Alloc](c.pkg.All()...), func(made *ssa.Alloc) bool {
		s, ok := made.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		return ok && flow.Any(s.Fields(), func(own *types.Var) bool { return own.Origin() == f })
	})
}

// excused reports whether a test decides about in: it may ask whether the channel is there, or for what only tests set. One that keeps a function from doing
// the same twice lets it come to in once.
func (c *checker) excused(in ssa.Instruction) bool {
	return flow.Any2(flow.PathCondition(in.Block()), func(test *ssa.If, t flow.Truth) bool { return !c.firstTime(test, t) })
}

// firstTime reports whether test, where it comes out as t, has found that a flag of the object is not set, which its function alone sets, and only behind
// the test: that is so the first time.
func (c *checker) firstTime(test *ssa.If, t flow.Truth) bool {
	cond, is := flow.StripNot(test.Cond)
	load, ok := cond.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || t != flow.TruthOf(!is) {
		return false
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	flag := flow.Field(fa.X.Type(), fa.Field)
	if flag == nil || flag.Exported() || flag.Pkg() != c.pass.Pkg {
		return false
	}
	sets := false
	for _, fn := range c.pkg.All() {
		for other := range flow.InstrsOf[*ssa.FieldAddr](fn) {
			if flow.Field(other.X.Type(), other.Field) != flag {
				continue
			}
			for _, r := range *other.Referrers() {
				switch r := r.(type) {
				case *ssa.UnOp:
				case *ssa.Store:
					if r.Addr != ssa.Value(other) || fn != test.Parent() || !flow.Dominates(test, r) {
						return false
					}
					sets = true
				default:
					return false
				}
			}
		}
	}
	return sets
}
