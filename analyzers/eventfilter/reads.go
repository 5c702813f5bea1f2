package eventfilter

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/program"
)

// read is one look into the annotations or labels of an object, under a key.
type read struct {
	labels bool
	key    string // "" where it is not a constant
	pos    token.Pos
	// decides: a condition depends on it.
	decides bool
	fn      *ssa.Function
}

// reader finds what functions read of the metadata of the objects that they are given.
type reader struct {
	pkg  *program.Program
	fact func(*types.Func) *readFact
	memo map[*ssa.Function][]paramRead
	// objects are the results of objectReads.
	objects map[*ssa.Function][]objectRead
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

// readFact is the fact of a function: what it reads of its parameters.
type readFact struct{ Reads []factRead }

type factRead struct {
	Param, KeyParam        int
	Labels, Table, Decides bool
	Key                    string
}

func (*readFact) AFact() {}

// String is for the tests of facts. Parameters are p0 and so on, the receiver first.
func (f *readFact) String() string {
	var s []string
	for _, r := range f.Reads {
		what := "annotation"
		if r.Labels {
			what = "label"
		}
		if r.Table {
			what = "key"
		}
		key := r.Key
		switch {
		case r.KeyParam < 0 && key == "":
			key = "?"
		case r.KeyParam >= 0:
			key = fmt.Sprintf("p%d", r.KeyParam)
		}
		text := fmt.Sprintf("%s %s of p%d", what, key, r.Param)
		if r.Decides {
			text += ", which decides"
		}
		s = append(s, text)
	}
	return "reads " + strings.Join(s, "; ")
}

const maxFactReads = 24

// summary are the reads of fn's parameters, its own and its callees'.
func (r *reader) summary(fn *ssa.Function) []paramRead {
	if s, ok := r.memo[fn]; ok {
		return s // nil for a call cycle
	}
	r.memo[fn] = nil
	var all []paramRead
	for i, p := range fn.Params {
		if isStringMap(p.Type()) {
			for _, rd := range r.tableReads(p, 0) {
				rd.param, rd.table = i, true
				all = append(all, rd)
			}
		}
	}
	for _, f := range r.objectReads(fn) {
		if p, ok := flow.Resolve(f.object).(*ssa.Parameter); ok {
			for i, q := range fn.Params {
				if q == p {
					f.param = i
					all = append(all, f.paramRead)
				}
			}
		}
	}
	if len(all) > maxFactReads {
		all = all[:maxFactReads]
	}
	r.memo[fn] = all
	return all
}

// objectRead is a read of an object that fn has.
type objectRead struct {
	paramRead
	object ssa.Value
}

// objectReads are the reads of annotations and labels in fn, with the objects that they are of. The reads in functions
// that fn hands an object to as an interface are among them, with the place of the call; those of functions of this
// package that take the object's own type are not, as they are looked at themselves.
func (r *reader) objectReads(fn *ssa.Function) []objectRead {
	if all, ok := r.objects[fn]; ok {
		return all
	}
	r.objects[fn] = nil
	var all []objectRead
	add := func(object ssa.Value, labels bool, m ssa.Value) {
		for _, rd := range r.tableReads(m, 0) {
			rd.labels = labels
			if rd.fn == nil {
				rd.fn = fn
			}
			all = append(all, objectRead{rd, object})
		}
	}
	for in := range flow.Instrs(fn) {
		switch in := in.(type) {
		case *ssa.UnOp:
			fa, ok := in.X.(*ssa.FieldAddr)
			if !ok || in.Op != token.MUL {
				continue
			}
			if labels, object := metadataMap(fa); object != nil {
				add(object, labels, in)
			}
		case ssa.CallInstruction:
			common := in.Common()
			callee := flow.Callee(common)
			if callee == nil {
				continue
			}
			args := flow.AllArgs(common)
			if name := callee.Name(); (name == "GetAnnotations" || name == "GetLabels") && len(args) == 1 {
				if v, ok := in.(*ssa.Call); ok {
					add(kube.MetadataOwner(args[0]), name == "GetLabels", v)
				}
				continue
			}
			for _, rd := range r.callee(common) {
				if rd.table || rd.param >= len(args) {
					continue
				}
				if static := flow.StaticCallee(common); static != nil && static.Pkg == fn.Pkg && !types.IsInterface(static.Params[rd.param].Type()) {
					continue
				}
				if k := rd.keyParam; k >= 0 && k < len(args) {
					rd.key, rd.keyParam = keyOf(args[k], fn)
				}
				rd.pos, rd.fn = in.Pos(), fn
				all = append(all, objectRead{rd, kube.MetadataOwner(args[rd.param])})
			}
		}
	}
	r.objects[fn] = all
	return all
}

// callee are the reads of the parameters of the function that common calls.
func (r *reader) callee(common *ssa.CallCommon) []paramRead {
	callee := flow.Callee(common)
	if fn := flow.StaticCallee(common); fn != nil && fn.Pkg == r.pkg.Package {
		return r.summary(fn)
	}
	f := r.fact(callee)
	if f == nil {
		return knownReads[kube.SymbolOf(callee)]
	}
	var all []paramRead
	for _, rd := range f.Reads {
		all = append(all, paramRead{read: read{labels: rd.Labels, key: rd.Key, decides: rd.Decides}, param: rd.Param, keyParam: rd.KeyParam, table: rd.Table})
	}
	return all
}

// knownReads are functions of libraries that read annotations or labels of their arguments.
var knownReads = map[kube.Symbol][]paramRead{
	{Pkg: "sigs.k8s.io/cluster-api/util/annotations", Name: "IsPaused"}:        {{read: read{key: "cluster.x-k8s.io/paused", decides: true}, param: 1, keyParam: -1}},
	{Pkg: "sigs.k8s.io/cluster-api/util/annotations", Name: "HasPaused"}:       {{read: read{key: "cluster.x-k8s.io/paused", decides: true}, param: 0, keyParam: -1}},
	{Pkg: kube.MetaV1, Name: "HasAnnotation"}:                                  {{read: read{decides: true}, param: 0, keyParam: 1}},
	{Pkg: kube.MetaV1, Name: "HasLabel"}:                                       {{read: read{decides: true, labels: true}, param: 0, keyParam: 1}},
	{Pkg: "github.com/fluxcd/pkg/apis/meta", Name: "ReconcileAnnotationValue"}: {{read: read{key: "reconcile.fluxcd.io/requestedAt", decides: true}, param: 0, keyParam: -1, table: true}},
	{Pkg: "k8s.io/apimachinery/pkg/labels", Recv: "Set", Name: "Get"}:          {{param: 0, keyParam: 1, table: true}},
	{Pkg: "k8s.io/apimachinery/pkg/labels", Recv: "Set", Name: "Has"}:          {{read: read{decides: true}, param: 0, keyParam: 1, table: true}},
}

// metadataMap reports whether fa is the address of the annotations or labels of an object, and which object.
func metadataMap(fa *ssa.FieldAddr) (labels bool, object ssa.Value) {
	f := kube.MetadataField(fa)
	if f != "Annotations" && f != "Labels" {
		return false, nil
	}
	return f == "Labels", kube.MetadataOwner(fa.X)
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
func (r *reader) tableReads(m ssa.Value, depth int) []paramRead {
	if depth > 4 || m.Referrers() == nil {
		return nil
	}
	var all []paramRead
	for _, ref := range *m.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Lookup:
			if ref.X != m || !matters(ref, 0) {
				continue
			}
			rd := paramRead{read: read{pos: ref.Pos(), decides: decides(ref, 0), fn: ref.Parent()}}
			rd.key, rd.keyParam = keyOf(ref.Index, ref.Parent())
			all = append(all, rd)
		case *ssa.ChangeType:
			all = append(all, r.tableReads(ref, depth+1)...)
		case *ssa.Phi:
			all = append(all, r.tableReads(ref, depth+2)...)
		case *ssa.Store:
			if alloc, ok := ref.Addr.(*ssa.Alloc); ok && ref.Val == m && storedOnce(alloc) == m {
				for _, l := range *alloc.Referrers() {
					if load, ok := l.(*ssa.UnOp); ok {
						all = append(all, r.tableReads(load, depth+1)...)
					}
				}
			}
		case ssa.CallInstruction:
			common := ref.Common()
			args := flow.AllArgs(common)
			if flow.Callee(common) == nil {
				continue
			}
			for _, rd := range r.callee(common) {
				if !rd.table || rd.param >= len(args) || flow.Unwrap(args[rd.param]) != m {
					continue
				}
				if k := rd.keyParam; k >= 0 && k < len(args) {
					rd.key, rd.keyParam = keyOf(args[k], ref.Parent())
					if rd.keyParam >= 0 || rd.key == "" {
						rd.pos = ref.Pos()
					}
				}
				if !rd.pos.IsValid() {
					rd.pos = ref.Pos()
				}
				rd.fn = ref.Parent()
				all = append(all, rd)
			}
		}
	}
	return all
}

// keyOf is the constant that v is, or else the parameter of fn.
func keyOf(v ssa.Value, fn *ssa.Function) (key string, param int) {
	v = flow.Resolve(v)
	if k, ok := v.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String {
		return constant.StringVal(k.Value), -1
	}
	for i, p := range fn.Params {
		if ssa.Value(p) == v {
			return "", i
		}
	}
	return "", -1
}

// matters reports whether the result of a look-up is used for more than logs and copies into other maps.
func matters(v ssa.Value, depth int) bool {
	if depth > 4 || v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.MapUpdate:
		case *ssa.Extract:
			if matters(ref, depth+1) {
				return true
			}
		case *ssa.MakeInterface:
			if matters(ref, depth+1) {
				return true
			}
		case *ssa.Store:
			if !argument(ref.Addr) {
				return true
			}
		case ssa.CallInstruction:
			if !kube.Logs(flow.Callee(ref.Common())) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// decides reports whether a condition depends on v: whether it is there, or is a certain constant.
func decides(v ssa.Value, depth int) bool {
	if depth > 4 || v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.If:
			return true
		case *ssa.BinOp:
			_, x := ref.X.(*ssa.Const)
			_, y := ref.Y.(*ssa.Const)
			if x || y {
				return true
			}
		case *ssa.Extract:
			if decides(ref, depth+1) {
				return true
			}
		case *ssa.UnOp:
			if decides(ref, depth+1) {
				return true
			}
		case *ssa.Phi:
			if decides(ref, depth+1) {
				return true
			}
		case *ssa.Return:
			if flow.IsBool(v.Type()) {
				return true
			}
		}
	}
	return false
}

// region are the functions of this package that fn runs, as far as is known, fn first.
func region(pkg *program.Program, fn *ssa.Function) []*ssa.Function {
	return slices.Collect(pkg.Reach(program.Calls|program.Spawns|program.Mentions|program.Implementations, fn))
}

// needs are the annotations and labels that fns read of the objects of type kind, annotations first.
func (r *reader) needs(fns []*ssa.Function, kind types.Type) []read {
	var all []read
	for _, f := range fns {
		for _, o := range r.objectReads(f) {
			if o.object == nil || !sameType(o.object.Type(), kind) || element(o.object) {
				continue
			}
			all = append(all, o.read)
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].labels != all[j].labels {
			return all[j].labels
		}
		return all[i].pos < all[j].pos
	})
	return all
}

// element reports whether v is taken out of a list, or made here: it is not the object that is reconciled.
func element(v ssa.Value) bool {
	switch x := flow.Resolve(v).(type) {
	case *ssa.IndexAddr, *ssa.Index, *ssa.Lookup:
		return true
	case *ssa.Extract:
		_, next := x.Tuple.(*ssa.Next)
		return next
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return element(x.X)
		}
	case *ssa.Alloc:
		for _, r := range *x.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(x) {
				return element(st.Val)
			}
		}
	}
	return false
}
