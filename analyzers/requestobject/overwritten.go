package requestobject

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/paths"
	"github.com/ctrllint/ctrllint/internal/requests"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// overwritten reports a request r whose answer replaces what was written into a part of the object that r does not
// send, where a later request sends that part: on a path from a write to r, and one from where r has succeeded to the
// other request, nothing else writes to the part, or may. Requests with options (a dry run) and on objects that are
// being deleted are left alone.
func (c *checker) overwritten(r request) {
	args := flow.Args(&r.call.Call)
	if r.Fills && r.Sends != requests.Creates && flow.IsNil(args[len(args)-1]) && !ofDeleted(r.call.Block()) {
		if r.Sends == requests.UpdatesStatus || !c.losesPart(r, requests.Status, requests.UpdatesStatus) {
			c.losesPart(r, requests.Spec|requests.Metadata, requests.Updates)
		}
	}
}

// losesPart reports r if its answer replaces the part, which requests with the verb send, and says whether it does.
func (c *checker) losesPart(r request, part requests.Parts, verb requests.Verbs) bool {
	if r.Sends == verb {
		return false
	}
	ops := c.reqs.On(r.call.Parent(), r.path)
	filled := requests.Filled(r.path, ops)
	i := slices.IndexFunc(ops, func(w requests.Op) bool {
		return w.Writes.Sure()&part != 0 && w.Writes != requests.Whole && isWrittenAt(r.call, w.In, filled) &&
			!c.isBuilt(r.path, w.In)
	})
	if i < 0 {
		return false
	}
	err := flow.ErrorOf(r.call)
	sends := func(o requests.Op) bool { return o.Sends == verb && o.Writes.Possible()&part == 0 }
	after := flow.Search{
		Barrier: func(in ssa.Instruction) bool {
			writes := func(o requests.Op) bool { return o.In == in && o.Writes.Possible()&part != 0 }
			return filled(in) || slices.ContainsFunc(ops, writes)
		},
		Edge: func(from, to *ssa.BasicBlock) bool { // where r has succeeded
			failed := func(v ssa.Value, t flow.Truth) bool { return err != nil && v == err && t == flow.False }
			return !flow.Any2(paths.EdgeFacts(from, to), failed)
		},
	}
	for _, o := range ops {
		after.Goal = func(in ssa.Instruction) bool { return in == o.In }
		if sends(o) && o.In != r.call && after.After(r.call) {
			c.reportOverwritten(r, ops[i], o, ops[i].Field(part))
			return true
		}
	}
	return false
}

// isWrittenAt reports whether a path leads from the instruction write to at, without one for which stop is true, and
// without an edge on which write is a call whose result is false, as that of AddFinalizer where it is there already, or
// an error: it may have written nothing.
func isWrittenAt(at, write ssa.Instruction, stop func(ssa.Instruction) bool) bool {
	result, _ := write.(ssa.Value)
	return flow.Search{
		Goal:    func(in ssa.Instruction) bool { return in == at },
		Barrier: stop,
		Edge: func(from, to *ssa.BasicBlock) bool {
			no := func(v ssa.Value, t flow.Truth) bool { return v == result && t == flow.False }
			return !flow.Any2(paths.EdgeFacts(from, to), no)
		},
	}.After(write)
}

// isBuilt reports whether the object at p may be a new one at the instruction at: what is in it is for the case that
// none is stored.
func (c *checker) isBuilt(p flow.Path, at ssa.Instruction) bool {
	return values.Fresh(p.Root, c.pkg) && c.reqs.Since(p, at).Possible() == requests.Whole
}

// ofDeleted reports whether b is only reached for an object that is being deleted.
func ofDeleted(b *ssa.BasicBlock) bool {
	return flow.Any2(paths.Facts(b), func(v ssa.Value, t flow.Truth) bool {
		return t == flow.False && (kubeapi.AsksAlive(v) || kubeapi.IsDeletionTime(v))
	})
}

func (c *checker) reportOverwritten(r request, write, sent requests.Op, field string) {
	rule.Report(c.pass, rule.Finding{
		Pos: r.call.Pos(), Sub: "overwritten", Site: "answer-over-write",
		Message: fmt.Sprintf("the answer of %s may replace %s (line %d), which is sent afterwards (line %d); "+
			"set it again, or pass a DeepCopy", r.name(), field, c.line(write.In), c.line(sent.In)),
		Related: []analysis.RelatedInformation{
			related(write.In, field+" is written here"), related(sent.In, "it is sent here"),
		},
	})
}
