package loop

import (
	"context"
	"time"

	"k8s.io/klog/v2"
)

type halter interface{ Halt() error }

// log goes on when stop is closed, as it knows itself that it may be.
func log(lines chan string, stop chan bool) {
	for {
		select {
		case l := <-lines:
			klog.Info(l)
		case _, ok := <-stop: // want loop "case <-stop does not leave the loop: once it is closed, the loop in log busy-waits forever; return, or break out of the loop"
			if !ok {
				klog.Info("stopped")
			}
		}
	}
}

func logOne(lines chan string) {
	for {
		l, ok := <-lines // want loop "<-lines does not leave the loop: once it is closed, the loop in logOne busy-waits forever; return, or break out of the loop"
		if !ok {
			continue
		}
		klog.Info(l)
	}
}

// logBoth never asks a closed channel again.
func logBoth(a, b chan string) {
	for a != nil || b != nil {
		select {
		case l, ok := <-a: // ok: set to nil
			if !ok {
				a = nil
				continue
			}
			klog.Info(l)
		case l, ok := <-b:
			if !ok {
				b = nil
				continue
			}
			klog.Info(l)
		}
	}
}

// logSlowly asks a closed channel once a second.
func logSlowly(lines chan string) {
	for {
		l, ok := <-lines // ok: it does not spin
		if !ok {
			time.Sleep(time.Second)
			continue
		}
		klog.Info(l)
	}
}

// halts ends the process where it cannot halt, and goes on forever where it can.
func halts(ctx context.Context, h halter) {
	for {
		select {
		case <-ctx.Done(): // want loop "<-ctx.Done() does not leave the loop: once ctx is done, the loop in halts busy-waits forever; return, or break out of the loop"
			if err := h.Halt(); err != nil {
				klog.Fatal(err)
			}
		}
	}
}

// dies ends the process.
func dies(ctx context.Context, h halter) {
	for {
		select {
		case <-ctx.Done(): // ok
			if err := h.Halt(); err != nil {
				klog.Error(err)
			}
			klog.Fatal("done")
		}
	}
}
