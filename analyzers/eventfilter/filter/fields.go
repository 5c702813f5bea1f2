package filter

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
)

// fields reports the predicates of w that let some changes of the spec through and drop those of a field which the reconciler reads. Fields
// of the cluster's own kinds are left alone: many of them never change.
func (d *dropped) fields(c *controller, w *watch) {
	needs := d.needsOf(c)
	if needs == nil || needs.Again || ofCluster(w.Kind) {
		return
	}
	for _, n := range needs.of(w.Kind, specField) {
		q := d.loses(c, w, change{what: "field", paths: []string{n.Key}, bumped: true, deletion: no})
		if some := specChange().of(w.Kind); q == nil || q.judge(some).drops() || d.lookedAtAgain(w, n) {
			continue
		}
		d.report(rule.Finding{Pos: q.Pos, Sub: "fields", Site: "dropped-field", Message: fmt.Sprintf(
			"%s drops updates of %s that change only %s, but %s reads it at %s: who changes it waits for an unrelated event",
			q.Name, kindOf(w.Kind), what(n.Key), n.By, n.At),
			Related: []analysis.RelatedInformation{{Pos: n.pos, Message: "the field is read here"}}})
		return
	}
}

// what is the field at path, for a message.
func what(path string) string {
	if list, ok := strings.CutSuffix(path, elements); ok {
		return "what lies in " + list
	}
	return path
}

// ofCluster reports whether kind is one of the cluster itself.
func ofCluster(kind types.Type) bool {
	n := kube.Named(kind)
	return n != nil && n.Obj().Pkg() != nil && strings.HasPrefix(kube.Path(n.Obj().Pkg().Path()), "k8s.io/")
}

// fieldFact is the fact of a function: the fields of the spec of its parameters, objects or what is the spec of one, that it reads for more than logs, and which of
// the parameters are objects whose status it reads so.
type fieldFact struct {
	Reads  []givenField
	Status []int
}

// A givenField is the field at Path below what parameter Param is.
type givenField struct {
	Param int
	Path  string
}

func (*fieldFact) AFact() {}

// String is for the tests of facts.
func (f *fieldFact) String() string {
	var all []string
	for _, r := range f.Reads {
		all = append(all, strings.TrimPrefix(r.Path, ".")+" of "+param(r.Param))
	}
	for _, p := range f.Status {
		all = append(all, "status of "+param(p))
	}
	return "reads fields " + strings.Join(all, ", ")
}

// fieldReader finds which fields of the spec functions read.
type fieldReader struct {
	pkg   *program.Program
	fact  func(*types.Func) *fieldFact // nil where nothing is known of other packages
	specs map[*types.Package]map[*types.Named]bool
	given program.Answers[paramOf, []string]
}

type paramOf struct {
	fn *ssa.Function
	i  int
}

// exportFields tells importing packages which fields the functions of this one read.
func exportFields(pass *analysis.Pass) *fieldReader {
	r := &fieldReader{pkg: program.Of(pass), fact: known[fieldFact](pass), specs: map[*types.Package]map[*types.Named]bool{}}
	for _, fn := range r.pkg.Funcs {
		if obj, ok := fn.Object().(*types.Func); ok && fn.Parent() == nil {
			if f := r.exported(fn); f != nil {
				pass.ExportObjectFact(obj, f)
			}
		}
	}
	return r
}

// exported is what packages that import this one have to know of fn, nil for nothing.
func (r *fieldReader) exported(fn *ssa.Function) *fieldFact {
	var f fieldFact
	for i, p := range fn.Params {
		if !types.IsInterface(p.Type()) && (kube.IsObject(p.Type()) || r.isSpec(p.Type())) {
			for _, path := range r.of(fn, i) {
				f.Reads = append(f.Reads, givenField{i, path})
			}
		}
		if waitsForStatus(fn, p) {
			f.Status = append(f.Status, i)
		}
	}
	if f.Reads == nil && f.Status == nil {
		return nil
	}
	return &f
}

// waitsForStatus reports whether fn reads the status of its parameter p, an object, as somebody who waits for it does.
func waitsForStatus(fn *ssa.Function, p *ssa.Parameter) bool {
	if types.IsInterface(p.Type()) || !kube.IsObject(p.Type()) || p.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(*p.Referrers(), func(in ssa.Instruction) bool {
		fa, ok := in.(*ssa.FieldAddr)
		return ok && readsStatus(fn, fa)
	})
}

// isSpec reports whether t, or what it points to, is the spec of an object that the package of t declares.
func (r *fieldReader) isSpec(t types.Type) bool {
	n := kube.Named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	specs, ok := r.specs[n.Obj().Pkg()]
	if !ok {
		specs = specsIn(n.Obj().Pkg())
		r.specs[n.Obj().Pkg()] = specs
	}
	return specs[n]
}

// specsIn are the types of the specs of the objects that pkg declares.
func specsIn(pkg *types.Package) map[*types.Named]bool {
	specs := map[*types.Named]bool{}
	for _, name := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		st, ok := object.Type().Underlying().(*types.Struct)
		for i := 0; ok && i < st.NumFields(); i++ {
			if f := st.Field(i); f.Name() == "Spec" && kube.Named(f.Type()) != nil && kube.IsObject(types.NewPointer(object.Type())) {
				specs[kube.Named(f.Type())] = true
			}
		}
	}
	return specs
}

// of are the fields below what fn is given as parameter i that it reads, and does not set: who gives a field a value that has none does not work with it.
// Whoever makes a copy, or another version of the object, works with none.
func (r *fieldReader) of(fn *ssa.Function, i int) []string {
	obj := flow.Object(fn)
	if i >= len(fn.Params) || obj != nil && (kube.IsDeepCopy(obj) || kube.CopiesInto(obj)) || converts(fn) {
		return nil
	}
	return r.given.Ask(paramOf{fn, i}, nil, func() (all []string) {
		p, at := fn.Params[i], specPath // as if it were the spec
		if kube.IsObject(p.Type()) {
			at = ""
		}
		r.reads(p, at, func(path string, _ ssa.Instruction) {
			if path = path[len(at):]; at == specPath || within(path, specPath) && path != specPath {
				all = append(all, path)
			}
		})
		for _, fa := range flow.FieldStores(fn) {
			if to := flow.PathOf(fa); to.Root == ssa.Value(p) {
				set := strings.Replace(to.Sel, ".Spec", specPath, 1)
				all = slices.DeleteFunc(all, func(path string) bool { return path == set })
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	})
}

// converts reports whether fn is given two objects whose kinds have one name, or one and any: it makes one version of the kind from the other one.
func converts(fn *ssa.Function) bool {
	var names []string
	for _, p := range fn.Params {
		if n := kube.Named(p.Type()); n != nil && (kube.IsObject(p.Type()) || n.Obj().Name() == "Hub") {
			names = append(names, n.Obj().Name())
		}
	}
	return len(names) == 2 && (names[0] == names[1] || names[1] == "Hub")
}

// reads tells of the fields that are read, for more than logs, below what lies at path of its object, where v is that or its address. What is loaded of the spec
// as a whole says nothing of its fields.
func (r *fieldReader) reads(v ssa.Value, path string, to func(path string, at ssa.Instruction)) {
	if v.Referrers() == nil {
		return
	}
	_, address := v.Type().Underlying().(*types.Pointer)
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			if f := flow.Field(ref.X.Type(), ref.Field); f != nil {
				r.reads(ref, step(path, f), to)
			}
		case *ssa.Field:
			if f := flow.Field(ref.X.Type(), ref.Field); f != nil {
				r.value(ref, step(path, f), to)
			}
		case *ssa.UnOp:
			if ref.Op == token.MUL && address {
				r.value(ref, path, to)
			}
		case ssa.CallInstruction:
			for i, a := range flow.AllArgs(ref.Common()) {
				if a == v {
					for _, below := range r.callee(ref, i) {
						to(path+below, ref)
					}
				}
			}
		case *ssa.Store:
			if local, ok := ref.Addr.(*ssa.Alloc); ok && !address && flow.StoredOnce(local) == v {
				r.reads(local, path, to)
			}
		}
	}
}

// value is reads of v, which is loaded from path.
func (r *fieldReader) value(v ssa.Value, path string, to func(path string, at ssa.Instruction)) {
	if flow.IsStruct(v.Type()) {
		r.reads(v, path, to)
		if path == specPath || !usedWhole(v) {
			return
		}
	}
	if readsElements(v) {
		path += elements
	}
	if r.goesOn(v, map[ssa.Value]bool{}) {
		to(path, v.(ssa.Instruction))
	}
}

// goesOn reports whether anything is made of v but logs, errors and messages: a text with v in it counts as v.
func (r *fieldReader) goesOn(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || v.Referrers() == nil {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.IndexAddr: // of the latter, see Store
			return false
		case *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Slice:
			return r.goesOn(ref.(ssa.Value), seen)
		case *ssa.UnOp:
			return ref.Op != token.MUL || r.goesOn(ref, seen)
		case *ssa.Store: // to a variable, or as one of several arguments
			switch to := ref.Addr.(type) {
			case *ssa.Alloc:
				return r.goesOn(to, seen)
			case *ssa.IndexAddr:
				return r.goesOn(to.X, seen)
			case *ssa.FieldAddr:
				f := flow.Field(to.X.Type(), to.Field)
				return f == nil || f.Name() != "Message"
			}
		case *ssa.Return:
			callers := r.pkg.Callers(ref.Parent())
			_, made := v.(*ssa.Call)
			return !made || len(callers) == 0 || slices.ContainsFunc(callers, func(c ssa.CallInstruction) bool {
				text, ok := c.(*ssa.Call)
				return !ok || r.goesOn(text, seen)
			})
		case *ssa.MakeClosure:
			i := slices.Index(ref.Bindings, v)
			return i < 0 || r.goesOn(ref.Fn.(*ssa.Function).FreeVars[i], seen)
		case *ssa.Call:
			callee := flow.Callee(&ref.Call)
			if !kube.Logs(callee) {
				return true
			}
			if strings.HasPrefix(callee.Name(), "Fprint") {
				return !isStandard(ref.Call.Args[0])
			}
			return (flow.IsString(ref.Type()) || kube.IsContext(ref.Type())) && r.goesOn(ref, seen)
		}
		return true
	})
}

// isStandard reports whether w is an output of the process.
func isStandard(w ssa.Value) bool {
	load, ok := flow.Unwrap(w).(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "os"
}

// usedWhole reports whether v, a struct, goes anywhere as a whole but into a variable, or to a function that is given it.
func usedWhole(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.Field, ssa.CallInstruction:
			return false
		case *ssa.Store:
			local, ok := ref.Addr.(*ssa.Alloc)
			return !ok || flow.StoredOnce(local) != v
		}
		return true
	})
}

// callee are the fields below its argument i that the function which call calls reads.
func (r *fieldReader) callee(call ssa.CallInstruction, i int) (all []string) {
	if v, ok := call.(*ssa.Call); kube.Logs(flow.Callee(call.Common())) || ok && len(*v.Referrers()) > 0 && !r.goesOn(v, map[ssa.Value]bool{}) {
		return nil
	}
	if own := r.pkg.Callee(call.Common()); own != nil {
		return r.of(own, i)
	}
	callee := flow.Callee(call.Common())
	if callee == nil || r.fact == nil {
		return nil
	}
	if f := r.fact(callee); f != nil {
		for _, read := range f.Reads {
			if read.Param == i {
				all = append(all, read.Path)
			}
		}
	}
	return all
}

// elsewhere tells of the fields of objects that call has a function of another package read.
func (r *fieldReader) elsewhere(call ssa.CallInstruction, to func(object ssa.Value, path string)) {
	if r.pkg.Callee(call.Common()) != nil {
		return
	}
	for i, a := range flow.AllArgs(call.Common()) {
		if kube.IsObject(a.Type()) && !element(a) {
			for _, path := range r.callee(call, i) {
				to(flow.Unwrap(a), path)
			}
		}
	}
}

// statusElsewhere tells of the objects whose status call has a function of another package read, where something comes of what that gives, and the function of
// call does not make that status itself.
func (r *fieldReader) statusElsewhere(call ssa.CallInstruction, to func(object ssa.Value)) {
	fn, value := flow.Callee(call.Common()), call.Value()
	if fn == nil || value == nil || r.fact == nil || r.pkg.Callee(call.Common()) != nil || !kube.BesidesLogs(value) {
		return
	}
	f := r.fact(fn)
	if f == nil {
		return
	}
	args := flow.AllArgs(call.Common())
	for _, i := range f.Status {
		if i >= len(args) || element(args[i]) {
			continue
		}
		if object := flow.Unwrap(args[i]); !makes(call.Parent(), statusOf(object.Type())) {
			to(object)
		}
	}
}

// elements ends the path of a list or a map of which something is read that lies in it.
const elements = "[]"

// readsElements reports whether what lies in list, a list or a map, is looked at one by one.
func readsElements(list ssa.Value) bool {
	switch list.Type().Underlying().(type) {
	case *types.Slice, *types.Map:
	default:
		return false
	}
	return slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.IndexAddr:
			return r.X == list
		case *ssa.Range, *ssa.Lookup:
			return true
		}
		return false
	})
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
