// Package finalizerorder defines the rule finalizerorder.
//
// # Analyzer finalizerorder
//
// finalizerorder: finalizers removed in the wrong order
//
// # What it reports
//
// # removedbeforedelete
//
// A write that takes all finalizers off an object, followed on a later step of the same run by the deletion of that
// object. Such a write is an Update or Patch of an object whose finalizers were set to nothing (SetFinalizers(nil), an
// assignment of nil or an empty slice), or a raw merge, strategic merge or JSON patch whose constant text does that,
// also from a package variable or a format. Clients are known by the shape of the call: those of controller-runtime,
// typed client sets, the dynamic client. What a function of the package does to its parameters counts at its calls.
//
// # Why it hurts
//
// Between the two requests the object is alive and has no finalizer, which is just what its controller repairs. With
// the finalizer back, the deletion waits for a cleanup that was to be skipped: a force deletion hangs, or the cleanup
// destroys what was to be kept. Deleted first, the object takes no new finalizer any more.
//
// # Bad
//
//	obj.SetFinalizers(nil)
//	if err := c.Update(ctx, obj); err != nil {
//		return err
//	}
//	return c.Delete(ctx, obj)
//
// # Good
//
//	if err := c.Delete(ctx, obj); err != nil {
//		return err
//	}
//	obj.SetFinalizers(nil)
//	return c.Update(ctx, obj)
//
// # Not reported
//
//   - The removal of single finalizers, by name or by index: a controller may drop its own one and then delete.
//   - Writes or deletions behind a check that the object is being deleted, in the function or in all its callers in
//     the package, and writes that an earlier deletion of the object may precede.
//   - Two objects of which it cannot be proved that they are one: an object found by a key that was built twice,
//     elements of a list in different turns of a loop.
//   - Patches whose text is not constant, and writes to the status or another subresource.
//   - Steps in goroutines and deferred calls, behind interfaces of the program's own, or in another package.
//
// # How to suppress
//
// Say -finalizerorder=false for the whole rule. With golangci-lint, //nolint:ctrllint // reason on the line.
package finalizerorder
