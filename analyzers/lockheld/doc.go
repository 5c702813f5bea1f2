// Package lockheld defines the rule lockheld.
//
// # Analyzer lockheld
//
// lockheld: blocking operations and second acquisitions under a lock
//
// A controller shares one mutex between its reconcile workers, its event handlers and its HTTP endpoints. Whoever
// blocks while holding it stops all of them, and none of them logs anything: the process is alive, healthy to its
// probe, and does nothing.
//
// # What it reports
//
// # blocking
//
// An operation that can wait without bound is reached with a lock held, directly or through any chain of calls, in this
// package or another one of the same program:
//
//   - a wait for informer caches (cache.WaitForCacheSync, WaitForCacheSync of an informer factory or a cache,
//     WaitForSync of a source): one API server that does not answer holds the lock for ever;
//   - the run of an informer, a manager, a controller or a leader election; wait.Until and its relatives;
//   - wait.Poll… without a timeout, an item of a work queue, a semaphore, a child process without a context;
//   - a send to or a receive from a channel, a select without default, timer or done case, WaitGroup.Wait,
//     errgroup.Group.Wait, and Cond.Wait while another lock is held: if the goroutine that would end the wait needs the
//     same lock before it gets there, or if the package has no such goroutine.
//
// One wait is reported once for one lock, in the first function that holds it: the others show when that one is mended.
//
// # relock
//
// A lock is taken again on a path on which it is held: Lock after Lock, Lock after RLock, RLock after Lock are certain
// deadlocks; RLock after RLock is one as soon as a writer waits in between, and is reported where the package has a
// writer of that lock.
//
// # Why it hurts
//
// A data source took its RWMutex for writing, started an informer factory for one cluster and waited for its caches
// with the lock held. The API server of that cluster was paused, and every request of the whole service hung.
//
// # Bad
//
//	s.mu.Lock()
//	defer s.mu.Unlock()
//	factory.Start(s.stop)
//	factory.WaitForCacheSync(s.stop) // nobody gets s.mu until that API server answers
//
// # Good
//
//	factory.Start(s.stop)
//	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
//	defer cancel()
//	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
//		return errors.New("caches did not sync in time")
//	}
//	s.mu.Lock()
//	defer s.mu.Unlock()
//	s.clusters[name] = factory
//
// # How it sees locks
//
// Locks are sync.Mutex, sync.RWMutex and sync.Locker, embedded, promoted or behind pointers, and methods that wrap
// them. A lock is known by its access path, so a field that is read twice is one lock, and a lock that a callee takes or
// drops is followed through its parameters. What counts is what is held on every path. A deferred unlock holds to the
// end of the function; TryLock holds where it gave true; a function literal that is called in place, or handed to a
// function that calls it at once, inherits the locks; a goroutine starts with none.
//
// # Not reported
//
//   - Waits with a bound: a context with a deadline, a select with a timer, done or default case, a poll with a timeout.
//   - Round trips to an API server or any other server: they end with their client's timeout.
//   - A wait for goroutines of this package none of which needs the lock, and a wait for goroutines that cannot be seen.
//   - Sends to a channel all of whose makes have a buffer, unless the receivers need the lock.
//   - Channels that leave the package's sight: exported fields, arguments, results, elements of slices and maps.
//   - Locks whose Unlock is used as a value, or whose address is kept in another object: who releases them cannot be seen.
//   - A second acquisition after a call that may have put another object on the lock's path; of two parameters that are
//     one object at the call; in the next turn of a loop whose unlock is deferred.
//   - The lock of one key (an element of a map, a lock that a function gives out) or a local variable's lock around slow
//     work for that key.
//   - Locks of elements at unknown indices, locks reached through func-typed fields, and interface calls with more than
//     three implementers in the package or with an interface of another package.
//   - Operations that happen only if a bool parameter has one value, or another one equals a constant such as nil, seen
//     from callers: they choose it.
//   - time.Sleep under a lock, cycles in the order of locks, and locks left behind by a return.
//
// # How to suppress
//
// Say -lockheld=false for the whole rule. With golangci-lint, //nolint:ctrllint // reason on the line.
package lockheld
