// A function that was tuned for several shapes gets its versions again, under
// whatever name.
// RUN: rm -rf %t && mkdir %t
// RUN: %tune %s --output-dir=%t --shape="product:%%A=64x32,1=32x48;0=16x32,1=32x48"
// RUN: baco-opt %s --baco-apply=library=%t/dynamic-shapes.library.mlir -o %t/applied
// RUN: %stock-mlir-opt %t/dynamic-shapes.tuned.mlir | cmp - %t/applied
// RUN: FileCheck %s --input-file=%t/dynamic-shapes.library.mlir
// RUN: sed 's/@product/@gemm/; s/%%A/%%left/' %s > %t/renamed.mlir
// RUN: baco-opt %t/renamed.mlir --baco-apply=library=%t/dynamic-shapes.library.mlir \
// RUN:   | FileCheck %s --check-prefix=RENAMED
// CHECK: function = "product",{{.*}} outcome = "untuned",{{.*}} shapes = "0=64x32,1=32x48;0=16x32,1=32x48"
// RENAMED-LABEL: func.func @gemm(
// RENAMED:       scf.if
// RENAMED-LABEL: func.func private @gemm_64x32_32x48
// RENAMED:       vector

// Its versions are measured anew.
// RUN: baco-tune-driver %s --remeasure=%t/dynamic-shapes.library.mlir --trial-time=2 --final-time=10 \
// RUN:   --output-dir=%t > /dev/null
// RUN: FileCheck %s --input-file=%t/dynamic-shapes.times.json --check-prefix=TIMES
// TIMES: "function": "product_64x32_32x48_64x48"
// TIMES: "function": "product_16x32_32x48_16x48"

// Shapes that are given come besides those of the entry.
// RUN: baco-tune-driver %s --apply=%t/dynamic-shapes.library.mlir --shape="product:0=16x32,1=32x48" \
// RUN:   --output-dir=%t/given | FileCheck %s --check-prefix=GIVEN
// GIVEN: 0 have no entry
// RUN: grep -c 'func.func private @product' %t/given/dynamic-shapes.tuned.mlir | FileCheck %s --check-prefix=TWO
// TWO: {{^2$}}
// RUN: %exits 1 baco-tune-driver %s --apply=%t/dynamic-shapes.library.mlir --shape="product:0=8x32,1=32x48" \
// RUN:   --output-dir=%t/given 2>&1 | FileCheck %s --check-prefix=NEW --implicit-check-not=error:
// NEW: error: no entry for 'product_8x32_32x48_8x48'

// A new shape is tuned with the old ones' studies in the journal: these are not
// evaluated again, and all are in the library.
// RUN: cp %t/dynamic-shapes.product_64x32_32x48_64x48.trials.jsonl %t/before.jsonl
// RUN: %tune %s --output-dir=%t --shape="product:0=64x32,1=32x48;0=16x32,1=32x48;0=8x32,1=32x48" > /dev/null
// RUN: cmp %t/dynamic-shapes.product_64x32_32x48_64x48.trials.jsonl %t/before.jsonl
// RUN: FileCheck %s --input-file=%t/dynamic-shapes.library.mlir --check-prefix=ALL
// ALL: shapes = "0=64x32,1=32x48;0=16x32,1=32x48;0=8x32,1=32x48"

// The shapes of another function are not taken silently.
// RUN: sed 's/xf32/xf64/g' %s > %t/changed.mlir
// RUN: not baco-opt %t/changed.mlir --baco-apply=library=%t/dynamic-shapes.library.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STALE
// STALE: error: the entry of 'product' in {{.*}} is stale: the function has changed since it was tuned

// Nor are those of an entry for another machine or of other versions, of which
// there is one line.
// RUN: sed '/shapes = /s/isa = "/isa = "other-/' %t/dynamic-shapes.library.mlir > %t/other.mlir
// RUN: not baco-opt %s --baco-apply=library=%t/other.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MACHINE --implicit-check-not=error:
// MACHINE: error: the entry of 'product' in {{.*}} is for another machine: {{.*}} (other-
// RUN: sed '/shapes = /s/pipeline = /pipeline = 9/' %t/dynamic-shapes.library.mlir > %t/other.mlir
// RUN: not baco-opt %s --baco-apply=library=%t/other.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERSION --implicit-check-not=error:
// VERSION: error: the entry of 'product' in {{.*}} is stale: it was made by

// An entry whose shapes don't suit its function was edited by hand.
// RUN: sed '/shapes = /s/0=64x32,/0=64x32x1,/' %t/dynamic-shapes.library.mlir > %t/other.mlir
// RUN: not baco-opt %s --baco-apply=library=%t/other.mlir 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: shape: argument 0 of '@product': '64x32x1' has 3 extents, but the argument has 2
// RUN: sed '/shapes = /s/1=32x48/3=32x48/' %t/dynamic-shapes.library.mlir > %t/other.mlir
// RUN: not baco-opt %s --baco-apply=library=%t/other.mlir 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// ARGUMENT: error: shape: function '@product' has no argument '3': write a number from 0 to 2
func.func @product(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  linalg.matmul ins(%A, %B : memref<?x?xf32>, memref<?x?xf32>) outs(%C : memref<?x?xf32>)
  return
}
