// Package repro has programs that hang, corrupt a cache, lose a write or do not come to rest, and their good twins that
// do not. They show that the labels of the examples are facts: the code that a rule reports is the code that is run.
//
// Each folder repro/<rule>/<case> is a small package. Its bad.go has the bug, with the finding that is wanted there; its
// good.go has the same functions without it, and no finding is wanted. The test of the rule runs both with one main
// function, and demands that the bad code hangs where the rule says so, and that the good code ends. That something
// hangs is the runtime's word, never a time-out alone; that a cache has changed is client-go's:
//
//   - Locks only: each program is a process of its own. The runtime ends it with "all goroutines are asleep - deadlock!",
//     and the traceback shows who waits for what. It looks for deadlocks in programs without cgo only, so client-go,
//     which needs package net, cannot be in them.
//   - Channels, contexts and caches: a bubble of testing/synctest, where hours pass in no time. Afterwards the goroutine
//     is still there, blocked, and the bubble cannot end. A Runnable is run by a manager, which says by itself that it
//     gave up waiting for it.
//   - Both at once (lockheld/synced): real time, because a mutex stops the clock of a bubble. Tracebacks show each
//     goroutine waiting for what only the other one can do.
//   - A loop that spins (startctx/leaves) is counted: it has looked a thousand times at a context that had ended, where
//     its twin returns at the first look.
//   - Objects in a cache (cachemutation): each program is a process of its own, with informers over a fake server. The
//     mutation detector of client-go, switched on by its environment variable, ends it with "cache *v1.Node modified".
//     The same program ends well without the detector: nobody else notices.
//   - Requests (requestobject): controller-runtime's fake client, which takes the status and the rest apart as an API server
//     does. The bad code reports success, and what it has written is not stored, or fails for good.
//   - Passes of a reconciler (churn, losterror): a manager over the fake client, in a bubble. Each change is an event
//     for the watch of the reconciler. The bad code runs again although nobody else has written, or it does not,
//     although its request has failed. The passes are counted.
//   - Caches and clients of controller-runtime (cachescope): an HTTP server on loopback records the requests, and refuses
//     some. Besides a program that hangs there are tests of what a read through the cache asks the server for, on which
//     the rule rests. Real time, a few seconds: how long client-go waits between two lists cannot be set.
//
// Package process makes the processes, package stuck reads tracebacks, package apiserver stands in for API servers,
// package managed runs managers. Run them with
//
//	go test ./repro/...
//
// in this module; internal/repro of the main module does so too, and compares the findings.
package repro

// What tests alone import is left out of the findings, and these are to be found.
import (
	_ "example.com/operators/repro/apiserver"
	_ "example.com/operators/repro/cachemutation/alias"
	_ "example.com/operators/repro/cachemutation/callee"
	_ "example.com/operators/repro/cachemutation/deep"
	_ "example.com/operators/repro/cachemutation/disabled"
	_ "example.com/operators/repro/cachemutation/returned"
	_ "example.com/operators/repro/cachemutation/shallow"
	_ "example.com/operators/repro/cachemutation/write"
	_ "example.com/operators/repro/cachescope/hang"
	_ "example.com/operators/repro/churn/loop"
	_ "example.com/operators/repro/churn/maporder"
	_ "example.com/operators/repro/churn/pointer"
	_ "example.com/operators/repro/lockheld/condition"
	_ "example.com/operators/repro/lockheld/handover"
	_ "example.com/operators/repro/lockheld/leak"
	_ "example.com/operators/repro/lockheld/order"
	_ "example.com/operators/repro/lockheld/reader"
	_ "example.com/operators/repro/lockheld/relock"
	_ "example.com/operators/repro/lockheld/workers"
	_ "example.com/operators/repro/losterror/nilreturned"
	_ "example.com/operators/repro/losterror/unhandled"
	_ "example.com/operators/repro/managed"
	_ "example.com/operators/repro/process"
	_ "example.com/operators/repro/requestobject/lost"
	_ "example.com/operators/repro/startctx/ignored"
	_ "example.com/operators/repro/startctx/leaves"
	_ "example.com/operators/repro/startctx/sleeps"
	_ "example.com/operators/repro/stuck"
	_ "example.com/operators/repro/unboundedsync/neverstarted"
	_ "example.com/operators/repro/unboundedsync/startup"
)
