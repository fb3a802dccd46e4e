// RUN: baco-opt %s --transform-interpreter | FileCheck %s

// Lanes have vectors of 32 bytes: the first halves of all are before the second
// ones of all.

// CHECK-LABEL: func.func @halves
// CHECK: workgroup(%[[ROWS:.*]] : memref<2x4x64xf32
// CHECK: %[[PART:.*]] = memref.subview %[[ROWS]]
// CHECK: %[[COLUMN:.*]] = arith.muli %{{.*}}, %c4{{.*}}
// CHECK: %[[IN:.*]] = arith.remui %[[COLUMN]], %c8{{.*}}
// CHECK: %[[HALF:.*]] = arith.divui %[[IN]], %c4{{.*}}
// CHECK: %[[VECTOR:.*]] = arith.divui %[[COLUMN]], %c8{{.*}}
// CHECK: %[[BEGIN:.*]] = arith.muli %[[VECTOR]], %c4{{.*}}
// CHECK: %[[OFFSET:.*]] = arith.muli %[[HALF]], %c32{{.*}}
// CHECK: %[[AT:.*]] = arith.addi %[[BEGIN]], %[[OFFSET]]
// CHECK: nvgpu.device_async_copy %{{.*}}[%{{.*}}, %[[COLUMN]]], %[[PART]][%{{.*}}, %[[AT]]], 4
// CHECK: %[[FIRST:.*]] = affine.apply {{.*}}[%[[X:.*]]]
// CHECK: %[[A:.*]] = vector.load %[[ROWS]][%c0, %c1, %[[FIRST]]] : {{.*}}, vector<4xf32>
// CHECK: %[[SECOND:.*]] = affine.apply {{.*}}[%[[X]]]
// CHECK: %[[B:.*]] = vector.load %[[ROWS]][%c0, %c1, %[[SECOND]]] : {{.*}}, vector<4xf32>
// CHECK: vector.shuffle %[[A]], %[[B]] [0, 1, 2, 3, 4, 5, 6, 7]
func.func @halves(%a: memref<4x64xf32>, %r: memref<4x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c4, %sz = %c1)
             workgroup(%rows : memref<2x4x64xf32, #gpu.address_space<workgroup>>) {
    %part = memref.subview %rows[0, 0, 0] [1, 4, 64] [1, 1, 1]
      : memref<2x4x64xf32, #gpu.address_space<workgroup>>
      to memref<4x64xf32, strided<[64, 1]>, #gpu.address_space<workgroup>>
    %column = arith.muli %tx, %c4 : index
    %copy = nvgpu.device_async_copy %a[%ty, %column], %part[%ty, %column], 4
      : memref<4x64xf32> to memref<4x64xf32, strided<[64, 1]>, #gpu.address_space<workgroup>>
    gpu.barrier
    %at = arith.muli %tx, %c8 : index
    %vector = vector.load %rows[%c0, %c1, %at]
      : memref<2x4x64xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    vector.store %vector, %r[%ty, %at] : memref<4x64xf32>, vector<8xf32>
    gpu.terminator
  }
  return
}

// Four parts of 16 bytes; an element is stored by itself.

// CHECK-LABEL: func.func @quarters
// CHECK: %[[IN:.*]] = arith.remui %[[Y:.*]], %c16{{.*}}
// CHECK: %[[QUARTER:.*]] = arith.divui %[[IN]], %c4{{.*}}
// CHECK: arith.muli %[[QUARTER]], %c8{{.*}}
// CHECK: arith.remui %[[Y]], %c4{{.*}}
// CHECK: memref.store
// CHECK-COUNT-4: vector.load {{.*}}, vector<4xf32>
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
func.func @quarters(%a: memref<32xf32>, %r: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%row : memref<32xf32, #gpu.address_space<workgroup>>) {
    %element = memref.load %a[%tx] : memref<32xf32>
    memref.store %element, %row[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %half = arith.remui %tx, %c16 : index
    %at = arith.muli %half, %c16 : index
    %vector = vector.load %row[%at] : memref<32xf32, #gpu.address_space<workgroup>>, vector<16xf32>
    vector.store %vector, %r[%at] : memref<32xf32>, vector<16xf32>
    gpu.terminator
  }
  return
}

// What stays: vectors that begin anywhere, rows that aren't whole vectors, two
// lengths, a buffer that another op reads, elements of more than 16 bytes, and
// a view of global memory.

// CHECK-LABEL: func.func @others
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @others(%r: memref<64xf32>, %begin: index, %bytes: memref<256xi8>, %l: memref<64xi256>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%anywhere : memref<64xf32, #gpu.address_space<workgroup>>,
                       %padded : memref<2x68xf32, #gpu.address_space<workgroup>>,
                       %two : memref<64xf32, #gpu.address_space<workgroup>>,
                       %read : memref<64xf32, #gpu.address_space<workgroup>>,
                       %large : memref<64xi256, #gpu.address_space<workgroup>>) {
    %a = vector.load %anywhere[%begin] : memref<64xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    vector.store %a, %r[%c0] : memref<64xf32>, vector<8xf32>
    %b = vector.load %padded[%c0, %c0] : memref<2x68xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    vector.store %b, %r[%c0] : memref<64xf32>, vector<8xf32>
    %c = vector.load %two[%c0] : memref<64xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    %d = vector.load %two[%c0] : memref<64xf32, #gpu.address_space<workgroup>>, vector<16xf32>
    vector.store %c, %r[%c0] : memref<64xf32>, vector<8xf32>
    vector.store %d, %r[%c0] : memref<64xf32>, vector<16xf32>
    %e = vector.load %read[%c0] : memref<64xf32, #gpu.address_space<workgroup>>, vector<8xf32>
    vector.store %e, %r[%c0] : memref<64xf32>, vector<8xf32>
    %f = vector.load %large[%c0] : memref<64xi256, #gpu.address_space<workgroup>>, vector<8xi256>
    vector.store %f, %l[%c0] : memref<64xi256>, vector<8xi256>
    %view = memref.view %bytes[%c0][] : memref<256xi8> to memref<64xf32>
    %g = vector.load %view[%c0] : memref<64xf32>, vector<8xf32>
    vector.store %g, %r[%c0] : memref<64xf32>, vector<8xf32>
    memref.copy %read, %r : memref<64xf32, #gpu.address_space<workgroup>> to memref<64xf32>
    gpu.terminator
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %functions = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.baco.gpu_interleave %functions : !transform.any_op
    transform.yield
  }
}
