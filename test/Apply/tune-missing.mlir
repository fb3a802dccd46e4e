// --apply-mode=tune tunes what no library knows, adds it, and applies all.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{tune} = %tune --output-dir=%t/out --apply-mode=tune
// DEFINE: %{apply} = baco-opt %t/two.mlir --baco-apply=library=%t/mine.library.mlir

// The first time everything, in a library that it makes.
// RUN: %{tune} %t/one.mlir --apply=%t/mine.library.mlir | FileCheck %s --check-prefix=FIRST
// FIRST:      first: {{[0-9]}} evaluations
// FIRST:      added 1 entry to {{.*}}one.baco.db, {{.*}}mine.library.mlir
// FIRST-NEXT: applied 1 schedule, 0 functions stay as they are, 0 have no entry
// FIRST-NEXT: wrote {{.*}}one.tuned.mlir
// FIRST-NOT:  wrote

// Then nothing: no worker is started.
// RUN: cp %t/mine.library.mlir %t/before
// RUN: env BACO_WORKER=/nonexistent baco-tune-driver --output-dir=%t/out --apply-mode=tune \
// RUN:   %t/one.mlir --apply=%t/mine.library.mlir | FileCheck %s --check-prefix=KNOWN
// KNOWN-NOT:  added
// KNOWN:      applied 1 schedule, 0 functions stay as they are, 0 have no entry
// RUN: cmp %t/mine.library.mlir %t/before

// What is new, with what can't be tuned; the library keeps its other entries.
// RUN: cat %t/one.mlir %t/more.mlir > %t/two.mlir
// RUN: not %{apply} 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: no entry for 'second'
// RUN: %{tune} %t/two.mlir --apply=%t/mine.library.mlir --db=%t/a.db 2>%t/progress | FileCheck %s --check-prefix=SECOND
// SECOND-NOT:  first: 
// SECOND:      second: {{[0-9]}} evaluations
// SECOND:      added 2 entries to {{.*}}a.db, {{.*}}mine.library.mlir
// SECOND-NEXT: applied 2 schedules, 1 functions stay as they are, 0 have no entry
// RUN: FileCheck %s --input-file=%t/mine.library.mlir --check-prefix=LIBRARY
// LIBRARY:     // Made by baco-tune-driver
// LIBRARY-NOT: // Made
// LIBRARY:     function = "first"
// LIBRARY:     function = "second"
// LIBRARY:     function = "calls"
// RUN: %{apply} -o %t/applied && %stock-mlir-opt %t/out/two.tuned.mlir | cmp - %t/applied

// The database alone will do; in it is what was tuned just now.
// RUN: env BACO_WORKER=/nonexistent baco-tune-driver --output-dir=%t/out --apply-mode=tune \
// RUN:   --apply=%t/before --db=%t/a.db %t/two.mlir | FileCheck %s --check-prefix=BOTH
// BOTH-NOT: added
// BOTH: applied 2 schedules
// RUN: %{tune} %t/two.mlir --apply --db=%t/a.db | FileCheck %s --check-prefix=ONE
// ONE: added 1 entry to {{.*}}a.db{{$}}
// RUN: baco-opt %t/two.mlir --baco-apply=db=%t/a.db -o %t/applied
// RUN: %stock-mlir-opt %t/out/two.tuned.mlir | cmp - %t/applied

// What is stale is tuned again: other versions replace the entry, other code gets
// one of its own.
// RUN: sed -i '/function = "first"/s/pipeline = /pipeline = 9/' %t/mine.library.mlir
// RUN: sed 's/64x64/48x48/g' %t/two.mlir > %t/changed.mlir
// RUN: %{tune} %t/two.mlir --apply=%t/mine.library.mlir | FileCheck %s --check-prefix=ADDED
// ADDED: added 1 entry
// RUN: grep -c 'baco.entry = ' %t/mine.library.mlir | FileCheck %s --check-prefix=THREE
// THREE: {{^3$}}
// RUN: %{tune} %t/changed.mlir --apply=%t/mine.library.mlir | FileCheck %s --check-prefix=ADDED
// RUN: grep -c 'baco.entry = ' %t/mine.library.mlir | FileCheck %s --check-prefix=FOUR
// FOUR: {{^4$}}
// RUN: %{apply} | FileCheck %s --check-prefix=APPLIED
// APPLIED: vector<

// RUN: %exits 1 baco-tune-driver %t/one.mlir --apply=x --apply-mode=tune --target-cpu=znver4 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CPU
// CPU: error: --apply: target-cpu: code is tuned on this machine; leave it out, or choose another mode
// RUN: not baco-opt %t/one.mlir --baco-apply="library=x mode=tune" 2>&1 | FileCheck %s --check-prefix=PASS
// PASS: error: mode=tune is for baco-tune-driver, which adds to the library: --apply --apply-mode=tune

//--- one.mlir
func.func @first(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
//--- more.mlir
func.func @second(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func @calls(%A: memref<4x4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %A[%i, %i] : memref<4x4xf32>
    %y = func.call @square(%x) : (f32) -> f32
    affine.store %y, %A[%i, %i] : memref<4x4xf32>
  }
  return
}
