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
//   - write: a field, an element or an entry of the object is changed
//   - callee: a function, of whatever package, writes to the object that it is given
//   - returned: a function gave out what a cache holds, and its caller writes to it
//   - shallow: a copied struct is written to through a pointer, a map or a slice that it has in common with the object
//   - deep: the same, of the copy of an element
//   - alias: a part of the object was given to another one, or out by a getter, and is written to there
//   - half: what is written to belongs to the caller's object if that has a map there, or is an Unstructured, and else to nobody
//   - param: the object that a handler was given is written to
//   - writeback: a client of controller-runtime decodes the server's answer into the object
//   - disabled: the object was read with the option that leaves out the copy
//
// # What a cache is
//
// What has the methods of a lister (List by a selector, for the objects themselves), be it generated, generic, dynamic, or a cache of
// wrangler or norman; client-go's stores and indexers, where what comes is asserted to be an object; functions that give out what they
// have from there; what informers give to their handlers; and what a package gives, of all this, to functions that others have handed
// to it; and fields to which only the package can store, and does so with nothing but such objects. Reads of controller-runtime's client are copies, unless they are told
// otherwise. What a function in sight gives is decided by its body.
//
// # Not reported by any sub-rule
//
//   - A store that the package has made and fills itself.
//   - What is deleted, and the old one of two objects that an update handler is given: they have left the cache.
//   - Writes on ways that only an object takes which was not found, and made.
//   - Objects that are kept in a package variable or a channel, or in a field that others can set or that is also given something else, and
//     changed by whoever reads them there.
//   - Methods of interfaces whose type is not known.
//   - Functions that another package keeps in a field, if some call of that field is given what the package has made; and functions that are
//     turned into others before they are handed over.
//   - Writes to a map behind the copy of a struct that gets a map of its own where it has none, in programs of which some package makes a
//     transform function of informers which leaves objects of that kind nothing there: to which of their caches it belongs is not known.
//     Such writes are judged where a program comes together, and go vet says nothing of those in packages of no program.
//   - Elements that are appended behind the end of a slice of the object.
//   - References that lie in more than four fields and elements inside of each other, which `-debug` counts.
package cachemutation
