package unboundedsync

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/values"
)

// A pipe is one of the two ends that a function reads of a command.
type pipe struct {
	made   *ssa.Call         // StdoutPipe or StderrPipe
	reads  []*ssa.Call       // that read to the end, or once more in a loop that does
	joined map[*ssa.Call]int // the readers that are made of several ones, and at which place it is there
	shared bool              // others have it
}

// pipes reports where fn reads what a command writes to one of its outputs to the end before it reads the other one, which nobody else does: a command
// that writes more to that one than the pipe holds waits, and so fn does.
func (c *checker) pipes(fn *ssa.Function) {
	var out []*pipe
	for call := range flow.Calls(fn) {
		if made, ok := call.(*ssa.Call); ok && pipeName(made) != "" && flow.ResultAt(made, 0) != nil {
			p := &pipe{made: made, joined: map[*ssa.Call]int{}}
			p.value(flow.ResultAt(made, 0))
			out = append(out, p)
		}
	}
	for _, first := range out {
		for _, second := range out {
			if first == second || first.shared || second.shared || !sameCommand(first.made, second.made) || c.endsInTime(first.made) {
				continue
			}
			for call, at := range first.joined {
				if then, ok := second.joined[call]; ok && at < then {
					c.reportPipes(call, first, second, call)
				}
			}
			if one, other := first.before(second); one != nil {
				c.reportPipes(one, first, second, other)
			}
		}
	}
}

// pipeName is the output that call gives the pipe of, "" for none.
func pipeName(call *ssa.Call) string {
	switch callee := flow.Callee(&call.Call); {
	case (kubeapi.Symbol{Pkg: "os/exec", Recv: "Cmd", Name: "StdoutPipe"}).Is(callee):
		return "standard output"
	case (kubeapi.Symbol{Pkg: "os/exec", Recv: "Cmd", Name: "StderrPipe"}).Is(callee):
		return "standard error"
	}
	return ""
}

// sameCommand reports whether a and b are the two outputs of one command.
func sameCommand(a, b *ssa.Call) bool {
	return pipeName(a) != pipeName(b) && flow.Resolve(flow.Recv(&a.Call)) == flow.Resolve(flow.Recv(&b.Call))
}

// endsInTime reports whether the command of made is ended by a deadline.
func (c *checker) endsInTime(made *ssa.Call) bool {
	cmd, ok := flow.Resolve(flow.Recv(&made.Call)).(*ssa.Call)
	if !ok || !(kubeapi.Symbol{Pkg: "os/exec", Name: "CommandContext"}).Is(flow.Callee(&cmd.Call)) {
		return false
	}
	return c.bounds.Of(cmd.Call.Args[0], cmd).Limit == blocking.Deadline
}

// value notes what is done with v, the reader of p.
func (p *pipe) value(v ssa.Value) {
	for in, v := range values.Uses(v) {
		switch in := in.(type) {
		case *ssa.Defer:
			p.shared = p.shared || kubeapi.Called(&in.Call).Name != "Close"
		case *ssa.Call:
			p.call(in, v)
		default:
			p.shared = true
		}
	}
}

// call notes what call does with v, the reader of p or a slice with it.
func (p *pipe) call(call *ssa.Call, v ssa.Value) {
	switch s := kubeapi.SymbolOf(flow.Callee(&call.Call)); {
	case s.Pkg == "io" && s.Name == "ReadAll", s.Pkg == "io/ioutil" && s.Name == "ReadAll", s.Pkg == "io" && s.Name == "Copy" && call.Call.Args[1] == v:
		p.reads = append(p.reads, call)
	case s.Pkg == "io" && s.Name == "MultiReader": // reads one after the other
		p.joined[call] = slices.IndexFunc(flow.Elements(v), func(e ssa.Value) bool { return flow.Resolve(e) == flow.ResultAt(p.made, 0) })
	case s.Pkg == "bufio" && s.Name == "NewScanner":
		p.scanner(call)
	case s.Name == "Close" && flow.Recv(&call.Call) == v:
	default:
		p.shared = true
	}
}

// scanner notes the turns of the loops that scan p with the scanner made.
func (p *pipe) scanner(made *ssa.Call) {
	for in, v := range values.Uses(made) {
		switch call := values.MethodCall(in, v); {
		case call == nil:
			p.shared = true
		case flow.Callee(call.Common()).Name() == "Scan" && flow.InLoop(call.Block()):
			if scan, ok := in.(*ssa.Call); ok {
				p.reads = append(p.reads, scan)
			}
		}
	}
}

// before is a read of p to the end, and one of other, where the latter comes behind the former only, and nothing reads other before that.
func (p *pipe) before(other *pipe) (one, then *ssa.Call) {
	if len(other.joined) > 0 || len(other.reads) == 0 {
		return nil, nil
	}
	for _, one := range p.reads {
		if !slices.ContainsFunc(other.reads, func(then *ssa.Call) bool { return !flow.Reaches(one, then, nil) || flow.Reaches(then, one, nil) }) {
			return one, other.reads[0]
		}
	}
	return nil, nil
}

func (c *checker) reportPipes(at *ssa.Call, first, second *pipe, then *ssa.Call) {
	if !c.wanted(flow.Pos(at)) {
		return
	}
	rule.Report(c.pass, rule.Finding{
		Pos: flow.Pos(at), Sub: "neverstops", Site: "unread-pipe",
		Message: fmt.Sprintf("reads the %s of the command to EOF before its %s (line %d): if that pipe fills up, the command blocks and both deadlock; read one of them in a goroutine",
			pipeName(first.made), pipeName(second.made), rule.Line(c.pass, flow.Pos(then))),
		Related: []analysis.RelatedInformation{{Pos: flow.Pos(second.made), Message: "the other pipe is created here"}},
	})
}
