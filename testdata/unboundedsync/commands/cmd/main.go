// Command cmd installs something, and looks after it then.
package main

import (
	"context"
	"time"

	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"example.com/operators/unboundedsync/commands"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := commands.Install(ctx); err != nil {
		klog.Fatal(err)
	}
	if err := commands.Patiently(ctx); err != nil {
		klog.Fatal(err)
	}
	if err := commands.Within(ctx); err != nil {
		klog.Fatal(err)
	}
	commands.Over(ctx)
	commands.Kept(ctx)
	if err := commands.Counted(ctx); err != nil {
		klog.Fatal(err)
	}
	commands.Until(ctx, time.Now().Add(time.Minute))
	commands.Drained(ctx, workqueue.New())
	commands.Stale(ctx, time.Now().Add(time.Minute))
	if err := (&commands.Tool{}).Use(ctx); err != nil {
		klog.Fatal(err)
	}
	if err := (&commands.Bench{}).Use(ctx); err != nil {
		klog.Fatal(err)
	}
	for ctx.Err() == nil {
		if err := commands.Again(ctx); err != nil {
			klog.Error(err)
		}
	}
}
