package finalizerorder

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// object names an object of the API server, as seen from one function.
type object struct {
	path flow.Path // where it is in memory, or where its name is
	via  string    // for an object known by name: the client that is asked for it
	// client is the client that an object known by its place is written with.
	client string
	// key is the path of what it was read by, for an object made on the spot and filled by Get.
	key flow.Path
	typ types.Type
}

func (o object) known() bool { return o.path.Known() && !strings.Contains(o.path.Sel, "[*]") }

// places are where o is in memory, and where what it is a copy of is.
func (o object) places() []flow.Path {
	if o.key.Known() {
		return []flow.Path{o.path, o.key}
	}
	return []flow.Path{o.path}
}

// at is o with another path.
func (o object) at(p flow.Path) object {
	o.path = flow.Path{Root: p.Root, Sel: trimMeta(p.Sel)}
	o.key = flow.Path{}
	return o
}

// same reports whether o and p are surely one object at the API server.
func (o object) same(p object) bool {
	if o.path == p.path && o.known() && (o.via == p.via || o.client != "" && o.client == p.via || p.client != "" && p.client == o.via) {
		return true
	}
	if o.typ == nil || p.typ == nil || !types.Identical(o.typ, p.typ) {
		return false
	}
	return o.key.Known() && (o.key == p.key || o.key == p.path) || p.key.Known() && p.key == o.path
}

// objectOf is the object that v points to. A deep copy is another place in memory, but names the same object.
func objectOf(v ssa.Value) object { return objectOfCopy(v, nil) }

// objectOfCopy is objectOf, for what the copies before were made of: a field may be set to a copy of what it was.
func objectOfCopy(v ssa.Value, copies []*ssa.Call) object {
	v = accessed(flow.Resolve(v))
	p := held(flow.PathOf(v))
	o := object{path: flow.Path{Root: p.Root, Sel: trimMeta(p.Sel)}, typ: v.Type()}
	if meta, ok := v.(*ssa.FieldAddr); ok && o.path.Sel != p.Sel {
		o.typ = meta.X.Type()
	}
	switch root := o.path.Root.(type) {
	case *ssa.Alloc:
		o.key = readBy(root)
	case *ssa.Call:
		if x := copied(root); x != nil && o.path.Sel == "" && !slices.Contains(copies, root) {
			o.key = objectOfCopy(x, append(copies, root)).path
		}
	case *ssa.Extract:
		call, ok := root.Tuple.(*ssa.Call)
		if !ok || root.Index != 0 || o.path.Sel != "" || slices.Contains(copies, call) {
			break
		}
		if x := copiedBy(call); x != nil {
			o.key = objectOfCopy(x, append(copies, call)).path
		}
	}
	return o
}

// copiedBy is the argument of call of which a function of the package gives a copy, or nothing; nil for other calls.
func copiedBy(call *ssa.Call) ssa.Value {
	callee := flow.StaticCallee(&call.Call)
	if callee == nil || len(callee.Blocks) == 0 {
		return nil
	}
	var of *ssa.Parameter
	for ret := range flow.Returns(callee) {
		v := asserted(ret.Results[0])
		if flow.IsNil(v) {
			continue
		}
		made, ok := v.(*ssa.Call)
		if !ok || copied(made) == nil {
			return nil
		}
		p, ok := flow.Resolve(copied(made)).(*ssa.Parameter)
		if !ok || of != nil && of != p {
			return nil
		}
		of = p
	}
	if of == nil {
		return nil
	}
	return call.Call.Args[slices.Index(callee.Params, of)]
}

// asserted is what v is asserted to be of another type from.
func asserted(v ssa.Value) ssa.Value {
	for {
		v = flow.Unwrap(v)
		if x, ok := v.(*ssa.Extract); ok && x.Index == 0 {
			if a, ok := x.Tuple.(*ssa.TypeAssert); ok {
				v = a.X
				continue
			}
		}
		a, ok := v.(*ssa.TypeAssert)
		if !ok {
			return v
		}
		v = a.X
	}
}

// accessed is x for the accessor that meta.Accessor(x) gives, and v for any other value.
func accessed(v ssa.Value) ssa.Value {
	if x, ok := v.(*ssa.Extract); ok && x.Index == 0 {
		if call, ok := x.Tuple.(*ssa.Call); ok && kubeapi.Accessor.Has(flow.Callee(&call.Call)) {
			return flow.Resolve(call.Call.Args[0])
		}
	}
	return v
}

// copied is x for x.DeepCopy() and x.DeepCopyObject(), unless the copy gets another name.
func copied(call *ssa.Call) ssa.Value {
	if !kubeapi.IsDeepCopy(flow.Callee(&call.Call)) {
		return nil
	}
	return flow.Recv(&call.Call)
}

// readBy is the object, or the key, by which the only Get fills the new object at alloc.
func readBy(alloc *ssa.Alloc) flow.Path {
	var found flow.Path
	for call := range flow.InstrsOf[*ssa.Call](alloc.Parent()) {
		get, ok := kubeapi.RequestOf(&call.Call)
		if !ok || get.Verb != kubeapi.VerbGet || get.Object == nil || flow.Resolve(get.Object) != ssa.Value(alloc) {
			continue
		}
		if found.Known() {
			return flow.Path{}
		}
		key := flow.Resolve(get.Name)
		if c, ok := key.(*ssa.Call); ok {
			if f := flow.Callee(&c.Call); kubeapi.MakesKey(f) && len(c.Call.Args) == 1 {
				key = c.Call.Args[0]
			}
		}
		found = flow.PathOf(key)
	}
	return found
}

// byKey is e in terms of the key that fn, which got the object itself, was given for it; only for additions.
func byKey(fn *ssa.Function, e event) (event, bool) {
	if e.kind != addsNow || e.obj.via != "" {
		return e, false
	}
	root := e.obj.path.Root
	if e.obj.key.Known() {
		root = e.obj.key.Root
	}
	if x, ok := root.(*ssa.Extract); ok {
		root = x.Tuple
	}
	call, ok := root.(*ssa.Call)
	if !ok {
		return e, false
	}
	get, ok := kubeapi.RequestOf(&call.Call)
	if !ok || get.Verb != kubeapi.VerbGet {
		return e, false
	}
	p, ok := flow.Resolve(get.Name).(*ssa.Parameter)
	if !ok || p.Parent() != fn || !flow.IsString(p.Type()) {
		return e, false
	}
	e.obj = object{path: flow.Path{Root: p}, via: "key"}
	return e, true
}

// namedObject is the object that a client set or a dynamic client is asked for by name.
func namedObject(recv, name ssa.Value) object {
	name = flow.Resolve(name)
	via := clientKey(recv)
	if via == "" {
		return object{}
	}
	if c, ok := name.(*ssa.Call); ok {
		if field, x := kubeapi.MetaRead(c); field == kubeapi.MetaName {
			return object{path: objectOf(x).path, via: via}
		}
	}
	if _, ok := name.(*ssa.Const); ok {
		return object{path: flow.Path{Root: name, Sel: name.String()}, via: via}
	}
	p := flow.PathOf(name)
	p.Sel = trimMeta(trimField(p.Sel, kubeapi.MetaName))
	return object{path: p, via: via}
}

// clientKey spells the chain of calls that leads to a client, as clientset.CoreV1().Pods(ns), so that two equal keys
// mean the same kind and namespace; "" where that cannot be said.
func clientKey(v ssa.Value) string {
	v = flow.Resolve(v)
	if c, ok := v.(*ssa.Call); ok {
		fn, recv := flow.Callee(&c.Call), flow.Recv(&c.Call)
		if fn == nil || recv == nil {
			return fmt.Sprintf("%p", v)
		}
		key := clientKey(recv) + "." + fn.Name() + "("
		for _, a := range flow.Args(&c.Call) {
			if k, ok := flow.Resolve(a).(*ssa.Const); ok {
				key += k.String() + ","
				continue
			}
			if name, ok := flow.Resolve(a).(*ssa.Call); ok {
				if kubeapi.GetterOf(flow.Callee(&name.Call)) == kubeapi.MetaNamespace {
					p := flow.PathOf(flow.Recv(&name.Call))
					key += fmt.Sprintf("%p%s.Namespace,", p.Root, p.Sel)
					continue
				}
			}
			p := flow.PathOf(a)
			key += fmt.Sprintf("%p%s,", p.Root, p.Sel)
		}
		return key + ")"
	}
	p := flow.PathOf(v)
	if !p.Known() {
		return ""
	}
	return fmt.Sprintf("%p%s", p.Root, p.Sel)
}

// trimMeta takes the embedded metadata off a path: the object is what it belongs to.
func trimMeta(sel string) string { return trimField(sel, kubeapi.ObjectMeta) }

func trimField(sel string, name kubeapi.Meta) string {
	return strings.TrimSuffix(sel, "."+string(name))
}

// A typeKey is a defined type, or a pointer to it.
type typeKey struct {
	named *types.Named
	ptr   bool
}

// isObject is kubeapi.IsObject, which takes as long as the type is large, asked once for each defined type: all
// methods of a type have one receiver.
func (a *analyzer) isObject(t types.Type) bool {
	elem, ptr := types.Unalias(t).(*types.Pointer)
	var k typeKey
	if ptr {
		k.named, _ = types.Unalias(elem.Elem()).(*types.Named)
		k.ptr = true
	} else {
		k.named, _ = types.Unalias(t).(*types.Named)
	}
	if k.named == nil {
		return kubeapi.IsObject(t)
	}
	is, ok := a.objects[k]
	if !ok {
		is = kubeapi.IsObject(t)
		a.objects[k] = is
	}
	return is
}

// finalizersField is the object whose metadata.finalizers are at addr, nil if addr is anything else.
func finalizersField(addr ssa.Value) ssa.Value {
	if f, ok := addr.(*ssa.FieldAddr); ok && kubeapi.MetadataField(f) == kubeapi.MetaFinalizers {
		return kubeapi.MetadataOwner(f.X)
	}
	return nil
}
