// The buffers of results that go into one tensor are parts of it.
// RUN: baco-opt %s --split-input-file --one-shot-bufferize='bufferize-function-boundaries' \
// RUN:   --baco-forward-copies | FileCheck %s
// RUN: baco-opt %s --split-input-file --baco-bufferize-tensors \
// RUN:   | FileCheck %s --check-prefix=PIPELINE

// CHECK-LABEL: func.func @parts(
// CHECK:         %[[WHOLE:.*]] = memref.alloc() {{.*}} : memref<3x8xf32>
// CHECK-NOT:     memref.alloc
// CHECK-DAG:     %[[LAST:.*]] = memref.subview %[[WHOLE]][2, 0] [1, 8] [1, 1]
// CHECK-DAG:     %[[SECOND:.*]] = memref.subview %[[WHOLE]][1, 0] [1, 8] [1, 1]
// CHECK-DAG:     %[[FIRST:.*]] = memref.subview %[[WHOLE]][0, 0] [1, 8] [1, 1]
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%[[FIRST]], %[[SECOND]], %[[LAST]] :
// The first part is copied to itself.
// CHECK-NOT:     memref.copy %alloc
// CHECK:         return
// PIPELINE-LABEL: func.func @parts(
// PIPELINE-NOT:     memref.copy
// PIPELINE:         return
#same = affine_map<(i) -> (i)>
func.func @parts(%x: tensor<8xf32>) -> tensor<3x8xf32> {
  %whole = tensor.empty() : tensor<3x8xf32>
  %e0 = tensor.extract_slice %whole[0, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
  %e1 = tensor.extract_slice %whole[1, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
  %e2 = tensor.extract_slice %whole[2, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
  %r:3 = linalg.generic {indexing_maps = [#same, #same, #same, #same],
                         iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>)
      outs(%e0, %e1, %e2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %0: f32, %1: f32, %2: f32):
    %b = arith.addf %a, %a : f32
    %c = arith.mulf %a, %a : f32
    linalg.yield %a, %b, %c : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %i0 = tensor.insert_slice %r#0 into %whole[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
  %i1 = tensor.insert_slice %r#1 into %i0[1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
  %i2 = tensor.insert_slice %r#2 into %i1[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
  return %i2 : tensor<3x8xf32>
}

// -----

// The op reads the parts that the copies write. A load between op and copy needs
// what was there before, and so may one of an alias; but not one of another
// part. The place of the last copy isn't known.
// CHECK-LABEL: func.func @accessed(
// CHECK-COUNT-2: memref.copy
// CHECK-NOT:     memref.copy
// CHECK-LABEL: func.func @load(
// CHECK:         memref.copy
// CHECK-LABEL: func.func @alias(
// CHECK:         memref.copy
// CHECK-LABEL: func.func @other(
// CHECK-NOT:     memref.copy
// CHECK-LABEL: func.func @dynamic(
// CHECK:         memref.copy
#same = affine_map<(i) -> (i)>
func.func private @use(memref<3x8xf32>, f32)
func.func @accessed() {
  %whole = memref.alloc() : memref<3x8xf32>
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %in = memref.subview %whole[1, 0] [2, 8] [1, 1]
      : memref<3x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%in : memref<2x8xf32, strided<[8, 1], offset: 8>>)
      outs(%a, %b : memref<8xf32>, memref<8xf32>) {
  ^bb0(%v: f32, %0: f32, %1: f32):
    %s = arith.addf %v, %0 : f32
    linalg.yield %s, %v : f32, f32
  }
  %p = memref.subview %whole[1, 0] [1, 8] [1, 1] : memref<3x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.copy %a, %p : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  %q = memref.subview %whole[2, 0] [1, 8] [1, 1] : memref<3x8xf32> to memref<8xf32, strided<[1], offset: 16>>
  memref.copy %b, %q : memref<8xf32> to memref<8xf32, strided<[1], offset: 16>>
  return
}
func.func @load(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %whole = memref.alloc() : memref<3x8xf32>
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%a, %b : memref<8xf32>, memref<8xf32>) {
  ^bb0(%v: f32, %0: f32, %1: f32):
    linalg.yield %v, %v : f32, f32
  }
  %old = memref.load %whole[%c0, %c0] : memref<3x8xf32>
  %p = memref.subview %whole[1, 0] [1, 8] [1, 1] : memref<3x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.copy %a, %p : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  call @use(%whole, %old) : (memref<3x8xf32>, f32) -> ()
  return
}
func.func @alias(%x: memref<8xf32>, %y: memref<3x8xf32>, %first: i1) {
  %c0 = arith.constant 0 : index
  %whole = memref.alloc() : memref<3x8xf32>
  %either = arith.select %first, %whole, %y : memref<3x8xf32>
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%a, %b : memref<8xf32>, memref<8xf32>) {
  ^bb0(%v: f32, %0: f32, %1: f32):
    linalg.yield %v, %v : f32, f32
  }
  %old = memref.load %either[%c0, %c0] : memref<3x8xf32>
  %p = memref.subview %whole[1, 0] [1, 8] [1, 1] : memref<3x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.copy %a, %p : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  call @use(%whole, %old) : (memref<3x8xf32>, f32) -> ()
  return
}
func.func @other(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %whole = memref.alloc() : memref<3x8xf32>
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%a, %b : memref<8xf32>, memref<8xf32>) {
  ^bb0(%v: f32, %0: f32, %1: f32):
    linalg.yield %v, %v : f32, f32
  }
  %t = memref.subview %whole[0, 0] [1, 8] [1, 1] : memref<3x8xf32> to memref<8xf32, strided<[1]>>
  %old = memref.load %t[%c0] : memref<8xf32, strided<[1]>>
  %p = memref.subview %whole[1, 0] [1, 8] [1, 1] : memref<3x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  memref.copy %a, %p : memref<8xf32> to memref<8xf32, strided<[1], offset: 8>>
  call @use(%whole, %old) : (memref<3x8xf32>, f32) -> ()
  return
}
func.func @dynamic(%x: memref<8xf32>, %row: index) {
  %c0 = arith.constant 0 : index
  %whole = memref.alloc() : memref<3x8xf32>
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%a, %b : memref<8xf32>, memref<8xf32>) {
  ^bb0(%v: f32, %0: f32, %1: f32):
    linalg.yield %v, %v : f32, f32
  }
  %p = memref.subview %whole[%row, 0] [1, 8] [1, 1] : memref<3x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  memref.copy %a, %p : memref<8xf32> to memref<8xf32, strided<[1], offset: ?>>
  return
}
