package ssapkg

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A package may give its functions other names by variables, as controller-runtime does: var LoggerFrom =
// log.FromContext. A call of such a variable of another package becomes a call of the function that it is declared
// with, unless this package sets it. Who else does, as a test may, is not known.
type variables struct {
	pass  *analysis.Pass
	known map[*types.Var]*types.Func // nil for those that are declared with something else
	files map[string]*ast.File
}

// seeThrough replaces such variables in the calls of p.
func (p *Package) seeThrough(pass *analysis.Pass) {
	type use struct {
		call ssa.CallInstruction
		of   *ssa.Global
	}
	var uses []use
	set := map[*ssa.Global]bool{} // by p
	foreign := func(v ssa.Value) *ssa.Global {
		if g, ok := v.(*ssa.Global); ok && g.Pkg != p.Package {
			return g
		}
		return nil
	}
	for _, fn := range p.All() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.Store:
					if g := foreign(in.Addr); g != nil {
						set[g] = true
					}
				case ssa.CallInstruction:
					if load, ok := in.Common().Value.(*ssa.UnOp); ok && load.Op == token.MUL {
						if g := foreign(load.X); g != nil {
							uses = append(uses, use{in, g})
						}
					}
				}
			}
		}
	}
	vs := &variables{pass: pass, known: map[*types.Var]*types.Func{}, files: map[string]*ast.File{}}
	for _, u := range uses {
		v, ok := u.of.Object().(*types.Var)
		if !ok || set[u.of] {
			continue
		}
		if callee := p.declared(vs.function(v)); callee != nil {
			refs := u.call.Common().Value.(*ssa.UnOp).Referrers()
			u.call.Common().Value = callee
			*refs = slices.DeleteFunc(*refs, func(r ssa.Instruction) bool { return r == u.call })
		}
	}
}

// declared returns the SSA form of fn, a function of another package; nil for none.
func (p *Package) declared(fn *types.Func) *ssa.Function {
	if fn == nil {
		return nil
	}
	if p.Prog.ImportedPackage(fn.Pkg().Path()) == nil && p.Prog.FuncValue(fn) == nil {
		p.Prog.CreatePackage(fn.Pkg(), nil, nil, true)
	}
	return p.Prog.FuncValue(fn)
}

// function returns the function that v is declared with, nil if it is not declared so.
func (vs *variables) function(v *types.Var) *types.Func {
	fn, ok := vs.known[v]
	if !ok {
		fn = vs.look(v)
		vs.known[v] = fn
	}
	return fn
}

func (vs *variables) look(v *types.Var) *types.Func {
	file := vs.file(vs.pass.Fset.Position(v.Pos()).Filename)
	if file == nil || v.Pkg() == nil {
		return nil
	}
	for _, d := range file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			continue
		}
		for _, s := range d.Specs {
			s := s.(*ast.ValueSpec)
			i := slices.IndexFunc(s.Names, func(n *ast.Ident) bool { return n.Name == v.Name() })
			if i < 0 || len(s.Values) != len(s.Names) {
				continue
			}
			fn := function(v.Pkg(), file, s.Values[i])
			if fn == nil || !types.Identical(fn.Type(), v.Type()) {
				return nil
			}
			return fn
		}
	}
	return nil
}

// function returns the one that e names, in a file of pkg.
func function(pkg *types.Package, file *ast.File, e ast.Expr) *types.Func {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		fn, _ := pkg.Scope().Lookup(e.Name).(*types.Func)
		return fn
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		if !ok {
			return nil
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			for _, p := range pkg.Imports() {
				name := p.Name()
				if spec.Name != nil {
					name = spec.Name.Name
				}
				if p.Path() == imported && (name == x.Name || spec.Name == nil && path.Base(imported) == x.Name) {
					fn, _ := p.Scope().Lookup(e.Sel.Name).(*types.Func)
					return fn
				}
			}
		}
	}
	return nil
}

// file returns the syntax of the file of that name, nil if it cannot be read.
func (vs *variables) file(name string) *ast.File {
	f, ok := vs.files[name]
	if !ok && vs.pass.ReadFile != nil { // nogo has none
		if src, err := vs.pass.ReadFile(name); err == nil {
			f, _ = parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		}
		vs.files[name] = f
	}
	return f
}
