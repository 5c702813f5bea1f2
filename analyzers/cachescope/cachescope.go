package cachescope

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/footprint"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule cachescope.
var Analyzer = &analysis.Analyzer{
	Name: "cachescope",
	Doc:  rule.MustExtractDoc(doc, "cachescope"),
	URL:  rule.URLBase + "cachescope.md",
	Flags: rule.Flags(
		rule.Sub{Name: "implicit", Severity: rule.Warning},
		rule.Sub{Name: "forbidden", Severity: rule.Error},
		rule.Sub{Name: "predicate", Severity: rule.Warning},
		rule.Sub{Name: "deadwatch", Severity: rule.Warning},
		rule.Sub{Name: "disablefor", Severity: rule.Warning},
		rule.Sub{Name: "rbac", Severity: rule.Warning},
	),
	Requires: []*analysis.Analyzer{footprint.Analyzer, suppress.Analyzer},
	Run:      rule.Wrap("cachescope", nil, run),
}

// unbounded are the kinds of which clusters have many, or large objects that are not the operator's; a flag names others.
var unbounded = kinds{
	"core/v1.Secret", "core/v1.ConfigMap", "core/v1.Pod", "core/v1.Event", "core/v1.Endpoints", "apps/v1.ReplicaSet", "apps/v1.ControllerRevision",
	"batch/v1.Job", "coordination/v1.Lease", "discovery/v1.EndpointSlice", "events/v1.Event", "tekton.TaskRun", "tekton.PipelineRun",
}

// kinds is a list of kinds, and the value of a flag.
type kinds []string

func init() {
	Analyzer.Flags.Var(&unbounded, "kinds", "kinds of which clusters have many objects, separated by commas")
}

func (k *kinds) String() string { return strings.Join(*k, ",") }

// Set replaces the list.
func (k *kinds) Set(value string) error {
	*k = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
	return nil
}

// A view is the footprint of one manager that a program makes.
type view struct {
	pass *analysis.Pass
	*footprint.Program
	*footprint.Footprint
	groups []*group
	roles  []*footprint.Cluster // see [view.findRoles]
}

func run(pass *analysis.Pass) (any, error) {
	p := pass.ResultOf[footprint.Analyzer].(*footprint.Program)
	if p.Library {
		return nil, nil
	}
	for _, f := range p.Footprints {
		v := &view{pass: pass, Program: p, Footprint: f}
		v.groups = v.findGroups()
		v.roles = v.findRoles()
		v.implicit()
		v.deadwatch()
		v.disablefor()
		v.predicate()
		v.forbidden()
		v.rbac()
	}
	return nil, nil
}

// A group is the requests of a manager for one kind.
type group struct {
	kind  footprint.Kind // of the first one; forms may differ
	text  string         // as manifests have it: "v1 Secret"
	name  string         // "Secret"
	asked []*footprint.Asked
}

// findGroups returns the requests by kind, without those of unknown kinds, in the order of the kinds.
func (v *view) findGroups() (all []*group) {
	for i := range v.Asked {
		a := &v.Asked[i]
		if a.Kind.Type == "" {
			continue
		}
		if len(all) == 0 || all[len(all)-1].kind.Type != a.Kind.Type {
			all = append(all, &group{kind: a.Kind, text: v.KindText(a.Kind), name: a.Kind.Type[strings.LastIndexByte(a.Kind.Type, '.')+1:]})
		}
		g := all[len(all)-1]
		g.asked = append(g.asked, a)
	}
	return all
}

// reads returns the reads of g that the cache answers, one for each place, unless a comment silences check there.
func (v *view) reads(g *group, check string) (all []*footprint.Asked) {
	for _, a := range g.asked {
		if v.Cached(a) && !slices.Contains(a.Silenced, check) && !slices.ContainsFunc(all, func(o *footprint.Asked) bool { return o.At == a.At }) {
			all = append(all, a)
		}
	}
	return all
}

// unknown reports whether a request of an unknown kind, or through an unknown client, may be one that is is true of.
func (v *view) unknown(is func(*footprint.Asked) bool) bool {
	return slices.ContainsFunc(v.Asked, func(a footprint.Asked) bool { return a.Kind.Type == "" && is(&a) })
}

// report reports f at the place of a, with related places.
func (v *view) report(a *footprint.Asked, f rule.Finding, related ...analysis.RelatedInformation) {
	f.Pos, f.Elsewhere = v.Dirs.Pos(v.pass, a.At), true
	f.Related = append(f.Related, related...)
	if f.Pos.IsValid() {
		rule.Report(v.pass, f)
	}
}

// related names the places of all but the first.
func (v *view) related(all []*footprint.Asked, message string) (out []analysis.RelatedInformation) {
	for _, a := range all[1:] {
		out = append(out, v.at(a.At, message))
	}
	return out
}

func (v *view) at(place link.At, message string) analysis.RelatedInformation {
	return analysis.RelatedInformation{Pos: v.Dirs.Pos(v.pass, place), Message: message}
}

// method names the method that makes the request a, with the kind: "Get of v1 Secret".
func method(a *footprint.Asked, g *group) string {
	return fmt.Sprintf("%s of %s", kubeapi.MethodOf(a.Verb), g.text)
}
