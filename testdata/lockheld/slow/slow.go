// Package slow lets everybody wait for a while who wants a lock. What ends by itself, by a deadline or a server's
// answer, is reported only where it is asked for.
package slow

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type cluster struct {
	mu     sync.Mutex
	reader client.Client
	kube   kubernetes.Interface
	synced cache.InformerSynced
	n      int
}

// Read asks a client that may have a cache behind it.
func (c *cluster) Read(ctx context.Context, key client.ObjectKey) error { // want Read:"locks p0.mu; is slow in c.reader.Get"
	c.mu.Lock()
	defer c.mu.Unlock()
	var pod corev1.Pod
	if err := c.reader.Get(ctx, key, &pod); err != nil { // ok: a round trip
		return err
	}
	return c.reader.Status().Update(ctx, &pod) // ok: a round trip
}

// List asks an API server.
func (c *cluster) List(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	pods, err := c.kube.CoreV1().Pods("").List(ctx, metav1.ListOptions{}) // ok: a round trip
	if err == nil {
		c.n = len(pods.Items)
	}
	return err
}

// Fetch asks any server.
func (c *cluster) Fetch(url string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	resp, err := http.Get(url) // want blocking/possible "c.mu (locked at line 53) is held across http.Get, which may block forever waiting for a server to respond (it takes no context): (*cluster).Child cannot acquire the lock meanwhile; unlock first" @53 "c.mu is locked here"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Dial connects to one.
func (c *cluster) Dial(address string) (net.Conn, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return net.DialTimeout("tcp", address, time.Second) // ok: a round trip
}

// Sleep lets the others sleep as well, but once.
func (c *cluster) Sleep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	time.Sleep(time.Second) // ok: ends by itself
	c.n++
}

// Timer waits for one.
func (c *cluster) Timer() {
	c.mu.Lock()
	defer c.mu.Unlock()
	<-time.After(time.Second) // ok: ends by itself
	t := time.NewTimer(time.Second)
	<-t.C // ok: ends by itself
}

// Synced waits until a deadline.
func (c *cluster) Synced(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	return cache.WaitForCacheSync(ctx.Done(), c.synced) // ok: a deadline
}

// Poll waits until its own timeout.
func (c *cluster) Poll(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(context.Context) (bool, error) { // ok: a timeout
		return c.n > 0, nil
	})
}

// Select gives up after a while.
func (c *cluster) Select(in <-chan int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case c.n = <-in: // ok: the timer
		return true
	case <-time.After(time.Second):
		return false
	}
}

// Child is killed at the deadline.
func (c *cluster) Child(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	return exec.CommandContext(ctx, name).Run() // ok: a deadline
}

// Spawn starts a child and does not wait for it.
func (c *cluster) Spawn(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	cmd := exec.Command(name)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // ok: a goroutine
	return nil
}

// ChildForever has no deadline, and ends by itself.
func (c *cluster) ChildForever(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return exec.Command(name).Run() // ok: slow
}
