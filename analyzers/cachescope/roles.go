package cachescope

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// roles returns what the markers of the program and the manifests of its repository grant; nil if that cannot be all: a
// manifest is not understood, or a controller watches a kind of the program's own for which nothing grants a list, since
// its roles are elsewhere.
func (v *view) roles() *footprint.Cluster {
	c, ok := v.Cluster()
	known := false
	for _, g := range v.groups() {
		_, own := v.Types[g.kind.Type]
		i := slices.IndexFunc(g.asked, func(a *footprint.Asked) bool { return a.Role == kubeapi.RoleFor && v.Holds(a) })
		if !own || i < 0 {
			continue
		}
		r, named := v.Resource(c, g.kind)
		cluster, namespace := c.Allows(r.Group, r.Name, "", kubeapi.VerbList)
		ok = ok && named && len(cluster)+len(namespace) > 0
		known = true
	}
	if !ok || !known {
		return nil
	}
	return c
}
