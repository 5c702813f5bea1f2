// Package matrix is about several builds of the same code in one run: for other platforms, with build tags, with and
// without cgo.
package matrix

import (
	"fmt"
	"slices"
	"strings"
)

// A Build is one way to build the code. What it leaves empty is as it is without a matrix.
type Build struct {
	Name         string // as it was written
	GOOS, GOARCH string
	Tags         []string
	Cgo          string // "1" or "0"
}

// Host is the name of the build that changes nothing.
const Host = "host"

// Builds is the value of a flag: builds with commas between them.
type Builds []Build

// String returns what Set takes.
func (b *Builds) String() string { return strings.Join(b.Names(), ",") }

// Names returns the names of the builds.
func (b *Builds) Names() []string {
	var out []string
	for _, one := range *b {
		out = append(out, one.Name)
	}
	return out
}

// Set replaces the builds by those of value.
func (b *Builds) Set(value string) error {
	*b = nil
	if value == "" {
		return nil
	}
	for _, text := range strings.Split(value, ",") {
		one, err := Parse(text)
		if err != nil {
			return err
		}
		if slices.Contains(b.Names(), one.Name) {
			return fmt.Errorf("build %q appears twice", one.Name)
		}
		*b = append(*b, one)
	}
	return nil
}

// Check tells whether text is one build.
func Check(text string) error {
	_, err := Parse(text)
	return err
}

// Parse reads one build: parts with a plus between them, each of them GOOS/GOARCH, tags=TAG, cgo=on or cgo=off; or the
// word host.
func Parse(text string) (Build, error) {
	b := Build{Name: text}
	bad := func(format string, args ...any) (Build, error) {
		return Build{}, fmt.Errorf("bad build %q: %s (want GOOS/GOARCH, tags=TAG, cgo=on or cgo=off, with + between them, or host)", text, fmt.Sprintf(format, args...))
	}
	if text == Host {
		return b, nil
	}
	for _, part := range strings.Split(text, "+") {
		key, value, isPair := strings.Cut(part, "=")
		goos, goarch, isPlatform := strings.Cut(part, "/")
		switch {
		case isPair && key == "tags":
			if !isWord(value) || slices.Contains(b.Tags, value) {
				return bad("%q is no new tag", value)
			}
			b.Tags = append(b.Tags, value)
		case isPair && key == "cgo":
			if b.Cgo != "" {
				return bad("cgo appears twice")
			}
			switch value {
			case "on":
				b.Cgo = "1"
			case "off":
				b.Cgo = "0"
			default:
				return bad("cgo is on or off")
			}
		case isPlatform && !isPair:
			if !isWord(goos) || !isWord(goarch) || b.GOOS != "" {
				return bad("%q is no new platform", part)
			}
			b.GOOS, b.GOARCH = goos, goarch
		default:
			return bad("%q is no part of a build", part)
		}
	}
	return b, nil
}

// isWord reports whether s is made of letters, digits, dots and underscores, as platforms and tags are.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// Env returns what the environment of the go command has in addition.
func (b *Build) Env() []string {
	var env []string
	if b.GOOS != "" {
		env = append(env, "GOOS="+b.GOOS, "GOARCH="+b.GOARCH)
	}
	if b.Cgo != "" {
		env = append(env, "CGO_ENABLED="+b.Cgo)
	}
	return env
}

// AllTags returns the build's tags in addition to those of tags, with commas between them.
func (b *Build) AllTags(tags string) string {
	all := b.Tags
	if tags != "" {
		all = append(strings.Split(tags, ","), all...)
	}
	return strings.Join(all, ",")
}
