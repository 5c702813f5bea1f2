// Package footprint computes what a program asks of the API server, and what its cache holds.
//
// Each package is summarized ([Summarize]): where its clients come from, which requests it makes through them, which
// informers it starts, how it sets up managers, which kinds it declares, and what its markers grant. Where a program is
// linked, [Join] resolves the clients and kinds of all requests, and returns the [Inventory] of the program. What is not
// known stays unknown, and is shown as such.
package footprint

import (
	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/link"
)

// A Part is what a package contributes to the programs that it becomes a part of. Functions, fields and variables are
// named as internal/origin names them: "path.T.Field", "path.variable", "path.F#0" for a parameter without counting the
// receiver, "path.F$0" for a result.
type Part struct {
	Flows    []Flow    // of clients and objects, by name
	Requests []Request // of the API server, or of a cache
	Calls    []Call    // that pass clients or objects
	Methods  []Method  // that interfaces stand for
	Managers []Manager // that the package makes
	Types    []Type    // the kinds that the package declares
	Grants   []Grant   // of its RBAC markers
	Left     []Leave   // clients that are passed to code out of sight
}

// A Source says where the answers of a client come from.
type Source = kubeapi.Source

// A Term is a value that holds a client, a manager or an object: its source or kind where it is known, else the name of a
// place that it comes from. The zero Term is an unknown value. A client or cache of a manager has the name of a place that
// the manager comes from; a manager is its source with the name "@" and the place where it is made.
type Term struct {
	Source Source
	Kind   Kind
	Name   string
}

// A Form is how objects of a kind are read. Each form has an informer of its own.
type Form uint8

// The forms.
const (
	Typed Form = iota
	Metadata
	Unstructured
)

// A Kind is a kind of objects: the Go type ("k8s.io/api/core/v1.Pod"), or "group/version.Kind" where only that is known;
// empty for an unknown one. Lists have the kind of their items.
type Kind struct {
	Type string
	Form Form
}

// A Flow says that what From is may be stored in, or passed to, the place named To.
type Flow struct {
	In   string // the function that does so; "" if it holds in any case
	To   string
	From Term
}

// A Request asks the API server or a cache.
type Request struct {
	At      link.At
	In      string       // the function that makes it
	Verb    kubeapi.Verb // list and watch for an informer that is asked for explicitly
	Sub     string       // the subresource: "status", "scale", or another one
	Clients []Term
	Kinds   []Term
	Key     Key

	// Role is how an informer is asked for: For, Owns, Watches, Watch, Informer, Index; "" for a read or write.
	Role    string
	Filters []Filter // of the watch, what its predicates demand, the best one for a selector first

	// Hazards say why a live read in its place is not to be advised: in a loop, a predicate, a map function, ….
	Hazards []string

	Wrapped bool // it is made by a client of the user's own, for its callers

	Silenced []string // the checks of cachescope that a comment silences here
}

// A Key is what a request asks of all objects of the kind, as far as it is constant.
type Key struct {
	Namespace, Name string
	Labels, Fields  bool     // it selects by labels or fields
	Selected        []Filter // which are constant
}

// A Filter is a condition on one property of an object which holds for each event that passes: a field selector, or a
// label with its value. The zero Filter is none that is known.
type Filter struct {
	Property string // "metadata.name", "metadata.namespace", "spec.nodeName", or "label KEY"
	Value    string // a constant as "\"text\"", or the place of a variable that is set once
}

// A Call is a call of a function of the module that takes clients or objects.
type Call struct {
	At   link.At
	In   string // the function that calls
	Func string
	Args []Arg
}

// An Arg is what a call passes for a parameter, without counting the receiver, or for the type parameter -1-Param.
type Arg struct {
	Param int
	Terms []Term
}

// A Method says that calls of an interface's method may run a concrete one.
type Method struct{ Iface, Func string }

// A Leave is a client that is passed to a function of which nothing is known.
type Leave struct {
	At      link.At
	Func    string
	Clients []Term
}

// A Manager is what the options of a manager say. A list that is not wholly known is marked as Open.
type Manager struct {
	At   link.At
	In   string // the function that makes it
	Open bool   // its options are not all known: kinds may be scoped or uncached besides

	Objects    []Scope  // by kind
	Default    Scope    // of all other kinds
	DisableFor []Entry  // kinds that the client reads live
	OwnClient  bool     // another function makes the client, of which nothing is known
	OwnCache   bool     // another function makes the cache: kinds may be scoped besides
	Untyped    bool     // unstructured objects are read through the cache, too
	Demands    bool     // reads of kinds without an informer fail (ReaderFailOnMissingInformer)
	Unless     []string // conditions on which some of this holds, for people: "namespaces only if $WATCH_NAMESPACE is set"
}

// An Entry is a kind in a list of options.
type Entry struct {
	At   link.At
	Kind Kind
}

// A Scope is a restriction of what the cache holds.
type Scope struct {
	Entry
	Namespaces []Namespace // that are held; none for all
	Labels     string      // a selector, as text
	Fields     string
	Transform  bool // objects are made smaller before they are held
}

// Restricts reports whether s holds less than all objects of the cluster.
func (s *Scope) Restricts() bool { return len(s.Namespaces) > 0 || s.Labels != "" || s.Fields != "" }

// InNamespaces reports whether s may hold objects of some namespaces only: a field selector may name one.
func (s *Scope) InNamespaces() bool { return len(s.Namespaces) > 0 || s.Fields != "" }

// A Namespace is one that is held: a constant, or where it comes from: "$WATCH_NAMESPACE", "--namespace", or the name of
// a variable. With All, it may be empty, which means all namespaces, as by the default of the flag.
type Namespace struct {
	Text string
	All  bool
}

// A Type is a kind that a package declares.
type Type struct {
	Name           string // "path.T"
	Group, Version string
	Plural         string // of the marker; "" where it does not say
	Cluster        bool   // its objects are in no namespace
	Root           bool   // it is a kind, by the markers
}

// A Grant is a rule of a role that is bound: a marker in the source, or a manifest.
type Grant struct {
	At         link.At // of the marker
	File       string  // of the manifest, with the line: "config/rbac/role.yaml:12"
	Role       string  // the name of the Role or ClusterRole, if any
	Groups     []string
	Resources  []string
	Names      []string // of objects; none for all
	Verbs      []string
	Namespace  string // that the rule is limited to; "" for the cluster
	Namespaced bool   // it is limited to a namespace
	Subjects   []string
}
