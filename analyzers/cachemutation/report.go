package cachemutation

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// report reports, for each object that a cache gives out, the first write to it. Who copies it there fixes them all: also where a
// function of the package gives it to several, of which the first is reported.
func (a *mutations) report() {
	var all []sharing.Read
	for _, fn := range a.p.All() {
		all = append(all, a.shared.Reads(fn)...)
	}
	told := map[token.Pos]bool{}
	helpers := map[token.Pos]*one{} // by where they read
	var findings []*one
	for _, r := range all {
		found := slices.DeleteFunc(a.shared.Effects(r), func(e sharing.Effect) bool { return !rule.Wanted(a.pass, flow.Pos(e.In)) })
		if len(found) == 0 || told[flow.Pos(found[0].In)] {
			continue
		}
		told[flow.Pos(found[0].In)] = true
		if first := helpers[r.From]; first != nil && r.From.IsValid() {
			first.others = append(first.others, found[0])
			continue
		}
		f := &one{r, found[0], found[1:], nil}
		findings = append(findings, f)
		helpers[r.From] = f
	}
	for _, o := range findings {
		rule.Report(a.pass, a.finding(o))
	}
}

// one is a read and what is written of it: at first, later, and by others who read by the same function.
type one struct {
	sharing.Read
	first  sharing.Effect
	later  []sharing.Effect
	others []sharing.Effect
}

// finding says what is written.
func (a *mutations) finding(o *one) rule.Finding {
	r, e := o.Read, o.first
	sub, site := kind(r, e)
	f := rule.Finding{Pos: flow.Pos(e.In), Sub: sub, Site: site, Confidence: rule.Certain}
	if r.At.Parent() != e.In.Parent() || r.How != sharing.Asked && r.How != sharing.Unmoved || e.Mixed() {
		f.Confidence = rule.Possible
	}
	object := cmp.Or(objectName(e), "object")
	held := "the " + object + " returned by " + r.Of
	if r.How == sharing.Unmoved {
		held = "the " + object + " that " + r.Of + " read without a copy"
	}
	stays := ""
	if line := a.request(e); line > 0 {
		stays = fmt.Sprintf(", even if the request on line %d fails", line)
	}
	f.Message = fmt.Sprintf("%s %s: all readers of the informer cache see the change%s; modify a DeepCopy", a.does(e), held, stays)
	if _, isCall := r.At.(*ssa.Call); isCall {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: flow.Pos(r.At), Message: "read from the cache here, without a copy"})
	}
	if r.From.IsValid() {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: r.From, Message: r.Of + " reads it from the cache here"})
	}
	if e.At.IsValid() {
		does := "passed on here"
		if e.Own {
			does = "written here"
		}
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: e.At, Message: does})
	}
	shown := map[token.Pos]bool{e.At: true}
	for _, later := range o.later {
		if later.In == e.In && !shown[later.At] && later.At.IsValid() {
			shown[later.At] = true
			f.Related = append(f.Related, analysis.RelatedInformation{Pos: later.At, Message: "and here"})
		}
	}
	for _, other := range o.others {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: flow.Pos(other.In), Message: "mutates an object from the same read"})
	}
	f.Fixes = a.fixes(r, e, o.later)
	return f
}

// does says what e does.
func (a *mutations) does(e sharing.Effect) string {
	where := ""
	if e.Where != (sharing.Place{}) {
		where = " (" + e.Where.String() + ")"
	}
	if e.Deed == sharing.Given {
		return e.Callee + where + " mutates " + e.What + " of"
	}
	return "mutates " + e.What + " of"
}

// request is the line of the first request behind e, in its function, that sends what it has written to; 0 for none.
func (a *mutations) request(e sharing.Effect) int {
	first := token.NoPos
	for in := range flow.Instrs(e.In.Parent()) {
		if _, ok := e.SentBy(in); ok && in.Pos() >= flow.Pos(e.In) && (!first.IsValid() || in.Pos() <= first) {
			first = in.Pos()
		}
	}
	if !first.IsValid() {
		return 0
	}
	return rule.Line(a.pass, first)
}

// objectName is the name of the type of the cached object: of the first object on the way to e, since a later one may only have been given a
// part of it; of an interface where it is known as nothing else.
func objectName(e sharing.Effect) (name string) {
	shown := ""
	for v := range e.Values {
		n := flow.Named(v.Type())
		switch {
		case !kubeapi.IsObject(v.Type()) || n == "" || kubeapi.NamesAnyObject(n):
		case types.IsInterface(v.Type()):
			shown = n
		default:
			name = n
		}
	}
	return cmp.Or(name, shown)
}

// kind is the sub-rule that e, of what r reads, belongs to, and its site.
func kind(r sharing.Read, e sharing.Effect) (sub string, site rule.Site) {
	switch {
	case r.How == sharing.Unmoved:
		return "write", "uncopied-read"
	case e.Deed == sharing.Given:
		return "write", "callee-write"
	case r.How == sharing.Handed:
		return "returned", "returned-object-write"
	}
	switch e.Via() {
	case sharing.InAlias:
		return "write", "alias-write"
	case sharing.InCopy:
		return "write", "shallow-copy-write"
	case sharing.InElement:
		return "write", "element-write"
	}
	return "write", "cached-object-write"
}
