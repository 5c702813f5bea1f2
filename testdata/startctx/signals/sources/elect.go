package sources

import (
	"context"
	"os"
)

// Elect ends the process with ctx.
func Elect(ctx context.Context) {
	go func() {
		<-ctx.Done()
		os.Exit(0)
	}()
}
