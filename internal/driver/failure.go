package driver

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/phrase"
	"github.com/ctrllint/ctrllint/internal/workspace"
)

// loadError returns the message of err without the wrapping of go/packages, which names its way of calling the go
// command.
func loadError(err error) string {
	text := strings.TrimSpace(err.Error())
	if _, stderr, found := strings.Cut(text, "stderr: "); found {
		text = strings.TrimSpace(stderr)
	}
	return plainLoad(text)
}

// plainLoad returns a message of the go command about the whole run, with what to do about it.
func plainLoad(text string) string {
	text = parsing.ReplaceAllString(strings.TrimPrefix(text, "go: "), "")
	switch {
	case strings.HasPrefix(text, "unsupported GOOS/GOARCH"):
		text += " (go tool dist list names those there are)"
	case strings.Contains(text, `exec: "go": executable file not found`):
		text = "no go command on the PATH; it is needed to list the packages"
	case strings.HasPrefix(text, "inconsistent vendoring in "):
		text = inconsistent(text)
	}
	return indented.ReplaceAllString(text, " ")
}

// indented matches the start of a continuation line.
var indented = regexp.MustCompile(` *\n\t+`)

// parsing matches the head of a message about go.mod or go.work.
var parsing = regexp.MustCompile(`^(errors parsing \S+:\n)+`)

// inLine joins a message of the go command with the command to run in its next line.
func inLine(text string) string { return strings.ReplaceAll(text, ":\n\t", ": ") }

// inconsistent rewords the go command's message about a vendor folder that does not match go.mod, or does not exist.
func inconsistent(text string) string {
	var modules []string
	for line := range strings.Lines(text) {
		if module, _, found := strings.Cut(line, ": is "); found {
			modules = append(modules, strings.TrimSpace(module))
		}
	}
	return fmt.Sprintf("the folder vendor does not match go.mod: %s (go mod vendor updates it, GOFLAGS=-mod=mod ignores it)", phrase.Some(modules))
}

// failed adds to result what could not be analysed or imported, each once, with the number of packages that were
// analysed without it, and returns the import paths of these. Errors in excluded folders are no failures: one remark
// names the packages. Many absent imports become one failure and notes.
func (r *run) failed(result *Result) map[string]bool {
	t := &trouble{
		r: r, result: result, partly: make(map[string]bool), importers: make(map[string]map[string]bool), absent: make(map[string]bool),
		forgiven: make(map[string]bool), told: make(map[*packages.Package]bool), seen: make(map[Failure]bool),
	}
	for _, p := range r.graph.Roots {
		u := r.units[p]
		if u == nil || !r.named[p.ID] {
			continue // the main package that go test generates
		}
		if len(u.Errors) > 0 {
			t.broken(p)
			continue
		}
		t.unread(u, p, p.PkgPath)
		for _, i := range r.reach[p] {
			below := r.units[i]
			if below == nil {
				continue
			}
			t.unread(below, i, p.PkgPath)
			if len(below.Errors) > 0 {
				t.broken(i)
				t.count(i.PkgPath, p.PkgPath)
			}
		}
	}
	for path, of := range t.importers { // sorted with all failures
		if !t.forgiven[path] {
			t.say(Failure{path, withoutIt(len(of))})
		}
	}
	if len(t.absent) > maxAbsent {
		r.summarise(result, t.absent, t.importers)
	}
	if len(t.forgiven) > 0 {
		result.remark([]string{"not analysed, or without their imports, and ignored because they are excluded: " + phrase.Some(slices.Sorted(maps.Keys(t.forgiven)))})
	}
	return t.partly
}

// trouble gathers the failures of a run. Packages are named by their import paths.
type trouble struct {
	r      *run
	result *Result

	partly    map[string]bool            // analysed without some import
	importers map[string]map[string]bool // by missing import
	absent    map[string]bool            // imports without source
	forgiven  map[string]bool            // in excluded folders
	told      map[*packages.Package]bool
	seen      map[Failure]bool
}

// count notes that importer was analysed without path.
func (t *trouble) count(path, importer string) {
	if t.importers[path] == nil {
		t.importers[path] = make(map[string]bool)
	}
	t.importers[path][importer], t.partly[importer] = true, true
}

// say adds f to the failures, once.
func (t *trouble) say(f Failure) {
	if !t.seen[f] {
		t.seen[f] = true
		t.result.Failures = append(t.result.Failures, f)
	}
}

// broken adds why p was not analysed.
func (t *trouble) broken(p *packages.Package) {
	if t.told[p] {
		return
	}
	t.told[p] = true
	if excluded(p) {
		t.forgiven[p.PkgPath] = true
		return
	}
	errs := slices.Clone(t.r.units[p].Errors)
	for i := range errs {
		errs[i].Pos = t.r.names.decode(errs[i].Pos)
	}
	for _, f := range packageErrors(t.r.dir, p, errs) {
		t.say(f)
	}
}

// unread adds what could not be imported into the package of, whose unit is u; it is importer, or importer imports it.
func (t *trouble) unread(u *unit, of *packages.Package, importer string) {
	if len(u.Missing) > 0 && excluded(of) {
		t.forgiven[of.PkgPath] = true
		t.partly[importer] = true
		return
	}
	for _, m := range u.Missing {
		if m.Absent {
			t.absent[m.Path] = true
		}
		if t.importers[m.Path] == nil {
			message := inLine(m.Message)
			if pos := t.r.names.decode(m.Pos); pos != "-" {
				message = strings.TrimPrefix(pos, t.r.dir+string(filepath.Separator)) + ": " + message
			}
			t.say(Failure{m.Path, message})
		}
		t.count(m.Path, importer)
	}
}

// withoutIt returns the failure of an import that n packages lack.
func withoutIt(n int) string {
	if n == 1 {
		return "1 package that imports it was analysed without it"
	}
	return fmt.Sprintf("%d packages that import it were analysed without it", n)
}

// maxErrors bounds the errors shown of one package.
const maxErrors = 10

// packageErrors converts the errors of p, with paths relative to dir.
func packageErrors(dir string, p *packages.Package, all []packages.Error) []Failure {
	errs := slices.Clone(all)
	has := func(kind packages.ErrorKind) bool {
		return slices.ContainsFunc(errs, func(e packages.Error) bool { return e.Kind == kind })
	}
	switch {
	case has(packages.ParseError):
		// Type errors follow from parse errors.
		errs = slices.DeleteFunc(errs, func(e packages.Error) bool { return e.Kind != packages.ParseError })
		errs = onePerPlace(errs)
	case slices.ContainsFunc(errs, isMixed):
		errs = slices.DeleteFunc(errs, func(e packages.Error) bool { return !isMixed(e) })
	case has(packages.TypeError):
		// The go command repeats the compiler's errors as one text.
		errs = slices.DeleteFunc(errs, func(e packages.Error) bool {
			return e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "# ")
		})
	}
	var failures []Failure
	for i, e := range errs {
		if i == maxErrors {
			failures = append(failures, Failure{p.PkgPath, fmt.Sprintf("and %d more errors", len(errs)-i)})
			break
		}
		message := inLine(plain(e.Msg))
		if cause := importError(p, message); cause != "" {
			message = cause
		}
		if strings.HasPrefix(message, "build constraints exclude all Go files") && needsCgo(p) {
			message += ": they import C, but cgo is off (it needs CGO_ENABLED=1 and a C compiler)"
		}
		if e.Pos != "" && e.Pos != "-" {
			message = strings.TrimPrefix(e.Pos, dir+string(filepath.Separator)) + ": " + message
		}
		name := p.PkgPath
		if p.Name == "" && strings.Contains(message, name) {
			name = "" // a pattern that matches no package
			message = outside(dir, p.PkgPath, message) + meant(dir, p.PkgPath, message)
		}
		if name == "command-line-arguments" {
			name, message = "", strings.TrimPrefix(message, "go: ") // the go command's name for packages that have no path, or could not be listed
		}
		failures = append(failures, Failure{name, message})
	}
	return failures
}

// isMixed reports whether e is about files of several packages in a folder: the type checker repeats it for each.
func isMixed(e packages.Error) bool { return strings.HasPrefix(e.Msg, "found packages ") }

// onePerPlace keeps one error for each place: that of a missing package clause if there is one, otherwise the first.
func onePerPlace(errs []packages.Error) (out []packages.Error) {
	for _, e := range errs {
		i := slices.IndexFunc(out, func(o packages.Error) bool { return o.Pos == e.Pos })
		switch {
		case i < 0:
			out = append(out, e)
		case strings.HasPrefix(e.Msg, "expected 'package'"):
			out[i] = e
		}
	}
	return out
}

// plain returns a message of the go command without its first line, which names the package, and with what to do
// about a missing C compiler.
func plain(message string) string {
	if head, rest, more := strings.Cut(message, "\n"); more && strings.HasPrefix(head, "# ") {
		message = rest
	}
	switch {
	case strings.Contains(message, "C compiler") && strings.Contains(message, "not found"):
		message += " (set CC, or CGO_ENABLED=0 to exclude files that import C)"
	case strings.HasPrefix(message, "could not import C ("):
		message = "cgo has not processed this file: it needs CGO_ENABLED=1 and a C compiler"
	}
	return message
}

// needsCgo reports whether ignored files of p import C.
func needsCgo(p *packages.Package) bool {
	return slices.ContainsFunc(p.IgnoredFiles, func(name string) bool {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		return err == nil && slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
	})
}

// importError is why an import of p failed, if message is the type checker's about it.
func importError(p *packages.Package, message string) string {
	rest, found := strings.CutPrefix(message, "could not import ")
	if !found {
		return ""
	}
	path, _, _ := strings.Cut(rest, " ")
	if i := p.Imports[path]; i != nil && len(i.Errors) > 0 {
		return i.Errors[0].Msg
	}
	return ""
}

// outside rewords the go command's message about a pattern for a folder outside of the main modules.
func outside(dir, pattern, message string) string {
	base, _, _ := strings.Cut(pattern, "...")
	if !filepath.IsAbs(base) {
		base = filepath.Join(dir, filepath.FromSlash(base))
	}
	switch module := workspace.ModuleOf(base); {
	case strings.Contains(message, "does not contain modules listed in go.work"):
		return "pattern " + pattern + ": its module is not in go.work: go work use adds it, GOWORK=off ignores go.work"
	case !strings.Contains(message, "does not contain main module"):
	case module == "":
		return "pattern " + pattern + ": no go.mod in its folder or a parent: run ctrllint in a module, or set its folder with -C"
	case module != workspace.ModuleOf(dir):
		return "pattern " + pattern + ": its folder is in another module: set that with -C, or list both in a go.work"
	}
	return message
}

// meant returns the correct form of a pattern that names a folder and matches no package.
func meant(dir, pattern, message string) string {
	if !strings.Contains(message, "is not in std") && !strings.Contains(message, "no required module provides") {
		return ""
	}
	if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(pattern))); err == nil && info.IsDir() && !filepath.IsAbs(pattern) {
		return ": for the folder, use ./" + pattern
	}
	return ""
}
