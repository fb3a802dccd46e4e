// Slices of a sum have threads along z, and results of their own in shared memory, which
// the same threads add in order.
// RUN: split-file %s %t
// RUN: baco-opt %t/slice.mlir --baco-expand-recipes --baco-concretize --transform-interpreter -o %t/out.mlir
// RUN: FileCheck %s < %t/out.mlir
// With a size that is all of a step, nothing is sliced:
// RUN: baco-opt %t/slice.mlir --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"KT": 16, "PT": 16, "IT": 16, "DT": 64}' \
// RUN:   --transform-interpreter | FileCheck %s --check-prefix=ONE
// RUN: baco-opt %t/slice.mlir --baco-expand-recipes --baco-extract-space -o /dev/null | FileCheck %s --check-prefix=SPACE
// Results are right, and no thread reads what another one has yet to write:
// RUN: baco-tune-driver %t/slice.mlir --target=nvvm:sm_80 --evaluator=static --verify=emulate --budget=12 --seed=1 \
// RUN:   --output-dir=%t/tuned
// RUN: cat %t/tuned/slice.*.trials.jsonl | FileCheck %s --check-prefix=TRIALS --implicit-check-not=failed
// RUN: not baco-opt %t/parallel.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=PARALLEL
// RUN: not baco-opt %t/blocks.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not baco-opt %t/rows.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not baco-opt %t/divide.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=DIVIDE
// RUN: not baco-opt %t/whole.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @product(
// CHECK:      gpu.launch
// CHECK-SAME:   threads({{.*}}) in (%{{[a-z0-9]+}} = %c8{{[_0-9]*}}, %{{[a-z0-9]+}} = %c8{{[_0-9]*}}, %{{[a-z0-9]+}} = %c4{{[_0-9]*}})
// CHECK-SAME:   workgroup(%[[PARTS:[a-z0-9]+]] : memref<4x32x32xf32, #gpu.address_space<workgroup>>
// CHECK:        %[[SLICE:.*]] = gpu.thread_id z
// Sums begin as zeros in registers, and aren't in memory until all steps are done:
// CHECK-NOT:    vector.{{store|load}} {{.*}}%[[PARTS]]
// CHECK:        scf.for %{{.*}} = %c0{{[_0-9]*}} to %c64{{[_0-9]*}} step %c16{{[_0-9]*}} iter_args(%{{.*}} = %cst{{[_0-9]*}})
// CHECK-NOT:    %[[PARTS]][
// CHECK:        scf.yield
// CHECK:        vector.store %{{.*}}, %[[PARTS]][%[[SLICE]], {{.*}}vector<4xf32>
// CHECK:        gpu.barrier
// Each thread adds one of the four rows of its tile:
// CHECK:        vector.load %arg2
// CHECK-DAG:    %[[FIRST:.*]] = vector.load %[[PARTS]][%c0
// CHECK-DAG:    %[[LAST:.*]] = vector.load %[[PARTS]][%c3
// CHECK:        vector.store %{{.*}}, %arg2{{.*}}vector<4xf32>
// CHECK-NOT:    vector.store
// CHECK:        gpu.terminator

// ONE-LABEL: func.func @product(
// ONE-NOT:     gpu.thread_id z
// ONE-LABEL: func.func @bias(
// ONE-NOT:     gpu.thread_id z
// ONE-LABEL: func.func @integers(
// ONE-NOT:     gpu.thread_id z
// ONE-LABEL: func.func @dynamic(
// ONE-NOT:     gpu.thread_id z

// SPACE:     "divides(16, 4 * KT)"
// SPACE:     "16 == KT || (S * (2048 + 2048) + 4096 * (16 // KT) <= 49152)"
// SPACE:     "divides(KT, 16)"

// TRIALS-COUNT-12: "status":"ok"

//--- slice.mlir
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 4,
        stages = #baco.knob<"S", #baco.ordinal<[2, 3]>, default = 2>>,
      #baco.gpu_threads<sizes = [4, 4, #baco.knob<"KT", #baco.ordinal<[4, 8, 16]>, default = 4>]>,
      #baco.tile<sizes = [0, 0, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// Extents that no size divides, and elementwise ops on accumulators.
// CHECK-LABEL: func.func @bias(
// CHECK-NOT:  memref.alloc
// CHECK:      gpu.launch
// CHECK:        gpu.thread_id z
// CHECK:        gpu.barrier
// CHECK:        arith.maximumf
// CHECK:        gpu.terminator
// CHECK-NOT:  linalg
func.func @bias(%a: memref<30x61xf32>, %b: memref<61x31xf32>, %bias: memref<31xf32>, %c: memref<30x31xf32>) {
  %sums = memref.alloc() : memref<30x31xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%sums : memref<30x31xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [32, 32, 64]>, #baco.gpu_epilogue<>,
      #baco.gpu_blocks<sizes = [16, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 1, padding = 4>,
      #baco.gpu_threads<sizes = [4, 8, #baco.knob<"PT", #baco.ordinal<[8, 16]>, default = 8>]>,
      #baco.tile<sizes = [0, 0, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<30x61xf32>, memref<61x31xf32>) outs(%sums : memref<30x31xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                                   affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%sums, %bias : memref<30x31xf32>, memref<31xf32>) outs(%c : memref<30x31xf32>) {
  ^bb0(%s: f32, %x: f32, %old: f32):
    %t = arith.addf %s, %x : f32
    %r = arith.maximumf %t, %zero : f32
    linalg.yield %r : f32
  }
  memref.dealloc %sums : memref<30x31xf32>
  return
}

// CHECK-LABEL: func.func @integers(
// CHECK:      gpu.thread_id z
// CHECK:      gpu.barrier
// CHECK:      arith.addi {{.*}} : vector
func.func @integers(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [16, 32, 0]>,
      #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 4>,
      #baco.gpu_threads<sizes = [2, 4, #baco.knob<"IT", #baco.ordinal<[8, 16]>, default = 8>]>,
      #baco.tile<sizes = [0, 0, 8]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<32x32xi32>, memref<32x32xi32>) outs(%c : memref<32x32xi32>)
  return
}

// More than 48 KiB are views of dynamic shared memory, where sums are in registers, too.
// CHECK-LABEL: func.func @dynamic(
// CHECK:      %[[PARTS:.*]] = memref.view %{{.*}} to memref<8x32x64xf32, #gpu.address_space<workgroup>>
// CHECK:      scf.for %{{.*}} = %c0{{[_0-9]*}} to %c128{{[_0-9]*}} step %c64{{[_0-9]*}} iter_args(%{{.*}} = %cst{{[_0-9]*}})
// CHECK-NOT:  %[[PARTS]][
// CHECK:      scf.yield
// Vectors of 32 bytes are in parts, so that there are no bank conflicts:
// CHECK:      vector.store %{{.*}}, %[[PARTS]]{{.*}}vector<4xf32>
// CHECK-NOT:  %[[PARTS]][{{.*}}vector<8xf32>
// CHECK:      gpu.terminator
func.func @dynamic(%a: memref<32x128xf32>, %b: memref<128x64xf32>, %c: memref<32x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 64, 0]>,
      #baco.tile<sizes = [0, 0, 64]>,
      #baco.gpu_shared<operands = [0, 1], width = 4, stages = 2, limit = 163840>,
      #baco.gpu_threads<sizes = [8, 8, #baco.knob<"DT", #baco.ordinal<[8, 16, 64]>, default = 8>]>,
      #baco.tile<sizes = [0, 0, 4]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<32x128xf32>, memref<128x64xf32>) outs(%c : memref<32x64xf32>)
  return
}

//--- parallel.mlir
// PARALLEL: error: iterator 1 is not a reduction of the op
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
    linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %op tile_sizes [32, 32, 0](mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %threads = transform.structured.tile_using_forall %tile tile_sizes [4, 4, 0](mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.baco.gpu_slice %part iterator 1 {size = 16} : (!transform.any_op) -> ()
    transform.yield
  }
}

//--- blocks.mlir
// BLOCKS: error: the op isn't in a loop that is mapped to threads along x, or x and y, of a block
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
    linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %part, %threads = transform.structured.tile_using_forall %op tile_sizes [4, 4, 0](mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.baco.gpu_slice %part iterator 2 {size = 16} : (!transform.any_op) -> ()
    transform.yield
  }
}

//--- rows.mlir
// ROWS: error: no dimension of a thread's tile consists of 8 parts, one for each slice of the sum
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
    linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %op tile_sizes [32, 32, 0](mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %threads = transform.structured.tile_using_forall %tile tile_sizes [4, 4, 0](mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.baco.gpu_slice %part iterator 2 {size = 8} : (!transform.any_op) -> ()
    transform.yield
  }
}

//--- divide.mlir
// DIVIDE: error: parts of 24 don't divide the extent of 64
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
    linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%b : memref<64x64xf32>)
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %blocks = transform.structured.tile_using_forall %op tile_sizes [32, 32, 0](mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %part, %threads = transform.structured.tile_using_forall %tile tile_sizes [4, 4, 0](mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.baco.gpu_slice %part iterator 2 {size = 24} : (!transform.any_op) -> ()
    transform.yield
  }
}

//--- whole.mlir
// WHOLE: error: the result is no tile of what a block has of it
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
    scf.forall (%i) in (1) {
      scf.forall (%j) in (1) {
        linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%b : memref<64x64xf32>)
      } {mapping = [#gpu.thread<x>]}
    } {mapping = [#gpu.block<x>]}
    return
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.baco.gpu_slice %op iterator 2 {size = 16} : (!transform.any_op) -> ()
    transform.yield
  }
}
