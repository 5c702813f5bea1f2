// Command heard is a program with handlers that write to what they are given, and with others who see it, or nobody.
package main

import (
	_ "example.com/operators/cachemutation/heard/reads"
	_ "example.com/operators/cachemutation/heard/watch"
)

func main() {}
