// Package tags reads what is written on trees.
package tags

import "errors"

// Height is the number that a tag says.
func Height(tag string) (int, error) {
	if tag == "" {
		return 0, errors.New("it says nothing")
	}
	return len(tag), nil
}
