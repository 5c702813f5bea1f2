// Package parts runs what nobody asks to stop.
package parts

import (
	"context"

	"example.com/operators/optin/startctx/uncalled/loops"
)

// Run is a part of the program.
func Run(jobs chan int) {
	go func() { loops.Idle(context.Background(), jobs) }()
}
