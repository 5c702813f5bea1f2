// Package oracle holds what the rules say of small programs against what these programs do.
//
// [Generate] makes a [Program] from bytes: a few functions with locks, channels, contexts and goroutines; [GenerateWide] makes
// one with more shapes. [Emit] writes
// it as Go, for the rules and for real runs; [Explore] walks all its schedules, and so knows whether it can hang, where
// and for which reason; [Rules] are the rules, run on the text. [Compare] finds where the two contradict each other, in both
// directions, and [Shrink] makes the program as small as the contradiction allows. A [Runner] executes programs, so that the
// exploration itself is held against Go.
//
// # What a certain finding promises
//
// A function is judged by itself, with any values of its bool parameters, and each wait in it may end; what its callees do
// follows from the arguments that it hands them. Of a finding whose confidence is certain, Compare demands:
//
//   - relock: some way through the function takes the lock at that place, or below the calls that are named, while the same
//     goroutine has it, not both times for reading.
//   - leak: some way through the function returns with a lock that it took itself; and if every way out has it and the
//     finding says that nothing in the package, or nobody where a caller gets it, releases it, some goroutine of the program
//     ends with it, or comes for it again and waits for itself.
//   - blocking, "needs the same lock": a schedule, with any values of bool arguments, stops there for good with the lock
//     held; or no goroutine of the program can come to an operation that ends the wait without taking the lock first.
//   - blocking, "the package has no": the same, or no operation in the whole program ends the wait.
//
// The lock of an object that a function has made, and that nobody has any more when it returns, is no leak. What a wait for an
// item's channel, or for a wait group, needs is said by schedules alone: which object it is, and which goroutines the group has,
// is not in the text. Where no schedule comes to the wait, or to what could end it, such a finding is not decided.
//
// What lies behind another certain deadlock on every way is not decided, and counted as such: it shows when the first one
// is fixed. Bools have any value: parameters, what a callee gives back, and in a loop, each time, a parameter whose test
// the rules do not remember from one turn to the next.
//
// # What the rules promise to find
//
// Of a program that hangs in some schedule, with the arguments that it has, Compare demands a finding for each goroutine that
// waits forever:
//
//   - relock: it waits for a lock that it has itself. The finding may name any call on its stack, or be that of a function
//     which left the lock behind.
//   - leak: it waits for a lock whose owner has ended, and some function that takes that lock itself returns with it: always,
//     so that a goroutine ends with it, or on one way while it releases it on another one.
//   - order: it is part of a circle of goroutines each of which waits for a lock of the next one.
//   - blocking: it waits for a channel without a buffer, a group or a condition with a lock that every other goroutine needs
//     before it can end that wait, and one of them waits for that lock. An item's channel has to be the same one.
//
// Everything else that hangs is not promised: a wait that a goroutine could end without the lock, only not often enough or
// too late, one for a context that never ends, alone or among others, and one without any lock. Nor is a hang that the
// analysis is blind to, each for one of these reasons, which are counted by name:
//
//   - on-some-ways: no function has the lock on every way that comes to the place, as far as calls, judged by themselves, say
//     so; or a function keeps it on some ways and releases it on none.
//   - chosen: what happens below the function that has the lock depends on a bool parameter, and is given none but a
//     parameter of that function itself.
//   - handed-on: some function releases such a lock without having taken it, or once more than it can have taken it, or gives
//     back the method that releases it.
//   - own-function: the function that waits, or the one that has the lock, is also where the wait could be ended: in another
//     call of it, the lock may be behind. Or whoever could end it waits for the goroutine of that function first.
//   - behind-trylock: what ends the wait comes behind a TryLock, which does not wait.
//   - one-type: two of the locks in a circle are fields of one struct type behind pointers.
//
// # Disagreements
//
// What is known not to fit lies in testdata/known, each with a program as small as [Shrink] makes it, and with the reason.
// The tests fail at any other one, and at one that does not show any more. A [Disagreement] has tags, which tell apart
// where it comes from; a [Known] one covers those that have all of its tags.
//
// # What the programs are made of
//
// Mutex and RWMutex in fields, embedded, in structs by value and behind pointers, and in package variables; Lock, RLock,
// TryLock, TryRLock, releases inline, deferred, deferred in a literal and in methods of their own; condition variables, wait
// groups with Add and with Go; channels with and without a buffer, closed and ranged over; select with a default case, with
// several channels and with a context; contexts without an end, with a cancel function and with a timeout; calls up to
// three deep, plain, deferred, by method values, through interfaces, of function literals in place and on goroutines; bool
// parameters and results, flags, early returns and loops of two turns. What an informer or an API server does is not
// among it, and so of unboundedsync only what it says of the standard library.
//
// Wide programs have, besides, function literals in variables that take a lock where a parameter or a flag says so; items, which
// are objects of a second type with a lock, a channel and a condition, made by New or by a function that can fail, and given to
// functions and goroutines whole or as the channel alone; locks that are released by what the function that takes them gives
// back, a function or a guard, by the caller of that function, or by the function or goroutine that is called with the lock held;
// wait groups in fields, filled and waited for in different functions; and a list of subscribers that are told under a lock.
// Conditions can lie in an object whose constructor is given the lock, and can be waited for in methods.
package oracle
