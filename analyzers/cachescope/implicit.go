package cachescope

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// implicit reports reads that start an informer of a kind in unbounded which nothing else asks for, one for each kind:
// the cache holds every object of the cluster for reads that could be live. All options of the manager have to be known,
// and none may restrict the kind. A watch of the kind in any form, of an unknown kind, or an index says that the informer
// is wanted. Where the namespaces are a setting that is empty by default, the finding is a possible one, and a role has to
// allow the list in the whole cluster.
func (v *view) implicit() {
	if v.Open || v.OwnCache || v.Demands || v.unknown(func(a *footprint.Asked) bool { return a.Role != "" && a.Kind.Form == footprint.Typed && v.Holds(a) }) {
		return
	}
	for _, g := range v.groups {
		reads := v.reads(g, "implicit")
		if len(reads) == 0 || !isUnbounded(g.kind.Type) || v.restricted(reads[0].Kind) || slices.ContainsFunc(g.asked, wanted) {
			continue
		}
		f := rule.Finding{Sub: "implicit", Site: "implicit-informer"}
		use, where := "use mgr.GetAPIReader(), DisableFor or ByObject", "of the cluster"
		if slices.ContainsFunc(reads, func(a *footprint.Asked) bool { return len(a.Hazards) > 0 }) {
			use = "restrict what it holds"
		}
		if s := v.sibling(); s != "" {
			f.Site = "forgotten-kind"
			use += " (" + s + ")"
		}
		if setting := v.setting(g.kind); setting != "" {
			if c, _ := v.Cluster(); !v.listed(c, g) {
				continue
			}
			f.Site, f.Confidence, where = "conditional-informer", rule.Possible, "of the cluster where "+setting+" is empty"
		}
		f.Message = fmt.Sprintf("%s starts an informer that keeps every %s %s: nothing else asks the cache for one; %s", method(reads[0], g), g.name, where, use)
		related := v.related(reads, "it is read here, too")
		v.report(reads[0], f, append(related, v.via(reads[0])...)...)
	}
}

// setting names the setting that decides which namespaces of a kind the cache holds, and means all if it is empty; "" if
// there is none.
func (v *view) setting(k footprint.Kind) string {
	for _, n := range v.ScopeOf(k).Namespaces {
		if n.All {
			return n.Text
		}
	}
	return ""
}

// listed reports whether c allows a list of the kind of g in the whole cluster.
func (v *view) listed(c *footprint.Cluster, g *group) bool {
	r, ok := v.Resource(c, g.kind)
	cluster, _ := c.Allows(r.Group, r.Name, "", kubeapi.VerbList)
	return ok && len(cluster) > 0
}

// isUnbounded reports whether the kind is one of unbounded: "folder/version.Kind" is of k8s.io/api, and "word.Kind" of any
// package with that word in its path.
func isUnbounded(kind string) bool {
	dot := strings.LastIndexByte(kind, '.')
	return slices.ContainsFunc(unbounded, func(u string) bool {
		pkg, name, _ := strings.Cut(u, ".")
		return kind == kubeapi.BuiltIn+u || kind[dot+1:] == name && !strings.Contains(pkg, "/") && strings.Contains(kind[:dot], pkg)
	})
}

// wanted reports whether a is an informer that is asked for explicitly.
func wanted(a *footprint.Asked) bool { return a.Role != "" }

// restricted reports whether the cache holds a part of the kind only. A restriction to namespaces of which one may be
// empty by default is none.
func (v *view) restricted(k footprint.Kind) bool {
	s := v.ScopeOf(k)
	return s.Restricts() && !(v.setting(k) != "" && s.Labels == "" && s.Fields == "")
}

// sibling names an option that says of another kind what the cache is to hold; "" if there is none.
func (v *view) sibling() string {
	name := func(entries []footprint.Entry) string {
		var names []string
		for _, e := range entries {
			if n := e.Kind.Type[strings.LastIndexByte(e.Kind.Type, '.')+1:]; n != "" && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
		slices.Sort(names)
		return strings.Join(names, ", ")
	}
	var scoped []footprint.Entry
	for _, o := range v.Objects {
		scoped = append(scoped, o.Entry)
	}
	switch disabled := v.DisableFor; {
	case name(disabled) != "":
		return fmt.Sprintf("%s disables %s only", disabled[0].At, name(disabled))
	case name(scoped) != "":
		return fmt.Sprintf("%s restricts %s only", scoped[0].At, name(scoped))
	}
	return ""
}

// via are the calls by which the client or the kind of a reaches its place, and the manager.
func (v *view) via(a *footprint.Asked) (out []analysis.RelatedInformation) {
	for _, at := range a.Via {
		out = append(out, v.at(at, "it is called here"))
	}
	return append(out, v.at(v.At, "the manager is made here"))
}
