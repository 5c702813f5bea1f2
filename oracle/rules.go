package oracle

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/analyzers/lockheld"
	"github.com/ctrllint/ctrllint/analyzers/unboundedsync"
	"github.com/ctrllint/ctrllint/internal/passes"
	"github.com/ctrllint/ctrllint/internal/rule"
)

// A Finding is what a rule says of a program.
type Finding struct {
	Rule, Sub string
	Line      int
	Message   string
	Certain   bool
	Related   []int // lines of its related places
}

// String is the finding as a line of text.
func (f Finding) String() string {
	sure := "possible"
	if f.Certain {
		sure = "certain"
	}
	return fmt.Sprintf("line %d: %s/%s (%s): %s", f.Line, f.Rule, f.Sub, sure, f.Message)
}

// Rules run in process, over one package after the other. They read the types of the standard library once. They are not
// for use by several goroutines at once.
type Rules struct {
	fset   *token.FileSet
	std    types.Importer
	runner *passes.Runner
}

// NewRules are lockheld and unboundedsync, as they are by default. An error says that they do not fit together.
func NewRules() (*Rules, error) {
	runner, err := passes.New([]*analysis.Analyzer{lockheld.Analyzer, unboundedsync.Analyzer})
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	return &Rules{fset, importer.ForCompiler(fset, "source", nil), runner}, nil
}

// Analyse gives the findings in the package of the one file src. An error says that it does not compile or that a rule
// failed.
func (r *Rules) Analyse(src string) ([]Finding, error) {
	const path = "example.com/program"
	file, err := parser.ParseFile(r.fset, "program.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	defer r.fset.RemoveFile(r.fset.File(file.Package)) // else the set grows forever
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: r.std, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	pkg, err := conf.Check(path, r.fset, []*ast.File{file}, info)
	if err != nil {
		return nil, err
	}
	actions, _ := r.runner.Run(&passes.Package{
		Fset: r.fset, Files: []*ast.File{file}, Types: pkg, Info: info, Sizes: conf.Sizes, Module: &packages.Module{Path: path},
		ReadFile: func(string) ([]byte, error) { return []byte(src), nil },
	})
	var out []Finding
	for _, act := range actions {
		if act.Err != nil {
			return nil, fmt.Errorf("%s: %w", act.Analyzer.Name, act.Err)
		}
		verdicts, _ := act.Result.(*rule.Verdicts)
		for _, d := range act.Diagnostics {
			if d.Category == rule.InternalError {
				return nil, errors.New(d.Message)
			}
			name, sub, _ := strings.Cut(d.Category, "/")
			f := Finding{Rule: name, Sub: sub, Line: r.fset.Position(d.Pos).Line, Message: d.Message}
			f.Certain = verdicts != nil && verdicts.Of(d.Pos, d.Message) == rule.Certain
			for i, rel := range d.Related {
				if i > 0 && f.Sub == "blocking" && rel.Message != "blocks here" && !strings.HasPrefix(rel.Message, "calls ") {
					break // the other side follows
				}
				f.Related = append(f.Related, r.fset.Position(rel.Pos).Line)
			}
			out = append(out, f)
		}
	}
	return out, nil
}
