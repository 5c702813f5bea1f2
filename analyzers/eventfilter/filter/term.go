package filter

import (
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/ctrllint/ctrllint/internal/flow"
	"github.com/ctrllint/ctrllint/internal/kubeapi"
)

// side is the version of an object that an update event shows.
type side uint8

const (
	older side = iota
	newer
)

type valueKind uint8

const (
	unknownValue valueKind = iota
	eventValue             // an event, from which the objects are taken
	placeValue             // the object of an event, or what lies in it at path
	boolValue              // a condition
	constValue             // a constant; nil has no konst
	derivedValue           // what a function that only looks makes of args
)

// value is what the evaluation of a filter knows of an SSA value.
type value struct {
	kind  valueKind
	side  side   // of a place
	path  string // of a place, below its object: "metadata.labels", `metadata.labels["a"]`, "spec.replicas"
	copy  bool   // a place in a copy, of which parts may have been overwritten
	kept  bool   // of a place in a copy: its resource version has not been
	truth flow.Truth
	konst constant.Value
	op    string // of a derived value
	args  []value
	tuple []value // the results of a call with more than one
}

// paths below an object that the API server keeps.
const (
	generationPath      = "metadata.generation"
	deletionPath        = "metadata.deletionTimestamp"
	annotationsPath     = "metadata.annotations"
	labelsPath          = "metadata.labels"
	resourceVersionPath = "metadata.resourceVersion"
	finalizersPath      = "metadata.finalizers"
	statusPath          = "status"
	specPath            = "spec"
)

// metaPath is the path of a field of metadata, "" for none.
func metaPath(field kubeapi.Meta) string {
	if field == "" {
		return ""
	}
	return "metadata." + strings.ToLower(string(field[:1])) + string(field[1:])
}

// step is the path of field f of what lies at path.
func step(path string, f *types.Var) string {
	name := f.Name()
	switch {
	case f.Embedded() && name == kubeapi.ObjectMeta:
		name = "metadata"
	case path == "" || path == "metadata":
		name = strings.ToLower(name[:1]) + name[1:]
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// within reports whether path names a part of what outer names, or all of it.
func within(path, outer string) bool {
	if outer == "" || path == outer {
		return true
	}
	return strings.HasPrefix(path, outer) && (path[len(outer)] == '.' || path[len(outer)] == '[')
}

func keyed(path, key string) string {
	if key == "" {
		return path
	}
	return path + "[" + strconv.Quote(key) + "]"
}

// identical reports whether a and b are one and the same value: the same side of the same place, or made from such.
func identical(a, b value) bool {
	if a.kind != b.kind || a.copy || b.copy {
		return false
	}
	switch a.kind {
	case placeValue:
		return a.path == b.path && a.side == b.side
	case constValue:
		return a.konst == nil && b.konst == nil || a.konst != nil && b.konst != nil && a.konst.ExactString() == b.konst.ExactString()
	case derivedValue:
		return a.op == b.op && slices.EqualFunc(a.args, b.args, identical)
	}
	return false
}

// key tells v from other values.
func (v value) key() string {
	s := fmt.Sprintf("%d %d %q %t %t %d %q", v.kind, v.side, v.path, v.copy, v.kept, v.truth, v.op)
	if v.konst != nil {
		s += v.konst.ExactString()
	}
	for _, a := range slices.Concat(v.args, v.tuple) {
		s += "(" + a.key() + ")"
	}
	return s
}

// sides are the versions of the object that v is made from.
func (v value) sides() (hasOld, hasNew bool) {
	switch v.kind {
	case placeValue:
		return v.side == older, v.side == newer
	case derivedValue:
		for _, a := range v.args {
			o, n := a.sides()
			hasOld, hasNew = hasOld || o, hasNew || n
		}
	}
	return hasOld, hasNew
}

func boolean(t flow.Truth) value { return value{kind: boolValue, truth: t} }

// join is what is known where v or w is the value.
func join(v, w value) value {
	switch {
	case v.kind == boolValue && w.kind == boolValue:
		if v.truth == w.truth {
			return v
		}
		return boolean(flow.Unknown)
	case v.tuple != nil && len(v.tuple) == len(w.tuple):
		t := make([]value, len(v.tuple))
		for i := range t {
			t[i] = join(v.tuple[i], w.tuple[i])
		}
		return value{tuple: t}
	case v.kind != unknownValue && identical(v, w):
		return v
	}
	return value{}
}

// emptyOp makes a slice that has no elements.
const emptyOp = "empty"

func derived(op string, args ...value) value {
	for _, a := range args {
		switch a.kind {
		case placeValue, derivedValue, constValue:
		default:
			return value{}
		}
	}
	return value{kind: derivedValue, op: op, args: args}
}
