package cachescope

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// predicate reports built-in kinds with a namespace of which every watch, by its predicates or its mapping function, and
// every cached read wants the same name, namespace, label or node, while the cache holds all objects of the cluster.
//
// All options of the manager have to be known, and none may restrict the kind. A watch or cached read of the kind without
// that filter, in any form, needs the others; one of an unknown kind, or a read through an unknown client, may do so. An
// index alone needs none: it is for reads.
func (v *view) predicate() {
	if v.Open || v.OwnCache || v.unknown(func(a *footprint.Asked) bool { return a.Kind.Form == footprint.Typed && v.mayWant(a) }) {
		return
	}
	for _, g := range v.groups {
		if _, _, cluster, ok := kubeapi.ResourceOf(g.kind.Type); !ok || cluster {
			continue
		}
		var watches, reads []*footprint.Asked
		for _, a := range g.asked {
			list := &watches
			if a.Role == "" {
				list = &reads
			}
			if v.mayWant(a) && a.Role != kubeapi.RoleIndex && !slices.ContainsFunc(*list, func(o *footprint.Asked) bool { return o.At == a.At && o.Request == a.Request }) {
				*list = append(*list, a)
			}
		}
		if len(watches) == 0 || v.restricted(watches[0].Kind) || slices.ContainsFunc(watches, isSilenced) {
			continue
		}
		common := slices.IndexFunc(watches[0].Filters, func(f footprint.Filter) bool {
			return !slices.ContainsFunc(watches, func(a *footprint.Asked) bool { return !slices.Contains(a.Filters, f) }) &&
				!slices.ContainsFunc(reads, func(a *footprint.Asked) bool { return !selects(a.Key, f) })
		})
		if common < 0 {
			continue
		}
		filter := watches[0].Filters[common]
		f := rule.Finding{Sub: "predicate", Site: "filtered-by-constant"}
		if filter.Property == kubeapi.ByNode {
			f.Site = "filtered-by-node"
		}
		if len(v.Left) > 0 {
			f.Confidence = rule.Possible // code out of sight has a client, and may read others
		}
		who := "every watch of " + g.text
		if len(reads) > 0 {
			who = "every watch and read of " + g.text
		}
		f.Message = fmt.Sprintf("%s wants %s, but the cache holds every %s of the cluster; restrict it by ByObject", who, filterText(filter), g.name)
		related := append(v.related(watches, "this watch wants the same"), v.related(append(watches[:1:1], reads...), "this read wants the same")...)
		v.report(watches[0], f, append(related, v.at(v.At, "the manager is made here"))...)
	}
}

// mayWant reports whether a may ask the manager's cache for an informer, or for objects.
func (v *view) mayWant(a *footprint.Asked) bool {
	unknown := a.Mixed || a.Source == kubeapi.UnknownSource
	return v.Holds(a) || unknown && (a.Role != "" || a.Verb == kubeapi.VerbGet || a.Verb == kubeapi.VerbList)
}

func isSilenced(a *footprint.Asked) bool { return slices.Contains(a.Silenced, "predicate") }

// selects reports whether what is read by k fulfils f.
func selects(k footprint.Key, f footprint.Filter) bool {
	if f.Property == kubeapi.ByName && strconv.Quote(k.Name) == f.Value || f.Property == kubeapi.ByNamespace && strconv.Quote(k.Namespace) == f.Value {
		return true
	}
	return slices.ContainsFunc(k.Selected, func(s footprint.Filter) bool {
		return s.Property == f.Property && (s.Value == f.Value || f.Value == "")
	})
}

// filterText spells f for a message: "metadata.name = "x"", "label app", "spec.nodeName = Reconciler.NodeName".
func filterText(f footprint.Filter) string {
	switch value := f.Value; {
	case value == "":
		return f.Property
	case value[0] != '"' && value[0] != '$': // without the path of the package
		value = value[strings.LastIndexByte(value, '/')+1:]
		return f.Property + " = " + value[strings.IndexByte(value, '.')+1:]
	}
	return f.Property + " = " + f.Value
}
