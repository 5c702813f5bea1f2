package driver

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// loadError is the message of err without the wrapping of go/packages, which names its way of calling the go command.
func loadError(err error) string {
	text := strings.TrimSpace(err.Error())
	if _, stderr, found := strings.Cut(text, "stderr: "); found {
		text = strings.TrimSpace(stderr)
	}
	return strings.TrimPrefix(text, "go: ")
}

// failed adds to result what could not be analysed or imported, each once, with the number of packages that were analysed
// without it. It gives the import paths of these.
func (r *run) failed(result *Result) map[string]bool {
	partly := make(map[string]bool)
	importers := make(map[string]map[string]bool) // by the path of what they were analysed without
	count := func(path, importer string) {
		if importers[path] == nil {
			importers[path] = make(map[string]bool)
		}
		importers[path][importer], partly[importer] = true, true
	}
	seen := make(map[Failure]bool)
	say := func(f Failure) {
		if !seen[f] {
			seen[f] = true
			result.Failures = append(result.Failures, f)
		}
	}
	told := make(map[*packages.Package]bool)
	broken := func(p *packages.Package) {
		if told[p] {
			return
		}
		told[p] = true
		errs := slices.Clone(r.units[p].Errors)
		for i := range errs {
			errs[i].Pos = r.names.decode(errs[i].Pos)
		}
		for _, f := range packageErrors(r.dir, p, errs) {
			say(f)
		}
	}
	unread := func(u *unit, importer string) {
		for _, m := range u.Missing {
			if importers[m.Path] == nil {
				message := m.Message
				if pos := r.names.decode(m.Pos); pos != "-" {
					message = strings.TrimPrefix(pos, r.dir+string(filepath.Separator)) + ": " + message
				}
				say(Failure{m.Path, message})
			}
			count(m.Path, importer)
		}
	}
	for _, p := range r.graph.Roots {
		u := r.units[p]
		if u == nil || !r.named[p.ID] {
			continue // the main package that go test makes up
		}
		if len(u.Errors) > 0 {
			broken(p)
			continue
		}
		unread(u, p.PkgPath)
		for _, i := range r.reach[p] {
			below := r.units[i]
			if below == nil {
				continue
			}
			unread(below, p.PkgPath)
			if len(below.Errors) > 0 {
				broken(i)
				count(i.PkgPath, p.PkgPath)
			}
		}
	}
	for path, of := range importers { // sorted with all failures
		what := "1 package that needs it was"
		if len(of) > 1 {
			what = fmt.Sprintf("%d packages that need it were", len(of))
		}
		say(Failure{path, what + " analysed without it"})
	}
	return partly
}

// maxErrors bounds what is shown of one package's errors.
const maxErrors = 10

// packageErrors gives the errors of p, which are all, with paths relative to dir.
func packageErrors(dir string, p *packages.Package, all []packages.Error) []Failure {
	errs := slices.Clone(all)
	has := func(kind packages.ErrorKind) bool {
		return slices.ContainsFunc(errs, func(e packages.Error) bool { return e.Kind == kind })
	}
	switch {
	case has(packages.ParseError):
		// What does not parse does not type-check either.
		errs = slices.DeleteFunc(errs, func(e packages.Error) bool { return e.Kind != packages.ParseError })
	case has(packages.TypeError):
		// The go command repeats as one text what the compiler says of the same lines.
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
		message := e.Msg
		if cause := importError(p, message); cause != "" {
			message = cause
		}
		if e.Pos != "" && e.Pos != "-" {
			message = strings.TrimPrefix(e.Pos, dir+string(filepath.Separator)) + ": " + message
		}
		name := p.PkgPath
		if p.Name == "" && strings.Contains(message, name) {
			name = "" // a pattern that names no package
		}
		failures = append(failures, Failure{name, message})
	}
	return failures
}

// importError is why an import of p failed, when message is the type checker's, which only knows that it did.
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
