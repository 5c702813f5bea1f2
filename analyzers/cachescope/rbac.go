package cachescope

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// rbac compares what markers grant with what the program asks for:
//
//   - A marker whose resource its group does not have: it grants nothing.
//   - A marker that grants what nothing in the program asks for. All clients have to be known, and none may be passed to
//     code out of sight. Programs that write roles need what they grant to others.
func (v *view) rbac() {
	if len(v.roles) == 0 {
		return
	}
	c, _ := v.Cluster()
	v.nothing(c)
	if len(v.Left) > 0 || slices.ContainsFunc(v.Asked, func(a footprint.Asked) bool { return a.Source == kubeapi.UnknownSource || a.Mixed || a.Kind.Type == "" }) {
		return
	}
	v.unused(c)
}

// nothing reports markers that name a resource which its group does not have, while nothing grants what they mean: of a
// kind that the repository declares.
func (v *view) nothing(c *footprint.Cluster) {
	for _, m := range v.Grants {
		for _, name := range m.Resources {
			base, sub, _ := strings.Cut(name, "/")
			for _, group := range m.Groups {
				meant, known := v.meant(c, group, base)
				granted := !slices.ContainsFunc(m.Verbs, func(verb string) bool {
					cluster, namespace := c.Allows(group, meant, sub, kubeapi.Verb(verb))
					return len(cluster)+len(namespace) == 0
				})
				if known && meant != "" && base != "*" && !granted {
					v.report(&footprint.Asked{Request: &footprint.Request{At: m.At}}, rule.Finding{Sub: "rbac", Site: "marker-for-nothing", Message: fmt.Sprintf(
						"group %q has no resource %s, so that this marker grants nothing for it: write %s", group, base, meant)})
				}
			}
		}
	}
}

// meant returns what a marker for the resource of that name in group has to name instead; known says whether all
// resources of the group are, which are those of CustomResourceDefinitions in the repository.
func (v *view) meant(c *footprint.Cluster, group, name string) (meant string, known bool) {
	for _, k := range c.Kinds {
		if k.Group != group {
			continue
		}
		if k.Plural == name {
			return "", true
		}
		known = true
		if strings.HasSuffix(k.Plural, name) || strings.EqualFold(k.Name, strings.TrimSuffix(name, "s")) || strings.EqualFold(k.Name, name) {
			meant = k.Plural
		}
	}
	return meant, known
}

// unused reports markers of which nothing in the program asks for a resource: for none of its verbs.
func (v *view) unused(c *footprint.Cluster) {
	groups := v.groups
	asked := map[string]bool{}
	for _, g := range groups {
		r, ok := v.Resource(c, g.kind)
		if !ok {
			return // any marker may be for it
		}
		asked[r.Group+"/"+r.Name] = true
		if kubeapi.IsRole(g.kind.Type) {
			return
		}
	}
	for _, m := range v.Grants {
		for _, group := range m.Groups {
			for _, name := range m.Resources {
				base, _, _ := strings.Cut(name, "/")
				if group == "*" || name == "*" || base != name || asked[group+"/"+base] || kubeapi.AskedByLibraries(base) || !v.declared(c, group, base) {
					continue
				}
				v.report(&footprint.Asked{Request: &footprint.Request{At: m.At}}, rule.Finding{Sub: "rbac", Site: "unused-permission", Message: fmt.Sprintf(
					"nothing in this program asks for %s, which this marker grants %s on: remove it", footprint.Resource{Group: group, Name: base}, strings.Join(m.Verbs, ", "))})
			}
		}
	}
}

// declared reports whether group has a resource of that name: other names are of kinds that are not known.
func (v *view) declared(c *footprint.Cluster, group, name string) bool {
	return kubeapi.IsBuiltInGroup(group) || slices.ContainsFunc(c.Kinds, func(k footprint.Type) bool { return k.Group == group && k.Plural == name })
}
