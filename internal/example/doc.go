// Package example is the rule that docs/new-rule.md builds. It is complete, tested, and not part of the suite: what it finds is
// a part of eventfilter/tombstone.
//
// # Analyzer example
//
// example: handlers that look for a tombstone that never comes
//
// A client-go informer that missed the deletion of an object passes on a `cache.DeletedFinalStateUnknown` in its place: the
// struct, not a pointer to it.
//
// # Sub-rules
//
//   - pointer: a function asserts a pointer to `cache.DeletedFinalStateUnknown`, which never comes
package example
