// Package finalizerorder defines the rule finalizerorder.
//
// # Analyzer finalizerorder
//
// finalizerorder: finalizers added, removed or written in the wrong order
//
// Principle: store the finalizer before creating external resources. Remove it, with a write to the API server, only
// after the cleanup has succeeded and completed, as the last step.
//
// A finalizer keeps an object that is being deleted until its controller has cleaned up. If it is removed without the
// cleanup, or was not yet stored when the process crashed, the resources that it guarded are leaked: disks, load
// balancers, records. If it is never removed, the object, its namespace and everything that waits for them stay.
//
// # Sub-rules
//
//   - removedbeforedelete: all finalizers of an object are removed before it is deleted
//   - removedonerror: a finalizer is removed although the cleanup before it has failed
//   - lateadd: an external resource is created before the finalizer that guards it is stored
//   - unreachable: the removal of the finalizer is not reached if an object that is looked up before it is gone
//   - writeafterremoval: a cleanup runs after the write that removes the last finalizer and is never retried
//   - dropped: a write discards the finalizers of other controllers
//   - notawaited: a finalizer is removed while other objects still need its object for their cleanup
//
// # What is read
//
// Every edit of an object's list of finalizers is read: `controllerutil`, `SetFinalizers`, assignments of the results
// of `append`, `slices`, sets, loops and helper functions, and patches whose constant text contains the list. Clients
// are recognised by the shape of the call: those of controller-runtime, typed client sets, the dynamic client. An
// object in a field of a struct that a function or a constructor makes is the one that was stored there.
//
// # Over packages
//
// What functions do to their parameters (finalizers, requests, tests of the deletion) is summarized for importing
// packages, also in dependencies that take part (`-deps`). A call of an interface method runs the method of the type
// that the package stores in the interface, if there is only one. Other calls through interfaces are not followed,
// except for the methods by which known frameworks and packages of the module call a cleanup.
//
// # Not reported by any sub-rule
//
//   - Two objects that cannot be proved to be the same: an object found by a key that was built twice, elements of
//     a list in different iterations of a loop.
//   - Patches whose text is not constant and that were not built from an object.
//
// # How to suppress
//
// Use `//lint:ignore ctrllint/finalizerorder reason` or `//nolint:finalizerorder // reason` on the line, above it, or
// above the function; `-finalizerorder=false` disables the rule.
package finalizerorder
