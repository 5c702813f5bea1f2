package cachemutation

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/sharing"
)

// report reports the first write to each object that is read from a cache. Reads of one helper function are one finding,
// since a copy in the helper mends them all; the writes to the others are related places.
//
// internal/sharing decides what is read from a cache and which writes may reach it: a forward may-alias analysis with
// mod/ref summaries of functions. Here the writes are ordered, worded and classified. A finding is certain if the write is
// in the function of the read and the value cannot be another object (a phi).
func (a *mutations) report() {
	var all []sharing.Read
	for _, fn := range a.p.All() {
		all = append(all, a.shared.Reads(fn)...)
	}
	reported := map[token.Pos]bool{}
	helpers := map[token.Pos]*mutation{} // by where they read
	var findings []*mutation
	for _, r := range all {
		found := slices.DeleteFunc(a.shared.Effects(r), func(e sharing.Effect) bool { return !rule.Wanted(a.pass, flow.Pos(e.In)) })
		if len(found) == 0 || reported[flow.Pos(found[0].In)] {
			continue
		}
		reported[flow.Pos(found[0].In)] = true
		if first := helpers[r.From]; first != nil && r.From.IsValid() {
			first.others = append(first.others, found[0])
			continue
		}
		f := &mutation{Read: r, first: found[0], later: found[1:]}
		findings = append(findings, f)
		helpers[r.From] = f
	}
	for _, o := range findings {
		rule.Report(a.pass, a.finding(o))
	}
}

// A mutation is a read of a cached object and the writes to it.
type mutation struct {
	sharing.Read
	first  sharing.Effect
	later  []sharing.Effect
	others []sharing.Effect // the first writes after other reads by the same helper
}

// finding returns the finding about o.
func (a *mutations) finding(o *mutation) rule.Finding {
	r, e := o.Read, o.first
	sub, site := checkOf(r, e)
	f := rule.Finding{Pos: flow.Pos(e.In), Sub: sub, Site: site, Confidence: rule.Certain}
	if r.At.Parent() != e.In.Parent() || r.How == sharing.Handed || e.Mixed() {
		f.Confidence = rule.Possible
	}
	object := cmp.Or(objectName(e), "object")
	subject, do := "the "+object+" returned by "+r.Of, "modify a DeepCopy"
	if e.Deed == sharing.Given {
		do = "pass a DeepCopy"
	}
	if e.Sorts {
		do = "sort a copy"
	}
	if r.How == sharing.Unmoved {
		subject, do = "the "+object+" that "+r.Of+" read with UnsafeDisableDeepCopy", "modify a DeepCopy or drop the option"
	}
	more := ""
	if line := a.request(e); line > 0 {
		more = fmt.Sprintf(", even if the request on line %d fails", line)
	}
	if e.What.Part == sharing.Entry {
		more += ", and concurrent access can crash"
	}
	f.Message = fmt.Sprintf("%s: all readers of the informer cache see the change%s; %s", a.does(e, subject), more, do)
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

// does returns the sentence about e: what it does with the subject.
func (a *mutations) does(e sharing.Effect, subject string) string {
	by, what := "", e.What
	if e.Deed == sharing.Given {
		by = e.Callee
		if call := a.p.Spelled(flow.Pos(e.In)); call != "" && !strings.Contains(call, "[") {
			by = call
		}
		if e.Where != (sharing.Place{}) {
			by += " (" + e.Where.String() + ")"
		}
		by += " "
	}
	if e.Arg != nil && isMapOrSlice(e.Arg.Type()) || what == (sharing.Target{Of: sharing.Elements}) {
		what = e.TargetHere() // the callee has it by the name of its parameter
	}
	if e.Sorts {
		return by + "sorts " + cmp.Or(what.Of, what.Part) + " of " + subject + " in place"
	}
	return by + "mutates " + what.String() + " of " + subject
}

func isMapOrSlice(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// request returns the line of the first request after e in its function that sends the object, 0 for none.
func (a *mutations) request(e sharing.Effect) int {
	first := token.NoPos
	for in := range flow.Instrs(e.In.Parent()) {
		_, sends := e.SentBy(in)
		if sends && (in == e.In || flow.ReachesForward(e.In, in, nil)) && (!first.IsValid() || in.Pos() <= first) {
			first = in.Pos()
		}
	}
	if !first.IsValid() {
		return 0
	}
	return rule.Line(a.pass, first)
}

// objectName returns the name of the type of the cached object: of the object nearest to the read among the aliases
// that lead to e, since a later one may only contain a part of it; of an interface if no other type is known.
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

// checkOf returns the check, and its site, of the effect e on what r reads.
func checkOf(r sharing.Read, e sharing.Effect) (sub string, site rule.Site) {
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
