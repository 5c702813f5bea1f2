package driver

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/ctrllint/ctrllint/internal/workspace"
)

// loadMode has no NeedDeps: that would load every dependency from source.
const loadMode = packages.LoadSyntax | packages.NeedModule | packages.NeedTypesSizes

// load gives the packages that can be analysed, why the others cannot, and what is wrong without being in the way.
func load(dir string, o Options, x *workspace.Expanded) (good []*packages.Package, failures, warnings []Failure) {
	cfg := &packages.Config{
		Mode:  loadMode,
		Dir:   dir,
		Env:   o.env(),
		Tests: o.Tests,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			return parser.ParseFile(fset, name, src, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
		},
	}
	if o.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + o.Tags}
	}
	patterns := x.Patterns()
	loaded, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, []Failure{{Message: loadError(err)}}, nil
	}

	failures = unmatched(cfg, o.Patterns, x.Groups, len(loaded))
	asked := make(map[string]bool)
	for _, p := range loaded {
		asked[p.ID] = true
	}
	if more := wanted(loaded); more != nil {
		again, err := packages.Load(cfg, append(more, patterns...)...)
		if err != nil {
			return nil, []Failure{{Message: loadError(err)}}, nil
		}
		loaded = again
	}
	warnings = acceptMissingEmbeds(dir, loaded)
	for _, p := range loaded {
		switch {
		case !asked[p.ID] || strings.HasSuffix(p.ID, ".test"):
			// Loaded for those that import it; the main package that go test makes up.
		case len(p.Errors) > 0:
			failures = append(failures, packageErrors(dir, p)...)
		case p.IllTyped:
			failures = append(failures, Failure{p.PkgPath, "not analysed, because it imports " + brokenImport(p)})
		default:
			good = append(good, p)
		}
	}
	return good, failures, warnings
}

// acceptMissingEmbeds takes from packages the errors about files to embed that are not there, as in a checkout whose
// assets were not built, and gives them as warnings. Types and code of such a package are complete, and so are those
// of the packages that import it.
func acceptMissingEmbeds(dir string, loaded []*packages.Package) []Failure {
	var warnings []Failure
	accepted := make(map[*packages.Package]bool)
	for _, p := range loaded {
		if len(p.Errors) > 0 && p.Types != nil && len(p.Syntax) > 0 && onlyMissingEmbeds(p) {
			warnings = append(warnings, packageErrors(dir, p)...)
			p.Errors = nil
			accepted[p] = true
		}
	}
	if len(accepted) == 0 {
		return nil
	}
	// A package is ill-typed for its own errors or for an import's: what is left of those decides. Imports are visited
	// first, whether they are named by a pattern or not.
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if p.IllTyped && len(p.Errors) == 0 && p.Types != nil {
			p.IllTyped = !accepted[p] && !dependsOn(p, accepted) || importsIllTyped(p)
		}
	})
	return warnings
}

// onlyMissingEmbeds reports whether files to embed are all that the errors of p are about.
func onlyMissingEmbeds(p *packages.Package) bool {
	return !slices.ContainsFunc(p.Errors, func(e packages.Error) bool {
		return e.Kind != packages.ListError || !strings.Contains(e.Msg, "pattern ") || !strings.Contains(e.Msg, "no matching files found")
	})
}

// wanted gives the paths of the user's own packages where some of them have to be loaded from source besides those that
// are named: the packages that those import, for what the rules know of their functions, and all where a file to embed
// is missing below, because the go command has no export data of a package that cannot be built, nor of those that
// import it. It is nil where all is well.
func wanted(loaded []*packages.Package) []string {
	named := make(map[string]bool)
	for _, p := range loaded {
		named[p.PkgPath] = true
	}
	more := false
	var own []string
	packages.Visit(loaded, nil, func(p *packages.Package) {
		more = more || len(p.Errors) > 0 && onlyMissingEmbeds(p)
		if p.Module != nil && p.Module.Version == "" && p.PkgPath == p.ID {
			own = append(own, p.PkgPath)
			more = more || !named[p.PkgPath]
		}
	})
	if !more {
		return nil
	}
	return own
}

func dependsOn(p *packages.Package, accepted map[*packages.Package]bool) bool {
	found := false
	packages.Visit([]*packages.Package{p}, func(i *packages.Package) bool {
		found = found || accepted[i]
		return !found
	}, nil)
	return found
}

func importsIllTyped(p *packages.Package) bool {
	for _, i := range p.Imports {
		if i.IllTyped {
			return true
		}
	}
	return false
}

// loadError is the message of err without the wrapping of go/packages, which names its way of calling the go command.
func loadError(err error) string {
	text := strings.TrimSpace(err.Error())
	if _, stderr, found := strings.Cut(text, "stderr: "); found {
		text = strings.TrimSpace(stderr)
	}
	return strings.TrimPrefix(text, "go: ")
}

// unmatched tells which patterns name no package; each stands for a group of those that the go command was given. The go
// command only warns of those, and go/packages drops the warning, so with several patterns the go command has to be asked
// once more.
func unmatched(cfg *packages.Config, patterns []string, groups [][]string, loaded int) []Failure {
	all := slices.Concat(groups...)
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(context.Background(), "go", args...)
		cmd.Dir, cmd.Env = cfg.Dir, append(slices.Clip(cfg.Env), "PWD="+cfg.Dir)
		return cmd
	}
	list := func(flags ...string) *exec.Cmd {
		return command(slices.Concat([]string{"list"}, flags, cfg.BuildFlags, []string{"--"}, all)...)
	}
	if loaded == 0 { // the loader says nothing where there is no module at all, and of a platform that Go does not know
		for _, cmd := range []*exec.Cmd{list(), command("build", "-n", "unsafe")} {
			if out, err := cmd.CombinedOutput(); err != nil {
				return []Failure{{Message: strings.TrimSpace(string(out))}}
			}
		}
	}
	isWildcard := func(p string) bool { return strings.Contains(p, "...") }
	if !slices.ContainsFunc(patterns, isWildcard) {
		return nil // a package path without a package is an error of its own
	}
	matched := make(map[string]bool)
	if loaded > 0 {
		if len(patterns) == 1 {
			return nil
		}
		out, err := list("-e", "-find", "-f", `{{range .Match}}{{println .}}{{end}}`).Output()
		if err != nil {
			return []Failure{{Message: "go list: " + err.Error()}}
		}
		for line := range strings.Lines(string(out)) {
			matched[strings.TrimSpace(line)] = true
		}
	}
	var failures []Failure
	for i, p := range patterns {
		if isWildcard(p) && !slices.ContainsFunc(groups[i], func(p string) bool { return matched[p] }) {
			failures = append(failures, Failure{Message: fmt.Sprintf("pattern %s matches no packages", p)})
		}
	}
	return failures
}

// maxErrors bounds what is shown of one package's errors.
const maxErrors = 10

// packageErrors gives the errors of p with paths relative to dir.
func packageErrors(dir string, p *packages.Package) []Failure {
	errs := slices.Clone(p.Errors)
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

// brokenImport names the packages that make p, which has no errors itself, impossible to analyse.
func brokenImport(p *packages.Package) string {
	var broken []string
	for _, i := range p.Imports {
		if i.IllTyped || len(i.Errors) > 0 {
			broken = append(broken, i.PkgPath)
		}
	}
	if broken == nil {
		return "a package with errors"
	}
	slices.Sort(broken)
	return strings.Join(broken, ", ")
}
