package footprint

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
)

// Inventory returns the inventories of the program as a JSON list, one for each manager; nil if it has no manager.
// Places are those of link.At.
func (p *Program) Inventory() []byte {
	if len(p.Footprints) == 0 || p.Library {
		return nil
	}
	c, _ := p.Cluster()
	var all []*Inventory
	for _, f := range p.Footprints {
		i := p.inventory(f, c)
		for n := range f.Asked {
			if k := f.Asked[n].Kind; n == 0 || k.Type != f.Asked[n-1].Kind.Type {
				i.Rules = append(i.Rules, p.rules(c, k)...)
			}
		}
		all = append(all, i)
	}
	data, err := json.Marshal(all)
	if err != nil {
		panic(err) // there are only texts and numbers in it
	}
	return data
}

func (p *Program) inventory(f *Footprint, c *Cluster) *Inventory {
	i := &Inventory{Program: p.Path, Managers: []string{string(f.At)}, Unless: f.Unless, Open: f.Open || f.OwnCache}
	held, uses := map[string]*Held{}, map[string]*Use{}
	places := map[link.At]bool{}
	for n := range f.Asked {
		a := &f.Asked[n]
		places[a.At] = true
		kind, at := p.KindText(a.Kind), string(a.At)
		switch {
		case a.Source == kubeapi.UnknownSource:
			i.missing(Missing{kind, a.verb(), "client", at})
		case kind == unknownKind:
			i.missing(Missing{kind, a.verb(), "kind", at})
		}
		if f.Holds(a) || a.Mixed && f.cached(a) {
			scope := *f.ScopeOf(a.Kind)
			if r, ok := p.Resource(c, a.Kind); ok && r.Cluster {
				scope.Namespaces = nil // which does not restrict such kinds
			}
			h := Held{Kind: kind, Form: a.Kind.Form.String(), Scope: scope.String()}
			key := h.Kind + " " + h.Form
			if held[key] == nil {
				held[key] = &h
			}
			held[key].Causes = append(held[key].Causes, Reason{cmp.Or(a.Role, kubeapi.MethodOf(a.Verb)), at})
		}
		if a.Role == "" {
			u := Use{Kind: kind, Verb: a.verb(), Source: f.answers(a)}
			key := u.Kind + " " + u.Verb + " " + u.Source
			if uses[key] == nil {
				uses[key] = &u
			}
			uses[key].At = append(uses[key].At, at)
		}
	}
	i.Places = len(places)
	for _, h := range held {
		slices.SortFunc(h.Causes, func(a, b Reason) int { return cmp.Or(strings.Compare(a.Role, b.Role), strings.Compare(a.At, b.At)) })
		h.Causes = slices.Compact(h.Causes)
		i.Informer = append(i.Informer, *h)
	}
	for _, u := range uses {
		slices.Sort(u.At)
		u.At = slices.Compact(u.At)
		i.Requests = append(i.Requests, *u)
	}
	slices.SortFunc(i.Informer, func(a, b Held) int { return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Form, b.Form)) })
	slices.SortFunc(i.Requests, func(a, b Use) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Verb, b.Verb), strings.Compare(a.Source, b.Source))
	})
	return i
}

// unknownKind stands for a kind that is not known.
const unknownKind = "?"

func (i *Inventory) missing(m Missing) {
	if !slices.Contains(i.Unknown, m) {
		i.Unknown = append(i.Unknown, m)
	}
}

// verb returns the verb of a with its subresource.
func (a *Asked) verb() string { return strings.TrimSpace(string(a.Verb) + " " + a.Sub) }

// answers says who answers a.
func (f *Footprint) answers(a *Asked) string {
	switch {
	case a.Source == kubeapi.UnknownSource || a.Source == kubeapi.FakeClient:
		return "?"
	case a.Mixed && (a.Kind.Form != Unstructured || f.Untyped) && !a.Verb.Writes():
		return "cache or API server"
	case a.Source == kubeapi.OtherClient:
		return "another cluster or cache"
	case f.Cached(a):
		return "cache"
	}
	return "API server"
}

// String returns the form as an inventory has it.
func (f Form) String() string { return [...]string{"typed", "metadata", "unstructured"}[f] }

// ScopeOf returns what the cache holds of a kind that it holds.
func (f *Footprint) ScopeOf(k Kind) *Scope {
	for n := range f.Objects {
		if f.Objects[n].Kind.Type == k.Type {
			return &f.Objects[n]
		}
	}
	return &f.Default
}

// KindText names a kind as manifests do: "v1 Pod", "apps/v1 Deployment"; by its package where the group is not known.
func (p *Program) KindText(k Kind) string {
	dot := strings.LastIndexByte(k.Type, '.')
	if dot < 0 {
		return unknownKind
	}
	pkg, name := k.Type[:dot], k.Type[dot+1:]
	if t, ok := p.Types[k.Type]; ok && t.Group+t.Version != "" {
		return strings.TrimPrefix(t.Group+"/"+t.Version, "/") + " " + name
	}
	if group, version := kubeapi.GroupOf(pkg); version != "" {
		return strings.TrimPrefix(group+"/"+version, "/") + " " + name
	}
	return pkg + " " + name
}
