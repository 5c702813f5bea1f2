// Package passes runs analyzers over one package at a time, in import order. Of a package that was analysed, only
// encoded facts are kept.
package passes

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"slices"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// Package is a package with its syntax, types and imports.
type Package struct {
	Fset         *token.FileSet
	Files        []*ast.File
	OtherFiles   []string
	IgnoredFiles []string
	Types        *types.Package
	Info         *types.Info
	Sizes        types.Sizes
	Module       *packages.Module

	// ReadFile reads a file of the package. Nil stands for os.ReadFile.
	ReadFile func(name string) ([]byte, error)

	// Imports are the packages that it imports, directly or not, and whose facts are known.
	Imports []*types.Package

	// Partial says that some of its imports, or some of the package, are not known, because of errors.
	Partial bool
}

// Action is the result of one analyzer for one package.
type Action struct {
	Analyzer    *analysis.Analyzer
	Diagnostics []analysis.Diagnostic
	Result      any
	Err         error // of the analyzer, or of one that it requires
	Time        time.Duration
}

// Runner applies analyzers to packages. Its methods may be called by several goroutines at once.
type Runner struct {
	order []*analysis.Analyzer // each after those that it requires
	Facts *Facts
}

// New returns a Runner for analyzers and what they require. It fails if they are not valid.
func New(analyzers []*analysis.Analyzer) (*Runner, error) {
	if err := analysis.Validate(analyzers); err != nil {
		return nil, err
	}
	r := &Runner{Facts: newFacts()}
	seen := make(map[*analysis.Analyzer]bool)
	var visit func(*analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, required := range a.Requires {
			visit(required)
		}
		for _, f := range a.FactTypes {
			register(f)
		}
		r.order = append(r.order, a)
	}
	for _, a := range analyzers {
		visit(a)
	}
	return r, nil
}

// Run applies the analyzers to p, one after the other, each after those that it requires. It returns their results
// and facts.
func (r *Runner) Run(p *Package) ([]*Action, *Exported) {
	results := make(map[*analysis.Analyzer]*Action)
	exported := &Exported{pkg: p.Types, facts: make(map[factKey]analysis.Fact)}
	var actions []*Action
	for _, a := range r.order {
		act := &Action{Analyzer: a}
		start := time.Now()
		r.run(act, p, results, exported)
		act.Time = time.Since(start)
		results[a] = act
		actions = append(actions, act)
	}
	return actions, exported
}

func (r *Runner) run(act *Action, p *Package, results map[*analysis.Analyzer]*Action, exported *Exported) {
	inputs := make(map[*analysis.Analyzer]any)
	for _, required := range act.Analyzer.Requires {
		input := results[required]
		if input.Err != nil {
			act.Err = fmt.Errorf("failed prerequisite: %s", required.Name)
			return
		}
		inputs[required] = input.Result
	}
	readFile := p.ReadFile
	if readFile == nil {
		readFile = os.ReadFile
	}
	module := &analysis.Module{}
	if m := p.Module; m != nil {
		module.Path, module.Version, module.GoVersion = m.Path, m.Version, m.GoVersion
	}
	wanted := make(map[reflect.Type]bool)
	for _, f := range act.Analyzer.FactTypes {
		wanted[reflect.TypeOf(f)] = true
	}
	var errs []types.Error
	if p.Partial {
		errs = []types.Error{{Fset: p.Fset, Msg: "a package that it imports has errors"}}
	}
	pass := &analysis.Pass{
		TypeErrors: errs,
		Analyzer:   act.Analyzer, Fset: p.Fset, Files: p.Files, OtherFiles: p.OtherFiles, IgnoredFiles: p.IgnoredFiles,
		Pkg: p.Types, TypesInfo: p.Info, TypesSizes: p.Sizes, Module: module, ReadFile: readFile,
		ResultOf: inputs,
		Report:   func(d analysis.Diagnostic) { act.Diagnostics = append(act.Diagnostics, d) },

		ImportObjectFact: func(obj types.Object, fact analysis.Fact) bool {
			return obj.Pkg() != nil && r.lookup(exported, factKey{obj.Pkg(), obj, reflect.TypeOf(fact)}, fact)
		},
		ImportPackageFact: func(pkg *types.Package, fact analysis.Fact) bool {
			return r.lookup(exported, factKey{pkg, nil, reflect.TypeOf(fact)}, fact)
		},
		ExportObjectFact:  exported.object,
		ExportPackageFact: exported.ofPackage,
		AllObjectFacts: func() (all []analysis.ObjectFact) {
			r.facts(p, exported, wanted, nil, &all)
			return all
		},
		AllPackageFacts: func() (all []analysis.PackageFact) {
			r.facts(p, exported, wanted, &all, nil)
			return all
		},
	}
	act.Result, act.Err = act.Analyzer.Run(pass)
	if act.Err != nil {
		return
	}
	if got, want := reflect.TypeOf(act.Result), act.Analyzer.ResultType; got != want {
		act.Err = fmt.Errorf("the result is a %v, not a %v", got, want)
		return
	}
	act.Err = checkEdits(p.Fset, act.Diagnostics)
}

// facts adds the facts that p and its imports have, as [factKey.add] does.
func (r *Runner) facts(p *Package, exported *Exported, wanted map[reflect.Type]bool, pkgs *[]analysis.PackageFact, objects *[]analysis.ObjectFact) {
	for _, i := range p.Imports {
		s := r.Facts.of(i)
		for _, k := range s.ordered {
			k.add(s.facts[k], wanted, pkgs, objects)
		}
	}
	for k, f := range exported.facts {
		k.add(f, wanted, pkgs, objects)
	}
}

// lookup copies the fact of key to fact.
func (r *Runner) lookup(exported *Exported, key factKey, fact analysis.Fact) bool {
	found, ok := exported.facts[key]
	if !ok && key.pkg != exported.pkg {
		found, ok = r.Facts.of(key.pkg).facts[key]
	}
	if ok {
		reflect.ValueOf(fact).Elem().Set(reflect.ValueOf(found).Elem())
	}
	return ok
}

var errEdit = errors.New("a suggested fix has an edit outside of one file")

// checkEdits returns an error for edits that cannot be applied.
func checkEdits(fset *token.FileSet, diagnostics []analysis.Diagnostic) error {
	bad := func(e analysis.TextEdit) bool {
		file := fset.File(e.Pos)
		return file == nil || e.End.IsValid() && (e.End < e.Pos || fset.File(e.End) != file && int(e.End) != file.Base()+file.Size())
	}
	for _, d := range diagnostics {
		for _, f := range d.SuggestedFixes {
			if slices.ContainsFunc(f.TextEdits, bad) {
				return errEdit
			}
		}
	}
	return nil
}
