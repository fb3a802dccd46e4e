// A kernel without an entry is an error, or a warning; functions that can't be
// tuned, and those that are to stay, need none.
// RUN: rm -rf %t && split-file %s %t
// RUN: %tune %t/known.mlir --output-dir=%t
// RUN: cat %t/known.mlir %t/new.mlir > %t/both.mlir
// RUN: not baco-opt %t/both.mlir --baco-apply=library=%t/known.library.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FROZEN --implicit-check-not=error:
// FROZEN: both.mlir:5:1: error: no entry for 'new' in {{.*}}known.library.mlir; tune it, or mark it with baco.no_tune{{$}}
// RUN: baco-opt %t/both.mlir --baco-apply="library=%t/known.library.mlir mode=warn" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WARN --implicit-check-not=warning:
// WARN:       both.mlir:5:1: warning: no entry for 'new'
// WARN-LABEL: func.func @known
// WARN:       vector
// WARN-LABEL: func.func @new
// WARN-NOT:   vector
// WARN:       affine.for
// RUN: %exits 1 baco-tune-driver %t/both.mlir --apply=%t/known.library.mlir --output-dir=%t/out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FROZEN --implicit-check-not=error: --implicit-check-not=wrote
// RUN: baco-tune-driver %t/both.mlir --apply=%t/known.library.mlir --apply-mode=warn \
// RUN:   --output-dir=%t/out 2>/dev/null | FileCheck %s --check-prefix=DRIVER
// DRIVER: applied 1 schedule, 0 functions stay as they are, 1 have no entry

// The first library that has an entry is used, and others if it hasn't.
// RUN: sed 's/xf32/xf64/g; s/known/double/g; s/: f32/: f64/' %t/known.mlir > %t/double.mlir
// RUN: %tune %t/double.mlir --output-dir=%t
// RUN: cat %t/known.mlir %t/double.mlir > %t/two.mlir
// RUN: baco-opt %t/two.mlir --baco-apply="library=%t/double.library.mlir,%t/known.library.mlir" \
// RUN:   | FileCheck %s --check-prefix=TWO
// TWO-LABEL: func.func @known
// TWO:       vector<{{[0-9]+}}xf32>
// TWO-LABEL: func.func @double
// TWO:       vector<{{[0-9]+}}xf64>
// RUN: sed 's/pipeline = /pipeline = 7/' %t/known.library.mlir > %t/old.library.mlir
// RUN: baco-opt %t/known.mlir --baco-apply="library=%t/old.library.mlir,%t/known.library.mlir" \
// RUN:   | FileCheck %s --check-prefix=OLD
// OLD: vector<

// A library that was printed in another way is the same one.
// RUN: baco-opt %t/known.mlir --baco-apply=library=%t/known.library.mlir -o %t/applied
// RUN: baco-opt %t/known.library.mlir -o %t/aliases.mlir
// RUN: baco-opt %t/known.mlir --baco-apply=library=%t/aliases.mlir | cmp - %t/applied
// RUN: baco-opt %t/known.library.mlir --mlir-print-op-generic -o %t/generic.mlir
// RUN: baco-opt %t/known.mlir --baco-apply=library=%t/generic.mlir | cmp - %t/applied
// RUN: cat %t/double.library.mlir > %t/merged.mlir
// RUN: sed '1,/^module/d' %t/known.library.mlir | sed '$d' > %t/middle
// RUN: sed -i '/^module/r %t/middle' %t/merged.mlir
// RUN: baco-opt %t/two.mlir --baco-apply="library=%t/merged.mlir" | FileCheck %s --check-prefix=TWO

//--- known.mlir
func.func @known(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
//--- new.mlir
func.func @new(%A: memref<64x64xf32>, %s: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %A[%i, %j] : memref<64x64xf32>
      %y = affine.load %s[%i] : memref<64xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %s[%i] : memref<64xf32>
    }
  }
  return
}
func.func @kept(%A: memref<64x64xf32>, %s: memref<64xf32>) attributes {baco.no_tune} {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %A[%i, %j] : memref<64x64xf32>
      affine.store %x, %s[%i] : memref<64xf32>
    }
  }
  return
}
func.func @add(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
