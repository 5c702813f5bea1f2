package example
