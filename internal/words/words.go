// Package words helps to write for people: numbers with their nouns, times, shares, lengths and sizes, and suggestions
// of what a writer may have meant.
package words

import (
	"fmt"
	"strings"
)

// maxWord bounds the words that are compared: longer ones are no misspelt keys.
const maxWord = 64

// Distance counts the insertions, deletions, substitutions and swaps of neighbours that turn a
// into b. For words that are too long to be misspelt it returns the most that it can be.
func Distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	if len(s) > maxWord || len(t) > maxWord {
		return max(len(s), len(t))
	}
	before, row, next := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := range s {
		next[0] = i + 1
		for j := range t {
			cost := 1
			if s[i] == t[j] {
				cost = 0
			}
			next[j+1] = min(next[j]+1, row[j+1]+1, row[j]+cost)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(t)]
}

// Name returns the word for value i of a kind that has a word for each.
func Name(words []string, kind string, i int) string {
	if i < 0 || i >= len(words) {
		return fmt.Sprintf("%s(%d)", kind, i)
	}
	return words[i]
}

// Or returns "a, b or c".
func Or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
