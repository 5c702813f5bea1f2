package footprint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// Cluster returns what the manifests of the repository and the markers of the program declare. Under go vet, which does
// not know of the manifests when it stores results, it has the markers alone, and is not ok; nor is it if manifests
// cannot be read.
func (p *Program) Cluster() (c *Cluster, ok bool) {
	if p.cluster == nil {
		p.cluster = new(Cluster)
		if rule.Active.Programs {
			if found, err := Manifests(p.Dirs[p.Path]); err == nil {
				p.cluster, p.read = found, len(found.Unread) == 0
			}
		}
		p.cluster.Grants = append(slices.Clip(p.cluster.Grants), p.Grants...)
	}
	return p.cluster, p.read
}

// Installations returns what c grants by the ways of installing the program: the Helm charts, of which some may be of
// other programs, are one, and the manifests elsewhere and the markers another one. All have the kinds of c.
func (c *Cluster) Installations() (all []*Cluster) {
	charts, others := &Cluster{Kinds: c.Kinds}, &Cluster{Kinds: c.Kinds}
	for _, g := range c.Grants {
		i := others
		if chart, _, in := strings.Cut(g.File, "/templates/"); in {
			i = charts
			if i.Chart = cmp.Or(i.Chart, chart); i.Chart != chart {
				i.Chart = "the charts"
			}
		}
		i.Grants = append(i.Grants, g)
	}
	return []*Cluster{others, charts}
}

// OfSubjects returns c without the grants to others than the service accounts that have one of own. What has no subject,
// as a marker, stays.
func (c *Cluster) OfSubjects(own []*Grant) *Cluster {
	has := func(subject string) bool {
		return slices.ContainsFunc(own, func(g *Grant) bool { return slices.Contains(g.Subjects, subject) })
	}
	if !slices.ContainsFunc(own, func(g *Grant) bool { return len(g.Subjects) > 0 }) {
		return c
	}
	of := *c
	of.Grants = slices.DeleteFunc(slices.Clone(c.Grants), func(g Grant) bool { return len(g.Subjects) > 0 && !slices.ContainsFunc(g.Subjects, has) })
	return &of
}

// A Resource is what roles call a kind.
type Resource struct {
	Group, Name string
	Cluster     bool // its objects are in no namespace
}

// String returns the resource with its group: "pods", "jobs.batch".
func (r Resource) String() string { return strings.TrimSuffix(r.Name+"."+r.Group, ".") }

// Resource returns the resource of a kind: of a CustomResourceDefinition of c, of a marker, or of Kubernetes itself. A
// plural is never guessed.
func (p *Program) Resource(c *Cluster, kind Kind) (r Resource, ok bool) {
	if group, name, inCluster, ok := kubeapi.ResourceOf(kind.Type); ok {
		return Resource{group, name, inCluster}, true
	}
	t, ok := p.Types[kind.Type]
	if !ok || t.Group == "" {
		return Resource{}, false
	}
	for _, k := range c.Kinds {
		if k.Group == t.Group && k.Name == kind.Type[strings.LastIndexByte(kind.Type, '.')+1:] {
			return Resource{k.Group, k.Plural, k.Cluster}, true
		}
	}
	return Resource{t.Group, t.Plural, t.Cluster}, t.Plural != ""
}

// rules returns what c grants for the kind, as an inventory has it.
func (p *Program) rules(c *Cluster, kind Kind) (all []Rule) {
	r, ok := p.Resource(c, kind)
	for _, g := range c.Grants {
		if !ok || !anyOf(g.Groups, "*", r.Group) || !anyOf(g.Resources, "*", r.Name) {
			continue
		}
		from := g.File
		if g.At != "" {
			from = "marker " + string(g.At)
		}
		if !slices.ContainsFunc(all, func(r Rule) bool { return r.From == from && r.Namespace == g.Namespace }) {
			all = append(all, Rule{Kind: p.KindText(kind), Verbs: g.Verbs, Namespace: g.Namespace, From: from})
		}
	}
	return all
}
