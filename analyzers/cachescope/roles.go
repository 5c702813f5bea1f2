package cachescope

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// findRoles returns what the manifests of the repository and the markers of the program grant to its service accounts, by
// installation: the Helm charts are one, and all else another. A service account is the program's if it may list a kind of
// its own that a controller is for; the charts install the program if they allow all requests for these. Of another
// installation, the roles are elsewhere, and it is left out; there is none if a manifest is not understood, or if the
// program asks the API server what it may do.
func (v *view) findRoles() (all []*footprint.Cluster) {
	c, ok := v.Cluster()
	if !ok || slices.ContainsFunc(v.Asked, func(a footprint.Asked) bool { return kubeapi.IsAccessReview(a.Kind.Type) }) {
		return nil
	}
	for _, i := range c.Installations() {
		var own []*footprint.Grant
		missing := false
		for _, g := range v.groups {
			_, declared := v.Types[g.kind.Type]
			r, named := v.Resource(i, g.kind)
			if !declared || !named || !slices.ContainsFunc(g.asked, func(a *footprint.Asked) bool { return a.Role == kubeapi.RoleFor && v.Holds(a) }) {
				continue
			}
			for _, a := range g.asked {
				cluster, namespace := i.Allows(r.Group, r.Name, a.Sub, a.Verb)
				missing = missing || len(cluster)+len(namespace) == 0
			}
			cluster, namespace := i.Allows(r.Group, r.Name, "", kubeapi.VerbList)
			for _, g := range slices.Concat(cluster, namespace) {
				if slices.Contains(g.Groups, r.Group) { // rules of a role that is not at hand may be anyone's
					own = append(own, g)
				}
			}
		}
		if len(own) > 0 && (!missing || i.Chart == "") {
			all = append(all, i.OfSubjects(own))
		}
	}
	return all
}
