// Command transformed is a program with all that is below.
package main

import _ "example.com/operators/cachemutation/transformed/adapter"

func main() {}
