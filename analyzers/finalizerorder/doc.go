// Package finalizerorder defines the rule finalizerorder.
//
// # Analyzer finalizerorder
//
// finalizerorder: finalizers added, removed or written in the wrong order
//
// Principle: a finalizer is there before what it guards is, and it goes, by a write that the API server gets, when all that it guards
// is gone: on no way past a cleanup that has failed, or that nobody has waited for, and with nothing left to do behind it.
//
// # What it reports
//
// Every edit of an object's list of finalizers is read: controllerutil, SetFinalizers, assignments of what append,
// slices, sets, loops and helper functions make of the list, and patches whose constant text touches it. What functions
// do to the objects that they are given is summarised, also for the packages that import them.
//
// # removedbeforedelete
//
// A write that takes all finalizers off an object, followed on a later step of the same run by the deletion of that
// object. Such a write is an Update or Patch of an object whose finalizers were set to nothing (SetFinalizers(nil), an
// assignment of nil or an empty slice), or a raw merge, strategic merge or JSON patch whose constant text does that,
// also from a package variable or a format. Clients are known by the shape of the call: those of controller-runtime,
// typed client sets, the dynamic client. The deletion may also name the object by the key of a map whose elements are written.
//
// # removedonerror
//
// A finalizer that goes although the cleanup before it has failed: the error is dropped, or put on a list that is
// looked at only later, or the removal stands in a deferred function that runs on every way out. A cleanup is a call
// that may fail and whose name says that it deletes, releases, uninstalls and the like. With -finalizerorder.logged an
// error that is logged counts, too: it is not on by default, since who writes that has mostly decided that the object
// must go. A cleanup that is made only where the object has something to clean up counts, and so does one in a goroutine for
// which nobody waits before the finalizer goes. Also a finalizer that goes because a call before the cleanup has failed, whatever the
// failure, so that the cleanup is not tried.
//
// # addedwhiledeleting
//
// A finalizer that is added to an object before, or beside, the check whether it is being deleted. The function, or
// one that it calls, makes such a check: so deleted objects do come there. Where a function of the user's own adds it, its callers
// in other packages are one finding of the command.
//
// # notpersisted
//
// A finalizer that is added or removed in memory, by the function that got the object, with no Update or Patch of the
// object behind it and a return that says success. Also the removal of a finalizer that was just found not to be there,
// and the addition of one that is. Or a change that the patch behind it leaves out, since the base of the patch was copied after it.
//
// # statusonly
//
// The same, where the only write behind it is one of the status. The API server ignores metadata in such a write.
//
// # lateadd
//
// A finalizer that is added in memory, a service outside of the cluster that is then told to create something, and a
// write of the object only after that, or in a deferred call. Also a finalizer that is added only once something was
// created.
//
// # unreachable
//
// Only with -finalizerorder.unreachable. A return in front of the only branch that removes the finalizer, which a
// deleted object takes for as long as something lasts: another object cannot be read that the branch has no use for;
// something else is not ready, says a call that asks the cluster; a field of its own status, after which nothing is
// tried again. Whether that question belongs to the cleanup itself cannot be told from its place alone: of what was
// read on real operators, too much was wrong.
//
// # writeafterremoval
//
// A write of an object that is being deleted, behind the write that has taken the finalizer off it, whose failure is an
// error even where the object is gone. Or a cleanup behind that write whose failure is returned, so that it is tried again: there
// is no object left for that.
//
// # dropped
//
// An Update of a Service, PersistentVolumeClaim or PersistentVolume that was made anew and given the resource version of
// the stored one, but not its finalizers. Of Services those that are made in sight of the type LoadBalancer, or of one that is no
// constant: nobody puts a finalizer on the others. What a function is given its callers know, also those in other packages. Also a function given to CreateOrUpdate or CreateOrPatch that puts a list in the place
// of the stored object's finalizers which is written out, there or where the object was made that it is taken from.
//
// # Over packages
//
// What functions do to the objects that they are given (finalizers, requests, tests of the deletion) is known to the packages that
// import theirs, and so of dependencies that take part (-deps). Calls through interfaces of other packages are not followed: a client
// that does more than it is asked to, such as one that empties a cache, is not seen.
//
// # Why it hurts
//
// Finalizers taken off before the deletion come back: between the two requests the object is alive, and its controller
// repairs it. A finalizer that goes without the cleanup, or that was not yet there at a crash, leaves what it guarded
// behind for good: disks, load balancers, records. The API server refuses new finalizers on an object that is being
// deleted, so that a reconcile that adds one fails each time, before it comes to its cleanup. A removal that is never
// written, or never reached, keeps the object, its namespace and all that waits for them.
//
// # Bad
//
//	if !controllerutil.ContainsFinalizer(obj, name) {
//		controllerutil.AddFinalizer(obj, name)
//		return ctrl.Result{}, c.Update(ctx, obj)
//	}
//	if !obj.DeletionTimestamp.IsZero() {
//		if err := cloud.Delete(ctx, obj.Spec.ID); err != nil {
//			log.Error(err, "deleting")
//		}
//		controllerutil.RemoveFinalizer(obj, name)
//		return ctrl.Result{}, c.Update(ctx, obj)
//	}
//
// # Good
//
//	if !obj.DeletionTimestamp.IsZero() {
//		if err := cloud.Delete(ctx, obj.Spec.ID); err != nil {
//			return ctrl.Result{}, err
//		}
//		controllerutil.RemoveFinalizer(obj, name)
//		return ctrl.Result{}, c.Update(ctx, obj)
//	}
//	if controllerutil.AddFinalizer(obj, name) {
//		return ctrl.Result{}, c.Update(ctx, obj)
//	}
//
// # Not reported
//
//   - The removal of single finalizers, by name or by index, before a deletion: a controller may drop its own one.
//   - Writes or deletions behind a check that the object is being deleted, in the function or in all its callers in
//     the package, and writes that an earlier deletion of the object may precede.
//   - Two objects of which it cannot be proved that they are one: an object found by a key that was built twice,
//     elements of a list in different turns of a loop.
//   - Patches whose text is not constant and that were not made from an object.
//   - A failed cleanup whose kind of error is asked for before the finalizer goes, and errors that a helper swallows; one that
//     a further test lets pass, such as an annotation by which the user gives up what is left; one after which a look at the
//     outside decides whether the finalizer goes.
//   - Goroutines that clean up and tell somebody how that went, by a channel, a group or a variable: whether the finalizer waits
//     for that is not looked at.
//   - A finalizer that goes while something is still being deleted in the background: that it ends later than the call
//     cannot be seen.
//   - Additions in a function that does not look at the deletion at all, and those behind a question about the object
//     that something unseen answers.
//   - Changes of objects that were given to a function that cannot be looked into, stored or returned: what holds them
//     may write them. So patch helpers and scopes that are closed in a deferred call are never wrong.
//   - Services that are told to create something from within a function of the package, and child objects of the
//     cluster, which are collected with their owner.
//   - Returns before the deletion branch for a pause or the choice of a class, for errors of functions whose result the
//     branch may need, and where the finalizer is removed without a deletion, too.
//
// # How to suppress
//
// Say //lint:ignore ctrllint/finalizerorder reason, or //nolint:finalizerorder // reason, on the line, above it, or
// above the function; -finalizerorder=false is for the whole rule.
package finalizerorder
