// Package suppress reads the comments that silence findings, and notes which of them did.
//
// It knows the forms of staticcheck and of golangci-lint:
//
//	//lint:ignore ctrllint/lockheld reason
//	//nolint:lockheld // reason
//
// Each names rules (ctrllint/lockheld), sub-rules (ctrllint/lockheld/leak) or the whole suite (ctrllint), separated by
// commas. It covers its line, or the next one if it is alone in its line, and all of a statement or declaration that begins
// there. //lint:file-ignore covers the file.
package suppress

import (
	"go/ast"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// Suite is the name of all rules, and Rule that of the rule about directives, which no directive silences.
const (
	Suite = "ctrllint"
	Rule  = "suppression"
)

// Analyzer reads the directives of a package. Its result is an *Index.
var Analyzer = &analysis.Analyzer{
	Name:             "ctrllintsuppress",
	Doc:              "read the comments that silence findings",
	Run:              func(pass *analysis.Pass) (any, error) { return Read(pass.Fset, pass.Files), nil },
	ResultType:       reflect.TypeFor[*Index](),
	RunDespiteErrors: true,
}

// A Directive is one such comment.
type Directive struct {
	Pos    token.Pos
	End    token.Pos
	Nolint bool     // in the form of golangci-lint
	Names  []string // "" for all rules, "lockheld", "lockheld/leak"
	Any    bool     // it is for all linters
	Reason string

	file     string
	fileWide bool
	from, to int // the lines that it covers
	used     bool
}

// An Index has the directives of a package, and what they silenced. It may be used by several goroutines.
type Index struct {
	fset       *token.FileSet
	directives []*Directive
	bare       []Bare
	mu         sync.Mutex
	silenced   []Silenced
}

// Bare is a comment in staticcheck's form with names without a linter, which are those of staticcheck. It silences
// nothing of this suite.
type Bare struct {
	Pos, End token.Pos
	Keyword  string   // as //lint:ignore
	Names    []string // without a linter
	Written  []string // all names
}

// Silenced is a diagnostic that a directive silences.
type Silenced struct {
	Rule       string
	Diagnostic analysis.Diagnostic
	By         *Directive
}

// Read returns the index of the files.
func Read(fset *token.FileSet, files []*ast.File) *Index {
	x := &Index{fset: fset}
	for _, f := range files {
		var found []*Directive
		for _, group := range f.Comments {
			for _, c := range group.List {
				if b, ok := parseBare(c); ok {
					x.bare = append(x.bare, b)
				}
				if d := parse(c.Text); d != nil {
					d.Pos, d.End = c.Pos(), c.End()
					d.from = fset.Position(c.Pos()).Line
					d.to = fset.Position(group.End()).Line
					found = append(found, d)
				}
			}
		}
		if found == nil {
			continue
		}
		begins, code := lines(fset, f)
		for _, d := range found {
			d.file = fset.Position(d.Pos).Filename
			switch {
			case d.fileWide:
				d.from, d.to = 1, fset.File(f.FileStart).LineCount()
			case code[d.from]: // behind code
				d.to = max(d.from, begins[d.from])
			default: // alone: what begins behind the comments
				d.to = max(d.to+1, begins[d.to+1])
			}
		}
		x.directives = append(x.directives, found...)
	}
	return x
}

// lines returns for each line of f the last line of the statements and declarations that begin there, and whether it
// has code.
func lines(fset *token.FileSet, f *ast.File) (begins map[int]int, code map[int]bool) {
	begins, code = map[int]int{}, map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.File:
			return true
		case nil, *ast.CommentGroup, *ast.Comment:
			return false
		}
		from, to := fset.Position(n.Pos()).Line, fset.Position(n.End()).Line
		begins[from] = max(begins[from], to)
		code[from], code[to] = true, true
		return true
	})
	return begins, code
}

const (
	ignore     = "//lint:ignore"
	fileIgnore = "//lint:file-ignore"
)

var nolint = regexp.MustCompile(`^//\s*nolint(?::\s*([\w/-]+(?:\s*,\s*[\w/-]+)*))?(?:\s+(.*))?$`)

// parse parses a directive; nil for other comments and for directives of other linters.
func parse(text string) *Directive {
	if names, fileWide, ok := cutKeyword(text); ok {
		names, reason, _ := strings.Cut(strings.TrimSpace(names), " ")
		d := &Directive{Reason: strings.TrimSpace(reason), fileWide: fileWide}
		for n := range strings.SplitSeq(names, ",") {
			if n == Suite || n == Suite+"/*" {
				d.Names = append(d.Names, "")
			} else if n, ok := strings.CutPrefix(n, Suite+"/"); ok {
				d.Names = append(d.Names, n)
			}
		}
		if d.Names == nil {
			return nil
		}
		return d
	}
	m := nolint.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	d := &Directive{Nolint: true, Reason: strings.TrimSpace(strings.TrimLeft(m[2], "/ "))}
	if m[1] == "" {
		d.Names, d.Any = []string{""}, true
		return d
	}
	for n := range strings.SplitSeq(m[1], ",") {
		switch n = strings.TrimSpace(n); n {
		case "all":
			d.Names, d.Any = append(d.Names, ""), true
		case Suite:
			d.Names = append(d.Names, "")
		default:
			d.Names = append(d.Names, strings.TrimPrefix(n, Suite+"/"))
		}
	}
	return d
}

// cutKeyword returns the text after the keyword of a staticcheck directive.
func cutKeyword(text string) (rest string, fileWide, ok bool) {
	rest, ok = strings.CutPrefix(text, ignore)
	if !ok {
		rest, ok = strings.CutPrefix(text, fileIgnore)
		fileWide = ok
	}
	return rest, fileWide, ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// parseBare returns the names of c without a linter, and whether there are some.
func parseBare(c *ast.Comment) (Bare, bool) {
	rest, fileWide, ok := cutKeyword(c.Text)
	if !ok {
		return Bare{}, false
	}
	b := Bare{Pos: c.Pos(), End: c.End(), Keyword: ignore}
	if fileWide {
		b.Keyword = fileIgnore
	}
	names, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	for n := range strings.SplitSeq(names, ",") {
		if n != "" {
			b.Written = append(b.Written, n)
		}
		if n != "" && n != Suite && !strings.HasPrefix(n, Suite+"/") {
			b.Names = append(b.Names, n)
		}
	}
	return b, b.Names != nil
}

// Silence reports whether a directive silences the diagnostic of rule, and notes it. Directives in golangci-lint's
// form that name one of the linters theirs do not: golangci-lint applies them itself, and reports those that silence
// nothing.
func (x *Index) Silence(rule string, diagnostic analysis.Diagnostic, theirs ...string) bool {
	if rule == Rule {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	by := x.use(rule, diagnostic.Category, diagnostic.Pos, theirs)
	if by != nil {
		x.silenced = append(x.silenced, Silenced{rule, diagnostic, by})
	}
	return by != nil
}

// Covers reports whether a directive silences findings of rule in that category at pos. The directive counts as used:
// the finding may be reported in a linked program.
func (x *Index) Covers(rule, category string, pos token.Pos, theirs ...string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.use(rule, category, pos, theirs) != nil
}

// use returns the first directive that silences findings of rule in that category at pos; all that do become used.
// The caller holds x.mu.
func (x *Index) use(rule, category string, pos token.Pos, theirs []string) (by *Directive) {
	p := x.fset.Position(pos)
	for _, d := range x.directives {
		if !d.appliedBy(theirs) && d.file == p.Filename && d.from <= p.Line && p.Line <= d.to && d.names(rule, category) {
			d.used = true
			if by == nil {
				by = d
			}
		}
	}
	return by
}

// appliedBy reports whether golangci-lint itself applies d to findings of these linters.
func (d *Directive) appliedBy(linters []string) bool {
	return d.Nolint && slices.ContainsFunc(linters, func(l string) bool {
		return d.Any || slices.Contains(d.Names, strings.TrimPrefix(l, Suite))
	})
}

func (d *Directive) names(rule, category string) bool {
	return slices.ContainsFunc(d.Names, func(n string) bool { return n == "" || n == rule || n == category })
}

// Silenced returns the silenced diagnostics.
func (x *Index) Silenced() []Silenced {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.silenced)
}

// Directives returns the directives of the package.
func (x *Index) Directives() []*Directive { return x.directives }

// Bare returns the comments with names without a linter.
func (x *Index) Bare() []Bare { return x.bare }

// Used reports whether d has silenced a finding.
func (x *Index) Used(d *Directive) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return d.used
}
