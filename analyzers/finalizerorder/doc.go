// Package finalizerorder defines the rule finalizerorder.
//
// # Analyzer finalizerorder
//
// finalizerorder: finalizers added, removed or written in the wrong order
//
// Principle: a finalizer is stored before what it guards is made. It is removed, by a write that reaches the API server, once all that
// it guards is gone: on no path behind a cleanup that has failed or that nobody has waited for, and with no cleanup behind it.
//
// A finalizer keeps an object that is being deleted until its controller has cleaned up. One that is removed without the cleanup, or that
// was not yet stored when the process crashed, leaves what it guarded behind for good: disks, load balancers, records. One that is never
// removed keeps the object, its namespace and all that waits for them.
//
// # Sub-rules
//
//   - removedbeforedelete: all finalizers are taken off an object, which is deleted only later
//   - removedonerror: a finalizer goes although the cleanup before it has failed
//   - lateadd: something is created outside before the finalizer that guards it is written
//   - unreachable: a deleted object never loses its finalizer, as what is looked up in front of that, or to be cleaned up, is gone
//   - writeafterremoval: a cleanup comes after the write that takes the last finalizer off, and nobody tries again where it fails
//   - dropped: a write replaces the finalizers that others have put on an object
//   - notawaited: a finalizer goes although others still need its object for their own cleanup
//
// # What is read
//
// Every edit of an object's list of finalizers is read: `controllerutil`, `SetFinalizers`, assignments of what `append`, `slices`, sets,
// loops and helper functions make of the list, and patches whose constant text touches it. Clients are recognised by the shape of the
// call: those of controller-runtime, typed client sets, the dynamic client. An object that is handed on in a struct, which its function
// makes or a constructor returns, is the one that was put there.
//
// # Over packages
//
// What functions do to the objects that they are given (finalizers, requests, tests of the deletion) is summarised for the packages that
// import theirs, also for dependencies that take part (`-deps`). Calls through interfaces of other packages are not followed, except for
// the methods by which known frameworks and packages of the module call a cleanup.
//
// # Not reported by any sub-rule
//
//   - Two objects of which it cannot be proved that they are one: an object found by a key that was built twice,
//     elements of a list in different iterations of a loop.
//   - Patches whose text is not constant and that were not made from an object.
//
// # How to suppress
//
// Say `//lint:ignore ctrllint/finalizerorder reason`, or `//nolint:finalizerorder // reason`, on the line, above it, or
// above the function; `-finalizerorder=false` is for the whole rule.
package finalizerorder
