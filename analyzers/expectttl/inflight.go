package expectttl

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ways"
)

// Who begins something that may be under way once sets a mark, and turns others away as long as it is there: an entry of a map of marks, a set or a sync.Map, or
// an atomic flag. The mark is a debt of the operation. One that fails, and leaves it, keeps all later ones away for ever.

// A markPlace is the field in which marks are kept.
type markPlace = *types.Var

// A marking is an instruction after which a mark is there that was not there before.
type marking struct {
	in    ssa.Instruction
	place markPlace
	side  *ssa.BasicBlock // where it is there; nil where it is so behind in
	test  *ssa.If         // that leads there; nil where side is
}

// inflight looks for operations that fail and leave their mark.
type inflight struct {
	g     *callGraph
	marks map[*ssa.Function]markPlace // methods that set a mark, and say in a bool whether it was not there before
	frees program.Answers[freeKey, bool]
}

type freeKey struct {
	fn    *ssa.Function
	place markPlace
}

// checkMarks reports the returns with which a function fails that has set a mark and takes it off on other ways.
func (g *callGraph) checkMarks() {
	f := &inflight{g: g, marks: map[*ssa.Function]markPlace{}}
	for _, fn := range g.pkg.Funcs {
		if p := f.marksFor(fn); p != nil {
			f.marks[fn] = p
		}
	}
	for _, fn := range g.pkg.All() {
		if f.marks[fn] != nil || !rule.Wanted(g.pass, fn.Pos()) {
			continue
		}
		for in := range flow.Instrs(fn) {
			if m := f.markingAt(in); m != nil {
				f.check(fn, m)
			}
		}
	}
}

// marksFor is where fn sets a mark for its callers, who are told in its only result whether it was not there before; nil where it does not.
func (f *inflight) marksFor(fn *ssa.Function) markPlace {
	results := fn.Signature.Results()
	if results.Len() != 1 || !flow.IsBool(results.At(0).Type()) {
		return nil
	}
	for in := range flow.Instrs(fn) {
		m := markSet(in)
		if m == nil {
			continue
		}
		told := true
		for ret := range flow.Returns(fn) {
			if ret.Block() == fn.Recover {
				continue
			}
			told = told && flow.TruthOf(flow.Given(ret, 0)) == flow.Settled(m.behind(ret.Block()))
		}
		if told {
			return m.place
		}
	}
	return nil
}

// behind reports whether control comes to b only where the mark is there.
func (m *marking) behind(b *ssa.BasicBlock) bool {
	if m.side != nil {
		return m.side.Dominates(b)
	}
	return m.in.Block().Dominates(b)
}

// markingAt is what in marks: itself, or in a method that says whether it has.
func (f *inflight) markingAt(in ssa.Instruction) *marking {
	if m := markSet(in); m != nil {
		return m
	}
	call, ok := in.(*ssa.Call)
	if !ok {
		return nil
	}
	place := f.marks[f.g.pkg.Callee(&call.Call)]
	if place == nil {
		return nil
	}
	return given(in, place, call, flow.Yes)
}

// markSet is the mark that in sets itself: an entry of a map of marks, or of a set, where there is none, LoadOrStore of a sync.Map with a constant, or CompareAndSwap of an atomic flag from
// its zero value.
func markSet(in ssa.Instruction) *marking {
	switch in := in.(type) {
	case *ssa.MapUpdate:
		if isMark(in.Value) {
			return entryMade(in, in.Map, in.Key)
		}
	case *ssa.Call:
		if set, name, items := onSet(&in.Call); name == "Insert" && len(items) == 1 {
			return entryMade(in, set, items[0])
		}
		place, name, args := atomically(&in.Call)
		switch {
		case place == nil, ofNew(in.Call.Args[0]): // nobody is turned away by what has just been made
		case name == "LoadOrStore" && isMark(flow.Unwrap(args[1])):
			if loaded := flow.Extracted(in, 1); loaded != nil {
				return given(in, place, loaded, flow.No)
			}
		case name == "CompareAndSwap" && isNoMark(args[0]) && isMark(args[1]):
			return given(in, place, in, flow.Yes)
		}
	}
	return nil
}

// entryMade is the marking in, which puts an entry for key into marks; nil where that may be there already, or nobody but the function has it.
func entryMade(in ssa.Instruction, marks, key ssa.Value) *marking {
	place := placeOf(marks)
	if place == nil || ofNew(flow.LoadedFrom(marks)) || !turnsAway(in.Block(), place, key) {
		return nil
	}
	return &marking{in: in, place: place}
}

// onSet is the set of apimachinery that call is for, the name of the method, and the items that it is given one by one; nil for other calls.
func onSet(call *ssa.CallCommon) (set ssa.Value, name string, items []ssa.Value) {
	fn := flow.Callee(call)
	if s := kube.SymbolOf(fn); s.Pkg != "k8s.io/apimachinery/pkg/util/sets" || s.Recv == "" {
		return nil, "", nil
	}
	args := flow.Args(call)
	if fn.Signature().Variadic() {
		args = flow.Elements(args[0])
	}
	return flow.Recv(call), fn.Name(), args
}

// given is the marking in, that happens where the bool answer has the truth t; nil where no test asks for that, or control comes there otherwise, too.
func given(in ssa.Instruction, place markPlace, answer ssa.Value, t flow.Truth) *marking {
	for _, r := range *answer.Referrers() {
		switch r := r.(type) {
		case *ssa.If:
			if side := flow.Side(r, t); flow.EntersOnlyFrom(side, r.Block()) {
				return &marking{in, place, side, r}
			}
		case *ssa.UnOp:
			if r.Op == token.NOT {
				return given(in, place, r, t.Not())
			}
		}
	}
	return nil
}

// atomically is the place of the sync.Map or the atomic flag that call is for, and what it does there: the name of the operation, without that of the type, and
// its arguments; nil for other calls.
func atomically(call *ssa.CallCommon) (place markPlace, name string, args []ssa.Value) {
	fn := flow.Callee(call)
	s := kube.SymbolOf(fn)
	if s.Pkg != "sync/atomic" && (s.Pkg != "sync" || s.Recv != "Map") || len(call.Args) == 0 {
		return nil, "", nil
	}
	name = s.Name
	for _, kind := range []string{"Int32", "Int64", "Uint32", "Uint64"} {
		name = strings.TrimSuffix(name, kind)
	}
	return addressed(call.Args[0]), name, call.Args[1:]
}

// isMark reports whether v says nothing but that something is there: true, one, or an empty struct.
func isMark(v ssa.Value) bool {
	if c, ok := v.(*ssa.Const); ok {
		if c.Value == nil {
			return flow.IsEmptyStruct(c.Type())
		}
		return c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value) || c.Value.Kind() == constant.Int && c.Value.ExactString() == "1"
	}
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && flow.IsEmptyStruct(load.Type())
}

// isNoMark reports whether v says that nothing is there: false, or zero.
func isNoMark(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && (flow.TruthOf(c) == flow.No || flow.IsZero(c))
}

// placeOf is the field that holds the map v, nil for any other.
func placeOf(v ssa.Value) markPlace {
	if fa := flow.LoadedFrom(v); fa != nil {
		return addressed(fa)
	}
	return nil
}

// addressed is the field at addr, nil for any other.
func addressed(addr ssa.Value) markPlace {
	if x, ok := addr.(*ssa.FieldAddr); ok {
		if field := flow.Field(x.X.Type(), x.Field); field != nil {
			return field.Origin()
		}
	}
	return nil
}

// turnsAway reports whether control comes to b, where place gets an entry for key, only where it has none, and leaves before else.
func turnsAway(b *ssa.BasicBlock, place markPlace, key ssa.Value) bool {
	for test, t := range flow.Decided(b) {
		cond, is := flow.Positive(test.Cond)
		if marks, of := askedFor(cond); marks != nil && placeOf(marks) == place && flow.PathOf(of) == flow.PathOf(key) && t == flow.Settled(!is) {
			return !flow.BlocksFrom(flow.Side(test, t.Not()))[b]
		}
	}
	return false
}

// askedFor is the map, or the set, that cond asks for an entry, and its key; nil for others.
func askedFor(cond ssa.Value) (marks, key ssa.Value) {
	if x, ok := cond.(*ssa.Extract); ok {
		cond = x.Tuple
	}
	switch x := cond.(type) {
	case *ssa.Lookup:
		return x.X, x.Index
	case *ssa.Call:
		if set, name, items := onSet(&x.Call); name == "Has" {
			return set, items[0]
		}
	}
	return nil, nil
}

// check reports the returns with which fn fails and leaves the mark that m sets, where fn takes it off on some other way.
func (f *inflight) check(fn *ssa.Function, m *marking) {
	frees := func(in ssa.Instruction) bool { return in != m.in && f.freesAt(in, m.place) }
	for in := range flow.Instrs(fn) {
		switch in.(type) {
		case *ssa.Defer, *ssa.Go, *ssa.MakeClosure:
			if frees(in) {
				return // it is done in any case, or by somebody else
			}
		}
	}
	from := m.in
	if m.test != nil {
		from = m.test
	}
	if !f.known(m.place) || f.othersFree(fn, m.place) {
		return
	}
	done := false // where it succeeds the mark goes, as it stands for what is under way, and not for what has been done once
	for ret := range flow.Returns(fn) {
		if !m.behind(ret.Block()) || failing(ret) {
			continue
		}
		if flow.Reaches(from, ret, frees) {
			return
		}
		done = true
	}
	if !done {
		return
	}
	for ret := range flow.Returns(fn) {
		if !failing(ret) || !m.behind(ret.Block()) || !flow.Reaches(from, ret, frees) {
			continue
		}
		rule.Report(f.g.pass, rule.Finding{
			Pos: flow.Pos(ret), Sub: "inflight", Site: "left-mark",
			Message: fmt.Sprintf("%s fails here and leaves the mark of %s that it has set at line %d, and takes off on other ways: what failed is taken to be under way for ever, and whoever tries again is turned away",
				flow.FuncName(fn), m.place.Name(), rule.Line(f.g.pass, flow.Pos(m.in))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(m.in), Message: "the mark is set here"}},
		})
		return
	}
}

// failing reports whether ret gives an error for sure.
func failing(ret *ssa.Return) bool {
	if i := flow.ErrorResult(ret.Parent().Signature); i >= 0 {
		return ways.At(flow.Given(ret, i), ret.Block()) == flow.No
	}
	return false
}

// freesAt reports whether in, or what it runs, may take a mark off at place.
func (f *inflight) freesAt(in ssa.Instruction, place markPlace) bool {
	if takesOff(in, place) {
		return true
	}
	switch in := in.(type) {
	case *ssa.MakeClosure:
		return f.leadsToFree(in.Fn.(*ssa.Function), place)
	case ssa.CallInstruction:
		if own := f.g.pkg.Callee(in.Common()); own != nil {
			return f.leadsToFree(own, place)
		}
	}
	return false
}

// leadsToFree reports whether fn, or what it leads to, takes a mark off at place.
func (f *inflight) leadsToFree(fn *ssa.Function, place markPlace) bool {
	return f.frees.Ask(freeKey{fn, place}, false, func() bool {
		for g := range f.g.pkg.Reach(program.Calls|program.Spawns|program.Mentions|program.Dispatches, fn) {
			if takesOffAny(g, place) {
				return true
			}
		}
		return false
	})
}

// ofNew reports whether addr lies in an object that its function makes.
func ofNew(addr ssa.Value) bool {
	fa, ok := addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	_, made := flow.Resolve(fa.X).(*ssa.Alloc)
	return made
}

// known reports whether all that is done to the marks at place is in sight: only this package can name it, and nobody is given the map, or its address.
func (f *inflight) known(place markPlace) bool {
	if place.Exported() || place.Pkg() != f.g.pass.Pkg {
		return false
	}
	for _, fn := range f.g.pkg.All() {
		for in := range flow.Instrs(fn) {
			if v, ok := in.(ssa.Value); ok && addressed(v) == place && !onlyUsed(v) {
				return false
			}
		}
	}
	return true
}

// onlyUsed reports whether the address addr of marks is used for nothing but to set, ask and take off marks.
func onlyUsed(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Val == addr {
				return false
			}
		case *ssa.UnOp:
			for _, use := range *r.Referrers() {
				switch use := use.(type) {
				case *ssa.DebugRef, *ssa.Lookup, *ssa.MapUpdate, *ssa.Range, *ssa.BinOp:
				case ssa.CallInstruction:
					_, builtin := use.Common().Value.(*ssa.Builtin)
					if set, _, _ := onSet(use.Common()); !builtin && (set != ssa.Value(r) || givesSet(use)) {
						return false
					}
				default:
					return false
				}
			}
		case ssa.CallInstruction:
			if at, _, _ := atomically(r.Common()); at == nil || addressed(r.Common().Args[0]) != addressed(addr) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// givesSet reports whether call, of a method of a set, gives a set that is used: it may be the same one.
func givesSet(call ssa.CallInstruction) bool {
	v := call.Value()
	return v != nil && types.Identical(v.Type(), flow.Recv(call.Common()).Type()) && flow.Used(v)
}

// othersFree reports whether somebody else than fn, and those that set such marks themselves, may take one off at place: a sweeper, a handler, or a caller.
func (f *inflight) othersFree(fn *ssa.Function, place markPlace) bool {
	sets := func(g *ssa.Function) bool {
		for in := range flow.Instrs(g) {
			if m := f.markingAt(in); m != nil && m.place == place {
				return true
			}
		}
		return false
	}
	for _, g := range f.g.pkg.All() {
		if g == fn || !takesOffAny(g, place) || sets(g) {
			continue
		}
		callers, obj := f.g.pkg.Callers(g), flow.Object(g)
		if len(callers) == 0 || obj != nil && obj.Exported() {
			return true
		}
		for _, call := range callers {
			if by := call.Parent(); by != fn && !sets(by) {
				return true
			}
		}
	}
	return false
}

// takesOffAny reports whether something in fn takes a mark off at place.
func takesOffAny(fn *ssa.Function, place markPlace) bool {
	for in := range flow.Instrs(fn) {
		if takesOff(in, place) {
			return true
		}
	}
	return false
}

// takesOff reports whether in takes a mark off at place: it deletes an entry, stores what is no mark, or makes the map anew.
func takesOff(in ssa.Instruction, place markPlace) bool {
	switch in := in.(type) {
	case *ssa.MapUpdate:
		return placeOf(in.Map) == place && isNoMark(in.Value)
	case *ssa.Store:
		return addressed(in.Addr) == place && !ofNew(in.Addr) && !atFirst(in, place)
	case ssa.CallInstruction:
		common := in.Common()
		if b, ok := common.Value.(*ssa.Builtin); ok {
			return (b.Name() == "delete" || b.Name() == "clear") && placeOf(common.Args[0]) == place
		}
		if set, name, _ := onSet(common); set != nil {
			return placeOf(set) == place && slices.Contains([]string{"Delete", "Clear", "PopAny"}, name)
		}
		if at, name, args := atomically(common); at != nil && at == place {
			switch name {
			case "Delete", "LoadAndDelete", "CompareAndDelete", "Clear", "Add", "And", "Or":
				return true
			case "Store", "Swap":
				return !isMark(flow.Unwrap(args[len(args)-1]))
			case "CompareAndSwap":
				return !isNoMark(args[0])
			}
		}
	}
	return false
}

// atFirst reports whether st gives place its first marks: no mark was there before, as it is nil, or as the function sets up a manager.
func atFirst(st *ssa.Store, place markPlace) bool {
	for test, t := range flow.Decided(st.Block()) {
		if marks, is, ok := flow.NilTest(test.Cond); ok && placeOf(marks) == place && t == flow.Settled(is) {
			return true
		}
	}
	return kube.TakesManager(st.Parent())
}

// keepsMarks reports whether pkg may keep marks: who keeps some asks and sets in one, under a lock or by an atomic operation.
func keepsMarks(pkg *types.Package) bool {
	return kube.Imports(pkg, func(path string) bool { return path == "sync" || path == "sync/atomic" })
}
