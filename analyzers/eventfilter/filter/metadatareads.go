package filter

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/values"
)

// read is one look into the annotations of an object, under a key.
type read struct {
	key string // "" where it is not a constant
	pos token.Pos
	// aside: a function of another package reads it, and nothing is decided by what that gives.
	aside bool
	fn    *ssa.Function
}

// reader finds what functions read of the annotations of the objects that they are given.
type reader struct {
	pkg  *program.Program
	fact func(*types.Func) *accessSummary
	memo map[*ssa.Function]functionReads
}

// functionReads are the reads of a function.
type functionReads struct {
	params  []paramRead // of what it is given
	objects []objectRead
}

// paramRead is a read of what a function is given as parameter param.
type paramRead struct {
	read
	param int
	// table: the parameter is the map itself, not an object.
	table bool
	// keyParam is the parameter that holds the key, or -1.
	keyParam int
}

// objectRead is a read of an object that a function has.
type objectRead struct {
	paramRead
	object ssa.Value
	inner  bool // a function of the package that takes the object's own type has the same read, and is looked at itself
}

// factRead is a read as importing packages are told of it.
type factRead struct {
	Param, KeyParam int
	Table           bool
	Key             string
}

// String is for the tests of facts. Parameters are p0 and so on, the receiver first.
func (r factRead) String() string {
	what, key := "annotation", r.Key
	if r.Table {
		what = "key"
	}
	if r.KeyParam >= 0 {
		key = param(r.KeyParam)
	}
	return what + " " + key + " of " + param(r.Param)
}

// exported is what importing packages have to know of fn, each read once and in an order that is not that of the source;
// nil for nothing. A read under a key that is not known tells them nothing.
func (r *reader) exported(fn *ssa.Function) []factRead {
	var all []factRead
	for _, rd := range r.of(fn).params {
		all = append(all, rd.fact())
	}
	slices.SortFunc(all, func(a, b factRead) int {
		return cmp.Or(cmp.Compare(a.Param, b.Param), strings.Compare(a.Key, b.Key), cmp.Compare(a.KeyParam, b.KeyParam))
	})
	return slices.Compact(all)
}

// of are the reads of annotations in fn, of what it is given and of all objects. The reads in functions that fn
// hands an object to are among them, with the place of the call.
func (r *reader) of(fn *ssa.Function) functionReads {
	if r.memo == nil {
		r.memo = map[*ssa.Function]functionReads{}
		for _, component := range r.pkg.BottomUp(leads) {
			for more := true; more; { // until the functions that call each other have no more reads
				more = false
				for _, fn := range component {
					before := len(r.memo[fn].params)
					r.memo[fn] = r.look(fn)
					more = more || len(r.memo[fn].params) != before
				}
			}
		}
	}
	return r.memo[fn]
}

// look is of with what is known of the callees until now.
func (r *reader) look(fn *ssa.Function) functionReads {
	var out functionReads
	seen := map[factRead]bool{}
	add := func(rd paramRead) {
		if f := rd.fact(); !seen[f] {
			seen[f] = true
			out.params = append(out.params, rd)
		}
	}
	for i, p := range fn.Params {
		if isStringMap(p.Type()) {
			for _, rd := range r.tableReads(p) {
				rd.param, rd.table = i, true
				add(rd)
			}
		}
	}
	for in := range flow.Instrs(fn) {
		out.objects = append(out.objects, r.objectReads(in)...)
	}
	for _, o := range out.objects {
		if i := flow.ParamIndex(fn, flow.Resolve(o.object)); i >= 0 {
			o.param = i
			add(o.paramRead)
		}
	}
	return out
}

// fact is what importing packages are told of the read.
func (rd paramRead) fact() factRead {
	return factRead{Param: rd.param, KeyParam: rd.keyParam, Table: rd.table, Key: rd.key}
}

// objectReads are the reads of the annotations that the instruction takes from an object.
func (r *reader) objectReads(in ssa.Instruction) []objectRead {
	var all []objectRead
	add := func(object, m ssa.Value) {
		for _, rd := range r.tableReads(m) {
			all = append(all, objectRead{paramRead: rd, object: object})
		}
	}
	if v, ok := in.(ssa.Value); ok {
		if field, obj := kubeapi.MetaRead(v); field == kubeapi.MetaAnnotations {
			add(obj, v)
			return all
		}
	}
	if in, ok := in.(ssa.CallInstruction); ok {
		common := in.Common()
		if flow.Callee(common) == nil {
			return nil
		}
		args := flow.AllArgs(common)
		own := r.pkg.Callee(common)
		for _, rd := range r.callee(common) {
			if rd.table || rd.param >= len(args) {
				continue
			}
			inner := own != nil && rd.keyParam < 0 && !types.IsInterface(own.Params[rd.param].Type())
			rd.pos = token.NoPos // where the object is handed over
			if rd, ok := rd.at(in, args); ok {
				rd.aside = rd.aside || own == nil && !decidesCall(in)
				all = append(all, objectRead{rd, kubeapi.MetadataOwner(args[rd.param]), inner})
			}
		}
	}
	return all
}

// at is the read rd of a function in terms of the one that calls it; not ok where the key is not known there.
func (rd paramRead) at(call ssa.CallInstruction, args []ssa.Value) (paramRead, bool) {
	fn := call.Parent()
	if k := rd.keyParam; k >= 0 && k < len(args) {
		rd.key, rd.keyParam = keyOf(args[k], fn)
		if rd.keyParam >= 0 {
			rd.pos = token.NoPos
		}
	}
	if !rd.pos.IsValid() {
		rd.pos = call.Pos()
	}
	rd.fn = fn
	return rd, rd.key != "" || rd.keyParam >= 0
}

// callee are the reads of the parameters of the function that common calls.
func (r *reader) callee(common *ssa.CallCommon) []paramRead {
	callee := flow.Callee(common)
	if fn := r.pkg.Callee(common); fn != nil {
		return r.of(fn).params
	}
	f := r.fact(callee)
	if f == nil {
		rd, ok := kubeapi.KeyReadOf(callee)
		if !ok {
			return nil
		}
		return []paramRead{{read: read{key: rd.Key}, param: rd.Param, keyParam: rd.KeyParam, table: rd.Table}}
	}
	var all []paramRead
	for _, rd := range f.Reads {
		all = append(all, paramRead{read: read{key: rd.Key}, param: rd.Param, keyParam: rd.KeyParam, table: rd.Table})
	}
	return all
}

func isStringMap(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return false
	}
	k, ok := m.Key().Underlying().(*types.Basic)
	e, ok2 := m.Elem().Underlying().(*types.Basic)
	return ok && ok2 && k.Kind() == types.String && e.Kind() == types.String
}

// tableReads are the look-ups in the map m, here and in the functions that it is handed to.
func (r *reader) tableReads(m ssa.Value) []paramRead {
	var all []paramRead
	set := entriesSet(m)
	for ref, v := range values.Uses(m) {
		if setBefore(set, ref) {
			continue // perhaps what it has put there itself
		}
		switch ref := ref.(type) {
		case *ssa.Lookup:
			if ref.X != v || !matters(ref) {
				continue
			}
			rd := paramRead{read: read{pos: ref.Pos(), fn: ref.Parent()}}
			if rd.key, rd.keyParam = keyOf(ref.Index, ref.Parent()); rd.key != "" || rd.keyParam >= 0 {
				all = append(all, rd)
			}
			for _, rd.key = range oneOf(ref.Index) {
				all = append(all, rd)
			}
		case ssa.CallInstruction:
			args := flow.AllArgs(ref.Common())
			for _, rd := range r.callee(ref.Common()) {
				if !rd.table || rd.param >= len(args) || args[rd.param] != v {
					continue
				}
				if rd, ok := rd.at(ref, args); ok {
					rd.aside = rd.aside || r.pkg.Callee(ref.Common()) == nil && !decidesCall(ref)
					all = append(all, rd)
				}
			}
		}
	}
	return all
}

// entriesSet are where entries of the map m are set under keys that are not known.
func entriesSet(m ssa.Value) (set []*ssa.MapUpdate) {
	for in, v := range values.Uses(m) {
		if up, ok := in.(*ssa.MapUpdate); ok && up.Map == v {
			if key, _ := keyOf(up.Key, up.Parent()); key == "" {
				set = append(set, up)
			}
		}
	}
	return set
}

// setBefore reports whether one of the updates may come before in.
func setBefore(set []*ssa.MapUpdate, in ssa.Instruction) bool {
	return slices.ContainsFunc(set, func(up *ssa.MapUpdate) bool {
		return up != in && up.Parent() == in.Parent() && flow.Reaches(up, in, nil)
	})
}

// keyOf is the constant that v is, or else the parameter of fn.
func keyOf(v ssa.Value, fn *ssa.Function) (key string, param int) {
	if key, ok := flow.Text(v); ok {
		return key, -1
	}
	return "", flow.ParamIndex(fn, flow.Resolve(v))
}

// oneOf are the texts of which v is one, where it is taken out of a list of constants that is written out; nil where it is not.
func oneOf(v ssa.Value) []string {
	load, ok := flow.Resolve(v).(*ssa.UnOp)
	if !ok {
		return nil
	}
	from, ok := load.X.(*ssa.IndexAddr)
	if !ok {
		return nil
	}
	return texts(from.X)
}

// texts are the elements of the list x, where that is written out and has constants only; nil where it is not.
func texts(x ssa.Value) []string {
	var all []string
	for _, e := range flow.Elements(listIn(x)) {
		text, ok := flow.Text(e)
		if !ok {
			return nil
		}
		all = append(all, text)
	}
	return all
}

// matters reports whether the result of a look-up is used for more than logs and copies into other maps.
func matters(v ssa.Value) bool {
	for in := range values.Uses(v) {
		_, copied := in.(*ssa.MapUpdate)
		if call, ok := in.(ssa.CallInstruction); !copied && (!ok || !kubeapi.Logs(flow.Callee(call.Common()))) {
			return true
		}
	}
	return false
}

// decides reports whether a condition depends on v: whether it is there, or is a certain constant.
func decides(v ssa.Value) bool {
	work := values.From(v)
	for in, v := range work.Uses() {
		switch in := in.(type) {
		case *ssa.If:
			return true
		case *ssa.BinOp:
			_, x := in.X.(*ssa.Const)
			_, y := in.Y.(*ssa.Const)
			if x || y {
				return true
			}
		case *ssa.UnOp:
			work.Add(in)
		case *ssa.Return:
			if flow.IsBool(v.Type()) {
				return true
			}
		}
	}
	return false
}

// decidesCall reports whether a condition depends on what call gives.
func decidesCall(call ssa.CallInstruction) bool {
	v, ok := call.(*ssa.Call)
	return ok && decides(v)
}

// region are the functions of this package that fn runs, as far as is known, fn first.
func region(pkg *program.Program, fn *ssa.Function) []*ssa.Function {
	return slices.Collect(pkg.Reach(reaching, fn))
}

const reaching = program.Calls | program.Spawns | program.Mentions | program.Implementations

// objects are the annotations that fns read of objects. Of those in a list none is the one that is
// reconciled.
func (r *reader) objects(fns []*ssa.Function) []objectRead {
	var all []objectRead
	for _, f := range fns {
		for _, o := range r.of(f).objects {
			if o.object != nil && !o.inner && !element(o.object) {
				all = append(all, o)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b objectRead) int { return cmp.Compare(a.pos, b.pos) })
	return all
}

// element reports whether v may be taken out of a list, or made here: it is not the object that is reconciled.
func element(v ssa.Value) bool {
	work := values.From(v)
	for v := range work.Resolved() {
		switch x := v.(type) {
		case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup:
			return true
		case *ssa.Extract:
			if _, next := x.Tuple.(*ssa.Next); next {
				return true
			}
		case *ssa.UnOp:
			if x.Op == token.MUL {
				work.Add(x.X)
			}
		case *ssa.Alloc:
			work.Add(values.Stored(x)...)
		}
	}
	return false
}

// elementOf is an element of the list at x, where none of the constants there is the key that the change is of: what is done with one of
// these is done with each.
func (ev *evaluation) elementOf(x ssa.Value) (value, bool) {
	all := texts(x)
	if len(all) == 0 || !ev.change.ofMetadata() || !strings.HasSuffix(ev.change.paths[0], "]") ||
		slices.ContainsFunc(all, func(s string) bool { return strings.HasSuffix(ev.change.paths[0], keyed("", s)) }) {
		return value{}, false
	}
	return value{kind: constValue, konst: constant.MakeString(all[0])}, true
}

// listIn is the value that the variable of a list holds for good.
func listIn(x ssa.Value) ssa.Value {
	x = flow.Resolve(x)
	load, ok := x.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return x
	}
	switch a := load.X.(type) {
	case *ssa.FreeVar:
		if b := flow.Binding(a); b != nil {
			return flow.StoredOnce(b)
		}
	case *ssa.Global:
		return flow.Initial(a)
	}
	return x
}
