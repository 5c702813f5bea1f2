package unboundedsync

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// leftOpen reports the receives of what reconciles, which wait for nothing else than that the channel in a field is closed, where the one function
// that closes it, and that is run once, may come back without an error and without having closed it.
func (c *checker) leftOpen() {
	fields := c.fieldChans()
	for _, f := range inOrder(fields) {
		u := fields[f]
		if u.escapes || u.unknown || u.shared || len(u.offers)+len(u.sends) > 0 || len(u.closes) == 0 || u.makes == 0 {
			continue
		}
		closer := u.closes[0].Parent()
		ret := leavesOpen(closer, u)
		if ret == nil || !c.calledOnce(closer) {
			continue
		}
		for _, r := range u.receives {
			if recv, ok := r.(*ssa.UnOp); ok && recv.Parent() != closer && c.again(recv.Parent()) && c.wanted(flow.Pos(recv)) {
				rule.Report(c.pass, rule.Finding{
					Pos: flow.Pos(recv), Sub: "neverstops", Site: "unclosed-return",
					Message: fmt.Sprintf("this waits forever where %s has come back at line %d without having closed %s: nobody else does; close it there, too, or wait for a context as well",
						flow.FuncName(closer), rule.Line(c.pass, flow.Pos(ret)), f.Name()),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(ret), Message: "here it is not closed"}, {Pos: flow.Pos(u.closes[0]), Message: "it is closed here only"}},
				})
				break
			}
		}
	}
}

// leftShared reports the receives that wait for nothing else than that a channel in a field is closed which the one function that closes it makes
// anew each time: it may come back without having closed the one that it has made, whatever it gives its own caller.
func (c *checker) leftShared() {
	fields := c.fieldChans()
	for _, f := range inOrder(fields) {
		u := fields[f]
		if u.escapes || u.unknown || u.shared || len(u.offers)+len(u.sends) > 0 || len(u.closes) == 0 || u.made == nil {
			continue
		}
		closer := u.made.Parent()
		closes := map[ssa.Instruction]bool{}
		for _, at := range u.closes {
			closes[at] = true // also one that is deferred, from there on
		}
		if slices.ContainsFunc(u.closes, func(at ssa.CallInstruction) bool { return at.Parent() != closer }) {
			continue
		}
		for ret := range flow.Returns(closer) {
			if ret.Block() == closer.Recover || !flow.Reaches(u.made, ret, func(in ssa.Instruction) bool { return closes[in] }) {
				continue
			}
			for _, r := range u.receives {
				recv, ok := r.(*ssa.UnOp)
				if !ok || flow.Reaches(u.made, recv, nil) || !c.wanted(flow.Pos(recv)) {
					continue
				}
				rule.Report(c.pass, rule.Finding{
					Pos: flow.Pos(recv), Sub: "neverstops", Site: "unclosed-shared",
					Message: fmt.Sprintf("this waits forever where %s, which has made the channel in %s, comes back at line %d without having closed it: nobody else does; close it in a deferred call",
						flow.FuncName(closer), f.Name(), rule.Line(c.pass, flow.Pos(ret))),
					Related: []analysis.RelatedInformation{{Pos: flow.Pos(u.made), Message: "the channel is made here"}, {Pos: flow.Pos(ret), Message: "here it is not closed"}},
				})
				break
			}
			break
		}
	}
}

// leavesOpen is a return of closer, the function of all places that close a channel of u, that comes without one of them and gives no error; nil
// for none. Who gives an error ends the process, or is run again.
func leavesOpen(closer *ssa.Function, u *fieldChan) *ssa.Return {
	closes := map[ssa.Instruction]bool{}
	for _, at := range u.closes {
		if _, deferred := at.(*ssa.Defer); deferred || at.Parent() != closer {
			return nil
		}
		closes[at] = true
	}
	if closer.Parent() != nil {
		return nil
	}
	entry := closer.Blocks[0].Instrs[0]
	for ret := range flow.Returns(closer) {
		if ret.Block() == closer.Recover || entry != ssa.Instruction(ret) && !flow.Reaches(entry, ret, func(in ssa.Instruction) bool { return closes[in] }) {
			continue
		}
		if i := flow.ErrorResult(closer.Signature); i < 0 || flow.IsNil(ret.Results[i]) {
			return ret
		}
	}
	return nil
}

// calledOnce reports whether nothing in sight calls fn twice: who closes a channel does so once.
func (c *checker) calledOnce(fn *ssa.Function) bool {
	calls := c.pkg.Callers(fn)
	return len(calls) == 0 || len(calls) == 1 && !flow.InLoop(calls[0].Block()) && !c.again(calls[0].Parent())
}

// feedsItself reports the sends to a channel in a field of the one goroutine that receives from it: where the channel is full, or has no room, it
// waits for itself.
func (c *checker) feedsItself() {
	fields := c.fieldChans()
	for _, f := range inOrder(fields) {
		u := fields[f]
		if u.escapes || u.unknown || u.shared || u.makes == 0 || len(u.receives) == 0 {
			continue
		}
		worker := u.receives[0].Parent()
		if !c.runsOnce(worker) || !receivesAlone(worker, u) {
			continue
		}
		others := len(u.offers)
		var own *ssa.Send
		for _, s := range u.sends {
			if s.Parent() != worker {
				others++
			} else if own == nil && flow.Reaches(u.receives[0], s, nil) {
				own = s
			}
		}
		if own == nil || others == 0 || flagged(own) || !c.wanted(flow.Pos(own)) {
			continue // what it alone puts there, it has taken out before
		}
		rule.Report(c.pass, rule.Finding{
			Pos: flow.Pos(own), Sub: "neverstops", Site: "self-fed-channel",
			Message: fmt.Sprintf("%s waits for itself here once others have filled %s: it is the only one that receives from it (line %d); keep what is left over in a list of its own, or send in a select with a default",
				flow.FuncName(worker), f.Name(), rule.Line(c.pass, flow.Pos(u.receives[0]))),
			Related: []analysis.RelatedInformation{{Pos: flow.Pos(u.receives[0]), Message: "it receives here"}},
		})
	}
}

// receivesAlone reports whether all receives of u are in worker.
func receivesAlone(worker *ssa.Function, u *fieldChan) bool {
	for _, r := range u.receives {
		if r.Parent() != worker {
			return false
		}
	}
	return true
}
