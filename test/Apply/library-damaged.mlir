// Lock files that git has merged, that have been cut off, or that somebody has
// edited: each is refused in a line, or read as a whole.
// RUN: rm -rf %t && mkdir %t
// RUN: %tune %s --output-dir=%t
// RUN: %python %S/Inputs/damage.py %t/library-damaged.library.mlir %t
// DEFINE: %{file} =
// DEFINE: %{refuse} = not baco-opt %s --baco-apply=library=%t/%{file}.mlir 2>&1 \
// DEFINE:   | FileCheck %s --implicit-check-not=error: --implicit-check-not="current operation" --check-prefix
// DEFINE: %{take} = baco-opt %s --baco-apply=library=%t/%{file}.mlir 2>&1 | cmp - %t/applied
// RUN: baco-opt %s --baco-apply=library=%t/library-damaged.library.mlir -o %t/applied

// REDEFINE: %{file} = conflict
// RUN: %{refuse} CONFLICT
// CONFLICT: conflict.mlir:4:1: error: the library has a merge conflict: keep the entries of one side, or of both where they are for different functions or machines
// REDEFINE: %{file} = conflict-in-entry
// RUN: %{refuse} INSIDE
// INSIDE: conflict-in-entry.mlir:4:1: error: the library has a merge conflict
// REDEFINE: %{file} = conflict-in-head
// RUN: %{refuse} HEAD
// HEAD: conflict-in-head.mlir:1:1: error: the library has a merge conflict
// REDEFINE: %{file} = twice
// RUN: %{refuse} TWICE
// TWICE: library-damaged.mlir:[[#@LINE+33]]:1: error: there are two entries of 'f' for {{.*}} in {{.*}}twice.mlir: keep one
// REDEFINE: %{file} = same-name
// RUN: %{refuse} TWICE-NAME
// TWICE-NAME: error: there are two entries of 'f' for {{.*}} in {{.*}}same-name.mlir: keep one
// REDEFINE: %{file} = cut-off
// RUN: %{refuse} CUT
// CUT: cut-off.mlir:{{[0-9:]+}} error:
// REDEFINE: %{file} = empty
// RUN: %{refuse} EMPTY
// EMPTY: empty.mlir:1:1: error: not a tuned library: no transform.named_sequence has a 'baco.entry'
// Two libraries, one behind the other.
// RUN: cat %t/library-damaged.library.mlir %t/library-damaged.library.mlir > %t/joined.mlir
// REDEFINE: %{file} = joined
// RUN: %{refuse} JOINED
// JOINED: joined.mlir:3:1: error: the library has entries in a module of its own: put all entries into one module, or name several files, as in 'library=a.mlir,b.mlir'
// REDEFINE: %{file} = no-number
// RUN: %{refuse} NUMBER
// NUMBER: no-number.mlir:4:3: error: 'baco.entry' of '@tuned.f.{{.*}}': 'speedup' must be a positive number
// REDEFINE: %{file} = negative
// RUN: %{refuse} NEGATIVE
// NEGATIVE: negative.mlir:4:3: error: {{.*}} 'speedup' must be a positive number
// REDEFINE: %{file} = interval
// RUN: %{refuse} INTERVAL
// INTERVAL: interval.mlir:4:3: error: {{.*}} 'speedup_interval' must be an array of two positive f64, the smaller one first
// REDEFINE: %{file} = evaluations
// RUN: %{refuse} EVALUATIONS
// EVALUATIONS: evaluations.mlir:5:3: error: {{.*}} 'evaluations' must be a natural number

// REDEFINE: %{file} = line-ends
// RUN: %{take}
// REDEFINE: %{file} = comments
// RUN: %{take}

func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
