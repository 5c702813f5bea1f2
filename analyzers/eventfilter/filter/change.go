package filter

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/ctrllint/ctrllint/internal/flow"
)

// change is an update of one object, as a hypothesis: what differs between the old and the new version.
type change struct {
	what  string   // tells it from others
	paths []string // what differs
	key   string   // of the annotation that differs, "" where any may
	// bumped: metadata.generation differs as well.
	bumped bool
	// wild: everything that has no rule of its own may differ.
	wild bool
	// content: of the metadata, only what the API server sets on each update differs.
	content bool
	// lives: the object is not being deleted, nor gets so.
	lives bool
	// deletes: the new version has a deletion timestamp and the old one has none.
	deletes bool
	// deletion is whether an object that is not deleted by this update is being deleted, before and after.
	deletion flow.Truth
	// kind is the type of the object, nil where it is what the filter expects.
	kind types.Type
	// foreign: the object is of none of the types that the filter names.
	foreign bool
}

// ofMetadata reports whether annotations alone differ.
func (c change) ofMetadata() bool {
	return len(c.paths) == 1 && strings.HasPrefix(c.paths[0], annotationsPath)
}

// The changes that a filter is tried with. All but the deletions are of an object that lives.
func annotationsChange(key string) change {
	return change{what: "annotations", paths: []string{keyed(annotationsPath, key)}, key: key, deletion: flow.False}
}

func statusChange() change {
	return change{what: "status", paths: []string{statusPath}, deletion: flow.False}
}

func specChange() change {
	return change{what: "spec", paths: []string{specPath}, bumped: true, deletion: flow.False}
}

func deletionChange(hasGeneration bool) change {
	return change{what: "deletion timestamp", paths: []string{deletionPath}, bumped: hasGeneration, deletes: true}
}

// anyChange is an update of which nothing is known but whether it moved the generation.
func anyChange(bumped bool) change {
	return change{what: "anything", wild: true, bumped: bumped}
}

// contentChange is an update of anything but the metadata of an object that lives.
func contentChange(bumped bool) change {
	return change{what: "content", wild: true, content: true, bumped: bumped, lives: true}
}

// livingChange is an update of an object that lives, of which nothing else is known.
func livingChange() change {
	return change{what: "anything but its end", wild: true, bumped: true, lives: true, deletion: flow.False}
}

// of is c of an object of type kind.
func (c change) of(kind types.Type) change {
	c.kind = kind
	return c
}

// name tells c from the other changes that a filter is tried with.
func (c change) name() string {
	s := c.what
	if c.bumped {
		s += " with generation"
	}
	return s
}

// differs says whether what lies at path is another value in the new version.
func (c change) differs(path string) flow.Truth {
	switch {
	case within(path, resourceVersionPath), within(path, "metadata.managedFields"):
		return flow.True
	case within(path, generationPath):
		return flow.TruthOf(c.bumped)
	case within(path, deletionPath), within(path, "metadata.deletionGracePeriodSeconds"):
		if c.wild && !c.lives {
			return flow.Unknown
		}
		return flow.TruthOf(c.deletes)
	case within(resourceVersionPath, path): // the metadata, or the object
		return flow.True
	case constantPath(path), c.content && within(path, "metadata"):
		return flow.False
	case c.wild:
		return flow.Unknown
	}
	result := flow.False
	for _, p := range c.paths {
		switch {
		case within(p, path):
			return flow.True
		case within(path, p):
			result = flow.Unknown
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
func (c change) equal(a, b value) flow.Truth {
	if a.kind == boolValue && b.kind == boolValue && a.truth != flow.Unknown && b.truth != flow.Unknown {
		return flow.TruthOf(a.truth == b.truth)
	}
	if a.kind == boolValue && b.kind == constValue {
		a, b = b, a
	}
	if a.kind == constValue && b.kind == boolValue && a.konst != nil && a.konst.Kind() == constant.Bool && b.truth != flow.Unknown {
		return flow.TruthOf(constant.BoolVal(a.konst) == (b.truth == flow.True))
	}
	if a.kind == constValue && b.kind == constValue {
		if a.konst == nil || b.konst == nil {
			return flow.TruthOf(a.konst == nil && b.konst == nil)
		}
		if a.konst.Kind() == b.konst.Kind() {
			return flow.TruthOf(a.konst.ExactString() == b.konst.ExactString())
		}
		return flow.Unknown
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
func (c change) isNil(a value) flow.Truth {
	switch a.path {
	case "":
		return flow.False
	case deletionPath:
		if c.deletes {
			return flow.TruthOf(a.side == older)
		}
		return c.deletion.Not()
	}
	return flow.Unknown
}

// sameTerm says whether a and b, made in one way from places at the same paths, are equal.
func (c change) sameTerm(a, b value) flow.Truth {
	if a.kind != b.kind {
		return flow.Unknown
	}
	switch a.kind {
	case placeValue:
		if a.path != b.path {
			return flow.Unknown
		}
		if a.side == b.side {
			if a.copy || b.copy {
				return flow.Unknown
			}
			return flow.True
		}
		d := c.differs(a.path)
		if (a.copy || b.copy) && d != flow.False && !(d == flow.True && within(resourceVersionPath, a.path) && (a.kept || !a.copy) && (b.kept || !b.copy)) {
			return flow.Unknown
		}
		return d.Not()
	case constValue:
		return c.equal(a, b)
	case derivedValue:
		if a.op != b.op || len(a.args) != len(b.args) {
			return flow.Unknown
		}
		for i := range a.args {
			if c.sameTerm(a.args[i], b.args[i]) != flow.True {
				return flow.Unknown
			}
		}
		return flow.True
	}
	return flow.Unknown
}
