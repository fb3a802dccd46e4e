// Parts of a sum have blocks along z, and results of their own, which a second launch
// adds in order.
// RUN: split-file %s %t
// RUN: baco-opt %t/split.mlir --baco-expand-recipes --baco-concretize --transform-interpreter -o %t/out.mlir
// RUN: FileCheck %s < %t/out.mlir
// With a size that is the extent, nothing is split:
// RUN: baco-opt %t/split.mlir --baco-expand-recipes --baco-concretize='configuration={"KS": 512, "H": 512}' \
// RUN:   --transform-interpreter | FileCheck %s --check-prefix=ONE
// RUN: baco-opt %t/split.mlir --baco-expand-recipes --baco-extract-space -o /dev/null | FileCheck %s --check-prefix=SPACE
// RUN: not baco-opt %t/parallel.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=PARALLEL
// RUN: not baco-opt %t/outside.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not baco-opt %t/divide.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not baco-opt %t/zero.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=ZERO

// CHECK-LABEL: func.func @floats(
// CHECK:      %[[PARTS:.*]] = memref.alloc() : memref<4x64x64xf32>
// Two by two blocks for each of four parts:
// CHECK:      gpu.launch blocks({{.*}}) in (%{{[a-z0-9]+}} = %c2, %{{[a-z0-9]+}} = %c2{{[_0-9]*}}, %{{[a-z0-9]+}} = %c4{{[_0-9]*}})
// CHECK:        %[[PART:.*]] = gpu.block_id z
// The tile is zeros before the sum:
// CHECK:        memref.store %cst{{[_0-9]*}}, %[[PARTS]]
// CHECK:        gpu.barrier
// The accumulators are registers from the first step to the last:
// CHECK:        vector.load %[[PARTS]]
// CHECK:        scf.for %{{.*}} = %c0{{[_0-9]*}} to %c128{{[_0-9]*}} step %c16{{[_0-9]*}} iter_args
// CHECK-NOT:    %[[PARTS]]
// CHECK:        scf.yield
// CHECK:        vector.store {{.*}}, %[[PARTS]]
// CHECK-NOT:    %arg2
// CHECK:        gpu.terminator
// CHECK:      gpu.launch blocks({{.*}}) in (%{{[a-z0-9]+}} = %c15{{[_0-9]*}},
// CHECK:        %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c3782
// CHECK-NEXT:   scf.if %[[INSIDE]] {
// CHECK:          %[[BEFORE:.*]] = memref.load %arg2
// CHECK:          %[[SUM:.*]] = scf.for %[[I:.*]] = %c0{{[_0-9]*}} to %c4{{[_0-9]*}} step {{.*}} iter_args(%[[S:.*]] = %[[BEFORE]])
// CHECK:            %[[NEXT:.*]] = memref.load %[[PARTS]][%[[I]],
// CHECK:            arith.addf %[[S]], %[[NEXT]]
// CHECK:          memref.store %[[SUM]], %arg2
// CHECK:      memref.dealloc %[[PARTS]]

// ONE-LABEL: func.func @floats(
// ONE-NOT:     memref.dealloc
// ONE:         gpu.launch
// ONE-NOT:     gpu.launch
// ONE-LABEL: func.func @halves(
// ONE-NOT:     memref.dealloc
// ONE:         gpu.launch
// ONE-NOT:     gpu.launch
// ONE-LABEL: func.func @sums(

// SPACE: "divides(KS, 512)"

//--- split.mlir
func.func @floats(%a: memref<61x500xf32>, %b: memref<500x62xf32>, %c: memref<61x62xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 512]>,
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.gpu_split<sizes = [0, 0, #baco.knob<"KS", #baco.ordinal<[128, 512]>, default = 128>]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 4, stages = 2>,
      #baco.gpu_threads<sizes = [4, 4, 0]>, #baco.tile<sizes = [0, 0, 4]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<61x500xf32>, memref<500x62xf32>) outs(%c : memref<61x62xf32>)
  return
}

// On tensor cores.
// CHECK-LABEL: func.func @halves(
// CHECK:      nvvm.mma.sync
// CHECK:      gpu.launch
func.func @halves(%a: memref<64x512xf16>, %b: memref<512x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.gpu_split<sizes = [0, 0, #baco.knob<"H", #baco.ordinal<[128, 512]>, default = 128>]>,
      #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = 8, stages = 3>,
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%a, %b : memref<64x512xf16>, memref<512x64xf16>) outs(%c : memref<64x64xf32>)
  return
}

// Sums of rows of integers, without a knob.
// CHECK-LABEL: func.func @sums(
// CHECK:      memref.alloc() : memref<8x16xi32>
// CHECK:      gpu.launch
// CHECK:      gpu.launch
// CHECK:      arith.addi {{.*}} : i32
func.func @sums(%x: memref<16x256xi32>, %y: memref<16xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"],
      baco.recipe = #baco.recipe<[#baco.gpu_blocks<sizes = [16, 0]>,
        #baco.gpu_split<sizes = [0, 32]>, #baco.gpu_threads<sizes = [1, 0]>]>}
    ins(%x : memref<16x256xi32>) outs(%y : memref<16xi32>) {
  ^bb0(%u: i32, %s: i32):
    %t = arith.addi %u, %s : i32
    linalg.yield %t : i32
  }
  return
}

//--- parallel.mlir
// PARALLEL: error: iterator 1 is not a reduction of the op
// PARALLEL: note: the target is this
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>) {
    linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %zeros = transform.baco.gpu_split %op iterator 1 {size = 16} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- outside.mlir
// OUTSIDE: error: the op isn't in a loop that is mapped to blocks along x, or x and y
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>) {
    linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %zeros = transform.baco.gpu_split %op iterator 2 {size = 16} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- divide.mlir
// DIVIDE: error: parts of 24 don't divide the extent of 64
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
    scf.forall (%i) in (2) {
      %row = affine.apply affine_map<(d0) -> (d0 * 32)>(%i)
      %x = memref.subview %a[%row, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      %y = memref.subview %b[%row, 0] [32, 64] [1, 1] : memref<64x64xf32> to memref<32x64xf32, strided<[64, 1], offset: ?>>
      linalg.matmul ins(%x, %a : memref<32x64xf32, strided<[64, 1], offset: ?>>, memref<64x64xf32>)
        outs(%y : memref<32x64xf32, strided<[64, 1], offset: ?>>)
    } {mapping = [#gpu.block<x>]}
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %zeros = transform.baco.gpu_split %op iterator 2 {size = 24} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- zero.mlir
// ZERO: error: the size is 0, but must be positive
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>) {
    linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %size = transform.param.constant 0 : i64 -> !transform.param<i64>
    %zeros = transform.baco.gpu_split %op by %size iterator 2
      : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    transform.yield
  }
}
