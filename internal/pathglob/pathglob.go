// Package pathglob matches file names against the patterns with which files are left out.
//
// A pattern is a path with slashes. Within one element, * ? and [a-z] mean what they mean to package path; an element **
// stands for any number of elements. A pattern that matches a folder matches all that is below it; an element ... at the end,
// as in the patterns of the go command, says the same.
package pathglob

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
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

// String returns what Set takes.
func (r Rooted) String() string {
	if r.List == nil { // as package flag makes it, to know the default
		return ""
	}
	return r.List.String()
}

// clean is pattern without what does not change its meaning.
func clean(pattern string) string {
	pattern = path.Clean(pattern)
	if pattern == "..." {
		return "."
	}
	if folder := strings.TrimSuffix(pattern, "/..."); folder != "" {
		return folder
	}
	return pattern
}

// Check tells whether pattern is one: an error says what is wrong with it.
func Check(pattern string) error {
	if pattern == "" {
		return errors.New("an empty pattern")
	}
	for _, element := range strings.Split(clean(pattern), "/") {
		if strings.Contains(element, "...") {
			return fmt.Errorf("bad pattern %q: ... stands at the end, behind a slash; ** is any number of folders", pattern)
		}
		if _, err := path.Match(element, ""); err != nil {
			return fmt.Errorf("bad pattern %q: %w", pattern, err)
		}
		if strings.Contains(element, "**") && element != "**" {
			return fmt.Errorf("bad pattern %q: ** stands for whole elements of a path", pattern)
		}
	}
	return nil
}

// Absolute is pattern, one that is relative to the folder base, as a pattern that matches from the root, and as Set
// takes it.
func Absolute(base, pattern string) string {
	base = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(filepath.ToSlash(base))
	return strings.Join(split(path.Join(base, clean(pattern))), `\,`)
}

// String returns what Set takes.
func (l *List) String() string { return strings.Join(l.patterns, ",") }

// Set replaces the patterns by those of value. Relative ones match nothing until From tells what they are relative to.
func (l *List) Set(value string) error {
	l.patterns = nil
	for _, p := range split(value) {
		if err := Check(p); err != nil {
			return err
		}
		l.patterns = append(l.patterns, clean(p))
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

// Idle returns the patterns that match no file there is, and no folder: each was mistyped, or what it matched is
// gone. Folders whose names start with a dot are not looked into for what ** may be.
func (l *List) Idle() []string {
	var out []string
	for _, p := range l.patterns {
		if !exists(p) {
			out = append(out, p)
		}
	}
	return out
}

var errFound = errors.New("found")

// maxLooked is how many files and folders are visited for one pattern, so that one for a whole disk does not delay the
// run. It is a variable for tests.
var maxLooked = 100_000

// exists reports whether something matches pattern. What cannot be read, and what would take too long to look for,
// counts as if it did.
func exists(pattern string) bool {
	elements := strings.Split(pattern, "/")
	plain := 0 // elements in front of the first one that may be several
	for plain < len(elements) && !strings.ContainsAny(elements[plain], `*?[\`) {
		plain++
	}
	root := filepath.FromSlash(strings.Join(elements[:plain], "/"))
	if root == "" || strings.HasSuffix(root, ":") {
		root += string(filepath.Separator)
	}
	if plain == len(elements) {
		_, err := os.Lstat(root)
		return !errors.Is(err, fs.ErrNotExist)
	}
	deep, looked := slices.Contains(elements, "**"), 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return errFound
		}
		parts := strings.Split(filepath.ToSlash(name), "/")
		if looked++; looked > maxLooked || name != root && match(elements, parts) {
			return errFound
		}
		if d.IsDir() && name != root && (!deep && len(parts) >= len(elements) || deep && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		return nil
	})
	return err != nil
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
	return slices.ContainsFunc(l.patterns, func(p string) bool { return match(strings.Split(p, "/"), elements) })
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
