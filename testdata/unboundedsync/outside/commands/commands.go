// Package commands has the worker of a queue that runs commands.
package commands

import (
	"bytes"
	"context"
	"os/exec"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/workqueue"
)

// A Worker works off a queue.
type Worker struct {
	queue workqueue.TypedRateLimitingInterface[string]
	dir   string
}

// Work takes one off the queue.
func (w *Worker) Work(ctx context.Context) bool {
	key, quit := w.queue.Get()
	if quit {
		return false
	}
	defer w.queue.Done(key)
	for _, do := range []func(context.Context, string) error{w.clone, w.version, w.inTime, w.timed, w.list, w.local, w.together} {
		if do(ctx, key) != nil {
			w.queue.AddRateLimited(key)
		}
	}
	w.hook(key)
	return true
}

func (w *Worker) git(args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...) // want outside "exec.Command takes no context, and cmd.Run (commands.go:50) waits for the command to end: one that never does keeps the worker for good" @43 "waits here" @87 "so it is here" @82 "so it is here"
	cmd.Dir = w.dir
	return cmd
}

func (w *Worker) clone(_ context.Context, key string) error {
	_, err := output(w.git("clone", key))
	return err
}

func output(cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout = &out
	return out.Bytes(), cmd.Run()
}

func (w *Worker) version(context.Context, string) error {
	return exec.Command("helm", "version").Run() // ok: it is the same each time, whatever there is to do
}

func (w *Worker) inTime(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return exec.CommandContext(ctx, "helm", "install", key).Run() // ok: it has a deadline
}

func (w *Worker) timed(_ context.Context, key string) error {
	if err := exec.Command("timeout", "10", "helm", "install", key).Run(); err != nil { // ok: another command ends it
		return err
	}
	return exec.Command("helm", "install", "--timeout=5m", key).Run() // ok: it is told of a limit
}

func (w *Worker) list(ctx context.Context, key string) error {
	return exec.CommandContext(ctx, "helm", "list", key).Run() // ok: it ends with the context
}

func (w *Worker) local(_ context.Context, key string) error {
	if err := exec.Command("/bin/cp", key, w.dir).Run(); err != nil { // ok: it works on files
		return err
	}
	return exec.Command("nsenter", "-t", "1", "--", "stat", key).Run() // ok: the same of one that another command runs
}

func (w *Worker) together(_ context.Context, key string) error {
	cmd := exec.CommandContext(context.Background(), "helm", "upgrade", key) // ok: the package is told of once
	return cmd.Run()
}

func (w *Worker) look(context.Context) {
	_ = exec.Command("helm", "status", w.dir).Run() // ok: the package is told of once
}

// Watch looks after what is installed.
func (w *Worker) Watch(ctx context.Context) { wait.UntilWithContext(ctx, w.look, time.Minute) }

func (w *Worker) hook(key string) {
	go func() {
		_ = exec.Command("helm", "test", key).Run() // ok: no worker waits for it
	}()
}
