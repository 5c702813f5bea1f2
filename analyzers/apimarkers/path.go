package apimarkers

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/markers"
	"github.com/ctrllint/ctrllint/internal/rule"
	"github.com/ctrllint/ctrllint/internal/spelling"
)

// A step of a JSONPath goes to a field, or, without a name, to an element of a list.
type step struct {
	name string
	at   int // where the name is in the path
}

// A use is a JSONPath in a marker, with its meaning.
type use struct {
	what   string // who reads it
	effect string // of reading nothing
	typ    string // the type that the column says it has
	markers.Arg
}

// usesOf returns the paths in a marker.
func usesOf(m markers.Marker) (uses []use) {
	const column, selectable, scale = "kubebuilder:printcolumn", "kubebuilder:selectablefield", "kubebuilder:subresource:scale"
	switch {
	case m.Is(column):
		args := m.Args(column)
		return []use{{"column " + args["name"].Value, "it is always empty", args["type"].Value, args["JSONPath"]}}
	case m.Is(selectable):
		return []use{{"the selectable field", "the API server refuses the CRD", "", m.Args(selectable)["JSONPath"]}}
	case m.Is(scale):
		args := m.Args(scale)
		return []use{
			{"specpath", "scaling fails", "integer", args["specpath"]},
			{"statuspath", "the scale always says 0", "integer", args["statuspath"]},
			{"selectorpath", "no HorizontalPodAutoscaler works", "string", args["selectorpath"]},
		}
	}
	return nil
}

// paths reports paths in the markers of a type that lead to no field of it. On a type that is no kind they have no effect.
func (c *checker) paths(decl markers.Decl) {
	obj := c.pass.TypesInfo.Defs[decl.Type.Name]
	if obj == nil {
		return
	}
	root := func(m markers.Marker) bool { return m.Is(kubeapi.MarkerRoot) }
	isKind := kubeapi.IsObject(types.NewPointer(obj.Type())) || slices.ContainsFunc(decl.Lines, root)
	for _, m := range decl.Lines {
		for _, u := range usesOf(m) {
			steps := stepsOf(u.Value)
			if !isKind {
				rule.Report(c.pass, rule.Finding{Pos: m.Pos, End: m.End(), Sub: "path", Site: "marker-on-no-kind", Message: fmt.Sprintf(
					"%s is no kind, so that this marker has no effect: write it above the kind whose %s it is", obj.Name(), strings.TrimPrefix(u.what, "the "))})
				break
			}
			if missing, owner := c.missing(obj.Type(), steps); owner != nil {
				c.reportPath(u, steps, missing, owner)
			}
		}
	}
}

// missing returns the first step from t to a field that cannot exist, and the type that does not have it; nil if there
// is none, or it is not known.
func (c *checker) missing(t types.Type, steps []step) (index int, owner types.Type) {
	for i, s := range steps {
		list, isList := flow.Pointee(t).Underlying().(*types.Slice)
		switch {
		case c.encodesItself(flow.Pointee(t)):
			return 0, nil
		case s.name == "" && isList:
			t = list.Elem()
			continue
		case isList && !types.Identical(list.Elem(), types.Typ[types.Byte]):
			return i, t
		}
		fields, ok := c.fieldsOf(t)
		if s.name == "" || !ok {
			return 0, nil
		}
		field := fields[s.name]
		if field == nil {
			return i, t
		}
		if c.open[field] {
			return 0, nil
		}
		t = field.Type()
	}
	return 0, nil
}

// stepsOf takes a JSONPath apart, up to what the function does not know: a step to all fields or all descendants, a
// name with a backslash, or brackets without an index, a range or a filter.
func stepsOf(path string) (steps []step) {
	at := len(path) - len(strings.TrimPrefix(path, "{"))
	path = strings.TrimSuffix(path, "}")
	for at < len(path) {
		rest := path[at+1:]
		switch path[at] {
		case '.':
			name := rest
			if end := strings.IndexAny(rest, ".["); end >= 0 {
				name = rest[:end]
			}
			if name == "" || strings.ContainsAny(name, `*\`) {
				return steps
			}
			steps = append(steps, step{name, at + 1})
			at += 1 + len(name)
		case '[':
			closing := "]"
			if strings.HasPrefix(rest, "?(") {
				closing = ")]"
			}
			end := strings.Index(rest, closing)
			if end <= 0 || !strings.ContainsAny(rest[:1], "?*:-0123456789") {
				return steps
			}
			steps = append(steps, step{at: at})
			at += 1 + end + len(closing)
		default:
			return steps
		}
	}
	return steps
}

func (c *checker) reportPath(u use, steps []step, missing int, owner types.Type) {
	f := rule.Finding{Pos: u.Pos, End: u.End, Sub: "path", Site: "unreadable-path"}
	name := steps[missing].name
	has := fmt.Sprintf("%s has no field %s", c.nameOf(owner, steps[:missing]), name)
	if _, isList := flow.Pointee(owner).Underlying().(*types.Slice); isList {
		has = fmt.Sprintf("%s is a list", steps[missing-1].name)
	}
	advice := "name a field that it has"
	if meant := c.meant(u, owner, steps[missing:]); meant != "" {
		advice = "write " + meant
		if u.Exact {
			pos := u.Pos + token.Pos(steps[missing].at)
			f.Fixes = []analysis.SuggestedFix{{
				Message:   "replace " + name + " by " + meant,
				TextEdits: []analysis.TextEdit{{Pos: pos, End: pos + token.Pos(len(name)), NewText: []byte(meant)}},
			}}
		}
	}
	f.Message = fmt.Sprintf("%s reads %s, but %s: %s; %s", u.what, u.Value, has, u.effect, advice)
	rule.Report(c.pass, f)
}

// nameOf names a type to which steps have led.
func (c *checker) nameOf(t types.Type, steps []step) string {
	if named := kubeapi.Named(t); named != nil {
		return named.Obj().Name()
	}
	return cmp.Or(steps[len(steps)-1].name, "the element")
}

// meant returns the only field of owner that is written like the first of steps but for the case of its letters, or
// but for one letter, and to which the others lead, with the type that the reader expects; "" if there is none.
func (c *checker) meant(u use, owner types.Type, steps []step) string {
	fields, _ := c.fieldsOf(owner)
	var found []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		same := strings.EqualFold(name, steps[0].name)
		if !same && spelling.Distance(name, steps[0].name) != 1 {
			continue
		}
		if _, without := c.missing(fields[name].Type(), steps[1:]); without == nil && (same || len(steps) > 1 || fits(fields[name].Type(), u.typ)) {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// fits reports whether a column of that type shows a value of type t.
func fits(t types.Type, column string) bool {
	basic, ok := flow.Pointee(t).Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch column {
	case "integer", "number":
		return basic.Info()&types.IsNumeric != 0
	case "boolean":
		return basic.Info()&types.IsBoolean != 0
	}
	return basic.Info()&types.IsString != 0
}
