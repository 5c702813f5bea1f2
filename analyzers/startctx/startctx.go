package startctx

import (
	_ "embed"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kube"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/ssapkg"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule startctx.
var Analyzer = &analysis.Analyzer{
	Name:     "startctx",
	Doc:      rule.MustExtractDoc(doc, "startctx"),
	URL:      rule.URLBase + "startctx.md",
	Requires: []*analysis.Analyzer{ssapkg.Analyzer, suppress.Analyzer},
	Run:      rule.Wrap("startctx", nil, run),
}

func run(pass *analysis.Pass) (any, error) {
	if !kube.Imports(pass.Pkg, relevant) || !promising(pass) {
		return nil, nil
	}
	pkg := ssapkg.Of(pass)
	c := &checker{pass: pass, pkg: pkg, stops: findStops(pkg)}
	deaf := map[*ssa.Function]bool{}
	runnables := findRunnables(pass, pkg)
	for _, r := range runnables {
		deaf[r.fn] = c.ignored(r)
	}
	for _, fn := range pkg.Funcs {
		c.fallsBack(fn)
	}
	c.seen = map[ssa.Instruction]bool{}
	for _, r := range runnables {
		if !deaf[r.fn] {
			c.endless(r)
		}
	}
	return nil, nil
}

// checker is one run of the rule over a package.
type checker struct {
	pass  *analysis.Pass
	pkg   *ssapkg.Package
	stops stops
	seen  map[ssa.Instruction]bool // operations already reported by endless
}

func relevant(path string) bool {
	return path == "context" || strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/")
}

// promising is the cheap look at the syntax that decides whether SSA is worth building: there is a select, a method
// Start or Run, or a RunnableFunc.
func promising(pass *analysis.Pass) bool {
	found := false
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectStmt:
				found = true
			case *ast.FuncDecl:
				found = found || n.Recv != nil && (n.Name.Name == "Start" || n.Name.Name == "Run")
			case *ast.Ident:
				found = found || n.Name == "RunnableFunc"
			}
			return !found
		})
	}
	return found
}

// runnable is a function that a manager, or a caller of its kind, runs until it asks it to stop.
type runnable struct {
	fn   *ssa.Function
	stop *ssa.Parameter // the context, or the stop channel
	name string         // as a message names it
}

func (r runnable) what() string {
	if kube.IsContext(r.stop.Type()) {
		return "context"
	}
	return "stop channel"
}

// findRunnables lists the methods of the package that can be a manager.Runnable of any version of controller-runtime,
// and the functions that are converted to manager.RunnableFunc, in source order.
func findRunnables(pass *analysis.Pass, pkg *ssapkg.Package) []runnable {
	managed := kube.Imports(pass.Pkg, func(path string) bool {
		return path == kube.ControllerRuntime || strings.HasPrefix(path, kube.ControllerRuntime+"/")
	})
	clustered := kube.Imports(pass.Pkg, func(path string) bool {
		return strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/")
	})
	var found []runnable
	seen := map[*ssa.Function]bool{}
	add := func(fn *ssa.Function, stop *ssa.Parameter, name string) {
		if !seen[fn] && len(fn.Blocks) > 0 {
			seen[fn] = true
			found = append(found, runnable{fn, stop, name})
		}
	}
	for _, fn := range pkg.Funcs {
		sig := fn.Signature
		if sig.Recv() == nil || sig.Params().Len() != 1 || sig.Variadic() || len(fn.Params) != 2 {
			continue
		}
		param := sig.Params().At(0).Type()
		switch {
		case managed && fn.Name() == "Start" && kube.IsContext(param) && onlyError(sig),
			clustered && (fn.Name() == "Start" || fn.Name() == "Run") && isStopType(param) && (sig.Results().Len() == 0 || onlyError(sig)):
			add(fn, fn.Params[1], flow.FuncName(fn))
		}
	}
	if !managed {
		return found
	}
	all := pkg.Funcs
	if init := pkg.Func("init"); init != nil {
		all = append(all[:len(all):len(all)], init)
	}
	for _, in := range all {
		for _, b := range in.Blocks {
			for _, instr := range b.Instrs {
				conv, ok := instr.(*ssa.ChangeType)
				if !ok || !kube.IsType(conv.Type(), kube.Manager, "RunnableFunc") {
					continue
				}
				fn := declared(flow.FuncValue(conv.X))
				if fn == nil || fn.Pkg != pkg.Package || fn.Signature.Params().Len() != 1 || len(fn.Params) == 0 {
					continue
				}
				name := flow.FuncName(fn)
				if fn.Parent() != nil {
					name = "the RunnableFunc"
					if d := flow.Decl(fn); d.Object() != nil {
						name += " in " + flow.FuncName(fn)
					}
				}
				add(fn, fn.Params[len(fn.Params)-1], name)
			}
		}
	}
	return found
}

// declared is fn, or the method behind it where fn is the wrapper of a method value.
func declared(fn *ssa.Function) *ssa.Function {
	if fn == nil || fn.Parent() != nil || len(fn.Blocks) > 0 && fn.Synthetic == "" {
		return fn
	}
	if obj := flow.Object(fn); obj != nil {
		if m := fn.Prog.FuncValue(obj); m != nil {
			return m
		}
	}
	return fn
}

func onlyError(sig *types.Signature) bool {
	return sig.Results().Len() == 1 && types.Identical(sig.Results().At(0).Type(), types.Universe.Lookup("error").Type())
}

// isStopType reports whether t is <-chan struct{}.
func isStopType(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok || ch.Dir() != types.RecvOnly {
		return false
	}
	st, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}
