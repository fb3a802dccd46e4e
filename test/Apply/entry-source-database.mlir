// A database is a library, too: it is looked up in by fingerprint, and read only.
// RUN: rm -rf %t && mkdir %t
// RUN: %tune %s --db=%t/a.db --output-dir=%t
// RUN: %stock-mlir-opt %t/entry-source-database.tuned.mlir -o %t/tuned
// RUN: cp %t/a.db %t/before.db
// RUN: chmod a-w %t/a.db
// RUN: env BACO_WORKER=/nonexistent baco-opt %s --baco-apply=db=%t/a.db | cmp - %t/tuned
// RUN: baco-opt %s --baco-apply=library=%t/a.db | cmp - %t/tuned
// RUN: baco-tune-driver %s --apply --db=%t/a.db --output-dir=%t/out | FileCheck %s
// RUN: cmp %t/out/entry-source-database.tuned.mlir %t/entry-source-database.tuned.mlir
// RUN: cmp %t/a.db %t/before.db
// CHECK: applied 1 schedule, 0 functions stay as they are, 0 have no entry

// Libraries come first; what they don't know, or not any more, is asked there.
// RUN: sed 's/pipeline = /pipeline = 9/' %t/entry-source-database.library.mlir > %t/old.library.mlir
// RUN: baco-opt %s --baco-apply="library=%t/old.library.mlir db=%t/a.db" | cmp - %t/tuned
// RUN: sed '/ %1 = /d; s/ %2 = / %1 = /; s/ %1 \[.*/ %0 []/; /restructure/d' \
// RUN:   %t/entry-source-database.library.mlir > %t/mine.library.mlir
// RUN: baco-opt %s --baco-apply="library=%t/mine.library.mlir db=%t/a.db" | FileCheck %s --check-prefix=MINE
// MINE-LABEL: @product
// MINE-NEXT: linalg.matmul

// Stale entries are errors here, too.
// DEFINE: %{edit} =
// DEFINE: %{changed} = sed '%{edit}' %s > %t/edited.mlir && \
// DEFINE:   not baco-opt %t/edited.mlir --baco-apply=db=%t/a.db 2>&1 | \
// DEFINE:   FileCheck %s --implicit-check-not=error:
// REDEFINE: %{edit} = s/32x32xf32/32x32xf64/g
// RUN: %{changed} --check-prefix=CHANGED
// CHANGED: error: the entry of 'product' in {{.*}}a.db is stale: the function has changed since it was tuned: its signature, its types; tune it again{{$}}
// REDEFINE: %{edit} = s/@product/@other/; s/32x32xf32/32x32xf64/g
// RUN: %{changed} --check-prefix=OTHER
// OTHER: error: no entry for 'other': that of 'product' in {{.*}}a.db has the same ops, but other code; tune 'other'{{$}}
// RUN: not baco-opt %s --baco-apply="db=%t/a.db threads=2" 2>&1 | FileCheck %s --check-prefix=MACHINE
// MACHINE: error: the entry of 'product' in {{.*}}a.db is for another machine:
// RUN: not baco-opt %s --baco-apply="db=%t/none.db" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: library: cannot open input file '{{.*}}none.db': No such file or directory
// RUN: head -c 5000 %t/before.db > %t/cut.db
// RUN: not baco-opt %s --baco-apply="db=%t/cut.db" 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: error: library: database '{{.*}}cut.db' is {{.*}}damaged
// RUN: %exits 1 baco-tune-driver %s --apply 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: --apply: library: name a file, such as kernel.library.mlir, or a database by db

// A machine of its own has an entry of its own; tuning again replaces it.
// RUN: chmod u+w %t/a.db
// RUN: %tune %s --db=%t/a.db --output-dir=%t --threads=2
// RUN: %tune %s --db=%t/a.db --output-dir=%t --threads=2
// RUN: baco study export %t/a.db --format=library | grep -c baco.entry | FileCheck %s --check-prefix=TWO
// TWO: {{^2$}}
// RUN: baco-opt %s --baco-apply=db=%t/a.db | cmp - %t/tuned
func.func @product(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
