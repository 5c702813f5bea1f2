// Package rule is what the analyzers share towards their drivers: the wrapper around Run that keeps dependencies
// out and odd input harmless, and the one way to report a finding.
package rule

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"

	"github.com/ctrllint/ctrllint/internal/deps"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/pathglob"
	"github.com/ctrllint/ctrllint/internal/suppress"
)

// URLBase is the address below which every rule and sub-rule has its page: RULE.md and RULE/SUB.md.
const URLBase = "https://github.com/ctrllint/ctrllint/blob/main/docs/rules/"

// PageURL returns the address of the page of a rule's sub-rule.
func PageURL(rule, sub string) string { return URLBase + rule + "/" + sub + ".md" }

// InternalError is the category of a diagnostic that says that a rule failed. It is a diagnostic, not an error of Run,
// because under go vet an error for a root package is shown on the first run and lost on the second one, and an error
// in a dependency stops everything that imports it.
const InternalError = "internal-error"

// Settings are the choices about which files findings are reported in, and what is known of the user's own code. They
// hold for the whole process.
type Settings struct {
	Tests     bool          // report in _test.go files, and in code for tests elsewhere
	Generated bool          // report in files marked "Code generated … DO NOT EDIT."
	Exclude   pathglob.List // report in no file that matches

	Deps   deps.Policy  // which dependencies are analysed for their facts
	Blocks kubeapi.List // functions that can block without bound, beside those that are known
	Stores Stores       // types that keep expectations, beside those that look like it

	// DirectFacts says that the driver passes the facts of a package to direct importers only, as that of go vet does.
	DirectFacts bool

	// Programs says that the driver links every package, in the programs that it is part of or as a library, so that
	// findings can wait for the link phase.
	Programs bool

	Confidence Confidence // the lowest one to be reported; zero for all
	Severity   Severity   // the same
	Nursery    bool       // report findings of sites in the nursery, too

	// Named says that messages end with the category, which the driver does not print.
	Named bool

	// Golangci says that golangci-lint is the driver. It applies //nolint comments with a linter's name itself, and
	// makes an issue of each related place, which the comment at the finding does not silence: so there are none. The
	// linter is the suite, or each rule.
	Golangci bool
	Suite    bool
}

// Active is set by the front end before the first analyzer runs, and only read afterwards.
var Active Settings

// Wrap makes the Run function of an analyzer from run. For packages of the standard library and of dependencies the
// result is zero, unless their facts are wanted. A panic becomes an InternalError diagnostic at the package clause,
// and zero.
func Wrap(name string, zero any, run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (result any, err error) {
		if IsDependency(pass) {
			if !takesPart(pass) {
				return zero, nil
			}
			pass = ofPart(pass)
		}
		defer func() {
			if r := recover(); r != nil {
				result, err = zero, nil
				Failure(pass, name, "package "+pass.Pkg.Path(), r)
			}
		}()
		return run(silencing(pass))
	}
}

// takesPart reports whether the analyzer of pass analyses the dependency of pass. Findings there are not reported, so
// only analyzers with facts do, and those that they require.
func takesPart(pass *analysis.Pass) bool {
	if len(pass.Files) == 0 || !Active.Deps.Part(pass.Pkg.Path(), pass.Module != nil && pass.Module.Path != "") || usesCgo(pass) || len(pass.Analyzer.FactTypes) == 0 && pass.Analyzer.ResultType == nil {
		return false
	}
	var size deps.Size
	for _, f := range pass.Files {
		size.Add(int(f.FileEnd-f.FileStart), ast.IsGenerated(f))
	}
	return !size.MostlyGenerated()
}

// usesCgo reports whether cgo has made files of the package.
func usesCgo(pass *analysis.Pass) bool {
	return slices.ContainsFunc(pass.Files, func(f *ast.File) bool {
		return filepath.Base(pass.Fset.File(f.FileStart).Name()) == "_cgo_gotypes.go" ||
			slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
	})
}

// OfModule reports whether pkg is part of the module of pass.
func OfModule(pass *analysis.Pass, pkg *types.Package) bool {
	module := ""
	if pass.Module != nil {
		module = pass.Module.Path
	}
	return deps.SameModule(pass.Pkg.Path(), pkg.Path(), module)
}

// ofPart is pass, of a dependency, without its findings, and with the facts of its own module only, unless the policy
// is All, so that the result does not depend on which other dependencies were analysed.
func ofPart(pass *analysis.Pass) *analysis.Pass {
	p := *pass
	p.Report = func(d analysis.Diagnostic) {
		if d.Category == InternalError {
			pass.Report(d)
		}
	}
	if Active.Deps == deps.All {
		return &p
	}
	same := func(pkg *types.Package) bool { return pkg != nil && OfModule(pass, pkg) }
	p.ImportObjectFact = func(obj types.Object, fact analysis.Fact) bool {
		return same(obj.Pkg()) && pass.ImportObjectFact(obj, fact)
	}
	p.ImportPackageFact = func(pkg *types.Package, fact analysis.Fact) bool {
		return same(pkg) && pass.ImportPackageFact(pkg, fact)
	}
	p.AllObjectFacts = func() []analysis.ObjectFact {
		return slices.DeleteFunc(pass.AllObjectFacts(), func(f analysis.ObjectFact) bool { return !same(f.Object.Pkg()) })
	}
	p.AllPackageFacts = func() []analysis.PackageFact {
		return slices.DeleteFunc(pass.AllPackageFacts(), func(f analysis.PackageFact) bool { return !same(f.Package) })
	}
	return &p
}

// linters returns the names of the rule for golangci-lint, if that is the driver.
func linters(name string) []string {
	switch {
	case !Active.Golangci:
		return nil
	case Active.Suite:
		return []string{suppress.Suite}
	}
	return []string{name}
}

// silencing is pass without the diagnostics that comments silence, if its analyzer requires suppress.Analyzer.
func silencing(pass *analysis.Pass) *analysis.Pass {
	index, ok := pass.ResultOf[suppress.Analyzer].(*suppress.Index)
	if !ok {
		return pass
	}
	p := *pass
	p.Report = func(d analysis.Diagnostic) {
		if d.Category == InternalError || !index.Silence(pass.Analyzer.Name, d, linters(pass.Analyzer.Name)...) {
			pass.Report(d)
		}
	}
	return &p
}

// Failure reports that rule name could not analyse what, because of the recovered value r.
func Failure(pass *analysis.Pass, name, what string, r any) {
	at := token.NoPos
	if len(pass.Files) > 0 {
		at = pass.Files[0].Package
	}
	pass.Report(analysis.Diagnostic{
		Pos:      at,
		Category: InternalError,
		Message:  fmt.Sprintf("%s could not analyse %s: %v (at %s); please report this", name, what, r, panicSite()),
	})
}

// panicSite returns the innermost frame of ours on the panicking stack, as file:line.
func panicSite() string {
	lines := strings.Split(string(debug.Stack()), "\n")
	seen := false
	for _, l := range lines {
		if strings.HasPrefix(l, "panic(") {
			seen = true
			continue
		}
		l = strings.TrimSpace(l)
		if seen && strings.Contains(l, ".go:") && !strings.Contains(l, "/runtime/") {
			at, _, _ := strings.Cut(l, " ")
			return filepath.Base(filepath.Dir(at)) + "/" + filepath.Base(at)
		}
	}
	return "unknown place"
}

// IsDependency reports whether the package of pass is not the user's own: it belongs to a module with a version, or,
// if the driver does not provide modules, it lies under GOROOT, the module cache or a vendor folder.
func IsDependency(pass *analysis.Pass) bool {
	if len(pass.Files) == 0 {
		return true // loaded from export data
	}
	if pass.Module != nil && pass.Module.Path != "" {
		// One that go.mod replaces with a folder has a version, too. Files that cgo generates have the position of the
		// source.
		return pass.Module.Version != "" && slices.ContainsFunc(pass.Files, func(f *ast.File) bool {
			name := filepath.ToSlash(pass.Fset.Position(f.Package).Filename)
			return versioned.MatchString(name) || strings.Contains(name, "/vendor/")
		})
	}
	name := filepath.ToSlash(pass.Fset.File(pass.Files[0].FileStart).Name())
	goroot := filepath.ToSlash(runtime.GOROOT()) //nolint:staticcheck // The fallback for drivers that leave Module empty.
	return goroot != "" && strings.HasPrefix(name, goroot+"/src/") ||
		strings.Contains(name, "/pkg/mod/") || strings.Contains(name, "/vendor/")
}

// versioned matches the version of a module in a name in the module cache.
var versioned = regexp.MustCompile(`@v\d[^/]*/`)

// A Site is the id of a place in the rules that words findings, for example "second-lock". Verdicts are kept by site,
// so it is written in one place only, and does not change with the name of its sub-rule.
type Site string

// Finding is a finding of a rule.
type Finding struct {
	Pos, End token.Pos // the smallest range that shows the problem; End may be NoPos
	Sub      string    // the sub-rule, for example "relock"
	Site     Site      // the place that words it
	Message  string
	Related  []analysis.RelatedInformation
	Fixes    []analysis.SuggestedFix

	Confidence Confidence // zero for rules without

	// Elsewhere says that Pos lies in another package, whose pass has checked that a finding there is wanted.
	Elsewhere bool
}

// SiteOf returns the site of d, which [Report] stores in the fragment of the address, and the address of its page.
func SiteOf(d analysis.Diagnostic) (site Site, page string) {
	page, fragment, _ := strings.Cut(d.URL, "#")
	return Site(fragment), page
}

// Report reports f as a diagnostic of category NAME/SUB, unless Active excludes it. Its address ends with the site.
func Report(pass *analysis.Pass, f Finding) {
	if !f.Elsewhere && !Wanted(pass, f.Pos) {
		return
	}
	if Active.Golangci {
		f.Related = nil
	}
	f.Related = slices.DeleteFunc(slices.Clone(f.Related), func(r analysis.RelatedInformation) bool {
		return !r.Pos.IsValid() // it is in a package without source
	})
	d := analysis.Diagnostic{
		Pos: f.Pos, End: f.End,
		Category:       pass.Analyzer.Name + "/" + f.Sub,
		Message:        f.Message,
		URL:            PageURL(pass.Analyzer.Name, f.Sub) + "#" + string(f.Site),
		Related:        f.Related,
		SuggestedFixes: f.Fixes,
	}
	if !asked(pass.Analyzer, f) {
		// A comment that silences it is used.
		if index, ok := pass.ResultOf[suppress.Analyzer].(*suppress.Index); ok {
			index.Covers(pass.Analyzer.Name, d.Category, d.Pos, linters(pass.Analyzer.Name)...)
		}
		return
	}
	if Active.Named {
		d.Message += " (" + d.Category + ")"
	}
	pass.Report(d)
}

// Wanted reports whether findings at pos are reported: pos lies in a file of the package that is not excluded, no
// test and not generated, unless those are asked for, and the package is no dependency.
func Wanted(pass *analysis.Pass, pos token.Pos) bool {
	if IsDependency(pass) {
		return false
	}
	f := FileAt(pass, pos)
	if f == nil || !Active.Tests && (isTestFile(pass, f) || forTests(pass, f)) || Active.Exclude.Match(pass.Fset.Position(pos).Filename) {
		return false
	}
	return Active.Generated || !generated(f)
}

// WantedFor reports whether a finding of category, NAME/SUB, at pos is wanted and no comment silences it. It is for
// findings that another package's pass will report.
func WantedFor(pass *analysis.Pass, category string, pos token.Pos) bool {
	if !Wanted(pass, pos) {
		return false
	}
	name, _, _ := strings.Cut(category, "/")
	index, ok := pass.ResultOf[suppress.Analyzer].(*suppress.Index)
	return !ok || !index.Covers(name, category, pos, linters(name)...)
}

// generated reports whether f was generated.
func generated(f *ast.File) bool {
	if len(f.Comments) > 0 && f.Comments[0].List[0].Text == "// Code generated by cmd/cgo; DO NOT EDIT." {
		// cgo generated it from a file of the user's, which may be marked itself.
		rest := *f
		rest.Comments = f.Comments[1:]
		return ast.IsGenerated(&rest)
	}
	return ast.IsGenerated(f)
}

// FileAt returns the file of the package with pos; nil if there is none.
func FileAt(pass *analysis.Pass, pos token.Pos) *ast.File {
	if i := slices.IndexFunc(pass.Files, func(f *ast.File) bool { return f.FileStart <= pos && pos < f.FileEnd }); i >= 0 {
		return pass.Files[i]
	}
	return nil
}

// Enclosing returns the path of syntax from the node at pos outwards; nil if pos is not in the package.
func Enclosing(pass *analysis.Pass, pos token.Pos) (path []ast.Node) {
	if f := FileAt(pass, pos); f != nil {
		path, _ = astutil.PathEnclosingInterval(f, pos, pos)
	}
	return path
}

// Innermost returns the innermost node of type T that encloses pos; its zero value if there is none.
func Innermost[T ast.Node](pass *analysis.Pass, pos token.Pos) (none T) {
	for _, n := range Enclosing(pass, pos) {
		if n, ok := n.(T); ok {
			return n
		}
	}
	return none
}

// ObjectAt returns what name stands for at pos, which is in the package; nil for nothing.
func ObjectAt(pass *analysis.Pass, pos token.Pos, name string) types.Object {
	_, obj := pass.Pkg.Scope().Innermost(pos).LookupParent(name, pos)
	return obj
}

// Imports returns the edits that import the missing ones of some packages of the standard library into the file with
// pos. It is not ok where one of the names stands for something else there, or the language is older than since.
func Imports(pass *analysis.Pass, pos token.Pos, since string, names ...string) (edits []analysis.TextEdit, ok bool) {
	file := FileAt(pass, pos)
	group, _ := file.Decls[0].(*ast.GenDecl)
	for _, name := range names {
		obj := ObjectAt(pass, pos, name)
		if pkg, ok := obj.(*types.PkgName); ok && pkg.Imported().Path() == name {
			continue
		}
		if obj != nil || group == nil || group.Tok != token.IMPORT || !group.Lparen.IsValid() {
			return nil, false
		}
		edits = append(edits, analysis.TextEdit{Pos: group.Lparen + 1, End: group.Lparen + 1, NewText: []byte("\n\t\"" + name + "\"")})
	}
	return edits, version.Compare(cmp.Or(pass.TypesInfo.FileVersions[file], pass.Pkg.GoVersion()), since) >= 0
}

// Line returns the line number of pos.
func Line(pass *analysis.Pass, pos token.Pos) int { return pass.Fset.Position(pos).Line }
