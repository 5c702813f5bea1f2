// Package pathglob matches file names against the patterns with which files are left out.
//
// A pattern is a path with slashes. Within one element, * ? and [a-z] mean what they mean to package path; an element **
// stands for any number of elements. A pattern that matches a folder matches all that is below it.
package pathglob

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// A List is a list of patterns, and the value of a flag: patterns with commas between them; a comma that belongs to a
// pattern has a backslash before it.
type List struct{ patterns []string }

// Rooted is a List as the value of a flag that refuses relative patterns.
type Rooted struct{ *List }

// Set replaces the patterns by those of value.
func (r Rooted) Set(value string) error {
	for _, p := range split(value) {
		if !isAbs(p) {
			return fmt.Errorf("pattern %q is relative to no folder: want it absolute", p)
		}
	}
	return r.List.Set(value)
}

// String is what Set takes.
func (r Rooted) String() string {
	if r.List == nil { // as package flag makes it, to know the default
		return ""
	}
	return r.List.String()
}

// Check tells whether pattern is one: an error says what is wrong with it.
func Check(pattern string) error {
	if pattern == "" {
		return errors.New("an empty pattern")
	}
	for _, element := range strings.Split(pattern, "/") {
		if _, err := path.Match(element, ""); err != nil {
			return fmt.Errorf("bad pattern %q: %w", pattern, err)
		}
		if strings.Contains(element, "**") && element != "**" {
			return fmt.Errorf("bad pattern %q: ** stands for whole elements of a path", pattern)
		}
	}
	return nil
}

// Absolute is pattern, one that is relative to the folder base, as a pattern that matches from the root, and as Set takes
// it.
func Absolute(base, pattern string) string {
	base = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(filepath.ToSlash(base))
	return strings.Join(split(path.Join(base, pattern)), `\,`)
}

// String is what Set takes.
func (l *List) String() string { return strings.Join(l.patterns, ",") }

// Set replaces the patterns by those of value. Relative ones match nothing until From tells what they are relative to.
func (l *List) Set(value string) error {
	l.patterns = nil
	for _, p := range split(value) {
		if err := Check(p); err != nil {
			return err
		}
		l.patterns = append(l.patterns, path.Clean(p))
	}
	return nil
}

// From makes the folder base, an absolute path, the one that relative patterns start from.
func (l *List) From(base string) {
	for i, p := range l.patterns {
		if !isAbs(p) {
			l.patterns[i] = Absolute(base, p)
		}
	}
}

// isAbs reports whether p starts at the root of a file system.
func isAbs(p string) bool { return path.IsAbs(p) || filepath.VolumeName(p) != "" }

// split cuts s at the commas that have no backslash before them.
func split(s string) []string {
	var out []string
	start, escaped := 0, false
	for i := range len(s) {
		switch {
		case escaped:
			escaped = false
		case s[i] == '\\':
			escaped = true
		case s[i] == ',':
			out, start = append(out, s[start:i]), i+1
		}
	}
	if s == "" {
		return nil
	}
	return append(out, s[start:])
}

// Match reports whether one of the patterns matches file, an absolute name, or a folder above it.
func (l *List) Match(file string) bool {
	if len(l.patterns) == 0 {
		return false
	}
	elements := strings.Split(filepath.ToSlash(file), "/")
	for _, p := range l.patterns {
		if match(strings.Split(p, "/"), elements) {
			return true
		}
	}
	return false
}

// match reports whether pattern matches the first elements of a path, or all of them.
func match(pattern, elements []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for i := range len(elements) + 1 {
				if match(pattern[1:], elements[i:]) {
					return true
				}
			}
			return false
		}
		if len(elements) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], elements[0]); err != nil || !ok {
			return false
		}
		pattern, elements = pattern[1:], elements[1:]
	}
	return true
}
