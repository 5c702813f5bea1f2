package eventfilter

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// truth is the value of a condition, as far as it is known.
type truth uint8

const (
	maybe truth = iota
	yes
	no
)

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return maybe
}

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

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
	truth truth
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
	statusPath          = "status"
	specPath            = "spec"
)

// getters are the methods of metav1.Object, and the paths of what they return.
var getters = map[string]string{
	"GetAnnotations": annotationsPath, "GetLabels": labelsPath, "GetGeneration": generationPath, "GetDeletionTimestamp": deletionPath,
	"GetResourceVersion": resourceVersionPath, "GetFinalizers": "metadata.finalizers", "GetOwnerReferences": "metadata.ownerReferences",
	"GetName": "metadata.name", "GetNamespace": "metadata.namespace", "GetUID": "metadata.uID", "GetManagedFields": "metadata.managedFields",
	"GetCreationTimestamp": "metadata.creationTimestamp", "GetDeletionGracePeriodSeconds": "metadata.deletionGracePeriodSeconds",
}

// step is the path of field f of what lies at path.
func step(path string, f *types.Var) string {
	name := f.Name()
	switch {
	case f.Embedded() && name == "ObjectMeta":
		name = "metadata"
	case f.Embedded() && name == "TypeMeta":
		name = "kind"
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

// change is an update of one object, as a hypothesis: what differs between the old and the new version.
type change struct {
	what  string   // for messages
	paths []string // what differs
	// bumped: metadata.generation differs as well.
	bumped bool
	// wild: everything that has no rule of its own may differ.
	wild bool
	// rest: whatever is no metadata, spec or status may differ.
	rest bool
	// resync: it is no update at all, both versions are equal.
	resync bool
	// deletes: the new version has a deletion timestamp and the old one has none.
	deletes bool
	// deletion is whether an object that is not deleted by this update is being deleted, before and after.
	deletion truth
	// kind is the type of the object, nil where it is what the filter expects.
	kind types.Type
	// foreign: the object is of none of the types that the filter names.
	foreign bool
}

// ofMetadata reports whether annotations or labels alone differ.
func (c change) ofMetadata() bool {
	return len(c.paths) == 1 && (strings.HasPrefix(c.paths[0], annotationsPath) || strings.HasPrefix(c.paths[0], labelsPath))
}

// The changes that a filter is tried with. All but the deletions are of an object that lives.
func annotationsChange(key string) change {
	return change{what: "annotations", paths: []string{keyed(annotationsPath, key)}, deletion: no}
}

func labelsChange(key string) change {
	return change{what: "labels", paths: []string{keyed(labelsPath, key)}, deletion: no}
}

func statusChange() change { return change{what: "status", paths: []string{statusPath}, deletion: no} }

func specChange() change {
	return change{what: "spec", paths: []string{specPath}, bumped: true, deletion: no}
}

func deletionChange(hasGeneration bool) change {
	return change{what: "deletion timestamp", paths: []string{deletionPath}, bumped: hasGeneration, deletes: true}
}

// anyChange is an update of which nothing is known but whether it moved the generation.
func anyChange(bumped bool) change {
	return change{what: "anything", wild: true, bumped: bumped}
}

func keyed(path, key string) string {
	if key == "" {
		return path
	}
	return path + "[" + strconv.Quote(key) + "]"
}

// differs says whether what lies at path is another value in the new version.
func (c change) differs(path string) truth {
	if c.resync {
		return no
	}
	switch {
	case within(path, resourceVersionPath), within(path, "metadata.managedFields"):
		return yes
	case within(path, generationPath):
		return truthOf(c.bumped)
	case within(path, deletionPath), within(path, "metadata.deletionGracePeriodSeconds"):
		if c.wild {
			return maybe
		}
		return truthOf(c.deletes)
	case within(resourceVersionPath, path): // the metadata, or the object
		return yes
	case constantPath(path):
		return no
	case c.wild:
		return maybe
	}
	result := no
	if c.rest && !within(path, "metadata") && !within(path, specPath) && !within(path, statusPath) {
		result = maybe
	}
	for _, p := range c.paths {
		switch {
		case within(p, path):
			return yes
		case within(path, p):
			result = maybe
		}
	}
	return result
}

// constantPath reports whether what lies at path never changes while the object exists.
func constantPath(path string) bool {
	return slices.Contains([]string{"metadata.name", "metadata.namespace", "metadata.uID", "metadata.creationTimestamp"}, path)
}

// equal says whether a and b are equal under c. Pointers at the same place of both versions count as equal where what
// they lead to is: they are where both are nil.
func (c change) equal(a, b value) truth {
	if a.kind == boolValue && b.kind == boolValue && a.truth != maybe && b.truth != maybe {
		return truthOf(a.truth == b.truth)
	}
	if a.kind == boolValue && b.kind == constValue {
		a, b = b, a
	}
	if a.kind == constValue && b.kind == boolValue && a.konst != nil && a.konst.Kind() == constant.Bool && b.truth != maybe {
		return truthOf(constant.BoolVal(a.konst) == (b.truth == yes))
	}
	if a.kind == constValue && b.kind == constValue {
		if a.konst == nil || b.konst == nil {
			return truthOf(a.konst == nil && b.konst == nil)
		}
		if a.konst.Kind() == b.konst.Kind() {
			return truthOf(a.konst.ExactString() == b.konst.ExactString())
		}
		return maybe
	}
	if a.kind == constValue {
		a, b = b, a
	}
	if a.kind == placeValue && b.kind == constValue && b.konst == nil {
		return c.isNil(a)
	}
	return c.sameTerm(a, b)
}

// isNil says whether what lies at a is nil.
func (c change) isNil(a value) truth {
	switch a.path {
	case "":
		return no
	case deletionPath:
		if c.deletes {
			return truthOf(a.side == older)
		}
		return c.deletion.not()
	}
	return maybe
}

// sameTerm says whether a and b, made in one way from places at the same paths, are equal.
func (c change) sameTerm(a, b value) truth {
	if a.kind != b.kind {
		return maybe
	}
	switch a.kind {
	case placeValue:
		if a.path != b.path {
			return maybe
		}
		if a.side == b.side {
			if a.copy || b.copy {
				return maybe
			}
			return yes
		}
		d := c.differs(a.path)
		if (a.copy || b.copy) && (d == yes || d == maybe) {
			return maybe
		}
		return d.not()
	case constValue:
		return c.equal(a, b)
	case derivedValue:
		if a.op != b.op || len(a.args) != len(b.args) {
			return maybe
		}
		for i := range a.args {
			if c.sameTerm(a.args[i], b.args[i]) != yes {
				return maybe
			}
		}
		return yes
	}
	return maybe
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

func boolean(t truth) value { return value{kind: boolValue, truth: t} }

// join is what is known where v or w is the value.
func join(v, w value) value {
	switch {
	case v.kind == boolValue && w.kind == boolValue:
		if v.truth == w.truth {
			return v
		}
		return boolean(maybe)
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
