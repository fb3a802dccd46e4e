// A command gives the worker, here one for another CPU: candidates are compiled
// for that one, and it is the machine of the results.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --budget=3 --seed=1 --trial-time=2 --final-time=10 --output-dir=%t/v2 \
// RUN:   --runner='baco-worker --target-cpu=x86-64-v2 --host=l2=524288'
// RUN: FileCheck %s --input-file=%t/v2/runner.library.mlir --check-prefix=V2
// V2: cpu = "x86-64-v2",{{.*}} host = "vector-bytes=16,vector-registers=16,{{.*}}l2=524288,{{.*}}", isa = "x86-64-v2"
// RUN: baco study list %t/v2/runner.baco.db | FileCheck %s --check-prefix=STUDY
// STUDY: product

// The same command goes on with that study; another machine has another one.
// RUN: baco-tune-driver %s --budget=3 --seed=1 --trial-time=2 --final-time=10 --output-dir=%t/v2 \
// RUN:   --runner='baco-worker --target-cpu=x86-64-v2 --host=l2=524288' > /dev/null
// RUN: baco study list %t/v2/runner.baco.db | FileCheck %s --check-prefix=ONE --implicit-check-not=product
// ONE: product
// RUN: baco-tune-driver %s --budget=3 --seed=1 --trial-time=2 --final-time=10 --output-dir=%t/here \
// RUN:   --db=%t/v2/runner.baco.db > /dev/null
// RUN: baco study list %t/v2/runner.baco.db | FileCheck %s --check-prefix=TWO
// TWO-COUNT-2: product

// The worker may be behind pipes, as that of ssh is, and what it prints to
// standard output, or what a shell does before it, ends up elsewhere.
// RUN: baco-tune-driver %s --budget=2 --seed=1 --trial-time=2 --final-time=10 --output-dir=%t/pipes \
// RUN:   --runner='cat | baco-worker | cat' | FileCheck %s --check-prefix=PIPES
// PIPES: product: 2 evaluations

// A connection that breaks is made anew: the second one after 100 bytes, in the
// worker's first message, or after 1200, while candidates are evaluated.
// DEFINE: %{bytes} =
// DEFINE: %{break} = rm -rf %t/runs %t/broken && \
// DEFINE:   baco-tune-driver %s --budget=3 --seed=1 --trial-time=2 --final-time=10 --output-dir=%t/broken \
// DEFINE:     --runner='echo run >> %t/runs; test $(wc -l < %t/runs) -ne 2 && exec baco-worker; baco-worker | (dd bs=1 count=%{bytes} 2> /dev/null; kill -9 0)' \
// DEFINE:     | FileCheck %s --check-prefix=BROKEN && \
// DEFINE:   FileCheck %s --check-prefix=RUNS --input-file=%t/runs --implicit-check-not=run
// REDEFINE: %{bytes} = 100
// RUN: %{break}
// REDEFINE: %{bytes} = 1200
// RUN: %{break}
// BROKEN: product: 3 evaluations
// RUNS-COUNT-3: run

// Apply picks the entry of the machine.
// RUN: baco-opt %s --baco-apply="library=%t/here/runner.library.mlir,%t/v2/runner.library.mlir target-cpu=x86-64-v2 host=vector-bytes=16,vector-registers=16,l2=524288" -o %t/applied
// RUN: %stock-mlir-opt %t/v2/runner.tuned.mlir | cmp - %t/applied
// RUN: baco-opt %s --baco-apply="library=%t/v2/runner.library.mlir,%t/here/runner.library.mlir" -o %t/applied
// RUN: %stock-mlir-opt %t/here/runner.tuned.mlir | cmp - %t/applied
// RUN: baco-tune-driver %s --apply=%t/v2/runner.library.mlir --output-dir=%t/out \
// RUN:   --runner='baco-worker --target-cpu=x86-64-v2 --host=l2=524288' | FileCheck %s --check-prefix=APPLY
// APPLY: applied
// RUN: %exits 1 baco-tune-driver %s --apply=%t/v2/runner.library.mlir --output-dir=%t/out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HERE
// HERE: error: the entry of 'product' in {{.*}} is for another machine: x86-64-v2 (

// Entries are measured anew on the machine that they are for.
// RUN: baco-tune-driver %s --remeasure=%t/v2/runner.library.mlir --output-dir=%t/v2 --trial-time=2 --final-time=10 \
// RUN:   --runner='baco-worker --target-cpu=x86-64-v2 --host=l2=524288' > /dev/null
// RUN: FileCheck %s --input-file=%t/v2/runner.times.json --check-prefix=TIMES
// TIMES: "cpu": "x86-64-v2"

// In a pass, too.
// RUN: baco-opt %s --baco-autotune="budget=2 seed=1 trial-time=2 final-time=10 runner='baco-worker --target-cpu=x86-64-v2'" \
// RUN:   | FileCheck %s --check-prefix=PASS
// PASS: func.func @product
func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
