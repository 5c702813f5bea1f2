package footprint

import (
	"slices"
	"strings"
)

// String returns the scope as an inventory has it: "cluster", or restrictions such as "namespaces a, b; labels app=x".
func (s *Scope) String() string {
	var parts, names []string
	for _, n := range s.Namespaces {
		if n.All {
			n.Text += " (all if it is empty)"
		}
		names = append(names, n.Text)
	}
	for _, part := range [][2]string{{"namespaces ", strings.Join(names, ", ")}, {"labels ", s.Labels}, {"fields ", s.Fields}} {
		if part[1] != "" {
			parts = append(parts, part[0]+part[1])
		}
	}
	if parts == nil {
		parts = []string{cluster}
	}
	if s.Transform {
		parts = append(parts, "transformed")
	}
	return strings.Join(parts, "; ")
}

// cluster is the part of a scope without restrictions.
const cluster = "cluster"

// wider reports whether the scope now may admit objects that before does not: a restriction is gone or has another value,
// or there is another namespace. Selectors are compared as text.
func wider(before, now string) bool {
	has := restrictions(now)
	for name, values := range restrictions(before) {
		if has[name] == nil || slices.ContainsFunc(has[name], func(v string) bool { return !slices.Contains(values, v) }) {
			return true
		}
	}
	return false
}

// restrictions returns the values of the parts of a scope that have some, by their names.
func restrictions(scope string) map[string][]string {
	out := make(map[string][]string)
	for part := range strings.SplitSeq(scope, "; ") {
		if name, values, ok := strings.Cut(part, " "); ok {
			out[name] = strings.Split(values, ", ")
		}
	}
	return out
}
