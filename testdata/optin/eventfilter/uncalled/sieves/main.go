// Command sieves is a program with two controllers, which knows nothing of a cluster itself.
package main

import "example.com/operators/optin/eventfilter/uncalled/sieves/wiring"

func main() { wiring.Run() }
