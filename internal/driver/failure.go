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
