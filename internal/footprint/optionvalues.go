package footprint

import (
	"go/token"
	"go/types"
	"iter"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A point is where a value is used: at an instruction, or, if to is not nil, on the edge from its block to that one, or
// where the function end returns.
type point struct {
	in  ssa.Instruction
	to  *ssa.BasicBlock
	end *ssa.Function
}

// function returns the function of p.
func (p point) function() *ssa.Function {
	if p.end != nil {
		return p.end
	}
	return p.in.Parent()
}

// tests yields the tests that control has passed at p, the last one first.
func (p point) tests() iter.Seq2[*ssa.If, flow.Truth] {
	return func(yield func(*ssa.If, flow.Truth) bool) {
		if p.end != nil {
			return
		}
		if p.to != nil {
			if test, t := flow.EdgeTest(p.in.Block(), p.to); test != nil && !yield(test, t) {
				return
			}
		}
		for test, t := range flow.PathCondition(p.in.Block()) {
			if !yield(test, t) {
				return
			}
		}
	}
}

// reaches reports whether control may come from in to p. Nothing is known of other functions.
func reaches(in ssa.Instruction, p point) bool {
	return p.end != nil || in.Parent() != p.in.Parent() || flow.Reaches(in, p.in, nil)
}

// A branch is what is said on the way over a point.
type branch struct {
	m  Manager
	at point
}

// covers reports whether every path to p passes a point of list. In another function, it is every path through that. A
// loop over elements is taken to have one.
func covers(list []branch, p point) bool {
	in := flow.Blocks{}
	for _, b := range list {
		block := b.at.in.Block()
		for _, l := range flow.Loops(block.Parent()) {
			if l.Blocks[block] && l.OverElements() && (p.in == nil || !l.Blocks[p.in.Block()]) {
				block = l.Header
			}
		}
		in[block] = true
	}
	for _, b := range list {
		fn := b.at.function()
		if fn.Synthetic != "" && fn.Parent() == nil {
			continue // the initializer of the package
		}
		free := flow.BlocksAlong(func(from, _ *ssa.BasicBlock) bool { return !in[from] }, fn.Blocks[0])
		if p.end == nil && p.in.Parent() == fn {
			return !free[p.in.Block()] || in[p.in.Block()]
		}
		for ret := range flow.Returns(fn) {
			if free[ret.Block()] && !in[ret.Block()] {
				return false
			}
		}
	}
	return len(list) > 0
}

// latest returns those of list, of stores to one place, that no later one replaces on all paths to p.
func latest(list []branch, p point) []branch {
	return slices.DeleteFunc(slices.Clone(list), func(a branch) bool {
		return slices.ContainsFunc(list, func(b branch) bool {
			same := a.at.in != b.at.in && a.at.function() == b.at.function() && p.end == nil && p.in.Parent() == a.at.function()
			return same && flow.Dominates(a.at.in, b.at.in) && flow.Dominates(b.at.in, p.in)
		})
	})
}

// join returns what surely holds at p if one of list does; if not all, perhaps none of them does.
func (r *optionReader) join(list []branch, all bool, p point) (m Manager) {
	if len(list) == 1 && all {
		return list[0].m
	}
	byKind := map[Kind][]branch{}
	var kinds []Kind
	live := 0
	for _, b := range list {
		m.Open, m.OwnClient, m.OwnCache, m.Demands = m.Open || b.m.Open, m.OwnClient || b.m.OwnClient, m.OwnCache || b.m.OwnCache, m.Demands || b.m.Demands
		m.Untyped = m.Untyped || b.m.Untyped
		m.Unless = append(m.Unless, b.m.Unless...)
		if m.OptionsAt == "" {
			m.OptionsAt = b.m.OptionsAt
		}
		if b.m.ReadsLive {
			live++
		}
		for _, s := range b.m.Objects {
			if byKind[s.Kind] == nil {
				kinds = append(kinds, s.Kind)
			}
			byKind[s.Kind] = append(byKind[s.Kind], branch{Manager{Default: s}, b.at})
		}
		for _, e := range b.m.DisableFor {
			in := func(e2 Entry) bool { return e2.Kind == e.Kind }
			if !all || !everyOf(list, func(b branch) bool { return slices.ContainsFunc(b.m.DisableFor, in) }) {
				r.unless(&m, "the client reads "+shortKind(e.Kind)+" live", b.at, p)
			}
			if !slices.ContainsFunc(m.DisableFor, in) {
				m.DisableFor = append(m.DisableFor, e)
			}
		}
	}
	m.ReadsLive = all && live == len(list) && live > 0
	m.OwnClient = m.OwnClient || live > 0 && !m.ReadsLive
	m.Default = r.weaken(&m, list, all, "other kinds", p)
	for _, k := range kinds {
		m.Objects = append(m.Objects, r.weaken(&m, byKind[k], all && len(byKind[k]) == len(list), shortKind(k), p))
	}
	return m
}

func everyOf(list []branch, is func(branch) bool) bool {
	return !slices.ContainsFunc(list, func(b branch) bool { return !is(b) })
}

// weaken returns the scope that holds if that of one of list does, if not all perhaps none of them: the union of the
// namespaces, and what is the same in all of them. It adds the conditions of what is lost to m.
func (r *optionReader) weaken(m *Manager, list []branch, all bool, what string, p point) (s Scope) {
	same := all
	for i, b := range list {
		d := b.m.Default
		if i == 0 {
			s = d
			s.Namespaces = slices.Clone(d.Namespaces)
			continue
		}
		same = same && s.Labels == d.Labels && s.Fields == d.Fields && s.Transform == d.Transform && reflect.DeepEqual(s.Namespaces, d.Namespaces)
		all = all && len(s.Namespaces) > 0 && len(d.Namespaces) > 0
		for _, n := range d.Namespaces {
			if !slices.ContainsFunc(s.Namespaces, func(o Namespace) bool { return o.Text == n.Text }) {
				s.Namespaces = append(s.Namespaces, n)
			}
		}
	}
	if same || len(list) == 0 {
		return s
	}
	for i := range s.Namespaces {
		s.Namespaces[i].All = s.Namespaces[i].All || !all
	}
	first := list[0].m.Default
	is := func(is func(*Scope) bool) bool {
		return all && everyOf(list, func(b branch) bool { return is(&b.m.Default) })
	}
	if !is(func(o *Scope) bool { return o.Labels == first.Labels }) {
		s.Labels = ""
	}
	if !is(func(o *Scope) bool { return o.Fields == first.Fields }) {
		s.Fields = ""
	}
	s.Transform = is(func(o *Scope) bool { return o.Transform })
	for _, b := range list {
		if d := b.m.Default; d.Restricts() || d.Transform {
			r.unless(m, what+" are held in part", b.at, p)
		}
	}
	return s
}

// unless adds the condition on which what holds at at is there at p.
func (r *optionReader) unless(m *Manager, what string, at, p point) {
	text := what
	for test, t := range at.tests() {
		known := flow.Any2(p.tests(), func(o *ssa.If, ot flow.Truth) bool { return o == test && ot == t })
		if t == flow.Unknown || known || flow.TestsLoop(test.Block()) {
			continue
		}
		if condition := r.condition(test.Cond, t); condition != "" {
			text += " only if " + condition
			break
		}
	}
	if text == what {
		return // a function that is called under a condition says so itself
	}
	if !slices.Contains(m.Unless, text) {
		m.Unless = append(m.Unless, text)
	}
}

// condition returns the condition that v has the truth t, as text; "" for one on errors.
func (r *optionReader) condition(v ssa.Value, t flow.Truth) string {
	v, is := flow.StripNot(v)
	if !is {
		t = t.Not()
	}
	if _, ok := v.(*ssa.Parameter); ok {
		if may := r.alternatives(v, point{}); len(may) == 1 {
			return r.condition(may[0].v, t)
		}
	}
	not := map[flow.Truth]string{flow.True: "", flow.False: "not "}
	cmp, ok := v.(*ssa.BinOp)
	if call, is := v.(*ssa.Call); is && !call.Call.IsInvoke() && flow.Callee(&call.Call) != nil {
		var args []string
		for _, a := range call.Call.Args {
			args = append(args, r.name(a))
		}
		return flow.Callee(&call.Call).Name() + "(" + strings.Join(args, ", ") + ") is " + not[t] + "true"
	}
	if !ok {
		return r.name(v) + " is " + not[t] + "true"
	}
	x, y := flow.Unwrap(cmp.X), flow.Unwrap(cmp.Y)
	if flow.IsError(x.Type()) || flow.IsError(y.Type()) {
		return ""
	}
	if x, set := setTest(cmp, t); x != nil {
		return r.name(x) + " is " + not[set] + "set"
	}
	if is := flow.Equal(cmp, t); is != flow.Unknown {
		return r.name(x) + " is " + not[is] + r.name(y)
	}
	return r.name(x) + " " + cmp.Op.String() + " " + r.name(y) + " is " + not[t] + "true"
}

// setTest returns the value of which cmp says whether it is empty or nil, and whether it is set if cmp has the truth t.
func setTest(cmp *ssa.BinOp, t flow.Truth) (x ssa.Value, set flow.Truth) {
	x, set = flow.Unwrap(cmp.X), flow.Equal(cmp, t).Not()
	if call, ok := x.(*ssa.Call); ok && flow.Builtin(&call.Call) == "len" && flow.IsZeroInt(cmp.Y) {
		if cmp.Op == token.GTR {
			set = t
		}
		x = call.Call.Args[0]
	} else if text, ok := flow.Text(cmp.Y); !flow.IsNil(cmp.Y) && (!ok || text != "") {
		return nil, flow.Unknown
	}
	if set == flow.Unknown {
		return nil, set
	}
	return x, set
}

// An alternative is a value that another one may have come from, at a point.
type alternative struct {
	v  ssa.Value
	at point
}

// alternatives returns what v may be, one step back; nil for a value that is its own origin, or of which nothing is
// known. A zero result beside an error is none.
func (r *optionReader) alternatives(v ssa.Value, at point) (list []alternative) {
	switch x := flow.Unwrap(v).(type) {
	case *ssa.Phi:
		for i, e := range x.Edges {
			pred := x.Block().Preds[i]
			list = append(list, alternative{e, point{in: pred.Instrs[len(pred.Instrs)-1], to: x.Block()}})
		}
	case *ssa.Call, *ssa.Extract:
		call, i := flow.ResultOf(x)
		if call == nil || r.p.Callee(&call.Call) == nil {
			return nil
		}
		fn := r.p.Callee(&call.Call)
		failed := flow.ErrorResult(fn.Signature)
		for ret := range flow.Returns(fn) {
			result, _ := flow.Returned(ret, i)
			if failed < 0 || failed == i || flow.IsNil(ret.Results[failed]) || !flow.IsZero(result) {
				list = append(list, alternative{result, point{in: ret}})
			}
		}
	case *ssa.Parameter:
		for _, call := range r.p.Callers(x.Parent()) {
			if args, i := flow.AllArgs(call.Common()), flow.ParamIndex(x.Parent(), x); i < len(args) {
				list = append(list, alternative{args[i], point{in: call}})
			}
		}
	case *ssa.FreeVar:
		if bound := flow.Binding(x); bound != nil {
			list = append(list, alternative{bound, point{in: flow.ClosureSite(x.Parent())}})
		}
	case *ssa.UnOp:
		if r.flagOf(x) != nil || x.Op != token.MUL {
			return nil
		}
		return r.loaded(x)
	}
	return list
}

// loaded returns what may be stored where load reads.
func (r *optionReader) loaded(load *ssa.UnOp) (list []alternative) {
	addrs := []ssa.Value{load.X}
	switch x := load.X.(type) {
	case *ssa.FieldAddr:
		addrs = r.addresses(keyOf(x))
		if kubeapi.IsOptions(x.X.Type()) {
			if path := flow.PathOf(x); path.Known() {
				addrs = slices.DeleteFunc(slices.Clone(addrs), func(a ssa.Value) bool { return flow.PathOf(a) != path })
			}
			list = append(list, alternative{ssa.NewConst(nil, load.Type()), point{in: load}})
		}
	case *ssa.FreeVar:
		if one := flow.Resolve(load); one != ssa.Value(load) {
			return []alternative{{one, point{in: load}}}
		}
		for _, v := range values.Stored(x) {
			list = append(list, alternative{v, point{in: load}})
		}
		return list
	}
	for _, addr := range addrs {
		for _, in := range r.uses(addr) {
			if st, ok := in.(*ssa.Store); ok && st.Addr == addr && reaches(st, point{in: load}) {
				list = append(list, alternative{st.Val, point{in: st}})
			}
		}
	}
	return list
}

// keyOf returns what all addresses of a variable or field have in common: the variable, or the field of all structs.
func keyOf(addr ssa.Value) any {
	for fv, ok := addr.(*ssa.FreeVar); ok && flow.Binding(fv) != nil; fv, ok = addr.(*ssa.FreeVar) {
		addr = flow.Binding(fv)
	}
	if fa, ok := addr.(*ssa.FieldAddr); ok {
		return flow.Field(fa.X.Type(), fa.Field).Origin()
	}
	return addr
}

// addresses returns the addresses in the package of a field.
func (r *optionReader) addresses(key any) []ssa.Value {
	type all struct{}
	return program.Memo(r.p, all{}, func() map[any][]ssa.Value {
		found := map[any][]ssa.Value{}
		for fa := range flow.InstrsOf[*ssa.FieldAddr](r.p.All()...) {
			found[keyOf(fa)] = append(found[keyOf(fa)], fa)
		}
		return found
	})[key]
}

// uses returns the instructions of the package that use addr, if it is a package variable, too.
func (r *optionReader) uses(addr ssa.Value) (list []ssa.Instruction) {
	if refs := addr.Referrers(); refs != nil {
		return *refs
	}
	for in := range flow.Instrs(r.p.All()...) {
		if slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool { return *op == addr }) {
			list = append(list, in)
		}
	}
	return list
}

// flagOf returns the call that defines the flag whose value v is, nil for others.
func (r *optionReader) flagOf(v ssa.Value) *ssa.CallCommon {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	variable := flow.Resolve(load.X)
	if inner, ok := variable.(*ssa.UnOp); ok {
		if g, ok := inner.X.(*ssa.Global); ok {
			variable = flow.Initial(g)
		}
	}
	type all struct{}
	return program.Memo(r.p, all{}, func() map[any]*ssa.CallCommon {
		found := map[any]*ssa.CallCommon{}
		for call := range flow.Calls(r.p.All()...) {
			callee := kubeapi.SymbolOf(flow.Callee(call.Common()))
			args := flow.Args(call.Common())
			switch {
			case callee.Pkg != "flag" && callee.Pkg != "github.com/spf13/pflag" || len(args) < 3:
			case strings.Contains(callee.Name, "Var"):
				found[keyOf(args[0])] = call.Common()
			case call.Value() != nil:
				found[call.Value()] = call.Common()
			}
		}
		return found
	})[keyOf(variable)]
}

// external returns how people set the value of v, a flag or an environment variable: "--name" or "$NAME", and whether it
// is empty unless they do; "" for other values.
func (r *optionReader) external(v ssa.Value) (name string, empty bool) {
	if call := r.flagOf(v); call != nil {
		args := flow.Args(call)
		if _, pointer := args[0].Type().Underlying().(*types.Pointer); pointer {
			args = args[1:]
		}
		if name, ok := flow.Text(args[0]); ok {
			text, ok := flow.Text(args[len(args)-2])
			_, empty = r.external(args[len(args)-2])
			return "--" + name, empty || ok && text == "" || flow.IsEmpty(args[len(args)-2])
		}
	}
	if call, i := flow.ResultOf(v); call != nil && i == 0 {
		callee := kubeapi.SymbolOf(flow.Callee(&call.Call))
		if callee.Pkg == "os" && (callee.Name == "Getenv" || callee.Name == "LookupEnv") {
			if name, ok := kubeapi.ConstantText(call.Call.Args[0]); ok {
				return "$" + name, !kubeapi.OwnNamespace(name)
			}
			return "$" + r.name(call.Call.Args[0]), true
		}
	}
	return "", false
}

// name returns what people call v.
func (r *optionReader) name(v ssa.Value) string {
	v = flow.Unwrap(v)
	if text, ok := kubeapi.ConstantText(v); ok {
		return text
	}
	work := values.From(v)
	for v := range work.Resolved() {
		if name, _ := r.external(v); name != "" {
			return name
		}
		if _, ok := v.(*ssa.Parameter); ok {
			for _, a := range r.alternatives(v, point{}) {
				work.Add(a.v)
			}
		}
	}
	switch x := v.(type) {
	case *ssa.Const:
		return x.Name()
	case *ssa.Convert:
		return r.name(x.X)
	}
	return flow.PathOf(v).String()
}

// namespaces returns those that a name, a slice of names or a map from names may have at a point. Only names that are
// known to be empty may be all namespaces: constants, flags and environment variables, unless a test rules it out.
func (r *optionReader) namespaces(v ssa.Value, at point) (list []Namespace) {
	v = flow.Unwrap(v)
	if r.named[v] {
		return nil
	}
	r.named[v] = true
	defer delete(r.named, v)
	text, isText := kubeapi.ConstantText(v)
	name, empty := r.external(v)
	from, elements := sourceOf(v)
	switch {
	case isText:
		return []Namespace{{Text: text, All: text == ""}}
	case flow.IsEmpty(v):
		return []Namespace{{All: true}}
	case name != "":
		return []Namespace{{Text: name, All: empty && !r.demanded(v, at)}}
	case elements != nil:
		for _, e := range elements {
			list = append(list, r.namespaces(e, at)...)
		}
		return list
	case from != nil:
		list = r.namespaces(from, at)
	default:
		for _, a := range r.alternatives(v, at) {
			list = append(list, r.namespaces(a.v, a.at)...)
		}
	}
	if list == nil {
		list = []Namespace{{Text: r.name(v)}}
	}
	if r.demanded(v, at) {
		list = slices.DeleteFunc(list, func(n Namespace) bool { return n.Text == "" })
		for i := range list {
			list[i].All = false
		}
	}
	return list
}

// demanded reports whether v is not empty where control comes to a point.
func (r *optionReader) demanded(v ssa.Value, at point) bool {
	for test, t := range at.tests() {
		cond, is := flow.StripNot(test.Cond)
		if cmp, ok := cond.(*ssa.BinOp); ok && t != flow.Unknown {
			if !is {
				t = t.Not()
			}
			if x, set := setTest(cmp, t); set == flow.True && (x == v || flow.PathOf(x) == flow.PathOf(v) || r.name(x) == r.name(v)) {
				return true
			}
		}
	}
	return false
}

// sourceOf returns the text or slice that v is a part of or computed from by a function of package strings, or the
// elements of the slice v.
func sourceOf(v ssa.Value) (from ssa.Value, elements []ssa.Value) {
	if elem := elementOf(v); elem != nil {
		return elem, nil
	}
	switch x := v.(type) {
	case *ssa.Slice:
		return nil, flow.Elements(x)
	case *ssa.Call:
		if flow.Builtin(&x.Call) == "append" {
			return nil, x.Call.Args
		}
		if callee := kubeapi.SymbolOf(flow.Callee(&x.Call)); callee.Pkg == "strings" && len(x.Call.Args) > 0 {
			return x.Call.Args[0], nil
		}
	}
	return nil, nil
}

// elementOf returns the slice or map of which v is an element or a key; nil for others.
func elementOf(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp:
		if ia, ok := x.X.(*ssa.IndexAddr); ok {
			return ia.X
		}
	case *ssa.Extract:
		if next, ok := x.Tuple.(*ssa.Next); ok {
			if over, ok := next.Iter.(*ssa.Range); ok && !next.IsString {
				return over.X
			}
		}
	}
	return nil
}

// held returns what a name, a slice or a map of namespaces says.
func (r *optionReader) held(v ssa.Value, at point) (m Manager) {
	made, ok := v.(*ssa.MakeMap)
	if !ok {
		m.Default.Namespaces = tidy(r.namespaces(v, at))
		_, isText := v.Type().Underlying().(*types.Basic)
		from, elements := sourceOf(v)
		m.Open = !isText && from == nil && elements == nil && r.flagOf(v) == nil
		return m
	}
	var list []branch
	for _, up := range updates(made) {
		if reaches(up, at) {
			list = append(list, branch{r.updated(up, kubeapi.Namespaces), point{in: up}})
		}
	}
	m = r.join(list, covers(list, at), at)
	m.Default.Namespaces = tidy(m.Default.Namespaces)
	return m
}

// updates returns the assignments to a map, by the function that makes it and the literals in it.
func updates(made *ssa.MakeMap) (all []*ssa.MapUpdate) {
	for up := range flow.InstrsOf[*ssa.MapUpdate](append(flow.Literals(flow.Decl(made.Parent())), flow.Decl(made.Parent()))...) {
		if flow.Resolve(up.Map) == ssa.Value(made) {
			all = append(all, up)
		}
	}
	return all
}

// tidy returns list without the empty name, which stands for all namespaces: it marks the others then.
func tidy(list []Namespace) (out []Namespace) {
	all := slices.ContainsFunc(list, func(n Namespace) bool { return n.Text == "" })
	for _, n := range list {
		if i := slices.IndexFunc(out, func(o Namespace) bool { return o.Text == n.Text }); i >= 0 {
			out[i].All = out[i].All || n.All
		} else if n.Text != "" {
			out = append(out, Namespace{n.Text, n.All || all})
		}
	}
	return out
}

// overlay adds to m what more says.
func overlay(m *Manager, more Manager) {
	m.Open, m.OwnCache = m.Open || more.Open, m.OwnCache || more.OwnCache
	m.ReadsLive, m.OwnClient = m.ReadsLive || more.ReadsLive, m.OwnClient || more.OwnClient
	m.Untyped, m.Demands = m.Untyped || more.Untyped, m.Demands || more.Demands
	m.Unless = append(m.Unless, more.Unless...)
	if m.OptionsAt == "" {
		m.OptionsAt = more.OptionsAt
	}
	m.Default.add(more.Default)
	for _, s := range more.Objects {
		if i := slices.IndexFunc(m.Objects, func(o Scope) bool { return o.Kind == s.Kind }); i >= 0 {
			m.Objects[i].add(s)
		} else {
			m.Objects = append(m.Objects, s)
		}
	}
	for _, e := range more.DisableFor {
		if !slices.ContainsFunc(m.DisableFor, func(o Entry) bool { return o.Kind == e.Kind }) {
			m.DisableFor = append(m.DisableFor, e)
		}
	}
}

// add adds the restrictions of more to s.
func (s *Scope) add(more Scope) {
	s.Namespaces = tidy(append(slices.Clone(s.Namespaces), more.Namespaces...))
	if s.Labels == "" {
		s.Labels = more.Labels
	}
	if s.Fields == "" {
		s.Fields = more.Fields
	}
	s.Transform = s.Transform || more.Transform
}

// shortKind names a kind for people.
func shortKind(k Kind) string {
	return k.Type[strings.LastIndexAny(k.Type, "./")+1:]
}
