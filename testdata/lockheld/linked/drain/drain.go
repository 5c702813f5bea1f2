// Package drain takes what comes.
package drain

import "fmt"

// A Counter knows how many were sent.
type Counter interface{ Sent() int }

// Report asks for each number how many there were.
func Report(c Counter, in <-chan int) {
	for n := range in {
		fmt.Println(n, c.Sent())
	}
}

// Print only prints.
func Print(in <-chan int) {
	for n := range in {
		fmt.Println(n)
	}
}
