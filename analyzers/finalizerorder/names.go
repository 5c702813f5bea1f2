package finalizerorder

import (
	"slices"

	"github.com/ctrllint/ctrllint/internal/kubeapi"
	"github.com/ctrllint/ctrllint/internal/words"
)

// What names say of functions whose bodies are not in sight. They are compared as words.

// begins reports whether the first word of name is one of these, and whether others follow.
func begins(name string, list ...string) (is, more bool) {
	w := words.Of(name)
	return len(w) > 0 && slices.Contains(list, w[0]), len(w) > 1
}

// asksDeletion reports whether the name speaks of a deletion.
func asksDeletion(name string) bool {
	return words.Has(name, "delete", "deleted", "deleting", "deletion", "terminate", "terminated", "terminating", "termination")
}

// asksContained reports whether the name asks for something in a list.
func asksContained(name string) bool {
	return words.Has(name, "contain", "contains", "contained", "has", "exist", "exists", "includes", "present", "index")
}

// asksGone reports whether the name asks, of an error, whether it says that something is not there.
func asksGone(name string) bool {
	w := words.Of(name)
	for i := range w {
		switch w[i] {
		case "gone", "missing", "notfound":
			return true
		case "not":
			if i+1 < len(w) && (w[i+1] == "found" || w[i+1] == "exist") {
				return true
			}
		case "no":
			if i+1 < len(w) && (w[i+1] == "match" || w[i+1] == "kind") {
				return true
			}
		case "already":
			if i+1 < len(w) && w[i+1] == "deleted" {
				return true
			}
		}
	}
	return false
}

// speaksOfFinalizers reports whether the name has the word.
func speaksOfFinalizers(name string) bool { return words.Has(name, "finalizer", "finalizers") }

// addsFinalizer reports whether the name says that a finalizer is added, and removesFinalizer that one is removed.
func addsFinalizer(name string) bool {
	is, _ := begins(name, "add", "ensure", "set", "put", "append", "insert", "with")
	return is && speaksOfFinalizers(name)
}

func removesFinalizer(name string) bool {
	is, _ := begins(name, "remove", "delete", "del", "drop", "clear", "strip", "unset")
	if w := words.Of(name); len(w) > 1 && w[0] == "ensure" {
		is = slices.Contains([]string{"delete", "deleted", "remove", "removed", "no"}, w[1])
	}
	return is && speaksOfFinalizers(name)
}

// shortens reports whether the name of a function that takes a list and gives one says that it leaves something out, and
// lengthens that it puts something in.
func shortens(name string) bool {
	return words.Has(name, "remove", "removed", "delete", "filter", "filtered", "exclude", "excluding", "without", "drop", "reject", "subtract", "difference")
}

func lengthens(name string) bool {
	is, _ := begins(name, "add", "append", "insert", "union", "ensure", "push", "with")
	return is
}

// writesObject reports whether the name of a function that is given a client and an object says that it writes it.
func writesObject(name string) bool {
	is, _ := begins(name, "patch", "update", "apply")
	return is
}

// persistsName reports whether the name says that something in memory is kept.
func persistsName(name string) bool {
	return words.Has(name, "patch", "update", "persist", "save", "close", "apply", "flush", "store") || speaksOfFinalizers(name)
}

// looksOnly reports whether the name says that what is handed over is not written.
func looksOnly(name string) bool {
	is, _ := begins(name, "get", "is", "has", "contains", "key", "list", "set")
	return is || kubeapi.NamesCopy(name)
}

// readsName reports whether the name says that something is looked up, not changed.
func readsName(name string) bool {
	is, _ := begins(name, "get", "list", "describe", "find", "is", "has", "check", "fetch", "lookup", "look", "read", "query", "parse", "new", "build", "make",
		"load", "watch", "wait", "validate", "exists", "marshal", "unmarshal", "convert", "for", "can", "may", "should", "needs", "are", "contains", "count",
		"compare", "diff", "match", "matches", "resolve", "render", "to")
	return is
}

// aboutItself reports whether the name speaks of the bookkeeping of a controller, not of what it looks after.
func aboutItself(name string) bool {
	return words.Has(name, "finalizer", "finalizers", "status", "condition", "conditions", "metric", "metrics", "expectation", "expectations", "event", "events",
		"annotation", "annotations", "label", "labels", "reference", "references", "cache", "caches", "informer", "informers", "watch", "watcher", "watchers", "timestamp", "context", "tracing", "span")
}

// makesName reports whether the name says that something is made, makesNew that it is made anew, and refreshes that it
// may as well be what is there already.
func makesName(name string) bool {
	is, _ := begins(name, "create", "provision", "launch", "allocate", "deploy", "install", "present")
	return is || refreshes(name)
}

func makesNew(name string) bool {
	is, more := begins(name, "create", "provision", "launch", "allocate")
	return is && more
}

func refreshes(name string) bool {
	is, more := begins(name, "reconcile", "ensure", "register", "attach", "import", "run", "add", "bind")
	return is && more
}

// awaits reports whether the name of an operation's method says that it is waited for, or asked how far it is.
func awaits(name string) bool {
	is, _ := begins(name, "wait", "poll", "done", "cancel", "result", "name", "metadata", "resume", "status")
	return is
}

// isFinal reports whether the text speaks of the end of an object.
func isFinal(text string) bool {
	return asksDeletion(text) || words.Has(text, "remove", "removed", "removing", "finalize", "finalizing", "finalized", "finalizer", "destroy", "destroyed",
		"destroying", "release", "released", "releasing", "clean", "cleaning", "cleanup", "gone", "uninstall", "uninstalled", "uninstalling")
}

// takesOver reports whether the name of a function may mean that it sees to all that an object needs.
func takesOver(name string) bool {
	is, _ := begins(name, "reconcile", "handle", "process", "sync", "run", "do", "execute", "ensure", "apply", "operate", "manage", "on", "serve", "call", "invoke", "update")
	return is || isFinal(name) || asksDeletion(name)
}
