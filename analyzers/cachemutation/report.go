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
	"github.com/ctrllint/ctrllint/internal/kube"
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
	all = append(all, a.shared.Given()...)
	told := map[token.Pos]bool{}
	written := map[token.Pos]bool{} // by who does not need a field for it
	helpers := map[token.Pos]*one{} // by where they read
	writers := map[token.Pos]*one{} // what handlers are given, by the place that writes to it, or hands it on to be written to
	var findings []*one
	for _, r := range all {
		found := slices.DeleteFunc(a.shared.Effects(r), func(e sharing.Effect) bool { return !rule.Wanted(a.pass, flow.Pos(e.In)) })
		if r.How == sharing.Kept {
			found = slices.DeleteFunc(found, func(e sharing.Effect) bool { return written[place(e)] })
		}
		for _, e := range found {
			written[place(e)] = true
		}
		if len(found) == 0 || told[flow.Pos(found[0].In)] {
			continue
		}
		told[flow.Pos(found[0].In)] = true
		if first := helpers[r.From]; first != nil && r.From.IsValid() {
			first.others = append(first.others, found[0])
			continue
		}
		if first := writers[found[0].At]; first != nil && r.How == sharing.Pushed {
			first.others = append(first.others, found[0])
			continue
		}
		f := &one{r, found[0], found[1:], nil}
		if r.How == sharing.Pushed && found[0].At.IsValid() {
			writers[found[0].At] = f
		}
		findings = append(findings, f)
		helpers[r.From] = f
	}
	for _, o := range findings {
		if needs, only := o.needs(), a.onlyHandled(o); needs != nil || only != nil {
			a.linked.keep(a.pass, a.finding(o), needs, only)
		} else {
			rule.Report(a.pass, a.finding(o))
		}
	}
	for _, fn := range a.p.All() {
		for _, h := range a.shared.Halves(fn) {
			if e := h.Writes[0]; !told[flow.Pos(e.In)] && rule.Wanted(a.pass, flow.Pos(e.In)) {
				told[flow.Pos(e.In)] = true
				if h.Doors == nil {
					rule.Report(a.pass, a.half(h))
				} else {
					a.linked.keepHalf(a.pass, a.half(h), h.Doors)
				}
			}
		}
	}
}

// half says what is written of an object that may or may not be the one that the caller has.
func (a *mutations) half(h sharing.Half) rule.Finding {
	e := h.Writes[0]
	where, is := "where it has such a map, and else of one that is made here and never given to it; change a copy, or set it", "this may be the object's own"
	if h.Content {
		where, is = "if it is an Unstructured, and of a copy if it is of any other type; change a copy of both", "this is the object's own, of an Unstructured"
	}
	return rule.Finding{
		Pos: flow.Pos(e.In), Sub: "half", Site: "ambiguous-write", Confidence: rule.Possible,
		Message: fmt.Sprintf("%s %s, which the caller has, %s", a.does(e), h.Object, where),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(h.At), Message: is}},
	}
}

// place is where e writes, or the last place of this package on the way there.
func place(e sharing.Effect) token.Pos { return cmp.Or(e.At, flow.Pos(e.In)) }

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
	held := "the " + object + " that " + r.Of + " still holds"
	switch {
	case r.How == sharing.Pushed:
		held = "the " + object + " that the informer still holds and has given to its handlers"
	case r.How == sharing.Passed:
		held = "the " + object + " that a cache still holds, given to this function through " + r.Of
	case r.How == sharing.Kept:
		held = "the " + object + " that a cache still holds, kept in " + r.Of
	case r.How == sharing.Unmoved:
		held = "the " + object + " that the cache of " + r.Of + " still holds, since the read does not copy"
	case r.How == sharing.Handed:
		held = "the " + object + " that a cache still holds, behind " + r.Of
	}
	stays := "until the server sends another one"
	if line := a.request(e); line > 0 {
		stays = fmt.Sprintf("even if the request at line %d fails", line)
	}
	f.Message = fmt.Sprintf("%s %s: all who read it there see the change, %s; change a DeepCopy", a.does(e), held, stays)
	if _, isCall := r.At.(*ssa.Call); isCall && r.How != sharing.Pushed && r.How != sharing.Passed {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: flow.Pos(r.At), Message: "it comes from the cache here, and is not copied"})
	}
	if r.From.IsValid() {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: r.From, Message: r.Of + " has it from the cache here"})
	}
	if e.At.IsValid() {
		does := "it is handed on here"
		if e.Own {
			does = "it is written to here"
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
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: flow.Pos(other.In), Message: "so does this, of what comes the same way"})
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
	switch {
	case e.Deed == sharing.Decoded:
		return e.Callee + where + " writes the server's answer into"
	case e.Deed == sharing.Given:
		return e.Callee + where + " writes " + e.What + " of"
	}
	return "this writes " + e.What + " of"
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
		case !kube.IsObject(v.Type()) || n == "" || n == "Object" || n == "ObjectMeta":
		case types.IsInterface(v.Type()):
			shown = n
		default:
			name = n
		}
	}
	return cmp.Or(name, shown)
}

// sub is the sub-rule that e, of what r reads, belongs to.
func kind(r sharing.Read, e sharing.Effect) (sub string, site rule.Site) {
	switch {
	case r.How == sharing.Unmoved:
		return "disabled", "uncopied-read"
	case e.Deed == sharing.Decoded:
		return "writeback", "decoded-object"
	case e.Deed == sharing.Given:
		return "callee", "callee-write"
	case r.How == sharing.Pushed, r.How == sharing.Passed:
		return "param", "handler-object-write"
	case r.How == sharing.Handed:
		return "returned", "returned-object-write"
	}
	switch e.Via() {
	case sharing.InAlias:
		return "alias", "alias-write"
	case sharing.InCopy:
		return "shallow", "shallow-copy-write"
	case sharing.InElement:
		return "deep", "element-write"
	}
	return "write", "cached-object-write"
}
