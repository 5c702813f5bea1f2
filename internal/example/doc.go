// Package example is the rule that docs/new-rule.md builds. It is complete, tested, and not part of the suite: what it finds is
// a part of eventfilter/tombstone.
//
// # Analyzer example
//
// example: handlers that look for a tombstone that never comes
//
// # pointer
//
// A client-go informer that missed the deletion of an object hands on a cache.DeletedFinalStateUnknown in its place: the
// struct, not a pointer to it. A function that asserts *cache.DeletedFinalStateUnknown never finds one.
//
// # Why it hurts
//
// The code that was written for missed deletions does not run, and what belonged to the object stays.
//
// # Bad
//
//	if gone, ok := obj.(*cache.DeletedFinalStateUnknown); ok {
//		obj = gone.Obj
//	}
//
// # Good
//
//	if gone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
//		obj = gone.Obj
//	}
//
// # Not reported
//
//   - A function that asserts the struct as well, as in a switch: it has seen to it.
package example
