package optionalderef

import (
	_ "embed"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
	"github.com/ctrllint/ctrllint/internal/program"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

//go:embed doc.go
var doc string

// Analyzer is the rule optionalderef.
var Analyzer = &analysis.Analyzer{
	Name:      "optionalderef",
	Doc:       rule.MustExtractDoc(doc, "optionalderef"),
	URL:       rule.URLBase + "optionalderef.md",
	Flags:     rule.Flags(rule.Sub{Name: "unchecked", Severity: rule.Error}),
	Requires:  []*analysis.Analyzer{program.Analyzer, suppress.Analyzer},
	Run:       rule.Wrap("optionalderef", nil, run),
	FactTypes: []analysis.Fact{new(link.Summary[Part])},
}

// Part is what the rule adds to the summary of a package. Fields and structs are named by their package, type and
// name.
type Part struct {
	Optional []Field  // the optional fields of its structs
	Specs    []string // the structs with optional fields that the specs of its kinds are made of
	Checked  []string // optional fields that it may compare with nil, or that it sets
	Guarded  []string // optional fields that it compares with nil just to follow them there
}

// A Field is an optional field that is a pointer.
type Field struct {
	Struct, Name string
	Shown        string // in messages
	At           link.At
}

func (f *Field) key() string { return f.Struct + "." + f.Name }

func run(pass *analysis.Pass) (any, error) {
	return link.Phase[Part]{Summarize: summarize, Unused: holds, Whole: true}.Run(pass)
}

// The kinds of conditions: that nothing compares a field or sets it (unchecked), or that it is only compared where it
// is followed (guarded), and that a package's dereferences of it run (followed). They are named by the field and the
// package.
const (
	neverChecked = "unchecked"
	onlyGuarded  = "guarded"
	followed     = "followed"
)

// holds reports whether c holds: the field is in the spec of a kind, no package compares or sets it, and what follows it
// runs in a program, or its package is in none.
func holds(p *link.Program[Part], c link.Condition) bool {
	field, pkg, _ := strings.Cut(c.Of, " ")
	owner := field[:strings.LastIndexByte(field, '.')]
	inSpec, guarded := false, false
	for _, s := range p.Packages {
		if slices.Contains(s.Part.Checked, field) {
			return false
		}
		inSpec = inSpec || slices.Contains(s.Part.Specs, owner)
		guarded = guarded || slices.Contains(s.Part.Guarded, field)
	}
	return inSpec && guarded == (c.Kind == onlyGuarded) && (p.Alone(pkg) || p.Holds(link.Condition{Kind: followed, Of: c.Of}))
}

func summarize(u *link.Unit[Part]) any {
	if rule.IsDependency(u.Pass) {
		return nil
	}
	reached, specs := kubeapi.SpecTypes(u.Pass.Pkg, func(pkg *types.Package) bool { return rule.OfModule(u.Pass, pkg) })
	u.Part.Optional = optionalFields(u.Pass, specs)
	fields := map[string]*Field{}
	owners := map[string]bool{}
	for _, s := range append(slices.Clip(u.Below), u.Summary) {
		for i := range s.Part.Optional {
			f := &s.Part.Optional[i]
			fields[f.key()], owners[f.Struct] = f, true
		}
	}
	if len(fields) == 0 {
		return nil
	}
	for _, obj := range reached {
		if name := nameOf(obj); owners[name] {
			u.Part.Specs = append(u.Part.Specs, name)
		}
	}
	slices.Sort(u.Part.Specs)
	if !rule.InTestFolder(u.Pass) && mentions(u.Pass, fields) {
		s := &search{unit: u, p: program.Of(u.Pass), fields: fields, checked: map[string]bool{}, tests: map[string][]*ssa.If{}, derefs: map[string][]deref{}, entrances: link.Entrances(u.Pass)}
		s.run()
	}
	return nil
}

// mentions is the cheap precondition: the package selects a field with the package and name of one of fields, or sets
// it in a literal.
func mentions(pass *analysis.Pass, fields map[string]*Field) bool {
	names := map[string]bool{} // by package and name
	for _, f := range fields {
		names[f.Struct[:strings.LastIndexByte(f.Struct, '.')]+"."+f.Name] = true
	}
	for _, obj := range pass.TypesInfo.Uses {
		if v, ok := obj.(*types.Var); ok && v.IsField() && v.Pkg() != nil && names[v.Pkg().Path()+"."+v.Name()] {
			return true
		}
	}
	return false
}

// nameOf names a defined type with its package.
func nameOf(obj *types.TypeName) string { return obj.Pkg().Path() + "." + obj.Name() }
