package dumps

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/toile-sim/toile/internal/contact"
	"github.com/toile-sim/toile/internal/disk"
	"github.com/toile-sim/toile/internal/solve"
	"github.com/toile-sim/toile/r3"
)

// Siconos [Acary19] states a step as
//
//	M v = q + H r,   u = Hᵀ v + w,   K ∋ r ⟂ u + μ ‖u_T‖ (1, 0, 0) ∈ K*,
//
// with the normal component first, as here: M = A, q = -b, H = Jᵀ and w = u_f. What is prescribed becomes rows of the
// identity.

// WriteSiconos writes a problem as text that tools/with_siconos.py reads. Ties and blocks that are prescribed in part
// have no counterpart there.
func WriteSiconos(to io.Writer, p *solve.ContactProblem) error {
	if len(p.Partly) > 0 {
		return errors.New("a block is prescribed in part, for which Siconos has no word")
	}
	for c := range p.Set.Contacts {
		if law := p.Set.Contacts[c].Law; law != contact.Coulomb {
			return fmt.Errorf("the law of contact %d is %s; only that of Coulomb is written", c, law)
		}
	}
	w := &siconosWriter{w: bufio.NewWriterSize(to, 1<<16), p: p}
	w.line(3*p.A.N, p.Set.Len())
	w.matrix()
	w.rows()
	w.vectors()
	return w.w.Flush()
}

type siconosWriter struct {
	w   *bufio.Writer
	p   *solve.ContactProblem
	buf []byte
}

// line writes numbers; errors stay with the buffered writer.
func (s *siconosWriter) line(numbers ...any) {
	s.buf = s.buf[:0]
	for _, n := range numbers {
		switch n := n.(type) {
		case int:
			s.buf = strconv.AppendInt(s.buf, int64(n), 10)
		case float64:
			s.buf = strconv.AppendFloat(s.buf, n, 'g', -1, 64)
		}
		s.buf = append(s.buf, ' ')
	}
	_, _ = s.w.Write(append(s.buf, '\n'))
}

func (s *siconosWriter) vec(v r3.Vec) { s.line(v.X, v.Y, v.Z) }

// velocity returns what is prescribed of block i.
func (s *siconosWriter) velocity(i int32) r3.Vec {
	if s.p.V == nil {
		return r3.Vec{}
	}
	return s.p.V[i]
}

// matrix writes how many blocks of 3 x 3 M has, and each by its place and rows.
func (s *siconosWriter) matrix() {
	a := s.p.A
	s.line(len(a.Col))
	for i := range a.N {
		for k := a.Start[i]; k < a.Start[i+1]; k++ {
			m := a.Val[k]
			if j := int(a.Col[k]); held(s.p, i) || held(s.p, j) {
				m = r3.Mat{}
				if i == j {
					m = r3.Identity()
				}
			}
			s.block(i, int(a.Col[k]), &m)
		}
	}
}

func (s *siconosWriter) block(row, column int, m *r3.Mat) {
	s.line(row, column, m.XX, m.XY, m.XZ, m.YX, m.YY, m.YZ, m.ZX, m.ZY, m.ZZ)
}

// rows writes how many blocks of 3 x 3 Hᵀ has, and each by its place and rows.
func (s *siconosWriter) rows() {
	set, count := s.p.Set, 0
	for c := range set.Contacts {
		count += len(set.Row(c))
	}
	s.line(count)
	for c := range set.Contacts {
		for _, t := range set.Row(c) {
			m := t.M
			if held(s.p, int(t.Block)) {
				m = r3.Mat{}
			}
			s.block(c, int(t.Block), &m)
		}
	}
}

// vectors writes q, w, μ and the guess of r.
func (s *siconosWriter) vectors() {
	// q, with what held blocks do to others
	p := s.p
	for i := range p.A.N {
		q := p.B[i].Neg()
		if held(p, i) {
			q = s.velocity(int32(i))
		} else {
			for k := p.A.Start[i]; k < p.A.Start[i+1]; k++ {
				if j := p.A.Col[k]; held(p, int(j)) {
					q = q.Sub(p.A.Val[k].MulVec(s.velocity(j)))
				}
			}
		}
		s.vec(q)
	}
	// w: velocities of contacts without those of free blocks
	for c := range p.Set.Contacts {
		u := p.Set.Contacts[c].Uf
		for _, t := range p.Set.Row(c) {
			if held(p, int(t.Block)) {
				u = u.Add(t.M.MulVec(s.velocity(t.Block)))
			}
		}
		s.vec(u)
	}
	// μ
	for c := range p.Set.Contacts {
		s.line(p.Set.Contacts[c].Mu)
	}
	// guess of r
	for c := range p.Set.Contacts {
		var r r3.Vec
		if p.R != nil {
			r = p.R[c]
		}
		s.vec(r)
	}
}

const siconosPrefix = "siconos-"

// siconosMethods are its solvers: Gauss-Seidel and nonsmooth Newton on impulses, ADMM and nonsmooth Newton on
// velocities.
var siconosMethods = []string{
	siconosPrefix + "nsgs", siconosPrefix + "nsn", siconosPrefix + "gadmm", siconosPrefix + "gnsn",
}

// siconosTolerances are asked for one after the other until our residual is small enough: its own is another one.
var siconosTolerances = []float64{1e-6, 1e-8, 1e-10, 1e-12, 1e-14}

// askSiconos runs a solver of Siconos. Its time is that of the tolerance that was enough, without reading and writing.
func (c *Contest) askSiconos(ctx context.Context, p *solve.ContactProblem, r *Result) (*Answer, error) {
	dir := filepath.Join(c.Set.Dir, "siconos")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	text := filepath.Join(dir, r.Problem+".txt")
	if _, err := os.Stat(text); err != nil {
		if err := disk.WriteFile(text, func(w io.Writer) error { return WriteSiconos(w, p) }); err != nil {
			return nil, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, c.Limit) // for all tolerances together
	defer cancel()
	path := c.file("answers", r.Problem, r.Method)
	var answer *Answer
	for _, tolerance := range siconosTolerances {
		args := append(c.Siconos[:len(c.Siconos):len(c.Siconos)],
			text, strings.TrimPrefix(r.Method, siconosPrefix), fmt.Sprint(tolerance), path)
		if err := c.child(limited, args[0], args, &r.Trial); err != nil {
			return nil, err
		}
		var err error
		if answer, err = ReadAnswer(path, p); err != nil {
			return nil, err
		}
		if Judge(p, answer, Tolerance).Residual.Max() <= Tolerance {
			break
		}
	}
	return answer, nil
}
