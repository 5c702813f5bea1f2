package kubeapi

import "go/types"

// A QueueOp is what a method of a work queue does.
type QueueOp string

// Methods of work queues.
const (
	QueueAdd            QueueOp = "Add"
	QueueAddAfter       QueueOp = "AddAfter"
	QueueAddRateLimited QueueOp = "AddRateLimited"
	QueueDone           QueueOp = "Done"
	QueueForget         QueueOp = "Forget"
	QueueGet            QueueOp = "Get"
	QueueLen            QueueOp = "Len"
)

// QueueOpOf returns what fn does, a method of the package of work queues; "" for other functions.
func QueueOpOf(fn *types.Func) QueueOp {
	if !OfWorkqueue(fn) || fn.Signature().Recv() == nil {
		return ""
	}
	return QueueOp(fn.Name())
}

// AddsNow reports whether op adds a key at once.
func (op QueueOp) AddsNow() bool { return op == QueueAdd || op == QueueAddRateLimited }

// Adds reports whether op adds a key, if only after a time.
func (op QueueOp) Adds() bool { return op.AddsNow() || op == QueueAddAfter }

// ShutsDown reports whether op ends the calls of Get.
func (op QueueOp) ShutsDown() bool { return op == "ShutDown" || op == queueDrain }

// Drains reports whether op waits for the keys that are under way.
func (op QueueOp) Drains() bool { return op == queueDrain }

// queueDrain waits for the keys that are under way.
const queueDrain = "ShutDownWithDrain"

// OfWorkqueue reports whether fn is a function or method of the package of work queues.
func OfWorkqueue(fn *types.Func) bool { return SymbolOf(fn).Pkg == Workqueue }

// InWorkqueue reports whether t, or what it points to, is a type that client-go's package of work queues declares.
func InWorkqueue(t types.Type) bool { return NameIn(t, Workqueue) != "" }
