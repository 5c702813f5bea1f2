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

// A Program is what a program asks of the API server, in the pass of its main package. It is empty for other packages,
// and for programs without a manager.
type Program struct {
	Path       string          // of the main package
	Footprints []*Footprint    // by manager
	Types      map[string]Type // by name
	Grants     []Grant         // of markers
	Left       []Leave
	Dirs       link.Dirs // of the packages
	Library    bool      // it is no program, but the packages that no program imports

	cluster *Cluster // of Cluster, once it was asked for
	read    bool     // all of its manifests
}

// A Footprint is what is asked through the client and the cache of one manager, and through other clients.
type Footprint struct {
	*Manager
	Asked []Asked
}

// Asked is a request with one kind and one source of its client.
type Asked struct {
	*Request
	Kind   Kind
	Source Source
	Mixed  bool      // its client may come from other sources, too
	Via    []link.At // the calls that pass the client or the kind, innermost first

	managers []string // whose client or cache it is: "@" and the place; "" for an unknown one
}

// Cached reports whether the cache answers a, a read, and nothing else does.
func (f *Footprint) Cached(a *Asked) bool { return !a.Mixed && f.cached(a) }

// cached reports whether the cache answers a, as far as its client has this source.
func (f *Footprint) cached(a *Asked) bool {
	if a.Verb != kubeapi.VerbGet && a.Verb != kubeapi.VerbList || a.Role != "" {
		return false
	}
	switch a.Source {
	case kubeapi.ManagerCache:
		return true
	case kubeapi.ManagerClient:
		return !f.OwnClient && (a.Kind.Form != Unstructured || f.Untyped) &&
			!slices.ContainsFunc(f.DisableFor, func(e Entry) bool { return e.Kind.Type == a.Kind.Type })
	}
	return false
}

// Holds reports whether a asks the manager's cache for an informer, by itself or by a read.
func (f *Footprint) Holds(a *Asked) bool {
	return f.Cached(a) || a.Role != "" && a.Source == kubeapi.ManagerCache
}

// join resolves what the packages of the program contribute.
func (p *Program) join(l *link.Program[Part]) {
	r := newResolver(l)
	p.Path = l.Pass.Pkg.Path()
	p.Types, p.Dirs, p.Library = map[string]Type{}, link.Dirs{}, l.Library
	var asked []Asked
	for _, s := range l.Packages {
		p.Dirs[s.Path] = s.Dir
		for _, t := range s.Part.Types {
			p.Types[t.Name] = t
		}
		p.Grants = append(p.Grants, s.Part.Grants...)
		p.Left = append(p.Left, s.Part.Left...)
		for i := range s.Part.Requests {
			req := &s.Part.Requests[i]
			for _, a := range r.resolve(req) {
				if runsIn(l, req.In) && !(req.Wrapped && a.Kind.Type == "") { // the requests of its callers stand for it
					asked = append(asked, a)
				}
			}
		}
		for i := range s.Part.Managers {
			if m := &s.Part.Managers[i]; runsIn(l, m.In) {
				p.Footprints = append(p.Footprints, &Footprint{Manager: m})
			}
		}
	}
	slices.SortFunc(asked, func(a, b Asked) int {
		return cmp.Or(strings.Compare(a.Kind.Type, b.Kind.Type), cmp.Compare(a.Kind.Form, b.Kind.Form), strings.Compare(string(a.At), string(b.At)),
			cmp.Compare(a.Source, b.Source), slices.Compare(a.Via, b.Via))
	})
	for _, f := range p.Footprints {
		for _, a := range asked {
			if len(p.Footprints) == 1 || slices.Contains(a.managers, "@"+string(f.At)) || !slices.ContainsFunc(a.managers, isManager) {
				f.Asked = append(f.Asked, a)
			}
		}
	}
}

func isManager(name string) bool { return strings.HasPrefix(name, "@") }

// runsIn reports whether the program l may run the function with that name.
func runsIn(l *link.Program[Part], fn string) bool {
	return l.Library || l.Holds(link.Condition{Kind: runs, Of: fn})
}

// A resolver finds what flows to places of a program.
type resolver struct {
	flows   map[string][]Term     // by the place that they flow to
	calls   map[string][]*Call    // by the function that they may run
	methods map[string][]string   // by the interface's method that stands for them
	made    map[string][]*Request // by the function that makes them
	reached map[string][]Term     // results of reach
}

// newResolver returns the resolver of a program. What functions do that do not run in it does not count.
func newResolver(l *link.Program[Part]) *resolver {
	r := &resolver{flows: map[string][]Term{}, calls: map[string][]*Call{}, methods: map[string][]string{}, made: map[string][]*Request{}, reached: map[string][]Term{}}
	for _, s := range l.Packages {
		for _, f := range s.Part.Flows {
			if f.In == "" || runsIn(l, f.In) {
				r.flows[f.To] = append(r.flows[f.To], f.From)
			}
		}
		for i := range s.Part.Calls {
			if c := &s.Part.Calls[i]; runsIn(l, c.In) {
				r.calls[c.Func] = append(r.calls[c.Func], c)
			}
		}
		for i := range s.Part.Requests {
			req := &s.Part.Requests[i]
			r.made[req.In] = append(r.made[req.In], req)
		}
		for _, m := range s.Part.Methods {
			r.methods[m.Iface] = append(r.methods[m.Iface], m.Func)
		}
	}
	direct := maps.Clone(r.calls)
	for _, iface := range slices.Sorted(maps.Keys(r.methods)) {
		seen := map[string]bool{iface: true}
		for work := slices.Clone(r.methods[iface]); len(work) > 0; work = work[1:] {
			if m := work[0]; !seen[m] {
				seen[m] = true
				r.calls[m] = append(r.calls[m], direct[iface]...)
				work = append(work, r.methods[m]...)
			}
		}
	}
	for fn, calls := range r.calls {
		for _, c := range calls {
			for _, a := range c.Args {
				r.flows[paramName(fn, a.Param)] = append(r.flows[paramName(fn, a.Param)], a.Terms...)
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
			if t.Name == "" || t.Source != kubeapi.UnknownSource {
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
		if t.Name != "" && t.Source == kubeapi.UnknownSource {
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
		var managers []string
		clients := []Source{}
		for _, t := range r.answering(s.clients, req.Verb, nil) {
			if !slices.Contains(clients, t.Source) {
				clients = append(clients, t.Source)
			}
			managers = append(managers, r.managers(t)...)
		}
		for _, k := range r.all(s.kinds) {
			for _, c := range clients {
				all = append(all, Asked{Request: req, Kind: k.Kind, Source: c, Mixed: len(clients) > 1, Via: s.via, managers: managers})
			}
		}
	}
	return all
}

// answering is all for clients that make a request of that verb, with those in place of a client of the user's own that
// its method asks, or the one that it embeds. Busy has the types of which that is being found.
func (r *resolver) answering(clients []Term, verb kubeapi.Verb, busy []string) (out []Term) {
	for _, t := range r.all(clients) {
		if t.Source != kubeapi.WrappedClient {
			out = append(out, t)
			continue
		}
		if slices.Contains(busy, t.Name) {
			continue
		}
		inner := []Term{{Name: t.Name}}
		for _, recv := range []string{"(*" + t.Name + ").", "(" + t.Name + ")."} {
			if made := r.made[recv+kubeapi.MethodOf(verb)]; made != nil {
				inner = nil
				for _, req := range made {
					inner = append(inner, req.Clients...)
				}
			}
		}
		out = append(out, r.answering(inner, verb, append(busy, t.Name))...)
	}
	return out
}

// managers returns the managers whose client or cache t is.
func (r *resolver) managers(t Term) (out []string) {
	if t.Source != kubeapi.ManagerClient && t.Source != kubeapi.ManagerCache || isManager(t.Name) || t.Name == "" {
		return []string{t.Name}
	}
	for _, m := range r.reach(t.Name) {
		out = append(out, m.Name)
	}
	return out
}

// isParam reports whether t is a parameter of the function of s, or a client of the manager in one.
func (s *state) isParam(t Term) bool { return strings.HasPrefix(t.Name, s.in+"#") }

// given returns terms with the parameters replaced by what c passes.
func (s *state) given(c *Call, terms []Term) (out []Term) {
	for _, t := range terms {
		if !s.isParam(t) {
			out = append(out, t)
			continue
		}
		i, _ := strconv.Atoi(t.Name[len(s.in)+1:])
		args := []Term{{}}
		if n := slices.IndexFunc(c.Args, func(a Arg) bool { return a.Param == i }); n >= 0 {
			args = c.Args[n].Terms
		}
		for _, a := range args {
			if t.Source != kubeapi.UnknownSource {
				a.Source = t.Source
			}
			out = append(out, a)
		}
	}
	return out
}
