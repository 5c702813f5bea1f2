package rule

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// A Store is a type that keeps expectations, and what its methods do to them. Type is path/to/pkg.Name; the methods are
// those that it declares itself, as a struct or as an interface.
type Store struct {
	Type                               string
	Expect, Observe, Satisfied, Delete []string
}

// storeKeys are the parts of a store's description, the type first.
var storeKeys = []string{"type", "expect", "observe", "satisfied", "delete"}

func (s *Store) methods(key string) *[]string {
	switch key {
	case "expect":
		return &s.Expect
	case "observe":
		return &s.Observe
	case "satisfied":
		return &s.Satisfied
	case "delete":
		return &s.Delete
	}
	return nil
}

// Stores is a list of stores, and the value of a flag: path/to/pkg.Type:expect=Method,observe=Method,satisfied=Method,
// with any number of methods of each kind, and semicolons between stores.
type Stores []Store

// String returns what Set takes.
func (l *Stores) String() string {
	var out []string
	for _, s := range *l {
		var parts []string
		for _, key := range storeKeys[1:] {
			for _, m := range *s.methods(key) {
				parts = append(parts, key+"="+m)
			}
		}
		out = append(out, s.Type+":"+strings.Join(parts, ","))
	}
	return strings.Join(out, ";")
}

// Set replaces the stores by those of value.
func (l *Stores) Set(value string) error {
	*l = nil
	if value == "" {
		return nil
	}
	for _, text := range strings.Split(value, ";") {
		s, err := parseStore(strings.TrimSpace(text))
		if err != nil {
			return err
		}
		*l = append(*l, s)
	}
	return nil
}

// Separator stands between the stores.
func (l *Stores) Separator() string { return ";" }

// Keys returns the parts of a store's description: KEY: one value of the first, KEY=METHOD of the others.
func (l *Stores) Keys() []string { return slices.Clone(storeKeys) }

func parseStore(text string) (Store, error) {
	name, rest, _ := strings.Cut(text, ":")
	bad := func(format string, args ...any) (Store, error) {
		return Store{}, fmt.Errorf("%q is not an expectation store: %s (want path/to/pkg.Type:expect=Method,observe=Method,satisfied=Method)",
			text, fmt.Sprintf(format, args...))
	}
	if i := strings.LastIndex(name, "."); i <= 0 || !token.IsIdentifier(name[i+1:]) || strings.ContainsAny(name, "()* ") {
		return bad("%q is not a type of a package", name)
	}
	s := Store{Type: name}
	for _, part := range strings.Split(rest, ",") {
		key, method, _ := strings.Cut(part, "=")
		to := s.methods(key)
		if to == nil {
			return bad("%q is none of %s", key, strings.Join(storeKeys[1:], ", "))
		}
		if !token.IsIdentifier(method) {
			return bad("%q is not a method", method)
		}
		if s.Does(method) != "" {
			return bad("%s is named twice", method)
		}
		*to = append(*to, method)
	}
	if s.Satisfied == nil || s.Expect == nil || s.Observe == nil && s.Delete == nil {
		return bad("it needs a method that sets an expectation, one that observes or deletes it, and one that returns whether all are satisfied")
	}
	return s, nil
}

// Does returns what the method does, as "expect", "observe", "satisfied" or "delete"; empty for any other method.
func (s *Store) Does(method string) string {
	for _, key := range storeKeys[1:] {
		if slices.Contains(*s.methods(key), method) {
			return key
		}
	}
	return ""
}

// Named returns the store of the type name in package path, or nil.
func (l *Stores) Named(path, name string) *Store {
	for i := range *l {
		if (*l)[i].Type == path+"."+name {
			return &(*l)[i]
		}
	}
	return nil
}
