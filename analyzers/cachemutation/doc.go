// Package cachemutation finds writes to objects that a shared cache still holds.
//
// # Analyzer cachemutation
//
// cachemutation: writes to objects that a shared cache still holds
//
// Principle: what a cache gives out belongs to all who read it. Between the read and each write, somebody has made a copy of what is
// written: of the object, or of the map, slice or struct in it that a reference leads to.
//
// An object of a lister, of an informer's store or of an indexer that is changed in place is changed for all readers at once. If the
// update that should follow fails, the cache shows a state that the API server does not have, and nothing tries again; two goroutines
// that write to one map end the process; what is put into the object for one call is still there in the next one.
//
// # Sub-rules
//
//   - write: a cached object is changed, here or in a function that it is passed to
//   - returned: a function gave out what a cache holds, and its caller writes to it
//
// # What a cache is
//
// A cache is a type with the methods of a lister (List takes a selector and returns the objects themselves), be it generated, generic,
// dynamic, or of wrangler or norman; a store or indexer of client-go, where the result is asserted to be an object; and a function that
// returns what it has from one of these. Reads of controller-runtime's client are copies, unless they are told otherwise. If the body
// of a function is in sight, it decides.
//
// # How writes are found
//
// References are followed from the read through variables, struct copies, fields, elements and calls. Functions are summarised by the
// parameters that they write to and by the results that lead to a parameter or to a cache; the summaries are known to importing
// packages, and those of dependencies that take part (`-deps`) as well.
//
// # Not reported by any sub-rule
//
//   - Writes to objects that event handlers are given.
//   - Writes to a store that the package has made and fills itself.
//   - Writes that run only where the object was not found, and was made.
//   - Objects that are kept in a field, a package variable or a channel, and changed where they are read from there.
//   - Calls of interface methods whose type is not known.
//   - Writes to a map behind the copy of a struct that gets a map of its own where it has none: whether the cached object has one is
//     not known.
//   - Elements that are appended behind the end of a slice of the object.
//   - References that lie in more than four nested fields and elements, which `-debug` counts.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/cachemutation reason`, or `//nolint:cachemutation // reason`, on the line, above it, or above the
// function; `-cachemutation=false` is for the whole rule.
package cachemutation
