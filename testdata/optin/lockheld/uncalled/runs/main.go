// Command runs runs agents, and calls some of them.
package main

import "example.com/operators/optin/lockheld/uncalled/agent"

func main() {
	stop, synced := make(chan struct{}), func() bool { return true }
	agent.New(stop, synced).Sync()
	agent.NewHidden(stop, synced).Sync()
	agent.Run(stop, synced)
}
