// Package must ends a program on an error, for programs that are short.
package must

import "log"

// Do ends the program on an error.
func Do(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Get returns a value, or ends the program on an error.
func Get[T any](value T, err error) T {
	Do(err)
	return value
}
