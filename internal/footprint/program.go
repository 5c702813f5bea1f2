package footprint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
)

// A Program is the footprint of a program, in the pass of its main package. It is empty for other packages, and for
// programs without a manager.
type Program struct {
	Managers []Manager
	Asked    []Asked
	Types    map[string]Type // by name
	Grants   []Grant         // of markers
	Left     []Leave
	Dirs     link.Dirs // of the packages
	Library  bool      // it is no program, but the packages that no program imports
}

// Asked is a request with one kind and one source of its client.
type Asked struct {
	*Request
	Kind   Kind
	Source Source
	Mixed  bool      // its client may come from other sources, too
	Via    []link.At // the calls that pass the client or the kind, innermost first
}

// Cached reports whether the cache answers a, a read through a client whose options m are.
func (p *Program) Cached(a *Asked) bool {
	if a.Verb != kubeapi.VerbGet && a.Verb != kubeapi.VerbList || a.Role != "" || a.Mixed {
		return false
	}
	switch a.Source {
	case kubeapi.ManagerCache:
		return true
	case kubeapi.ManagerClient:
		return !slices.ContainsFunc(p.Managers, func(m Manager) bool {
			return m.ReadsLive || m.OwnClient || a.Kind.Form == Unstructured && !m.Untyped ||
				slices.ContainsFunc(m.DisableFor, func(e Entry) bool { return e.Kind.Type == a.Kind.Type })
		})
	}
	return false
}

// Holds reports whether a asks the manager's cache for an informer, by itself or by a read.
func (p *Program) Holds(a *Asked) bool {
	return p.Cached(a) || a.Role != "" && a.Source == kubeapi.ManagerCache
}

// join resolves what the packages of the program contribute.
func (p *Program) join(l *link.Program[Part]) {
	r := newResolver(l.Packages)
	var requests []*Request
	p.Types, p.Dirs, p.Library = map[string]Type{}, link.Dirs{}, l.Library
	for _, s := range l.Packages {
		p.Dirs[s.Path] = s.Dir
		for _, t := range s.Part.Types {
			p.Types[t.Name] = t
		}
		p.Grants = append(p.Grants, s.Part.Grants...)
		p.Left = append(p.Left, s.Part.Left...)
		for i := range s.Part.Requests {
			if req := &s.Part.Requests[i]; l.Holds(link.Condition{Kind: runs, Of: req.In}) {
				requests = append(requests, req)
			}
		}
		for _, m := range s.Part.Managers {
			if l.Holds(link.Condition{Kind: runs, Of: m.In}) {
				p.Managers = append(p.Managers, m)
			}
		}
	}
	if len(p.Managers) == 0 {
		return
	}
	for _, req := range requests {
		p.Asked = append(p.Asked, r.resolve(req)...)
	}
	slices.SortFunc(p.Asked, func(a, b Asked) int {
		return cmp.Or(strings.Compare(a.Kind.Type, b.Kind.Type), cmp.Compare(a.Kind.Form, b.Kind.Form), strings.Compare(string(a.At), string(b.At)), cmp.Compare(a.Source, b.Source),
			slices.Compare(a.Via, b.Via))
	})
}

// A resolver finds what flows to places of a program.
type resolver struct {
	flows   map[string][]Term   // by the place that they flow to
	calls   map[string][]*Call  // by the function that they may run
	methods map[string][]string // by the interface's method that stands for them
	reached map[string][]Term   // results of reach
}

// newResolver returns the resolver of a program of these packages.
func newResolver(packages []*link.Summary[Part]) *resolver {
	r := &resolver{flows: map[string][]Term{}, calls: map[string][]*Call{}, methods: map[string][]string{}, reached: map[string][]Term{}}
	for _, s := range packages {
		for _, f := range s.Part.Flows {
			r.flows[f.To] = append(r.flows[f.To], f.From)
		}
		for i := range s.Part.Calls {
			c := &s.Part.Calls[i]
			r.calls[c.Func] = append(r.calls[c.Func], c)
		}
		for _, m := range s.Part.Methods {
			r.methods[m.Iface] = append(r.methods[m.Iface], m.Func)
		}
	}
	for iface, methods := range r.methods {
		for _, m := range methods {
			r.calls[m] = append(r.calls[m], r.calls[iface]...)
		}
	}
	for fn, calls := range r.calls {
		for _, c := range calls {
			for i, terms := range c.Args {
				r.flows[paramName(fn, i)] = append(r.flows[paramName(fn, i)], terms...)
			}
		}
	}
	return r
}

// reach returns what may be in the place of that name: sources and kinds, and the zero Term if something unknown may.
// It is context-insensitive. A place that nothing flows to is unknown.
func (r *resolver) reach(name string) []Term {
	if out, ok := r.reached[name]; ok {
		return out
	}
	found, seen := map[Term]bool{}, map[string]bool{}
	for work := []string{name}; len(work) > 0; work = work[1:] {
		if seen[work[0]] {
			continue
		}
		seen[work[0]] = true
		from := r.flows[work[0]]
		if fn, i, ok := strings.Cut(work[0], "$"); ok {
			for _, m := range r.methods[fn] {
				from = append(slices.Clip(from), Term{Name: m + "$" + i})
			}
		}
		if len(from) == 0 {
			found[Term{}] = true
		}
		for _, t := range from {
			if t.Name == "" {
				found[t] = true
			} else {
				work = append(work, t.Name)
			}
		}
	}
	out := slices.SortedFunc(maps.Keys(found), compareTerms)
	r.reached[name] = out
	return out
}

func compareTerms(a, b Term) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), strings.Compare(a.Kind.Type, b.Kind.Type), cmp.Compare(a.Kind.Form, b.Kind.Form), strings.Compare(a.Name, b.Name))
}

// all is reach for each of terms.
func (r *resolver) all(terms []Term) (out []Term) {
	if len(terms) == 0 {
		return []Term{{}}
	}
	for _, t := range terms {
		known := []Term{t}
		if t.Name != "" {
			known = r.reach(t.Name)
		}
		for _, k := range known {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// A state is a request in terms of the function that makes it, or of one that calls that.
type state struct {
	in             string
	clients, kinds []Term
	via            []link.At
}

// resolve returns the kinds and sources of req. Where these come from parameters, each call of the function is looked
// at by itself, and so on up the call graph, since a helper may be given one kind with the cached client, and another
// one with a live one. What comes from other places is looked up context-insensitively.
func (r *resolver) resolve(req *Request) (all []Asked) {
	seen := map[string]bool{}
	for work := []state{{in: req.In, clients: req.Clients, kinds: req.Kinds}}; len(work) > 0; work = work[1:] {
		s := work[0]
		if key := fmt.Sprint(s.in, s.clients, s.kinds); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		if calls := r.calls[s.in]; len(calls) > 0 && slices.ContainsFunc(append(slices.Clip(s.clients), s.kinds...), s.isParam) {
			for _, c := range calls {
				work = append(work, state{c.In, s.given(c, s.clients), s.given(c, s.kinds), append(slices.Clip(s.via), c.At)})
			}
			continue
		}
		clients := r.all(s.clients)
		for _, k := range r.all(s.kinds) {
			for _, c := range clients {
				all = append(all, Asked{Request: req, Kind: k.Kind, Source: c.Source, Mixed: len(clients) > 1, Via: s.via})
			}
		}
	}
	return all
}

// isParam reports whether t is a parameter of the function of s.
func (s *state) isParam(t Term) bool { return strings.HasPrefix(t.Name, s.in+"#") }

// given returns terms with the parameters replaced by what c passes.
func (s *state) given(c *Call, terms []Term) (out []Term) {
	for _, t := range terms {
		if !s.isParam(t) {
			out = append(out, t)
			continue
		}
		i, _ := strconv.Atoi(t.Name[len(s.in)+1:])
		if args := c.Args[i]; args != nil {
			out = append(out, args...)
		} else {
			out = append(out, Term{})
		}
	}
	return out
}
