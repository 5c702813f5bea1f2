// Package cachemutation finds writes to objects that a shared cache still holds.
//
// # Analyzer cachemutation
//
// cachemutation: writes to objects that a shared cache still holds
//
// Principle: what a cache gives out belongs to all who read it. From where it is read to each write, somebody has made a copy of what is
// written: of the object, or of the map, slice or struct in it that a reference leads to.
//
// An object of a lister, of an informer's store or of an indexer that is changed in place is changed for everybody at once. If the update
// fails, the cache keeps the wish for a fact, and nobody tries again; two goroutines that write to one map end the process; what is put
// into the object for one call leaves with the next one.
//
// # Sub-rules
//
//   - write: a cached object is changed, here or in a function that it is passed to
//   - returned: a function gave out what a cache holds, and its caller writes to it
//
// # What a cache is
//
// What has the methods of a lister (List by a selector, for the objects themselves), be it generated, generic, dynamic, or a cache of
// wrangler or norman; client-go's stores and indexers, where what comes is asserted to be an object; and functions that give out what they
// have from there. Reads of controller-runtime's client are copies, unless they are told otherwise. What a function in sight gives is decided by its body.
//
// # Not reported by any sub-rule
//
//   - Objects that event handlers are given, and functions that others call with what they have from a cache.
//   - A store that the package has made and fills itself.
//   - Writes on paths that only an object takes which was not found, and made.
//   - Objects that are kept in a field, a package variable or a channel, and changed by whoever reads them there.
//   - Methods of interfaces whose type is not known.
//   - Writes to a map behind the copy of a struct that gets a map of its own where it has none: whether the cached object has one is not known.
//   - Elements that are appended behind the end of a slice of the object.
//   - References that lie in more than four fields and elements inside of each other, which `-debug` counts.
package cachemutation
