package shape

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/r3"
)

// letterHeight is the height of letters in the numbers below. Strokes are 2 wide.
const letterHeight = 10

// letters are drawn here for the purpose: loops divided by bars, the outer one first.
var letters = map[rune]string{
	'A': "0,0 2,0 2.6,2 5.4,2 6,0 8,0 5,10 3,10 | 3.2,4 4.8,4 4,6.5",
	'B': "0,0 5,0 6,1 6,4 5,5 6,6 6,9 5,10 0,10 | 2,2 4,2 4,4 2,4 | 2,6 4,6 4,8 2,8",
	'C': "1,0 5,0 6,1 6,3 4,3 4,2 2,2 2,8 4,8 4,7 6,7 6,9 5,10 1,10 0,9 0,1",
	'D': "0,0 4,0 6,2 6,8 4,10 0,10 | 2,2 3.2,2 4,2.8 4,7.2 3.2,8 2,8",
	'E': "0,0 6,0 6,2 2,2 2,4 5,4 5,6 2,6 2,8 6,8 6,10 0,10",
	'F': "0,0 2,0 2,4 5,4 5,6 2,6 2,8 6,8 6,10 0,10",
	'G': "1,0 5,0 6,1 6,5 3,5 3,3.5 4,3.5 4,2 2,2 2,8 4,8 4,7 6,7 6,9 5,10 1,10 0,9 0,1",
	'H': "0,0 2,0 2,4 4,4 4,0 6,0 6,10 4,10 4,6 2,6 2,10 0,10",
	'I': "0,0 2,0 2,10 0,10",
	'J': "1,0 5,0 6,1 6,10 4,10 4,2 2,2 2,3 0,3 0,1",
	'K': "0,0 2,0 2,4 4,0 6.2,0 3.6,5 6.2,10 4,10 2,6 2,10 0,10",
	'L': "0,0 6,0 6,2 2,2 2,10 0,10",
	'M': "0,0 2,0 2,6 4,3 6,6 6,0 8,0 8,10 6,10 4,7 2,10 0,10",
	'N': "0,0 2,0 2,6 5,0 7,0 7,10 5,10 5,4 2,10 0,10",
	'O': "1,0 5,0 6,1 6,9 5,10 1,10 0,9 0,1 | 2,2 4,2 4,8 2,8",
	'P': "0,0 2,0 2,4 5,4 6,5 6,9 5,10 0,10 | 2,6 4,6 4,8 2,8",
	'Q': "1,0 4.2,0 5.4,-1.2 6.8,0.2 6,1 6,9 5,10 1,10 0,9 0,1 | 2,2 4,2 4,8 2,8",
	'R': "0,0 2,0 2,4 2.7,4 4,0 6,0 4.8,4 6,5 6,9 5,10 0,10 | 2,6 4,6 4,8 2,8",
	'S': "1,0 5,0 6,1 6,5 5,6 2,6 2,8 4,8 4,7 6,7 6,9 5,10 1,10 0,9 0,5 1,4 4,4 4,2 2,2 2,3 0,3 0,1",
	'T': "2.5,0 4.5,0 4.5,8 7,8 7,10 0,10 0,8 2.5,8",
	'U': "1,0 5,0 6,1 6,10 4,10 4,2 2,2 2,10 0,10 0,1",
	'V': "3,0 5,0 8,10 6,10 4,3.5 2,10 0,10",
	'W': "2,0 3.6,0 5,4 6.4,0 8,0 10,10 8,10 6.9,4 5.7,7.5 4.3,7.5 3.1,4 2,10 0,10",
	'X': "0,0 2.3,0 3.5,3 4.7,0 7,0 4.7,5 7,10 4.7,10 3.5,7 2.3,10 0,10 2.3,5",
	'Y': "2.5,0 4.5,0 4.5,4 7,10 4.8,10 3.5,6.4 2.2,10 0,10 2.5,4",
	'Z': "0,0 6,0 6,2 2.6,2 6,8 6,10 0,10 0,8 3.4,8 0,2",
	'0': "2,0 4,0 6,2 6,8 4,10 2,10 0,8 0,2 | 2.6,2 3.4,2 4,2.8 4,7.2 3.4,8 2.6,8 2,7.2 2,2.8",
	'1': "0.5,0 5.5,0 5.5,2 4,2 4,10 2.4,10 0.5,8.4 0.5,6.4 2,7.4 2,2 0.5,2",
	'2': "0,0 6,0 6,2 2.8,2 6,5.4 6,9 5,10 1,10 0,9 0,7 2,7 2,8 4,8 4,6.2 0,2",
	'3': "1,0 5,0 6,1 6,4 5,5 6,6 6,9 5,10 1,10 0,9 0,7 2,7 2,8 4,8 4,6 2.5,6 2.5,4 4,4 4,2 2,2 2,3 0,3 0,1",
	'4': "4,0 6,0 6,2 7,2 7,4 6,4 6,10 4,10 0,4 0,2 4,2 | 2.4,4 4,4 4,6.4",
	'5': "1,0 5,0 6,1 6,5 5,6 2,6 2,8 6,8 6,10 0,10 0,4 4,4 4,2 2,2 2,3 0,3 0,1",
	'6': "1,0 5,0 6,1 6,5 5,6 2,6 2,8 4,8 4,7 6,7 6,9 5,10 1,10 0,9 0,1 | 2,2 4,2 4,4 2,4",
	'7': "1.5,0 3.6,0 6,8 6,10 0,10 0,8 3.9,8",
	'8': "1,0 5,0 6,1 6,4 5,5 6,6 6,9 5,10 1,10 0,9 0,6 1,5 0,4 0,1 | 2,2 4,2 4,4 2,4 | 2,6 4,6 4,8 2,8",
	'9': "5,10 1,10 0,9 0,5 1,4 4,4 4,2 2,2 2,3 0,3 0,1 1,0 5,0 6,1 6,9 | 2,6 4,6 4,8 2,8",
}

// Letter returns the outline of a letter from A to Z or a digit, upright in the xy plane, with its lower left corner at
// the origin (the tail of Q goes below) and the given height [m]. Its strokes are a fifth of that wide.
func Letter(letter rune, height float64) (Outline, error) {
	drawn, ok := letters[letter]
	if !ok {
		return Outline{}, fmt.Errorf("the letter %q is not drawn; write A to Z or 0 to 9", letter)
	}
	if !(height > 0) {
		return Outline{}, fmt.Errorf("a letter of %g m; its height must be positive", height)
	}
	var loops [][]r3.Vec2
	for _, loop := range strings.Split(drawn, "|") {
		var points []r3.Vec2
		for _, p := range strings.Fields(loop) {
			x, y, _ := strings.Cut(p, ",")
			points = append(points, r3.Vec2{X: drawnLength(x), Y: drawnLength(y)}.Scale(height))
		}
		loops = append(loops, points)
	}
	return Outline{Outer: loops[0], Holes: loops[1:]}, nil
}

// drawnLength reads a number of letters, in heights of a letter.
func drawnLength(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("shape: a letter is drawn to %q", s))
	}
	return x / letterHeight
}
