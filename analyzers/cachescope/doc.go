// Package cachescope defines the rule cachescope.
//
// # Analyzer cachescope
//
// cachescope: informers that hold too much, or that no role allows
//
// Principle: what the cache holds is what the operator needs of it. The first Get or List of a kind through a manager's
// client starts an informer that lists and keeps every object of the kind in the cluster, unless options say otherwise.
// Where the role does not allow the list, the read waits for a sync that never comes.
//
// The rule joins what all packages of a program contribute (`ctrllint footprint` prints it): where each client comes
// from, the options of the manager, the kinds that are read and watched, and what roles grant. Where one of these is not
// known, it is silent.
//
// # Sub-rules
//
//   - implicit: a read starts an informer of a kind of which clusters have many objects, and nothing else wants it
//   - forbidden: no role allows the list, or the watch, of an informer
//   - predicate: all users of an informer want one object, namespace, label or node, and it holds all
//   - deadwatch: nobody profits from an informer
//   - disablefor: the client reads a kind live that the cache holds in full all the same
//   - rbac: a marker grants nothing, or what nothing in the program asks for
//
// # Confidence
//
// A finding of deadwatch is "possible" if a read of an unknown kind may use the index, one of predicate if code out of
// sight has a client, and one of forbidden if a role allows the watch: an API server that streams lists asks for no more.
// The others are "certain".
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/cachescope reason` or `//nolint:cachescope // reason` on the line, above it, or above the
// function; `-cachescope=false` disables the rule.
package cachescope
