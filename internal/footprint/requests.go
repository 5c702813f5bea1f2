package footprint

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/origin"
)

// request notes the requests that call makes, and reports whether it makes any.
func (s *scan) request(call ssa.CallInstruction) bool {
	common := call.Common()
	callee, args := flow.Callee(common), flow.Args(common)
	switch {
	case kubeapi.CreateOrChange.Called(common) && len(args) >= 3:
		for _, verb := range kubeapi.VerbsOfCreateOrChange(common) {
			s.add(call, Request{Verb: verb, Clients: s.clients(args[1]), Kinds: s.kinds(args[2]), Hazards: []string{"it creates what it does not find"}})
		}
		return true
	case kubeapi.Indexes(callee) && len(args) >= 2:
		s.add(call, Request{Verb: kubeapi.VerbWatch, Role: kubeapi.RoleIndex, Clients: s.clients(flow.Recv(common)), Kinds: s.kinds(args[1])})
		return true
	case kubeapi.GetsInformer(callee) && len(args) >= 2:
		r := Request{Verb: kubeapi.VerbWatch, Role: kubeapi.RoleInformer, Clients: s.clients(flow.Recv(common))}
		if types.IsInterface(args[1].Type()) {
			r.Kinds = s.kinds(args[1])
		} else {
			r.Kinds = []Term{{Kind: Kind{Type: kubeapi.KindNamed(args[1])}}}
		}
		s.add(call, r)
		return true
	}
	req, ok := kubeapi.RequestOf(common)
	if !ok {
		return false
	}
	r := Request{Verb: req.Verb}
	switch {
	case kubeapi.IsClientSet(req.Client):
		r.Clients = []Term{{Source: kubeapi.LiveClient}}
		if get := kubeapi.GetOf(req.Client.Type()); get != nil && get.Signature().Results().Len() > 0 {
			name, _ := kubeapi.KindName(get.Signature().Results().At(0).Type())
			r.Kinds = []Term{{Kind: Kind{Type: name}}}
		}
	case kubeapi.OfControllerRuntime(callee):
		r.Clients = s.clients(req.Client)
		obj := req.Object
		if obj == nil {
			obj = listOf(args)
		}
		if obj == nil {
			return false
		}
		r.Kinds = s.kinds(obj)
	default:
		return false
	}
	r.Sub = req.Sub()
	r.Key = s.key(req, args)
	s.add(call, r)
	return true
}

// listOf returns the list, or the object that stands for its kind, among the arguments of a request.
func listOf(args []ssa.Value) ssa.Value {
	i := slices.IndexFunc(args, func(a ssa.Value) bool { return kubeapi.HoldsAnyObject(a.Type()) })
	if i < 0 {
		return nil
	}
	return args[i]
}

// key returns what of the request is constant.
func (s *scan) key(req kubeapi.Request, args []ssa.Value) (k Key) {
	if req.Name != nil {
		k.Namespace, k.Name = kubeapi.KeyTexts(req.Name)
	}
	if req.Verb == kubeapi.VerbList && len(args) > 0 {
		options := flow.Elements(args[len(args)-1])
		k.Selected = s.selected(options)
		for _, o := range options {
			k.Namespace, k.Labels, k.Fields = kubeapi.ListOption(o, k.Namespace, k.Labels, k.Fields)
		}
	}
	return k
}

// add completes and adds a request that call makes.
func (s *scan) add(call ssa.CallInstruction, r Request) {
	r.At, r.In = link.AtOf(s.pass, call.Pos()), origin.FuncName(flow.Decl(call.Parent()))
	r.Wrapped = kubeapi.ImplementsRequest(flow.Object(flow.Decl(call.Parent())))
	if flow.InLoop(call.Block()) {
		r.Hazards = append(r.Hazards, "it is in a loop")
	}
	if kubeapi.IsMapFunc(call.Parent().Signature) {
		r.Hazards = append(r.Hazards, "it runs for each event")
	}
	if r.Verb == kubeapi.VerbList && r.Key.Fields {
		r.Hazards = append(r.Hazards, "it selects by an index of the cache")
	}
	r.Silenced = s.silenced(call.Pos())
	s.part.Requests = append(s.part.Requests, r)
}

// watches notes the informers that controllers of the package ask for.
func (s *scan) watches() {
	for _, c := range kubeapi.Controllers(s.p) {
		for _, w := range c.Watches {
			r := Request{
				At: link.AtOf(s.pass, w.Pos), In: origin.FuncName(flow.Decl(c.Fn)), Verb: kubeapi.VerbWatch, Role: w.Role,
				Clients: s.of(kubeapi.ManagerCache, c.Manager),
			}
			if w.Cache != nil {
				r.Clients = s.clients(w.Cache)
			}
			if w.Object() != nil {
				r.Kinds = s.kinds(w.Object())
			}
			for i := range r.Kinds {
				if w.Metadata && r.Kinds[i].Kind.Form == Typed {
					r.Kinds[i].Kind.Form = Metadata
				}
			}
			r.Filters, r.Silenced = s.filters(c, w), s.silenced(w.Pos)
			s.part.Requests = append(s.part.Requests, r)
		}
	}
}
