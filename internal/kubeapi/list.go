package kubeapi

import (
	"fmt"
	"go/token"
	"strings"
)

// A List is a list of symbols, and the value of a flag: symbols as [ParseSymbol] takes them, with commas between them.
type List []Symbol

// String returns what Set takes.
func (l *List) String() string {
	var out []string
	for _, s := range *l {
		if s.Recv != "" {
			out = append(out, "("+s.Pkg+"."+s.Recv+")."+s.Name)
		} else {
			out = append(out, s.Pkg+"."+s.Name)
		}
	}
	return strings.Join(out, ",")
}

// Set replaces the symbols by those of value.
func (l *List) Set(value string) error {
	*l = nil
	if value == "" {
		return nil
	}
	for _, text := range strings.Split(value, ",") {
		s, err := ParseSymbol(text)
		if err != nil {
			return err
		}
		*l = append(*l, s)
	}
	return nil
}

// Separator stands between the symbols.
func (l *List) Separator() string { return "," }

// ParseSymbol returns the symbol that text names: path/to/pkg.Func, or (path/to/pkg.Type).Method, where a * before the
// path changes nothing.
func ParseSymbol(text string) (Symbol, error) {
	text = strings.TrimSpace(text)
	bad := func(why string) (Symbol, error) {
		return Symbol{}, fmt.Errorf("%q is not a function: %s (want path/to/pkg.Func or (path/to/pkg.Type).Method)", text, why)
	}
	var s Symbol
	owner := text
	rest, isMethod := strings.CutPrefix(text, "(")
	if isMethod {
		typ, method, found := strings.Cut(rest, ").")
		if !found {
			return bad("it has no method behind its type")
		}
		s.Name, owner = method, strings.TrimPrefix(typ, "*")
	}
	i := strings.LastIndex(owner, ".")
	if i <= 0 || strings.HasSuffix(owner[:i], "/") || strings.Contains(owner[i:], "/") {
		return bad("it has no package")
	}
	last := owner[i+1:]
	if s.Pkg = owner[:i]; !isMethod {
		s.Name = last
	} else if s.Recv = last; !token.IsIdentifier(last) {
		return bad(fmt.Sprintf("%q is no type", last))
	}
	if !token.IsIdentifier(s.Name) {
		return bad(fmt.Sprintf("%q is no name", s.Name))
	}
	if strings.ContainsAny(s.Pkg, "()*;:= ") {
		return bad(fmt.Sprintf("%q is no package", s.Pkg))
	}
	return s, nil
}
