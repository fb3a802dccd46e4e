// Files with nothing to choose get a library, so that frozen mode passes:
// functions that might be kernels are untuned, and others need no entry.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{file} =
// DEFINE: %{tune} = baco-tune-driver %t/%{file}.mlir --apply=%t/%{file}.library.mlir --apply-mode=tune --output-dir=%t/out 2>&1
// DEFINE: %{apply} = baco-opt %t/%{file}.mlir --baco-apply=library=%t/%{file}.library.mlir

// REDEFINE: %{file} = map
// RUN: %{tune} | FileCheck %s
// CHECK: remark: no automatic recipe: nothing in it can be chosen
// CHECK: added 1 entry to {{.*}}map.library.mlir
// CHECK: applied 0 schedules, 1 functions stay as they are, 0 have no entry
// RUN: FileCheck %s --check-prefix=ENTRY --input-file=%t/map.library.mlir
// ENTRY: function = "map"
// ENTRY-SAME: outcome = "untuned"
// RUN: %{apply} | FileCheck %s --check-prefix=MAP
// MAP: math.sin
// A database does as well.
// RUN: baco-tune-driver %t/map.mlir --apply --db=%t/a.db --apply-mode=tune --output-dir=%t/out
// RUN: baco-opt %t/map.mlir --baco-apply=db=%t/a.db | FileCheck %s --check-prefix=MAP

// REDEFINE: %{file} = scalar
// RUN: %{tune} | FileCheck %s --check-prefix=EMPTY
// EMPTY: added 0 entries to {{.*}}scalar.library.mlir
// RUN: %{apply}
// RUN: %{tune} | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: added

// So are those whose recipes have no knob.
// REDEFINE: %{file} = constant
// RUN: %{tune} | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: constant.mlir:2:3: warning: nothing to choose, so that the function stays as it is: the recipe has no #baco.knob; write one
// CONSTANT: added 1 entry
// RUN: %{apply} | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: linalg.matmul
// PRODUCT-NOT: baco.recipe
// Without other functions there is nothing to tune.
// RUN: %exits 1 baco-tune-driver %t/constant.mlir --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: constant.mlir:2:3: error: nothing to tune: the recipe has no #baco.knob; write one
// Where the recipe isn't the user's, the message is another one.
// RUN: %exits 1 baco-tune-driver %t/element.mlir --target=nvvm:sm_90 --evaluator=static --output-dir=%t/out 2>&1 | \
// RUN:   FileCheck %s --check-prefix=ELEMENT
// ELEMENT: element.mlir:3:3: error: nothing to tune: each op here has one schedule only; apply it with --baco-annotate

//--- map.mlir
func.func @map(%A: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %A[%i] : memref<4xf32>
    %y = math.sin %x : f32
    affine.store %y, %A[%i] : memref<4xf32>
  }
  return
}
//--- scalar.mlir
func.func @scalar(%x: f32) -> f32 {
  %y = math.sin %x : f32
  return %y : f32
}
//--- constant.mlir
func.func @constant(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.vectorize<>]>}
    ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
//--- element.mlir
func.func @element(%A: memref<1xf32>) {
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%A : memref<1xf32>)
  return
}
