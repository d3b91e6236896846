// Lanes writes the assembly of internal/lanes: go run . from tools/lanes. Nothing in it fuses a product with a sum, and
// every lane adds up in the order of the loop in plain.go, so that both give the same bits.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const lane = 8 // bytes of a number

func main() {
	ConstraintExpr("!purego")
	for _, width := range []int{4, 8, 12} {
		sums(width)
		columns(width)
	}
	forward()
	back()
	add()
	processor()
	Generate()
}

// sums writes the products of three rows with so many others.
func sums(width int) {
	TEXT(fmt.Sprintf("sums%d", width), NOSPLIT, "func(s *[36]float64, xt, lt *float64, ls, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("sums%d is Sums for %d columns, n > 0.", width, width))
	s := Load(Param("s"), GP64())
	xt := Load(Param("xt"), GP64())
	lt := Load(Param("lt"), GP64())
	ls := Load(Param("ls"), GP64())
	n := Load(Param("n"), GP64())
	SHLQ(Imm(3), ls)
	vectors := width / 4
	acc := zeros(vectors)
	next := fmt.Sprintf("next%d", width)
	Label(next)
	addProducts(acc, lt, [3]Mem{{Base: xt}, {Base: xt, Disp: lane}, {Base: xt, Disp: 2 * lane}})
	ADDQ(ls, lt)
	ADDQ(ls, xt)
	DECQ(n)
	JNZ(LabelRef(next))
	// rows of twelve
	for r := range acc {
		for v, a := range acc[r] {
			VMOVUPD(a, Mem{Base: s, Disp: lane * (12*r + 4*v)})
		}
	}
	VZEROUPPER()
	RET()
}

// zeros returns sums that begin at zero, of three rows.
func zeros(vectors int) (acc [3][]reg.VecVirtual) {
	for r := range acc {
		for range vectors {
			a := YMM()
			VXORPD(a, a, a)
			acc[r] = append(acc[r], a)
		}
	}
	return acc
}

// addProducts adds the products of three numbers with the vectors at l.
func addProducts(acc [3][]reg.VecVirtual, l reg.Register, x [3]Mem) {
	var row []reg.VecVirtual
	for v := range acc[0] {
		y := YMM()
		VMOVUPD(Mem{Base: l, Disp: 4 * lane * v}, y)
		row = append(row, y)
	}
	one, product := YMM(), YMM()
	for r := range acc {
		VBROADCASTSD(x[r], one)
		for v := range acc[r] {
			VMULPD(one, row[v], product)
			VADDPD(product, acc[r][v], acc[r][v])
		}
	}
}

// columns writes the solve of a block column for so many rows.
func columns(width int) {
	TEXT(fmt.Sprintf("columns%d", width), NOSPLIT,
		"func(xt, lt *float64, ls int, l *float64, stride, n int, pivot *[6]float64)")
	Pragma("noescape")
	Doc(fmt.Sprintf("columns%d is Columns for %d rows.", width, width))
	xt := Load(Param("xt"), GP64())
	ls := Load(Param("ls"), GP64())
	l0 := Load(Param("l"), GP64())
	stride := Load(Param("stride"), GP64())
	n := Load(Param("n"), GP64())
	SHLQ(Imm(3), ls)
	SHLQ(Imm(3), stride)
	l1, l2 := rowsAfter(l0, stride)
	vectors := width / 4
	acc := zeros(vectors)
	p := GP64()
	XORQ(p, p)
	TESTQ(n, n)
	done, next := fmt.Sprintf("summed%d", width), fmt.Sprintf("column%d", width)
	JZ(LabelRef(done))
	Label(next)
	addProducts(acc, xt, [3]Mem{
		{Base: l0, Index: p, Scale: 8}, {Base: l1, Index: p, Scale: 8}, {Base: l2, Index: p, Scale: 8},
	})
	ADDQ(ls, xt)
	INCQ(p)
	CMPQ(p, n)
	JLT(LabelRef(next))
	Label(done)
	// xt is at the column to be solved; so is lt
	pivot := Load(Param("pivot"), GP64())
	lt := Load(Param("lt"), GP64())
	IMULQ(ls, n)
	ADDQ(n, lt)
	for v := range vectors {
		a, b, c := acc[0][v], acc[1][v], acc[2][v]
		value, scale := YMM(), YMM()
		at := func(base reg.Register, column int) Mem {
			m := Mem{Base: base, Disp: 4 * lane * v}
			if column > 0 {
				m.Index, m.Scale = ls, uint8(column)
			}
			return m
		}
		// a = F₀ - s₀, b = F₁ - s₁ - a l₁₀, c = F₂ - s₂ - a l₂₀ - b l₂₁
		for column, sum := range []reg.VecVirtual{a, b, c} {
			VMOVUPD(at(xt, column), value)
			VSUBPD(sum, value, sum)
		}
		VBROADCASTSD(Mem{Base: pivot}, scale)
		VMULPD(scale, a, value)
		VSUBPD(value, b, b)
		VBROADCASTSD(Mem{Base: pivot, Disp: lane}, scale)
		VMULPD(scale, a, value)
		VSUBPD(value, c, c)
		VBROADCASTSD(Mem{Base: pivot, Disp: 2 * lane}, scale)
		VMULPD(scale, b, value)
		VSUBPD(value, c, c)
		// as they are, and divided by pivots
		for column, x := range []reg.VecVirtual{a, b, c} {
			VMOVUPD(x, at(xt, column))
			VBROADCASTSD(Mem{Base: pivot, Disp: lane * (3 + column)}, scale)
			VMULPD(scale, x, value)
			VMOVUPD(value, at(lt, column))
		}
	}
	VZEROUPPER()
	RET()
}

// forward writes what a panel takes from four rows of a right-hand side.
func forward() {
	TEXT("forward", NOSPLIT, "func(y *[4]float64, l *float64, stride int, v *float64, blocks int)")
	Pragma("noescape")
	Doc("forward is Forward for blocks > 0.")
	y := Load(Param("y"), GP64())
	l0 := Load(Param("l"), GP64())
	stride := Load(Param("stride"), GP64())
	v := Load(Param("v"), GP64())
	blocks := Load(Param("blocks"), GP64())
	SHLQ(Imm(3), stride)
	l1, l2 := rowsAfter(l0, stride)
	l3 := GP64()
	LEAQ(Mem{Base: l1, Index: stride, Scale: 2}, l3)
	sum := YMM()
	VMOVUPD(Mem{Base: y}, sum)
	Label("block")
	// three columns of four rows, with rows as lanes
	even, odd := YMM(), YMM()
	VMOVUPD(Mem{Base: l0}, even.AsX())
	VINSERTF128(Imm(1), Mem{Base: l2}, even, even)
	VMOVUPD(Mem{Base: l1}, odd.AsX())
	VINSERTF128(Imm(1), Mem{Base: l3}, odd, odd)
	c0, c1 := YMM(), YMM()
	VUNPCKLPD(odd, even, c0)
	VUNPCKHPD(odd, even, c1)
	c2, high := YMM(), XMM()
	VMOVSD(Mem{Base: l0, Disp: 2 * lane}, c2.AsX())
	VMOVHPD(Mem{Base: l1, Disp: 2 * lane}, c2.AsX(), c2.AsX())
	VMOVSD(Mem{Base: l2, Disp: 2 * lane}, high)
	VMOVHPD(Mem{Base: l3, Disp: 2 * lane}, high, high)
	VINSERTF128(Imm(1), high, c2, c2)
	// y -= (c0 v0 + c1 v1) + c2 v2
	one := YMM()
	VBROADCASTSD(Mem{Base: v}, one)
	VMULPD(one, c0, c0)
	VBROADCASTSD(Mem{Base: v, Disp: lane}, one)
	VMULPD(one, c1, c1)
	VADDPD(c1, c0, c0)
	VBROADCASTSD(Mem{Base: v, Disp: 2 * lane}, one)
	VMULPD(one, c2, c2)
	VADDPD(c2, c0, c0)
	VSUBPD(c0, sum, sum)
	for _, p := range []reg.Register{l0, l1, l2, l3, v} {
		ADDQ(Imm(3*lane), p)
	}
	DECQ(blocks)
	JNZ(LabelRef("block"))
	VMOVUPD(sum, Mem{Base: y})
	VZEROUPPER()
	RET()
}

// back writes what three rows of a panel take from a right-hand side.
func back() {
	TEXT("back", NOSPLIT, "func(v *float64, n int, l *float64, stride int, y *[3]float64)")
	Pragma("noescape")
	Doc("back is Back for n > 0.")
	v := Load(Param("v"), GP64())
	n := Load(Param("n"), GP64())
	l0 := Load(Param("l"), GP64())
	stride := Load(Param("stride"), GP64())
	y := Load(Param("y"), GP64())
	SHLQ(Imm(3), stride)
	l1, l2 := rowsAfter(l0, stride)
	y0, y1, y2 := YMM(), YMM(), YMM()
	for i, to := range []reg.VecVirtual{y0, y1, y2} {
		VBROADCASTSD(Mem{Base: y, Disp: lane * i}, to)
	}
	a, b, c, to := YMM(), YMM(), YMM(), YMM()
	inFours(n, func(q reg.Register) {
		VMULPD(Mem{Base: l0, Index: q, Scale: 8}, y0, a)
		VMULPD(Mem{Base: l1, Index: q, Scale: 8}, y1, b)
		VADDPD(b, a, a)
		VMULPD(Mem{Base: l2, Index: q, Scale: 8}, y2, c)
		VADDPD(c, a, a)
		VMOVUPD(Mem{Base: v, Index: q, Scale: 8}, to)
		VSUBPD(a, to, to)
		VMOVUPD(to, Mem{Base: v, Index: q, Scale: 8})
	}, func(q reg.Register) {
		VMULSD(Mem{Base: l0, Index: q, Scale: 8}, y0.AsX(), a.AsX())
		VMULSD(Mem{Base: l1, Index: q, Scale: 8}, y1.AsX(), b.AsX())
		VADDSD(b.AsX(), a.AsX(), a.AsX())
		VMULSD(Mem{Base: l2, Index: q, Scale: 8}, y2.AsX(), c.AsX())
		VADDSD(c.AsX(), a.AsX(), a.AsX())
		VMOVSD(Mem{Base: v, Index: q, Scale: 8}, to.AsX())
		VSUBSD(a.AsX(), to.AsX(), to.AsX())
		VMOVSD(to.AsX(), Mem{Base: v, Index: q, Scale: 8})
	})
}

// rowsAfter returns where the two rows after one begin.
func rowsAfter(row, stride reg.Register) (next, after reg.GPVirtual) {
	next, after = GP64(), GP64()
	LEAQ(Mem{Base: row, Index: stride, Scale: 1}, next)
	LEAQ(Mem{Base: row, Index: stride, Scale: 2}, after)
	return next, after
}

// inFours writes a loop over n numbers, four at a time and the rest one by one, and returns.
func inFours(n reg.Register, four, one func(q reg.Register)) {
	q, whole := GP64(), GP64()
	XORQ(q, q)
	MOVQ(n, whole)
	ANDQ(I8(-4), whole)
	JZ(LabelRef("rest"))
	Label("four")
	four(q)
	ADDQ(Imm(4), q)
	CMPQ(q, whole)
	JLT(LabelRef("four"))
	Label("rest")
	CMPQ(q, n)
	JGE(LabelRef("done"))
	Label("one")
	one(q)
	INCQ(q)
	CMPQ(q, n)
	JLT(LabelRef("one"))
	Label("done")
	VZEROUPPER()
	RET()
}

// add writes the sum of two rows.
func add() {
	TEXT("add", NOSPLIT, "func(to, from *float64, n int)")
	Pragma("noescape")
	Doc("add is Add.")
	to := Load(Param("to"), GP64())
	from := Load(Param("from"), GP64())
	n := Load(Param("n"), GP64())
	a := YMM()
	inFours(n, func(q reg.Register) {
		VMOVUPD(Mem{Base: to, Index: q, Scale: 8}, a)
		VADDPD(Mem{Base: from, Index: q, Scale: 8}, a, a)
		VMOVUPD(a, Mem{Base: to, Index: q, Scale: 8})
	}, func(q reg.Register) {
		VMOVSD(Mem{Base: to, Index: q, Scale: 8}, a.AsX())
		VADDSD(Mem{Base: from, Index: q, Scale: 8}, a.AsX(), a.AsX())
		VMOVSD(a.AsX(), Mem{Base: to, Index: q, Scale: 8})
	})
}

// processor writes what asks the processor and the system whether they have vectors of four numbers.
func processor() {
	TEXT("cpuid", NOSPLIT, "func(leaf, sub uint32) (a, b, c, d uint32)")
	Doc("cpuid returns what the instruction of this name does.")
	Load(Param("leaf"), reg.EAX)
	Load(Param("sub"), reg.ECX)
	CPUID()
	for i, r := range []reg.Register{reg.EAX, reg.EBX, reg.ECX, reg.EDX} {
		Store(r, ReturnIndex(i))
	}
	RET()
	TEXT("xgetbv", NOSPLIT, "func() uint32")
	Doc("xgetbv returns which registers the system keeps.")
	XORL(reg.ECX, reg.ECX)
	XGETBV()
	Store(reg.EAX, ReturnIndex(0))
	RET()
}
