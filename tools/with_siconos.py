"""Solve a contact problem with Siconos: with_siconos.py PROBLEM SOLVER TOLERANCE ANSWER

PROBLEM is what `toile solve FILE --to-siconos PROBLEM` writes, and ANSWER gets velocities by block and impulses by
contact, in eight bytes each. SOLVER is nsgs or nsn, on impulses with W = H' M^-1 H, or gadmm or gnsn, on velocities.
Standard output has one JSON object at its end. Its time is that which one core spends on the solver and on making W,
without files.
"""

import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg
import siconos.numerics as sn

MOST_DENSE = 4000  # contacts whose W is made
TIMES_OVER = 3  # repeats of what takes at most TRY_AGAIN seconds
TRY_AGAIN = 2.0


class Reader:
    def __init__(self, path):
        with open(path) as file:
            self.all = np.fromfile(file, sep=" ")
        self.at = 0

    def take(self, count):
        self.at += count
        return self.all[self.at - count : self.at]

    def blocks(self, rows, columns):
        table = self.take(11 * int(self.take(1)[0])).reshape(-1, 11)
        inner = np.arange(3)
        i = 3 * table[:, 0].astype(int)[:, None, None] + inner[None, :, None]
        j = 3 * table[:, 1].astype(int)[:, None, None] + inner[None, None, :]
        values = table[:, 2:].reshape(-1, 3, 3)
        i, j = np.broadcast_arrays(i, j)
        return long(sparse.csc_matrix((values.ravel(), (i.ravel(), j.ravel())), shape=(rows, columns)))


def long(matrix):
    """Siconos has indices of eight bytes, and converts all others."""
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix


class Problem:
    """M v = q + H r, u = H' v + w: normals come first, and impulses push."""

    def __init__(self, path):
        read = Reader(path)
        size, contacts = (int(x) for x in read.take(2))
        self.size, self.contacts = size, contacts
        self.M = read.blocks(size, size)
        self.HT = read.blocks(3 * contacts, size)
        self.q, self.w = read.take(size).copy(), read.take(3 * contacts).copy()
        self.mu, self.guess = read.take(contacts).copy(), read.take(3 * contacts).copy()

    def on_impulses(self, solver, tolerance):
        """u = W r + q, with W made here."""
        if self.contacts > MOST_DENSE:
            sys.exit("W of %d contacts is not made; at most %d are" % (self.contacts, MOST_DENSE))
        lu = linalg.splu(self.M.astype(float))
        W = long(sparse.csc_matrix(self.HT @ lu.solve(self.HT.T.toarray())))
        if W.nnz > 0.2 * W.shape[0] ** 2:
            W = np.asfortranarray(W.toarray())
        q = self.HT @ lu.solve(self.q) + self.w
        problem = sn.FrictionContactProblem(3, self.contacts, W, q, self.mu)
        options = sn.SolverOptions(solver[0])
        options.dparam[0], options.iparam[0] = tolerance, solver[2]
        r, u = self.guess.copy(), np.zeros_like(q)
        solver[1](problem, r, u, options)
        return lu.solve(self.q + self.HT.T @ r), r, options.iparam[1]

    def on_velocities(self, solver, tolerance):
        problem = sn.GlobalFrictionContactProblem(3)
        problem.numberOfContacts = self.contacts
        problem.M, problem.H = self.M, long(self.HT.T.tocsc())
        problem.q, problem.b, problem.mu = self.q, self.w, self.mu
        options = sn.SolverOptions(solver[0])
        options.dparam[0], options.iparam[0] = tolerance, solver[2]
        r, u, v = self.guess.copy(), np.zeros(3 * self.contacts), np.zeros(self.size)
        solver[1](problem, r, u, v, options)
        return v, r, options.iparam[1]


SOLVERS = {
    "nsgs": (Problem.on_impulses, (sn.SICONOS_FRICTION_3D_NSGS, sn.fc3d_nsgs, 1_000_000)),
    "nsn": (Problem.on_impulses, (sn.SICONOS_FRICTION_3D_NSN_AC, sn.fc3d_nonsmooth_Newton_AlartCurnier, 1000)),
    "gadmm": (Problem.on_velocities, (sn.SICONOS_GLOBAL_FRICTION_3D_ADMM, sn.gfc3d_ADMM, 1_000_000)),
    "gnsn": (Problem.on_velocities, (sn.SICONOS_GLOBAL_FRICTION_3D_NSN_AC, sn.gfc3d_nonsmooth_Newton_AlartCurnier, 1000)),
}


def main():
    path, name, tolerance, answer = sys.argv[1:]
    problem = Problem(path)
    way, solver = SOLVERS[name]
    times = []
    while len(times) < TIMES_OVER and (not times or times[0] < TRY_AGAIN):
        start = time.process_time()
        v, r, done = way(problem, solver, float(tolerance))
        times.append(time.process_time() - start)
    np.concatenate([v, r]).astype("<f8").tofile(answer)
    print(json.dumps({"seconds": max(1e-6, float(np.median(times))), "repeats": len(times), "newton": int(done)}))


main()
