// Package cachemutation finds writes to objects that are shared with a cache.
//
// # Analyzer cachemutation
//
// cachemutation: writes to objects that are shared with a cache
//
// Principle: Objects returned by an informer cache are read-only, since all readers share them. Copy an object, or the
// map, slice or struct in it that is written, between the read and the write.
//
// An object of a lister, of an informer's store or of an indexer that is modified in place changes for all readers at
// once. If the update that should follow fails, the cache shows a state that the API server does not have, and nothing
// retries; two goroutines that access one map crash the process; a value that was set for one call is still there in
// the next one.
//
// # Sub-rules
//
//   - write: a cached object is mutated, directly or by a function that it is passed to
//   - returned: a function returns a cached object without a copy, and its caller mutates it
//
// # What a cache is
//
// A cache is a type with the methods of a lister (List takes a selector and returns the objects themselves), be it
// generated, generic, dynamic, or of wrangler or norman; a store or indexer of client-go, if the result is asserted to
// be an object; and a function that returns an object of one of these. Reads of controller-runtime's client are
// copies, unless an option says otherwise. The body of a function, if it is analyzed, takes precedence.
//
// # How writes are found
//
// References are followed from the read through variables, struct copies, fields, elements and calls. The summary of a
// function lists the parameters that it writes to and the results that may alias a parameter or a cached object.
// Summaries are facts, also those of dependencies that are analyzed (`-deps`).
//
// # Confidence
//
// A finding is "certain" if the read and the write, or the call that leads to it, are in one function and the variable
// can hold nothing else; otherwise it is "possible". `-confidence certain` excludes possible findings.
//
// # Not reported by any sub-rule
//
//   - Writes to objects that are passed to event handlers.
//   - Writes to a store that the package has created and fills itself.
//   - Writes that run only if the object was not found and is created.
//   - Objects that are kept in a field, a package variable or a channel, and mutated after a read from there.
//   - Calls of interface methods whose implementation is unknown.
//   - Writes to a map of a copied struct if the code replaces a nil map of the copy with a new one: whether the cached
//     object has a map is unknown.
//   - Elements that are appended to a slice of the object.
//   - References that are nested in more than four fields and elements, which `-debug` counts.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/cachemutation reason` or `//nolint:cachemutation // reason` on the line, above it, or
// above the function; `-cachemutation=false` disables the rule.
package cachemutation
