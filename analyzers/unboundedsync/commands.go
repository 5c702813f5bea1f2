package unboundedsync

import (
	"go/token"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/blocking"
	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
)

// endOfCommand is what ends the command cmd, where it is made in sight: nothing but itself, or a context. Of one that the package may end by its process
// that is not known, nor of one that is the same each time, or has a time limit among its arguments.
func (c *checker) endOfCommand(cmd ssa.Value, at ssa.Instruction) (end blocking.Bound, made *ssa.Call) {
	if c.killsCommands() {
		return blocking.Bound{}, nil
	}
	return c.commandEnd(cmd, at, map[ssa.Value]bool{})
}

func (c *checker) commandEnd(cmd ssa.Value, at ssa.Instruction, seen map[ssa.Value]bool) (end blocking.Bound, made *ssa.Call) {
	cmd = flow.Resolve(cmd)
	if p, ok := cmd.(*ssa.Parameter); ok {
		return blocking.Bound{Limit: blocking.Parameter, Param: p}, nil
	}
	call, _ := flow.ResultOf(cmd)
	if call == nil || seen[cmd] {
		return blocking.Bound{}, nil
	}
	seen[cmd] = true
	switch kube.SymbolOf(flow.Callee(&call.Call)) {
	case kube.Symbol{Pkg: "os/exec", Name: "Command"}:
		if !c.mayHang(call.Call.Args) {
			return blocking.Bound{}, nil
		}
		return blocking.Bound{Limit: blocking.Never, Why: "exec.Command takes no context", Site: call}, call
	case kube.Symbol{Pkg: "os/exec", Name: "CommandContext"}:
		if !c.mayHang(call.Call.Args[1:]) {
			return blocking.Bound{}, nil
		}
		return c.bounds.Of(call.Call.Args[0], at), call
	}
	for _, v := range c.given(cmd) {
		if end, made = c.commandEnd(v, at, seen); end.Limit == blocking.Never {
			return end, made
		}
	}
	return blocking.Bound{}, nil
}

// mayHang reports whether nothing shows that the command with these args, its name first, comes to its end.
func (c *checker) mayHang(args []ssa.Value) bool {
	return !c.isLocal(args, map[ssa.Value]bool{}) && c.varies(args, map[ssa.Value]bool{}) && !c.limitsTime(args, map[ssa.Value]bool{})
}

// isLocal reports whether a command works on files and text, or asks the kernel, by its name and what is written out of its arguments, whoever gives the name: what it
// does a program would do in a call that takes no timeout either.
func (c *checker) isLocal(args []ssa.Value, seen map[ssa.Value]bool) bool {
	name := flow.Resolve(args[0])
	if p, ok := name.(*ssa.Parameter); ok {
		calls := c.pkg.Callers(p.Parent())
		if seen[p] || len(calls) == 0 {
			return seen[p] // the other calls say
		}
		seen[p] = true
		i := flow.ParamIndex(p.Parent(), p)
		return !slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
			given := flow.AllArgs(call.Common())
			return i >= len(given) || given[i] == nil || !c.isLocal(given[i:], seen)
		})
	}
	text, ok := flow.Text(name)
	if text = path.Base(text); !ok || localCommands[text] {
		return ok
	}
	return runsOthers[text] && slices.ContainsFunc(args[1:], func(list ssa.Value) bool {
		return slices.ContainsFunc(flow.Elements(list), func(a ssa.Value) bool {
			text, ok := flow.Text(a)
			return ok && localCommands[path.Base(text)]
		})
	})
}

// localCommands are those of POSIX and of Linux that work on files and text, or ask the kernel for something that it has at hand.
var localCommands = toSet(`awk basename blkid cat chcon chgrp chmod chown cmp cp cut date dd df diff dirname dmesg du echo egrep ethtool false find getconf getent grep
	groups gunzip gzip head hostname id install ip kill less ln locale logname ls lsblk lscpu lsmod lspci md5sum mkdir mkfifo mknod mktemp modinfo modprobe more mv nproc
	numfmt od paste pgrep pidof pkill printenv printf ps pwd readlink realpath rm rmdir sed seq sha256sum sort stat sync sysctl tail tar tc tee test touch tr true truncate
	tty uname uniq unlink unzip uptime wc which who whoami zcat zip`)

// runsOthers are commands that run another one among their arguments.
var runsOthers = toSet("chroot doas env nice nsenter sudo xargs")

func toSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(list) {
		set[name] = true
	}
	return set
}

// killsCommands reports whether the package does anything with the process of a command, which may be to end it.
func (c *checker) killsCommands() bool {
	if c.kills == nil {
		c.kills = new(bool)
		for _, fn := range c.pkg.All() {
			for in := range flow.Instrs(fn) {
				if fa, ok := in.(*ssa.FieldAddr); ok && kube.IsType(fa.X.Type(), "os/exec", "Cmd") && flow.Field(fa.X.Type(), fa.Field).Name() == "Process" {
					*c.kills = true
				}
			}
		}
	}
	return *c.kills
}

// varies reports whether one of args is not the same each time: something else than constants has a part in it.
func (c *checker) varies(args []ssa.Value, seen map[ssa.Value]bool) bool {
	return slices.ContainsFunc(args, func(a ssa.Value) bool { return c.variesOne(a, seen) })
}

func (c *checker) variesOne(v ssa.Value, seen map[ssa.Value]bool) bool {
	v = flow.Resolve(v)
	if seen[v] {
		return false
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Const:
		return false
	case *ssa.Phi:
		return c.varies(x.Edges, seen)
	case *ssa.BinOp:
		return c.varies([]ssa.Value{x.X, x.Y}, seen)
	case *ssa.Slice:
		if list := flow.Elements(v); list != nil {
			return c.varies(list, seen)
		}
	case *ssa.UnOp:
		if g, ok := x.X.(*ssa.Global); ok && x.Op == token.MUL {
			if init := flow.Initial(g); init != nil {
				return c.variesOne(init, seen)
			}
		}
	case *ssa.Call:
		if b, ok := x.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return c.varies(x.Call.Args, seen)
		}
		if s := kube.SymbolOf(flow.Callee(&x.Call)); s.Pkg == "fmt" || s.Pkg == "strings" || s.Pkg == "path/filepath" {
			return c.varies(x.Call.Args, seen)
		}
	case *ssa.Parameter:
		fn := x.Parent()
		calls := c.pkg.Callers(fn)
		if len(calls) == 0 {
			return true
		}
		i := flow.ParamIndex(fn, x)
		return slices.ContainsFunc(calls, func(call ssa.CallInstruction) bool {
			args := flow.AllArgs(call.Common())
			return i >= len(args) || args[i] == nil || c.variesOne(args[i], seen)
		})
	}
	return true
}

// limitsTime reports whether one of args names a limit of time, of a command that is told of one, or is one that ends others; what callers give counts, too.
func (c *checker) limitsTime(args []ssa.Value, seen map[ssa.Value]bool) bool {
	found := false
	for _, a := range args {
		flow.Sources(a, func(v ssa.Value) bool {
			if found || seen[v] {
				return false
			}
			seen[v] = true
			text, ok := flow.Text(v)
			text = strings.ToLower(text)
			found = ok && (strings.Contains(text, "timeout") || strings.Contains(text, "deadline"))
			if p, ok := v.(*ssa.Parameter); ok {
				i := flow.ParamIndex(p.Parent(), p)
				for _, call := range c.pkg.Callers(p.Parent()) {
					if given := flow.AllArgs(call.Common()); i < len(given) && given[i] != nil {
						found = found || c.limitsTime(given[i:i+1], seen)
					}
				}
			}
			return !found
		})
	}
	return found
}
