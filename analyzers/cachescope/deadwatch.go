package cachescope

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// deadwatch reports informers that nobody profits from:
//
//   - A controller owns Events. Recorders set involvedObject and no owner, so that the handler never finds one.
//   - A kind is indexed, and no client reads it and no controller watches it. If another version of the kind is read,
//     the index is on the wrong one. A List of an unknown kind, or through an unknown client, may be the reader.
func (v *view) deadwatch() {
	all := v.groups
	for _, g := range all {
		for _, a := range g.asked {
			if slices.Contains(a.Silenced, "deadwatch") {
				continue
			}
			switch {
			case a.Role == kubeapi.RoleOwns && kubeapi.IsEventKind(g.kind.Type):
				v.report(a, rule.Finding{Sub: "deadwatch", Site: "owned-events", Message: "Events have no owners, so this watch never queues a request, and the cache holds every Event: remove it"})
			case a.Role == kubeapi.RoleIndex && v.Holds(a) && !slices.ContainsFunc(g.asked, func(o *footprint.Asked) bool { return o.Role != kubeapi.RoleIndex && !o.Verb.Writes() }) && !v.unknown(mayUseIndex):
				f := rule.Finding{Sub: "deadwatch", Site: "unused-index", Message: fmt.Sprintf(
					"this index starts an informer of every %s, and nothing reads or watches %s: remove it", g.name, g.text)}
				if i := slices.IndexFunc(all, func(o *group) bool { return o.name == g.name && o != g && sameGroup(o.text, g.text) }); i >= 0 {
					f.Site, f.Message = "index-of-other-version", fmt.Sprintf("this index starts an informer of every %s, and everything else uses %s: index that", g.text, all[i].text)
				}
				if v.unknown(func(a *footprint.Asked) bool { return a.Verb == kubeapi.VerbGet }) {
					f.Confidence = rule.Possible
				}
				v.report(a, f)
			}
		}
	}
}

// mayUseIndex reports whether a may be a read by an index.
func mayUseIndex(a *footprint.Asked) bool {
	return a.Verb == kubeapi.VerbList && a.Source != kubeapi.OtherClient && a.Source != kubeapi.LiveClient && a.Kind.Form == footprint.Typed
}

// sameGroup reports whether the kinds "group/version Kind" are of one group.
func sameGroup(a, b string) bool {
	groupOf := func(s string) string { return s[:strings.LastIndexByte(s, '/')+1] }
	return groupOf(a) == groupOf(b)
}
