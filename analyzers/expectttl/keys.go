package expectttl

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// use is one call of a store's method with what its arguments are made of.
type use struct {
	call  *ssa.Call
	store store
	fn    *types.Func
	role  role
	verb  string
	args  []origin
}

// origin is what an argument comes down to: the field or method that is read last, of an object of a type. The zero
// origin is not known.
type origin struct {
	typ  string // of the object that a field or a method is read of
	last string // "Name", "UID", "String()", …
}

func (o origin) String() string { return o.typ + "." + o.last }

// checkKeys reports observations that name the expectation by another field than the one that it was set under.
func (g *callGraph) checkKeys() {
	var set, seen []use
	g.eachCall(func(c ssa.CallInstruction) {
		call, ok := c.(*ssa.Call)
		if !ok {
			return
		}
		recv, r := storeCall(&call.Call)
		if recv == nil || r != expects && r != observes && r != drops {
			return
		}
		fn := flow.Callee(&call.Call)
		u := use{call: call, store: storeOf(recv), fn: fn, role: r, verb: verbOf(fn.Name(), flow.Args(&call.Call))}
		for _, a := range flow.Args(&call.Call) {
			if isKeyType(a.Type()) {
				u.args = append(u.args, originOf(a, 0))
			}
		}
		if u.store.obj == nil || len(u.args) == 0 {
			return
		}
		if r == expects {
			set = append(set, u)
		} else {
			seen = append(seen, u)
		}
	})
	for _, o := range seen {
		if !g.checkSwapped(o, set) {
			g.checkOrigins(o, set)
		}
	}
}

// checkOrigins reports o where every expectation of its store and verb has another origin at some argument.
func (g *callGraph) checkOrigins(o use, set []use) {
	var other *use
	at := -1
	for i := range set {
		e := &set[i]
		if !e.store.same(o.store) || e.verb != o.verb || len(e.args) != len(o.args) {
			continue
		}
		differs := -1
		for j := range e.args {
			if e.args[j] == (origin{}) || o.args[j] == (origin{}) {
				continue
			}
			if e.args[j].typ == o.args[j].typ && e.args[j].last != o.args[j].last {
				differs = j
			}
		}
		if differs < 0 {
			return // one that it fits
		}
		other, at = e, differs
	}
	if other == nil {
		return
	}
	g.reportKeys(o, *other, fmt.Sprintf("%s is taken back under %s (%s), and set under %s at line %d (%s): it stays expected",
		o.store.path, o.args[at], o.fn.Name(), other.args[at], rule.Line(g.pass, other.call.Pos()), other.fn.Name()))
}

// checkSwapped reports o where two of its arguments come in the order that no expectation has.
func (g *callGraph) checkSwapped(o use, set []use) bool {
	for _, e := range set {
		if !e.store.same(o.store) || len(e.args) != len(o.args) {
			continue
		}
		for i := range o.args {
			for j := i + 1; j < len(o.args); j++ {
				a, b := o.args[i], o.args[j]
				if a != (origin{}) && b != (origin{}) && a != b && e.args[i] == b && e.args[j] == a {
					g.reportKeys(o, e, fmt.Sprintf("%s of %s is given %s and %s, in the other order than %s at line %d: what is expected stays expected",
						o.fn.Name(), o.store.path, a, b, e.fn.Name(), rule.Line(g.pass, e.call.Pos())))
					return true
				}
			}
		}
	}
	return false
}

// originOf follows v back to the field or the method that it was read with.
func originOf(v ssa.Value, depth int) origin {
	v = flow.Resolve(v)
	if depth > 4 {
		return origin{}
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok {
			return fieldOrigin(v, fa.X.Type(), fa.Field)
		}
	case *ssa.Field:
		return fieldOrigin(v, v.X.Type(), v.Field)
	case *ssa.Call:
		fn := flow.Callee(&v.Call)
		recv := flow.Recv(&v.Call)
		if fn == nil || recv == nil || len(flow.Args(&v.Call)) > 0 {
			return origin{}
		}
		return origin{ownerName(recv), strings.TrimPrefix(fn.Name(), "Get")}
	}
	return origin{}
}

// fieldOrigin is the field i of a struct of type t, named by all fields on the way from the object that it lies in.
func fieldOrigin(v ssa.Value, t types.Type, i int) origin {
	f := flow.Field(t, i)
	p := flow.PathOf(v)
	if f == nil || !p.Known() || kube.Named(p.Root.Type()) == nil {
		return origin{}
	}
	last := strings.TrimPrefix(strings.TrimPrefix(p.Sel, "."), "ObjectMeta.")
	if strings.ContainsAny(last, "[") {
		last = f.Name()
	}
	return origin{flow.Named(p.Root.Type()), last}
}

func ownerName(v ssa.Value) string { return flow.Named(flow.Unwrap(v).Type()) }

func (g *callGraph) reportKeys(o, e use, message string) {
	rule.Report(g.pass, rule.Finding{
		Pos: o.call.Pos(), Sub: "keys", Message: message,
		Related: []analysis.RelatedInformation{{Pos: e.call.Pos(), Message: fmt.Sprintf("%s of %s sets it here", e.fn.Name(), e.store.path)}},
	})
}
