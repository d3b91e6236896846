package solve

// resized returns a slice of n elements, the given one if it is long enough. Its contents are whatever they were.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/4)[:n]
	}
	return s[:n]
}
