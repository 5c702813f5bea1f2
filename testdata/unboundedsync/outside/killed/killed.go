// Package killed ends its commands by itself.
package killed

import (
	"os/exec"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// Work takes one off the queue.
func Work(queue workqueue.TypedRateLimitingInterface[string]) {
	key, _ := queue.Get()
	defer queue.Done(key)
	cmd := exec.Command("helm", "install", key)
	time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	_ = cmd.Run() // ok: it is killed after a time
}
