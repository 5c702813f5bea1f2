// Package deps says which dependencies take part in the analysis: from source, for what packages that import them
// have to know of their functions. Nothing is found in a dependency.
package deps

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// A Policy is a choice of dependencies, and the value of the flag -deps.
type Policy string

// The policies. The zero value is Auto.
const (
	Auto Policy = "auto" // the modules of which nothing is known beforehand
	Off  Policy = "off"  // none
	All  Policy = "all"  // all modules
)

// Policies are all of them.
var Policies = []string{string(Auto), string(Off), string(All)}

// String returns the flag's value.
func (p Policy) String() string {
	if p == "" {
		return string(Auto)
	}
	return string(p)
}

// Set makes p the policy of that name.
func (p *Policy) Set(name string) error {
	if !slices.Contains(Policies, name) {
		return fmt.Errorf("want %s", strings.Join(Policies, ", "))
	}
	*p = Policy(name)
	return nil
}

// SameModule reports whether both packages, of dependencies, are of one module, the path of which is module, or empty
// if that is not known. What a module does with another one is not analysed, but by [All]: who uses a library calls
// its functions, and most of what those lead to is far from what it holds.
func SameModule(a, b, module string) bool {
	if module != "" {
		return strings.HasPrefix(a+"/", module+"/") && strings.HasPrefix(b+"/", module+"/")
	}
	return repository(a) == repository(b)
}

// repository returns the beginning of a path that names the host, and what is there.
func repository(path string) string {
	parts := strings.SplitN(path, "/", 4)
	return strings.Join(parts[:min(3, len(parts))], "/")
}

// matters finds what a package has in its text, comments included, whose functions may wait, hold a lock, call back
// or act on objects of Kubernetes by themselves.
var matters = regexp.MustCompile(`\bsync\.|\bchan\b|<-|\bselect \{|\bgo func|\bgo \w+[.(]|\bfor \{|\bfunc\(|\binterface \{` +
	`|"(\w+\.)?k8s\.io/|"golang\.org/x/sync/|"context"|"net/|"net"|"os/exec"|\btime\.Sleep`)

// Matters reports whether there may be something to know of the functions in a file with this text, whatever they
// call. It is about the cost: of a package that has nothing of the kind, and imports none of its module that has,
// there is nothing to know.
func Matters(src []byte) bool { return matters.Match(src) }

// A Size adds up what is written by hand and what is generated in one package, in bytes.
type Size struct{ byHand, generated int }

// Add counts one file.
func (s *Size) Add(bytes int, generated bool) {
	if generated {
		s.generated += bytes
	} else {
		s.byHand += bytes
	}
}

// MostlyGenerated reports whether more of the package is generated than written by hand. Clients of APIs and messages
// are such, which ask servers in thousands of alike functions, and can be as large as all the rest.
func (s Size) MostlyGenerated() bool { return s.generated > s.byHand }

// known are the modules whose functions are known beforehand, by the beginnings of their paths.
var known = append([]string{"golang.org/x/", "google.golang.org/"}, kubeapi.KnownModules...)

// Part reports whether the package of that path, of a dependency, takes part. Without a module, one whose path begins
// with no domain is of the standard library.
func (p Policy) Part(path string, module bool) bool {
	if _, inside, vendored := strings.Cut(path, "/vendor/"); vendored { // before there were modules
		path = inside
	}
	first, _, _ := strings.Cut(path, "/")
	switch {
	case p == Off, !module && !strings.Contains(first, "."):
		return false
	case p == All:
		return true
	}
	return !slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(path+"/", k) })
}
