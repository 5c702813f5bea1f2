package cachescope

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// roles returns what the manifests of the repository and the markers of the program grant, by installation: each Helm
// chart is one, and all else another. Of an installation in which no controller's own kind may be listed, the roles are
// elsewhere, and it is left out; there is none if a manifest is not understood.
func (v *view) roles() (all []*footprint.Cluster) {
	c, ok := v.Cluster()
	if !ok {
		return nil
	}
	for _, i := range c.Installations() {
		if slices.ContainsFunc(v.groups(), func(g *group) bool {
			_, own := v.Types[g.kind.Type]
			r, named := v.Resource(i, g.kind)
			cluster, namespace := i.Allows(r.Group, r.Name, "", kubeapi.VerbList)
			return own && named && len(cluster)+len(namespace) > 0 &&
				slices.ContainsFunc(g.asked, func(a *footprint.Asked) bool { return a.Role == kubeapi.RoleFor && v.Holds(a) })
		}) {
			all = append(all, i)
		}
	}
	return all
}
