package unboundedsync

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/link"
	origins "github.com/ctrllint/ctrllint/internal/origin"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/words"
)

// A reconciler, a handler of events, or a worker of a queue that waits for something outside of the process waits until that gives an answer: a server, a command, a
// machine. Where it never does, and neither a context nor a timeout ends the wait, the worker is lost, and there may be only one.

// outsideKind is what is waited for.
type outsideKind uint8

const (
	toServer  outsideKind = iota // an HTTP server to answer
	toPeer                       // the server of a gRPC client to answer
	toCommand                    // a command to end
	toHost                       // another machine to do what a session of SSH asks for
	toShake                      // the other side to take part in a handshake of TLS
	toReach                      // an address that need not be there
)

// forWhat is what follows "waits for" in a message.
func (k outsideKind) forWhat() string {
	switch k {
	case toHost:
		return "another machine to be done"
	case toShake:
		return "the other side to shake hands"
	}
	return "a server to answer"
}

// An OutWait is a wait for something outside that a parameter ends, if anything does. It is part of a fact.
type OutWait struct {
	Param    int // index in ssa.Function.Params; -1 where nothing ends it, whoever calls
	Kind     outsideKind
	What, At string // the call that waits, as the source spells it; base file name and line of it
	Why      string // why nothing ends it, for -1
	Key      string // what it is that nothing ends, for -1

	Client link.At // where the HTTP client of the request was made; empty for the default one, and for other waits
}

// Outward is the fact of a function that waits for something outside.
type Outward struct{ Waits []OutWait }

// AFact marks Outward as a fact.
func (*Outward) AFact() {}

// String is for the tests of facts. Parameters are p0 and so on, the receiver first.
func (o *Outward) String() string {
	var parts []string
	for _, w := range o.Waits {
		parts = append(parts, fmt.Sprintf("waits outside by %s (%s) until p%d", w.What, w.At, w.Param))
	}
	return strings.Join(parts, "; ")
}

// A lasting wait is one for something outside that nothing ends.
type lasting struct {
	OutWait
	call ssa.CallInstruction // in the function whose caller cannot end it
	pos  token.Pos           // what has to be changed
	made []link.Beside       // where what nothing ends comes from
}

// outWaits are the waits for something outside that call makes, itself or through a function whose summary is known, with the value that may end each; nil for those
// that nothing does.
func (c *checker) outWaits(call ssa.CallInstruction, each func(w OutWait, given ssa.Value)) {
	if _, plain := call.(*ssa.Call); !plain {
		return
	}
	com := call.Common()
	callee := flow.Callee(com)
	if own := c.pkg.Callee(com); own != nil {
		c.behindOutside(c.outward[own], com, each)
		return
	}
	if callee == nil || callee.Pkg() == nil {
		return
	}
	if com.IsInvoke() && !isForeign(com.Value.Type()) && !rule.IsDependency(c.pass) {
		c.behindOutside(c.ofInterface(com), com, each)
	}
	w := OutWait{Param: -1, What: c.spelled(call, callee), At: c.at(flow.Pos(call))}
	switch s := kube.SymbolOf(callee); {
	case s.Pkg == "os/exec":
		if kind, _, ok := c.table.Given(callee); ok && kind == blocking.Process {
			w.Kind = toCommand
			each(w, flow.Recv(com))
		}
	case s.Pkg == "net/http":
		if r, ok := c.httpClients().Asks(com); ok {
			w.Kind, w.Why = toServer, "it takes no context, and its client has no timeout"
			if r.Client != nil {
				w.Client = c.madeAt(r.Client)
			}
			each(w, r.Request)
		}
	case s.Pkg == "crypto/tls" && s.Name == "Dial":
		w.Kind, w.Why = toShake, "it takes neither a context nor a timeout"
		each(w, nil)
	case s.Pkg == "net/smtp" && s.Name == "SendMail":
		w.Kind, w.Why = toServer, "it takes neither a context nor a timeout"
		each(w, nil)
	case s.Pkg == "net" && dials(callee, com):
		w.Kind, w.Why = toReach, "it takes neither a context nor a timeout"
		each(w, nil)
	case s.Pkg == sshPackage && s.Recv == "Session" && runsRemotely[s.Name]:
		if !c.endsSessions() {
			w.Kind, w.Why = toHost, "it takes no context, and nothing in sight closes the connection meanwhile"
			each(w, nil)
		}
	case blocking.AsksPeer(callee.Signature()):
		w.Kind = toPeer
		each(w, flow.Args(com)[0])
	default:
		var f Outward
		if callee.Pkg() != c.pkg.Pkg && c.pass.ImportObjectFact(callee.Origin(), &f) {
			c.behindOutside(f.Waits, com, each)
		}
	}
}

// behindOutside are the waits ws of the function that com calls.
func (c *checker) behindOutside(ws []OutWait, com *ssa.CallCommon, each func(w OutWait, given ssa.Value)) {
	args := flow.AllArgs(com)
	for _, w := range ws {
		switch {
		case w.Param < 0:
			each(w, nil)
		case w.Param < len(args) && args[w.Param] != nil:
			each(w, args[w.Param])
		}
	}
}

// dials reports whether the call of fn, of package net, makes a connection by TCP for as long as the kernel tries.
func dials(fn *types.Func, com *ssa.CallCommon) bool {
	if args := flow.Args(com); len(args) > 0 && (fn.Name() == "Dial" || fn.Name() == "DialTCP") {
		text, ok := flow.Text(args[0])
		return ok && strings.HasPrefix(text, "tcp") && fn.Signature().Recv() == nil
	}
	return false
}

const sshPackage = "golang.org/x/crypto/ssh"

// runsRemotely are the methods of a session of SSH that come back when the other machine is done.
var runsRemotely = map[string]bool{"Run": true, "Output": true, "CombinedOutput": true, "Wait": true}

// endsSessions reports whether the package may end a session of SSH while somebody waits for it: it sets a deadline for a connection, or a literal closes a session
// or a connection that runs beside its function.
func (c *checker) endsSessions() bool {
	if c.sessions == nil {
		c.sessions = new(bool)
		for _, fn := range c.pkg.All() {
			flow.Calls(fn, func(call ssa.CallInstruction) {
				callee := flow.Callee(call.Common())
				if callee == nil {
					return
				}
				s := kube.SymbolOf(callee)
				_, deferred := call.(*ssa.Defer)
				closes := s.Pkg == sshPackage && (s.Name == "Close" || s.Name == "Signal") && fn.Parent() != nil && !deferred && c.runsBeside(fn)
				if closes || words.First(s.Name) == "set" && words.Has(s.Name, "deadline") {
					*c.sessions = true
				}
			})
		}
	}
	return *c.sessions
}

// runsBeside reports whether the literal fn may be run by somebody else than the function that it stands in.
func (c *checker) runsBeside(fn *ssa.Function) bool {
	mc := flow.ClosureSite(fn)
	return mc == nil || slices.ContainsFunc(*mc.Referrers(), func(r ssa.Instruction) bool {
		_, deferred := r.(*ssa.Defer)
		return !deferred && !blocking.RunsAtOnce(r, mc)
	})
}

// endOutside is what ends the wait w of call, to which given is given, and where what nothing ends was made.
func (c *checker) endOutside(call ssa.CallInstruction, w OutWait, given ssa.Value) (end blocking.Bound, l lasting) {
	l = lasting{OutWait: w, call: call, pos: flow.Pos(call)}
	switch {
	case given == nil:
		end = blocking.Bound{Limit: blocking.Never, Why: w.Why}
	case w.Kind == toCommand && !kube.IsContext(given.Type()):
		var made *ssa.Call
		if end, made = c.endOfCommand(given, call); end.Limit == blocking.Never && made != nil {
			l.pos, l.Key = flow.Pos(made), "commands"
		}
	case kube.IsContext(given.Type()):
		end = c.bounds.Of(given, call)
	default:
		end, _ = c.httpClients().EndOf(given)
	}
	if l.Key == "" && end.Site != nil && end.Site.Pos().IsValid() {
		l.Key = "from " + c.at(end.Site.Pos())
		l.made = append(l.made, link.Beside{At: c.place(end.Site.Pos()), Message: end.Why})
	}
	if w.Client != "" {
		l.Key = "client " + string(w.Client)
		l.made = append(l.made, link.Beside{At: w.Client, Message: "the client is made here"})
	}
	switch {
	case l.Key != "":
	case w.Kind == toServer:
		l.Key = "by " + w.What // as http.Get, in whatever function
	default:
		l.Key = fmt.Sprint(w.Kind, " in ", origins.FuncName(call.Parent()))
	}
	if l.Why = end.Why; w.Kind == toServer && !strings.HasSuffix(l.Why, "timeout") {
		l.Why += ", and its client has no timeout"
	}
	return end, l
}

// waitsOutside finds the waits for something outside: those that parameters end, which other packages hear of, and those that nothing does.
func (c *checker) waitsOutside() (all []lasting) {
	c.exportClients()
	c.outward = map[*ssa.Function][]OutWait{}
	for again := true; again; { // what a method waits for comes to those who call it through an interface in the next turn
		again = false
		c.behindIfaces = map[ifaceMethod][]OutWait{}
		for _, component := range c.pkg.BottomUp(program.Calls) {
			for changed := true; changed; {
				changed = false
				for _, fn := range component {
					before := len(c.outward[fn])
					c.outward[fn] = c.outwardOf(fn, nil)
					changed = changed || len(c.outward[fn]) != before
				}
				again = again || changed
			}
		}
	}
	for _, fn := range c.pkg.All() {
		if ws := c.outwardOf(fn, &all); fn.Parent() == nil && len(ws) > 0 {
			if obj := flow.Object(fn); obj != nil {
				c.pass.ExportObjectFact(obj, &Outward{ws})
			}
		}
	}
	return all
}

// An ifaceMethod is a method of an interface.
type ifaceMethod struct {
	iface  types.Type
	method string
}

// ofInterface are the waits of the methods of the package that com, a call of an interface's method, may run.
func (c *checker) ofInterface(com *ssa.CallCommon) []OutWait {
	k := ifaceMethod{com.Value.Type(), com.Method.Name()}
	out, known := c.behindIfaces[k]
	if !known {
		for _, impl := range c.pkg.Implementers(com) {
			for _, w := range c.outward[impl] {
				if !slices.ContainsFunc(out, w.alike) {
					out = append(out, w)
				}
			}
		}
		c.behindIfaces[k] = out
	}
	return out
}

// alike reports whether w is for a caller what o is.
func (w OutWait) alike(o OutWait) bool {
	return o.Param == w.Param && o.Kind == w.Kind && o.Key == w.Key
}

// outwardOf are the waits outside of fn that its caller ends, or that nothing does where nobody wants to see them in its file; all gets the others that nothing ends.
func (c *checker) outwardOf(fn *ssa.Function, all *[]lasting) (out []OutWait) {
	for _, f := range inPlace(fn) {
		flow.Calls(f, func(call ssa.CallInstruction) {
			c.outWaits(call, func(w OutWait, given ssa.Value) {
				end, l := c.endOutside(call, w, given)
				switch {
				case end.Limit == blocking.Never && c.wanted(l.pos):
					if all != nil && f == fn {
						*all = append(*all, l)
					}
					return
				case end.Limit == blocking.Never && !rule.Wanted(c.pass, l.pos):
					w.Param, w.Key, w.Why = -1, l.Key, l.Why
				case end.Limit == blocking.Parameter && end.Param.Parent() == fn:
					w.Param = flow.ParamIndex(fn, end.Param)
				default:
					return
				}
				if !slices.ContainsFunc(out, w.alike) {
					out = append(out, w)
				}
			})
		})
	}
	return out
}

// finding is how l is told of.
func (c *checker) finding(l lasting) rule.Finding {
	what := l.What
	var related []analysis.RelatedInformation
	at := c.at(flow.Pos(l.call))
	if l.At != at {
		what = fmt.Sprintf("%s (%s)", l.What, l.At)
	}
	if l.pos != flow.Pos(l.call) {
		related = append(related, analysis.RelatedInformation{Pos: flow.Pos(l.call), Message: "waits here"})
		what = fmt.Sprintf("%s (%s)", l.What, l.At)
	}
	c.place(l.pos)
	c.place(flow.Pos(l.call))
	f := rule.Finding{Pos: l.pos, Sub: "outside", Site: "outside-wait", Related: related}
	switch l.Kind {
	case toCommand:
		f.Site = "command-wait"
		f.Message = fmt.Sprintf("%s, and %s (%s) waits for the command to end: one that never does keeps the worker for good", l.Why, l.What, l.At)
	case toReach:
		f.Site = "outside-dial"
		f.Message = fmt.Sprintf("%s tries to reach an address for as long as the kernel does, some two minutes, and cannot be stopped: %s; one where nobody answers keeps the worker as long", what, l.Why)
	default:
		f.Message = fmt.Sprintf("%s waits for %s and cannot be stopped: %s; one that never does keeps the worker for good", what, l.Kind.forWhat(), l.Why)
	}
	return f
}

// byFunction is an order that does not change with that of the functions.
func byFunction(a, b lasting) int {
	return cmp.Or(strings.Compare(origins.FuncName(a.call.Parent()), origins.FuncName(b.call.Parent())), cmp.Compare(a.pos, b.pos))
}

// isForeign reports whether t is an interface of the standard library or of those of Kubernetes, which too much implements.
func isForeign(t types.Type) bool {
	n := kube.Named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return true
	}
	p := n.Obj().Pkg().Path()
	first, _, _ := strings.Cut(p, "/")
	return kube.IsLibrary(p) || !strings.Contains(first, ".") && p != "command-line-arguments"
}
