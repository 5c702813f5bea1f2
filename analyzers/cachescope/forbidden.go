package cachescope

import (
	"fmt"
	"slices"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// forbidden reports informers that no role allows to list or to watch their kind in their scope: a Role in a namespace
// does not allow an informer of the cluster. Without the list, a read waits for the sync until its context ends, and a
// controller does not start; without the watch, the cache lists all objects again and again. With the watch alone, that
// depends on whether the API server streams lists. Each installation, by a chart or otherwise, has roles of its own.
func (v *view) forbidden() {
	if v.Open {
		return
	}
	told := map[*group]bool{}
	groups, installations := v.groups, v.roles
	for _, c := range installations {
		for _, g := range groups {
			r, ok := v.Resource(c, g.kind)
			held := slices.DeleteFunc(slices.Clone(g.asked), func(a *footprint.Asked) bool {
				return !v.Holds(a) || a.Kind.Form == footprint.Unstructured || slices.Contains(a.Silenced, "forbidden")
			})
			if !ok || len(held) == 0 || told[g] {
				continue
			}
			for _, verb := range []kubeapi.Verb{kubeapi.VerbList, kubeapi.VerbWatch} {
				cluster, namespace := c.Allows(r.Group, r.Name, "", verb)
				everywhere := r.Cluster || !v.OwnCache && !v.ScopeOf(held[0].Kind).InNamespaces()
				if len(cluster) == 0 && (len(namespace) == 0 || everywhere) {
					told[g] = true
					v.refused(installations, c, r, verb, held, namespace)
					break
				}
			}
		}
	}
}

// refused reports that no role of c, one of the installations, allows the verb for the informer that held ask for, but
// those of namespace in theirs.
func (v *view) refused(
	installations []*footprint.Cluster, c *footprint.Cluster, r footprint.Resource, verb kubeapi.Verb, held []*footprint.Asked, namespace []*footprint.Grant,
) {
	a := held[0]
	if i := slices.IndexFunc(held, func(a *footprint.Asked) bool { return a.Role == "" }); i >= 0 {
		a = held[i] // it hangs
	}
	f := rule.Finding{Sub: "forbidden", Site: "refused-list"}
	effect := fmt.Sprintf("this cached %s blocks until its context ends", kubeapi.MethodOf(a.Verb))
	streams, _ := c.Allows(r.Group, r.Name, "", kubeapi.VerbWatch)
	switch {
	case verb == kubeapi.VerbWatch:
		f.Site, effect = "refused-watch", "the cache lists all of them again every few seconds"
	case a.Role != "":
		effect = "its informer never syncs, and the controller does not start"
	}
	if verb == kubeapi.VerbList && len(streams) > 0 {
		f.Confidence = rule.Possible
	}
	where, by := "", ""
	for _, other := range installations {
		if granted, _ := other.Allows(r.Group, r.Name, "", verb); len(granted) > 0 {
			by = " outside of " + other.Chart
		}
	}
	if len(namespace) > 0 {
		where = " in the cluster, only a Role in a namespace does"
	}
	if c.Chart != "" {
		by = " of " + c.Chart // which is installed by itself
	}
	f.Message = fmt.Sprintf("no role%s grants %s on %s%s: %s", by, verb, r, where, effect)
	related := v.related(append([]*footprint.Asked{a}, slices.DeleteFunc(held, func(o *footprint.Asked) bool { return o.At == a.At })...), "it is asked for here, too")
	v.report(a, f, append(related, v.via(a)...)...)
}
