package cachescope

import (
	"fmt"
	"slices"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// disablefor reports kinds that the client reads live by an option, while the same manager's cache holds them in full,
// as typed objects, for a watch: the option saves no memory, and each read costs a request.
func (v *view) disablefor() {
	for _, g := range v.groups {
		i := slices.IndexFunc(v.DisableFor, func(e footprint.Entry) bool { return e.Kind.Type == g.kind.Type })
		w := slices.IndexFunc(g.asked, func(a *footprint.Asked) bool {
			return a.Role != "" && a.Kind.Form == footprint.Typed && v.Holds(a) && !v.restricted(a.Kind) && !slices.Contains(a.Silenced, "disablefor")
		})
		if i < 0 || w < 0 || v.Open || v.OwnCache {
			continue
		}
		v.report(g.asked[w], rule.Finding{Sub: "disablefor", Site: "cached-all-the-same", Message: fmt.Sprintf(
			"%s has %s keep every %s in the cache, whose reads DisableFor (%s) makes live: watch the metadata only, or read the cache",
			g.asked[w].Role, g.name, g.name, v.DisableFor[i].At)}, v.at(v.DisableFor[i].At, "its reads are live by this option"))
	}
}
