package churn

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/spread"
)

// resultWritten is the kind of the condition that a result of a function, with the list in some field, is written.
const resultWritten = "result written"

// mapOrder is the check maporder in one package.
//
// Sources are what a loop over a map builds by one addition for each entry, and what a library makes of a map or set. A
// sink is a field of an API type in an object that is sent by an update or a patch, or compared. A forward slice leads
// from one to the other ([writing]); a sort anywhere in it is a sanitizer, whatever the order of statements. Where an
// object leaves the package, the finding waits for a program in which another package writes it ([link.Condition]).
type mapOrder struct {
	unit *link.Unit[Part]
	p    *program.Program
}

func (m *mapOrder) run() {
	for in := range flow.Instrs(m.p.All()...) {
		switch in := in.(type) {
		case *ssa.Next:
			if r, ok := in.Iter.(*ssa.Range); ok && !in.IsString && !spread.HasOneEntry(m.p, r.X) && !isRest(r) {
				m.ranged(in)
			}
		case *ssa.Call:
			if kubeapi.Unordered.Has(flow.Callee(&in.Call)) {
				w := m.writing()
				w.Add(spread.Item{}, in) // a list or an iterator
				m.report(w, in, func() []analysis.TextEdit { return m.sortedCall(in) })
			}
		}
	}
	m.awaited()
	m.arguments()
}

// isRest reports whether entries of the map of r may have been deleted before: the rest is what is missing in the
// cluster, and empty once that has been written.
func isRest(r *ssa.Range) bool {
	return flow.Any(flow.Calls(r.Parent()), func(call ssa.CallInstruction) bool {
		return flow.Builtin(call.Common()) == "delete" && flow.PathOf(call.Common().Args[0]) == flow.PathOf(r.X) && flow.Reaches(call, r, nil)
	})
}

// writing returns a slice that also notes the results of exported functions that are to be written elsewhere.
func (m *mapOrder) writing() *writing {
	w := newWriting(m.unit, m.p)
	w.Leave = func(fn *types.Func, i int, it spread.Item) {
		of := strings.Join([]string{fn.FullName(), strconv.Itoa(i), it.In.Name(), it.Sink.Name()}, " ")
		w.elsewhere = append(w.elsewhere, link.Condition{Kind: resultWritten, Of: of})
	}
	return w
}

// ranged reports what the loop builds whose entries next gives.
func (m *mapOrder) ranged(next *ssa.Next) {
	w := m.writing()
	at := w.Built(spread.Item{}, next.Block(), func(v ssa.Value) bool {
		x, ok := v.(*ssa.Extract)
		return ok && x.Tuple == ssa.Value(next) && x.Index > 0
	})
	if at != nil {
		m.report(w, at, func() []analysis.TextEdit { return sortedLoop(m.unit.Pass, next) })
	}
}

// report runs w, the slice from the source at, and reports that if a write is found, or defers it if there may be one.
func (m *mapOrder) report(w *writing, at ssa.Instruction, edits func() []analysis.TextEdit) {
	if !rule.Wanted(m.unit.Pass, at.Pos()) || !w.found() {
		return
	}
	f := rule.Finding{Pos: at.Pos(), Sub: "maporder", Site: "map-order"}
	what := "this list"
	of := w.Items[max(0, slices.IndexFunc(w.Items, func(it spread.Item) bool { return it.Sink.Field != nil }))]
	if len(w.writes) > 0 {
		of = w.writes[0].of
	}
	if of.Sink.Field != nil {
		what = of.Sink.String()
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: of.At, Message: "it is stored in " + what + " here"})
	}
	if len(w.writes) > 0 {
		f.Related = append(f.Related, analysis.RelatedInformation{Pos: flow.Pos(w.writes[0].at), Message: w.writes[0].how})
	}
	f.Message = fmt.Sprintf("%s is in map order, which differs on each reconcile: the object is updated again and again; sort it", what)
	if sorted := edits(); sorted != nil {
		f.Fixes = []analysis.SuggestedFix{{Message: "Sort it by key", TextEdits: sorted}}
	}
	if len(w.writes) > 0 {
		rule.Report(m.unit.Pass, f)
	} else {
		m.unit.Defer(f, w.elsewhere...)
	}
}

// awaited slices forward from the calls whose results findings of packages below wait for.
func (m *mapOrder) awaited() {
	byMethod := map[string][]link.Condition{}
	for c := range m.unit.Awaited(resultWritten) {
		fn, _, _ := strings.Cut(c.Of, " ")
		method := fn[strings.LastIndexByte(fn, '.')+1:]
		byMethod[method] = append(byMethod[method], c)
	}
	if len(byMethod) == 0 {
		return
	}
	for call := range flow.InstrsOf[*ssa.Call](m.p.All()...) {
		if callee := flow.Callee(&call.Call); callee != nil {
			for _, c := range byMethod[callee.Name()] {
				m.follow(call, c)
			}
		}
	}
}

// follow adds the use by which c holds if the result of call is written, where call may run the function of c.
func (m *mapOrder) follow(call *ssa.Call, c link.Condition) {
	words := strings.Split(c.Of, " ")
	if len(words) != 4 || !m.mayRun(&call.Call, words[0]) {
		return
	}
	i, err := strconv.Atoi(words[1])
	in, ok := spread.Named(m.unit.Pass.Pkg, words[2])
	sink, known := spread.Named(m.unit.Pass.Pkg, words[3])
	if err != nil || !ok || !known {
		return
	}
	w := m.writing()
	w.Add(spread.Item{In: in, Sink: sink}, flow.ResultAt(call, i))
	if w.found() {
		m.unit.Uses = append(m.unit.Uses, link.Use{Of: c, Always: len(w.writes) > 0, If: w.elsewhere})
	}
}

// mayRun reports whether call may run the function with that full name: by class hierarchy, for an interface method.
func (m *mapOrder) mayRun(call *ssa.CallCommon, name string) bool {
	if !call.IsInvoke() {
		return flow.Callee(call).FullName() == name
	}
	recv, _, ok := strings.Cut(strings.TrimLeft(name, "(*"), ").")
	t := link.Named(m.unit.Pass.Pkg, recv)
	iface, isInterface := call.Value.Type().Underlying().(*types.Interface)
	return ok && t != nil && isInterface && types.Implements(types.NewPointer(t), iface)
}

// anything stands for an unknown field of an object.
var anything = spread.Part{Field: types.NewField(token.NoPos, nil, "anything", types.Typ[types.Invalid], false)}

// arguments adds a use for each argument that an exported function writes, for packages that call it.
func (m *mapOrder) arguments() {
	for _, fn := range m.p.All() {
		obj := flow.Object(fn)
		if obj == nil || !obj.Exported() || !rule.Wanted(m.unit.Pass, fn.Pos()) {
			continue
		}
		for i, p := range fn.Params {
			w := newWriting(m.unit, m.p)
			if kubeapi.IsObject(p.Type()) {
				w.Add(spread.Item{In: anything, Sink: anything}, p)
			}
			if w.found() {
				m.unit.Uses = append(m.unit.Uses, link.Use{Of: link.Condition{Kind: argWritten, Of: argumentOf(obj, i)}, Always: len(w.writes) > 0, If: w.elsewhere})
			}
		}
	}
}
