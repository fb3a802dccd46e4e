#!/usr/bin/env python3
"""A compiler of sparse products that is tuned as TACO was in BaCO's paper: it starts
the tuner, reads requests from it, and answers with times.

usage: client.py [OPTION OF baco tune]...      CC names the compiler (cc), BACO the tuner
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# The loops of C[i][k] += A[i][j] * B[j][k], with k in chunks: chunks, columns of a
# chunk, rows, nonzeros of a row.
LOOPS = ["for (int k0 = 0; k0 < COLUMNS; k0 += CHUNK)",
         "for (int k = k0; k < k0 + CHUNK; ++k)",
         "for (int i = 0; i < ROWS; ++i)",
         "for (int p = first[i]; p < first[i + 1]; ++p)"]
PROGRAM = """
#include <stdio.h>
#include <time.h>
enum { ROWS = 2000, COLUMNS = 64, PER_ROW = 16, CHUNK = %(chunk)d };
static int first[ROWS + 1], column[ROWS * PER_ROW];
static float value[ROWS * PER_ROW], b[ROWS][COLUMNS], c[ROWS][COLUMNS];
static void multiply(void) {
  %(loops)s
    c[i][k] += value[p] * b[column[p]][k];
}
int main(void) {
  unsigned random = 1;
  for (int i = 0; i <= ROWS; ++i) first[i] = i * PER_ROW;
  for (int p = 0; p < ROWS * PER_ROW; ++p) {
    random = random * 1664525 + 1013904223;
    column[p] = (random >> 8) %% ROWS;
    value[p] = 1 + p %% 3;
  }
  for (int j = 0; j < ROWS; ++j)
    for (int k = 0; k < COLUMNS; ++k) b[j][k] = (j + k) %% 5;
  double best = 1e9;
  for (int run = 0; run < 5; ++run) {
    for (int i = 0; i < ROWS; ++i)
      for (int k = 0; k < COLUMNS; ++k) c[i][k] = 0;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    multiply();
    clock_gettime(CLOCK_MONOTONIC, &end);
    double time = end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) * 1e-9;
    best = time < best ? time : best;
  }
  for (int i = 0; i < ROWS; i += 7)
    for (int k = 0; k < COLUMNS; ++k) {
      float sum = 0;
      for (int p = first[i]; p < first[i + 1]; ++p) sum += value[p] * b[column[p]][k];
      if (sum != c[i][k]) return 2;
    }
  printf("%%.9f\\n", best);
}
"""


def generate(order, chunk, unroll):
    """The program; None if a loop would come before the one that its bounds need."""
    if order.index(0) > order.index(1) or order.index(2) > order.index(3):
        return None
    loops = [LOOPS[loop] for loop in order]
    loops[-1] = "_Pragma(\"GCC unroll %d\")\n  %s" % (unroll, loops[-1])
    return PROGRAM % {"chunk": chunk, "loops": "\n  ".join(loops)}


def evaluate(order, chunk, unroll):
    """The time in seconds; None if the schedule is illegal, or its result wrong."""
    source = generate(order, chunk, unroll)
    if source is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "spmm")
        subprocess.run([os.environ.get("CC", "cc"), "-O3", "-x", "c", "-", "-o", program],
                       input=source, text=True, check=True)
        done = subprocess.run([program], capture_output=True, text=True)
    return float(done.stdout) if done.returncode == 0 else None


def main():
    tuner = subprocess.Popen([os.environ.get("BACO", "baco"), "tune", HERE / "spmm.json", *sys.argv[1:]],
                             text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    while (request := tuner.stdout.readline()).startswith("Request"):
        names = tuner.stdout.readline().strip().split(",")
        answer = ",".join(names + ["time", "Valid"]) + "\n"
        for _ in range(int(request.split()[1])):
            row = tuner.stdout.readline().strip()
            cells = re.findall(r"\([^)]*\)|[^,]+", row)
            values = dict(zip(names, cells))
            order = [int(digit) for digit in re.findall(r"\d+", values["order"])]
            seconds = evaluate(order, int(values["chunk"]), int(values["unroll"]))
            answer += "%s,%s,%d\n" % (row, seconds or 0, seconds is not None)
        tuner.stdin.write(answer)
        tuner.stdin.flush()
    tuner.stdin.close()
    sys.exit(tuner.wait())


main()
