package finalizerorder

import (
	"go/constant"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A walk follows a function from one instruction, and asks whether it comes to a goal. Where an error is known to be there,
// it is an ordinary one, not one that says that something is gone already; and the way ends with whatever may see to it.
type walk struct {
	goal func(ssa.Instruction) bool
	stop func(ssa.Instruction) bool                 // the way ends here
	exit func(ret *ssa.Return, k *paths.State) bool // the goal is reached by leaving
	turn func(b, s *ssa.BasicBlock) bool            // whether to go from b to s where the condition is not known

	failed ssa.Value // the error that is known to be there
	lost   bool      // the next turn of a loop puts another one in its place

	of    []flow.Path // an object that is about to go: what is noted in it nobody hears. Empty where there is none
	noted bool        // the failure has been noted there
}

// from reports whether it can come to the goal from behind start, where v has the truth t.
func (w *walk) from(a *analyzer, start ssa.Instruction, v ssa.Value, t flow.Truth) bool {
	found := false
	if t == flow.False {
		w.failed = v
	}
	along := &paths.Exploration{
		Calls: a.results, Decide: w.ask, Take: w.turn,
		Visit: func(in ssa.Instruction, k *paths.State) bool {
			found = found || w.goal(in)
			if in == start && w.lost { // another turn, which succeeds
				k.Assume(v, flow.True)
				return found
			}
			return found || in == start || w.stop(in) || w.isSeenTo(in, k) // start again: another turn, about something else
		},
		Return: func(ret *ssa.Return, k *paths.State) { found = found || w.exit != nil && w.exit(ret, k) },
	}
	if !along.From(start, map[ssa.Value]flow.Truth{v: t}) {
		a.pkg.Cut("walks through a function were given up", start)
	}
	return found
}

// isLost reports whether the error err of a call in a loop is put into a variable that the next turn gives another one, and that is looked at behind
// the loop only: of all turns, the last one counts.
func isLost(call *ssa.Call, err ssa.Value) bool {
	for _, l := range flow.Loops(call.Parent()) {
		if !l.Blocks[call.Block()] || err.Referrers() == nil {
			continue
		}
		kept := false
		for _, r := range *err.Referrers() {
			phi, ok := r.(*ssa.Phi)
			if !ok || phi.Block() != l.Header {
				return false
			}
			kept = true
			for _, u := range *phi.Referrers() {
				if u != ssa.Instruction(phi) && l.Blocks[u.Block()] {
					return false
				}
			}
		}
		return kept
	}
	return false
}

// isOverwritten reports whether the error err of a call in a loop is put into a variable that the next turn, about something else, gives another one: who asks behind
// the loop hears of the last turn alone. A loop that ends with the first success tries the same again.
func isOverwritten(call *ssa.Call, err ssa.Value) bool {
	if err.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(flow.Loops(call.Parent()), func(l *flow.Loop) bool {
		return l.Blocks[call.Block()] && !leavesWhere(l, err, true) && slices.ContainsFunc(*err.Referrers(), func(r ssa.Instruction) bool {
			phi, ok := r.(*ssa.Phi)
			return ok && phi.Block() == l.Header
		})
	})
}

// leavesWhere reports whether a test in the loop l leaves it where err is nil, or where it is not.
func leavesWhere(l *flow.Loop, err ssa.Value, isNil bool) bool {
	return slices.ContainsFunc(*err.Referrers(), func(r ssa.Instruction) bool {
		bin, ok := r.(*ssa.BinOp)
		if !ok || !l.Blocks[bin.Block()] {
			return false
		}
		test := flow.Branch(bin.Block())
		_, asksNil, ok := flow.NilTest(bin)
		return ok && test != nil && test.Cond == ssa.Value(bin) && !flow.BlocksFrom(flow.Side(test, flow.TruthOf(asksNil == isNil)))[l.Header]
	})
}

// carries reports whether v may be the failure, or something made of it: an error that wraps it, a list that it is on.
func (w *walk) carries(v ssa.Value) bool {
	work := values.From(v)
	for v := range work.All() {
		if v == w.failed {
			return true
		}
		switch x := v.(type) {
		case *ssa.Slice:
			work.Add(x.X)
		case *ssa.Alloc:
			work.Add(flow.StoredIn(x)...)
		case *ssa.Call:
			if flow.Builtin(&x.Call) == "append" || !isBuiltin(x) && (isWrap(x) || isText(x)) {
				work.Add(flow.AllArgs(&x.Call)...)
			}
		default:
			work.Add(values.Sources(v)...)
		}
	}
	return false
}

// isWrap reports whether call gives an error and nothing else.
func isWrap(call *ssa.Call) bool {
	res := call.Call.Signature().Results()
	return res.Len() == 1 && flow.IsError(res.At(0).Type())
}

// isText reports whether call gives the text of an error.
func isText(call *ssa.Call) bool {
	return call.Call.IsInvoke() && call.Call.Method.Name() == "Error" && flow.IsError(call.Call.Value.Type())
}

// has reports whether v carries the failure on this way.
func (w *walk) has(v ssa.Value, k *paths.State) bool {
	return w.failed != nil && k.Value(v) == flow.False && w.carries(v)
}

// isSeenTo reports whether in hands the failure to something that may see to it; what is made of the failure is there, too.
func (w *walk) isSeenTo(in ssa.Instruction, k *paths.State) bool {
	switch in := in.(type) {
	case *ssa.Store:
		if _, local := in.Addr.(*ssa.Alloc); local {
			return false
		}
		if ix, ok := in.Addr.(*ssa.IndexAddr); ok {
			if _, ok := ix.X.(*ssa.Alloc); ok { // an argument list, or an array of its own
				return false
			}
		}
		return w.has(in.Val, k)
	case *ssa.Slice:
		if w.has(in.X, k) {
			k.Assume(in, flow.False)
		}
	case *ssa.BinOp:
		if c, ok := in.Y.(*ssa.Const); ok && in.Op == token.ADD && c.Value != nil && c.Value.Kind() == constant.Int {
			k.Assume(in, flow.False) // a count
		}
	case *ssa.MapUpdate:
		return w.has(in.Value, k)
	case *ssa.Send:
		return w.has(in.X, k)
	case *ssa.Call:
		return w.callSeesTo(in, k)
	case *ssa.Go:
		for _, arg := range in.Call.Args {
			if w.has(arg, k) {
				return true
			}
		}
	}
	return false
}

func (w *walk) callSeesTo(call *ssa.Call, k *paths.State) bool {
	given := false
	for _, arg := range flow.AllArgs(&call.Call) {
		given = given || w.has(arg, k)
	}
	if !given {
		return false
	}
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			k.Assume(call, flow.False)
		}
		return false
	}
	fn := flow.Callee(&call.Call)
	if fn == nil {
		return true
	}
	if isWrap(call) {
		k.Assume(call, flow.False)
		return false
	}
	res := call.Call.Signature().Results()
	if fn.Name() == "Error" || res.Len() == 1 && (flow.IsString(res.At(0).Type()) || flow.IsBool(res.At(0).Type())) {
		return false
	}
	if len(w.of) > 0 && notedIn(w.of, call, map[*ssa.Function]bool{}) {
		w.noted = true
		return false
	}
	return !kubeapi.Logs(fn)
}

// notedIn reports whether call is of a function that does nothing but note things in the object at objs, and log.
func notedIn(objs []flow.Path, call *ssa.Call, seen map[*ssa.Function]bool) bool {
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || len(callee.Blocks) == 0 || callee.Parent() != nil || call.Call.Signature().Results().Len() > 0 {
		return false
	}
	var there []flow.Path
	for i, arg := range call.Call.Args {
		if rootedIn(objs, arg) {
			there = append(there, flow.Path{Root: callee.Params[i]})
		}
	}
	if len(there) == 0 || seen[callee] {
		return len(there) > 0
	}
	seen[callee] = true
	for in := range flow.Instrs(callee) {
		switch in := in.(type) {
		case *ssa.Store:
			if _, local := flow.PathOf(in.Addr).Root.(*ssa.Alloc); !local && !rootedIn(there, in.Addr) {
				return false
			}
		case *ssa.MapUpdate:
			if !rootedIn(there, in.Map) {
				return false
			}
		case *ssa.Call:
			if fn := flow.Callee(&in.Call); !isQuiet(in) && !notedIn(there, in, seen) &&
				(fn == nil || !kubeapi.OfAPIMachinery(fn.Pkg())) {
				return false
			}
		case *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.Panic, *ssa.MakeClosure, *ssa.Select:
			return false
		}
	}
	return true
}

// rootedIn reports whether v is one of objs, or a part of one.
func rootedIn(objs []flow.Path, v ssa.Value) bool {
	root := flow.PathOf(v).Root
	return slices.ContainsFunc(objs, func(o flow.Path) bool { return o.Root == root })
}

// asksNoted reports whether v is made of something in one of objs but its metadata, or of what a function says of it that is not asked for finalizers.
func asksNoted(objs []flow.Path, v ssa.Value) bool {
	work := values.From(v)
	for v := range work.All() {
		if _, ok := v.(ssa.Instruction); !ok || flow.IsError(v.Type()) {
			continue
		}
		if call, ok := v.(*ssa.Call); ok {
			fn, body := flow.Callee(&call.Call), flow.StaticCallee(&call.Call)
			if fn != nil && kubeapi.GetterOf(fn) != "" {
				continue
			}
			if body != nil && len(body.Blocks) > 0 && len(body.Params) == len(call.Call.Args) {
				for i, arg := range call.Call.Args {
					if rootedIn(objs, arg) && readsBeside(body.Params[i]) {
						return true
					}
				}
				continue
			}
			if fn != nil && speaksOfFinalizers(fn.Name()) {
				continue
			}
			if slices.ContainsFunc(flow.AllArgs(&call.Call), func(arg ssa.Value) bool { return rootedIn(objs, arg) }) {
				return true
			}
		}
		switch sel := flow.PathOf(v).Sel; {
		case sel == "" || !rootedIn(objs, v):
			work.Add(values.Operands(v)...)
		case !strings.Contains(sel+".", ".ObjectMeta."):
			return true
		}
	}
	return false
}

// readsBeside reports whether its function reads something of the object p but its metadata, or hands it on.
func readsBeside(p *ssa.Parameter) bool {
	objs := []flow.Path{{Root: p}}
	for in := range flow.Instrs(p.Parent()) {
		if call, ok := in.(ssa.CallInstruction); ok {
			fn, body := flow.Callee(call.Common()), flow.StaticCallee(call.Common())
			if unseen := body == nil || len(body.Blocks) == 0; fn != nil && (kubeapi.GetterOf(fn) != "" || unseen && speaksOfFinalizers(fn.Name())) {
				continue
			}
			if slices.ContainsFunc(flow.AllArgs(call.Common()), func(a ssa.Value) bool {
				return rootedIn(objs, a) && !strings.Contains(flow.PathOf(a).Sel+".", ".ObjectMeta.")
			}) {
				return true
			}
			continue
		}
		if v, ok := in.(ssa.Value); ok {
			if sel := flow.PathOf(v).Sel; sel != "" && sel != ".ObjectMeta" && rootedIn(objs, v) && !strings.Contains(sel+".", ".ObjectMeta.") {
				return true
			}
		}
	}
	return false
}

// comesWith reports whether v is given beside the failure: it may tell what has failed.
func (w *walk) comesWith(v ssa.Value) bool {
	x, ok := flow.Resolve(v).(*ssa.Extract)
	failed, isResult := w.failed.(*ssa.Extract)
	return ok && isResult && x != failed && x.Tuple == failed.Tuple
}

// ask is what is known of a question about the failure: it is of none of the kinds that are asked for. The way ends where
// the question is a decision, not an oversight.
func (w *walk) ask(cond ssa.Value, k *paths.State) (t flow.Truth, end bool) {
	cond, is := flow.StripNot(cond)
	if w.noted && asksNoted(w.of, cond) {
		return flow.Unknown, true
	}
	switch c := cond.(type) {
	case *ssa.BinOp: // a sentinel
		if flow.IsError(c.X.Type()) && (w.has(c.X, k) || w.has(c.Y, k)) && (c.Op == token.EQL || c.Op == token.NEQ) {
			return flow.TruthOf((c.Op == token.NEQ) == is), false
		}
		if w.comesWith(c.X) || w.comesWith(c.Y) { // which failure it is
			return flow.Unknown, true
		}
	case *ssa.Extract:
		if ta, ok := c.Tuple.(*ssa.TypeAssert); ok && w.has(ta.X, k) || w.comesWith(c) {
			return flow.Unknown, true
		}
	case *ssa.Call:
		for _, arg := range flow.AllArgs(&c.Call) {
			if flow.IsError(arg.Type()) && k.Value(arg) == flow.True {
				return flow.TruthOf(!is), false // no kind of error
			}
			fn := flow.Callee(&c.Call)
			if fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "strings" && flow.IsString(arg.Type()) && w.carries(arg) {
				return flow.TruthOf(!is), false // what it says is one kind among many
			}
			if !w.has(arg, k) {
				continue
			}
			if fn != nil && (asksGone(fn.Name()) || fn.Name() == "Is" || fn.Name() == "As") { // one kind among many
				return flow.TruthOf(!is), false
			}
			return flow.Unknown, true
		}
	}
	return flow.Unknown, false
}
