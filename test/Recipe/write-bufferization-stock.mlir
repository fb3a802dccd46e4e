// Recipes that begin with `bufferize`: the function is put into memory once,
// before any of them is followed, and its ops are found again.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize='configuration={"schedule_f.M":8,"schedule_f_1.M":4}' -o %t.mlir
// RUN: %stock-mlir-opt %t.mlir --transform-interpreter -o %t.stock.mlir
// RUN: baco-opt %t.mlir --transform-interpreter -o %t.ours.mlir
// RUN: diff %t.stock.mlir %t.ours.mlir
// RUN: FileCheck %s --input-file=%t.stock.mlir

// CHECK-LABEL: func.func @f
// CHECK-NOT: tensor
// CHECK: %[[AB:.*]] = memref.alloc()
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c8
// CHECK: memref.subview %[[AB]]
// CHECK-NEXT: linalg.matmul {schedule_f_op}
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c4
// CHECK-NEXT: memref.subview %[[AB]]
// CHECK: linalg.matmul {schedule_f_1_op}
// CHECK: memref.dealloc %[[AB]]
// CHECK: transform.named_sequence @__transform_main
// CHECK-COUNT-1: one_shot_bufferize
// CHECK-NOT: one_shot_bufferize
func.func @f(%A: memref<64x32xf32>, %B: memref<32x16xf32>, %C: memref<64x16xf32>, %D: memref<16x16xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<64x32xf32> to tensor<64x32xf32>
  %b = bufferization.to_tensor %B restrict : memref<32x16xf32> to tensor<32x16xf32>
  %c = bufferization.to_tensor %C restrict writable : memref<64x16xf32> to tensor<64x16xf32>
  %d = bufferization.to_tensor %D restrict : memref<16x16xf32> to tensor<16x16xf32>
  %e = tensor.empty() : tensor<64x16xf32>
  %p = linalg.matmul {baco.recipe = #baco.recipe<[#baco.bufferize<>,
      #baco.tile<sizes = [#baco.knob<"M", #baco.ordinal<[4, 8]>>, 0, 0]>]>}
    ins(%a, %b : tensor<64x32xf32>, tensor<32x16xf32>)
    outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
  %q = linalg.matmul {baco.recipe = #baco.recipe<[#baco.bufferize<>,
      #baco.tile<sizes = [#baco.knob<"M", #baco.ordinal<[4, 8]>>, 0, 0]>]>}
    ins(%p, %d : tensor<64x16xf32>, tensor<16x16xf32>)
    outs(%c : tensor<64x16xf32>) -> tensor<64x16xf32>
  bufferization.materialize_in_destination %q in restrict writable %C
    : (tensor<64x16xf32>, memref<64x16xf32>) -> ()
  return
}
