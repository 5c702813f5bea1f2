// Package lastly has commands that are all of the process.
package lastly

import (
	"context"

	"github.com/spf13/cobra"
	"k8s.io/klog/v2"
)

// Command makes the command.
func Command(reports <-chan string) *cobra.Command {
	cmd := &cobra.Command{Use: "shim", Run: func(*cobra.Command, []string) {
		if err := run(reports); err != nil {
			panic(err)
		}
	}}
	cmd.AddCommand(&cobra.Command{Use: "twice", Run: func(*cobra.Command, []string) {
		first(reports)
		serve()
	}})
	return cmd
}

// run is the command in all but name.
func run(reports <-chan string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for {
			select {
			case r := <-reports:
				klog.Info(r)
			case <-ctx.Done(): // ok: the process ends
				break
			}
		}
	}()
	return serve()
}

// first is not the last.
func first(reports <-chan string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for {
			select {
			case r := <-reports:
				klog.Info(r)
			case <-ctx.Done(): // want loop "case <-WithCancel().Done() does not leave the loop: once the context is done, the loop in first busy-waits forever; return, or break out of the loop"
				break
			}
		}
	}()
	return serve()
}

func serve() error { return nil }
