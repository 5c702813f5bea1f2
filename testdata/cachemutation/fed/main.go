// Command fed is a program with feeds, and with others who see what they have, or nobody.
package main

import _ "example.com/operators/cachemutation/fed/watch"

func main() {}
