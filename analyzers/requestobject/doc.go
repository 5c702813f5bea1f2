// Package requestobject defines the rule requestobject.
//
// # Analyzer requestobject
//
// requestobject: requests that do not send what was written into the object
//
// Principle: Send what was changed, with the request that stores it: the status with an update of the status, all else
// with an update of the object, and the object that was read rather than one without name or resource version.
//
// The API server ignores what does not belong to a request, and answers with success: a controller whose Deployment is
// never scaled logs that it has scaled it.
//
// # Sub-rules
//
//   - emptyrequest: only the spec or metadata was changed, and only the status is sent, or the other way round
//   - overwritten: the answer of a request replaces what was written and is sent by a later one
//   - zeroobject: an object that was not found, and so has no name, is updated, patched or deleted
//   - wrongobject: the changes are in the object that was read, and another one without resource version is sent
//   - orphanedpods: a Job is deleted without a propagation policy, which leaves its Pods behind
//   - samecopy: a retry after a conflict sends the outdated object again
//
// # Over packages
//
// Facts say which parts of an object (metadata, status, all else) a function writes to, reads or sends, for functions
// of the module and of analyzed dependencies (`-deps`). A function whose body is not known may write to all.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/requestobject reason` or `//nolint:requestobject // reason` on the line, above it, or
// above the function; `-requestobject=false` disables the rule.
package requestobject
