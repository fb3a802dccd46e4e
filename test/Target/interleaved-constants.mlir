// Constant rows that dot products take by fours are interleaved before the first call.
// RUN: baco-opt %s --baco-dot-products | FileCheck %s
// RUN: baco-opt %s --baco-lower-to-cpu | FileCheck %s --check-prefix=LOWERED

// The parts of a group of four rows lie behind each other, and the two rows behind the last
// group aren't in one.
// CHECK-LABEL: func.func @weights
// CHECK-SAME: %[[W:.*]]: memref<3x18x32xi8>
// CHECK: %[[COPY:.*]] = memref.alloc() {{.*}}baco.copy{{.*}} : memref<2x3x4x64xi8>
// CHECK: affine.for %[[P:.*]] = 0 to 2
// CHECK-NEXT: affine.for %[[D:.*]] = 0 to 3
// CHECK-NEXT: affine.for %[[G:.*]] = 0 to 4
// CHECK: affine.vector_load %[[W]][%[[D]], %[[G]] * 4 + 3, %[[P]] * 16]
// CHECK-COUNT-3: vector.interleave
// CHECK: affine.vector_store %{{.*}}, %[[COPY]][%[[P]], %[[D]], %[[G]], 0]
// CHECK: affine.for %[[N:.*]] = 0 to 2
// CHECK: affine.for %[[K:.*]] = 4 to 16 step 4
// CHECK: affine.vector_load %[[COPY]][%[[N]], 2, %[[K]] floordiv 4, 0] : memref<2x3x4x64xi8>, vector<64xi8>
// CHECK-NOT: vector.interleave
// CHECK: llvm.call_intrinsic

// LOWERED: llvm.func @weights_prepare
// LOWERED: llvm.func @weights_tuned
// LOWERED-NOT: llvm.func
// LOWERED-NOT: vector<32xi8>
// LOWERED: vpdpbusd
func.func @weights(%w: memref<3x18x32xi8> {baco.constant}, %s: i8, %out: memref<4x16xi32>)
    attributes {baco.target_options = {dot_products = 1}} {
  affine.for %n = 0 to 2 {
  affine.for %k = 4 to 16 step 4 {
    %sum = affine.vector_load %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
    %v0 = affine.vector_load %w[2, %k, %n * 16] : memref<3x18x32xi8>, vector<16xi8>
    %v1 = affine.vector_load %w[2, %k + 1, %n * 16] : memref<3x18x32xi8>, vector<16xi8>
    %v2 = affine.vector_load %w[2, %k + 2, %n * 16] : memref<3x18x32xi8>, vector<16xi8>
    %v3 = affine.vector_load %w[2, %k + 3, %n * 16] : memref<3x18x32xi8>, vector<16xi8>
    %x0 = arith.extsi %v0 : vector<16xi8> to vector<16xi32>
    %x1 = arith.extsi %v1 : vector<16xi8> to vector<16xi32>
    %x2 = arith.extsi %v2 : vector<16xi8> to vector<16xi32>
    %x3 = arith.extsi %v3 : vector<16xi8> to vector<16xi32>
    %y = arith.extui %s : i8 to i32
    %b = vector.broadcast %y : i32 to vector<16xi32>
    %p0 = arith.muli %x0, %b : vector<16xi32>
    %p1 = arith.muli %x1, %b : vector<16xi32>
    %p2 = arith.muli %x2, %b : vector<16xi32>
    %p3 = arith.muli %x3, %b : vector<16xi32>
    %t0 = arith.addi %sum, %p0 : vector<16xi32>
    %t1 = arith.addi %t0, %p1 : vector<16xi32>
    %t2 = arith.addi %t1, %p2 : vector<16xi32>
    %t3 = arith.addi %t2, %p3 : vector<16xi32>
    affine.vector_store %t3, %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
  }
  }
  return
}

// Of rows of which a part is loaded, that part is copied, wherever it begins.
// CHECK-LABEL: func.func @tail
// CHECK: memref.alloc() {{.*}}baco.copy{{.*}} : memref<1x3x4x64xi8>
// CHECK: affine.vector_load %{{.*}}[%{{.*}}, %{{.*}} * 4 + 3, %{{.*}} * 16 + 25]
// CHECK: affine.vector_load %{{.*}}[0, 2, %{{.*}} floordiv 4, 0] : memref<1x3x4x64xi8>, vector<64xi8>
func.func @tail(%w: memref<3x18x41xi8> {baco.constant}, %s: i8, %out: memref<4x16xi32>)
    attributes {baco.target_options = {dot_products = 1}} {
  affine.for %n = 0 to 2 {
  affine.for %k = 4 to 16 step 4 {
    %sum = affine.vector_load %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
    %v0 = affine.vector_load %w[2, %k, 25] : memref<3x18x41xi8>, vector<16xi8>
    %v1 = affine.vector_load %w[2, %k + 1, 25] : memref<3x18x41xi8>, vector<16xi8>
    %v2 = affine.vector_load %w[2, %k + 2, 25] : memref<3x18x41xi8>, vector<16xi8>
    %v3 = affine.vector_load %w[2, %k + 3, 25] : memref<3x18x41xi8>, vector<16xi8>
    %x0 = arith.extsi %v0 : vector<16xi8> to vector<16xi32>
    %x1 = arith.extsi %v1 : vector<16xi8> to vector<16xi32>
    %x2 = arith.extsi %v2 : vector<16xi8> to vector<16xi32>
    %x3 = arith.extsi %v3 : vector<16xi8> to vector<16xi32>
    %y = arith.extui %s : i8 to i32
    %b = vector.broadcast %y : i32 to vector<16xi32>
    %p0 = arith.muli %x0, %b : vector<16xi32>
    %p1 = arith.muli %x1, %b : vector<16xi32>
    %p2 = arith.muli %x2, %b : vector<16xi32>
    %p3 = arith.muli %x3, %b : vector<16xi32>
    %t0 = arith.addi %sum, %p0 : vector<16xi32>
    %t1 = arith.addi %t0, %p1 : vector<16xi32>
    %t2 = arith.addi %t1, %p2 : vector<16xi32>
    %t3 = arith.addi %t2, %p3 : vector<16xi32>
    affine.vector_store %t3, %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
  }
  }
  return
}

// Others interleave in the loop: arrays that may change, groups that begin at any row, parts
// that begin anywhere, one row four times, and another one twice.
// CHECK-LABEL: func.func @variable
// CHECK-NOT: baco.copy
func.func @variable(%w: memref<18x32xi8>, %s: i8, %out: memref<4x16xi32>)
    attributes {baco.target_options = {dot_products = 1}} {
  affine.for %n = 0 to 2 {
  affine.for %k = 0 to 16 step 4 {
    %sum = affine.vector_load %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
    %v0 = affine.vector_load %w[%k, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %v1 = affine.vector_load %w[%k + 1, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %v2 = affine.vector_load %w[%k + 2, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %v3 = affine.vector_load %w[%k + 3, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %x0 = arith.extsi %v0 : vector<16xi8> to vector<16xi32>
    %x1 = arith.extsi %v1 : vector<16xi8> to vector<16xi32>
    %x2 = arith.extsi %v2 : vector<16xi8> to vector<16xi32>
    %x3 = arith.extsi %v3 : vector<16xi8> to vector<16xi32>
    %y = arith.extui %s : i8 to i32
    %b = vector.broadcast %y : i32 to vector<16xi32>
    %p0 = arith.muli %x0, %b : vector<16xi32>
    %p1 = arith.muli %x1, %b : vector<16xi32>
    %p2 = arith.muli %x2, %b : vector<16xi32>
    %p3 = arith.muli %x3, %b : vector<16xi32>
    %t0 = arith.addi %sum, %p0 : vector<16xi32>
    %t1 = arith.addi %t0, %p1 : vector<16xi32>
    %t2 = arith.addi %t1, %p2 : vector<16xi32>
    %t3 = arith.addi %t2, %p3 : vector<16xi32>
    affine.vector_store %t3, %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
  }
  }
  return
}

// CHECK-LABEL: func.func @between
// CHECK-NOT: baco.copy
func.func @between(%w: memref<18x32xi8> {baco.constant}, %s: i8, %out: memref<4x16xi32>)
    attributes {baco.target_options = {dot_products = 1}} {
  affine.for %n = 0 to 2 {
  affine.for %k = 2 to 14 step 4 {
    %sum = affine.vector_load %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
    %v0 = affine.vector_load %w[%k, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %v1 = affine.vector_load %w[%k + 1, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %v2 = affine.vector_load %w[%k + 2, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %v3 = affine.vector_load %w[%k + 3, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %x0 = arith.extsi %v0 : vector<16xi8> to vector<16xi32>
    %x1 = arith.extsi %v1 : vector<16xi8> to vector<16xi32>
    %x2 = arith.extsi %v2 : vector<16xi8> to vector<16xi32>
    %x3 = arith.extsi %v3 : vector<16xi8> to vector<16xi32>
    %y = arith.extui %s : i8 to i32
    %b = vector.broadcast %y : i32 to vector<16xi32>
    %p0 = arith.muli %x0, %b : vector<16xi32>
    %p1 = arith.muli %x1, %b : vector<16xi32>
    %p2 = arith.muli %x2, %b : vector<16xi32>
    %p3 = arith.muli %x3, %b : vector<16xi32>
    %t0 = arith.addi %sum, %p0 : vector<16xi32>
    %t1 = arith.addi %t0, %p1 : vector<16xi32>
    %t2 = arith.addi %t1, %p2 : vector<16xi32>
    %t3 = arith.addi %t2, %p3 : vector<16xi32>
    affine.vector_store %t3, %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
  }
  }
  return
}

// CHECK-LABEL: func.func @moved
// CHECK-NOT: baco.copy
func.func @moved(%w: memref<18x32xi8> {baco.constant}, %s: i8, %out: memref<4x16xi32>)
    attributes {baco.target_options = {dot_products = 1}} {
  affine.for %n = 0 to 2 {
  affine.for %k = 0 to 16 step 4 {
    %sum = affine.vector_load %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
    %v0 = affine.vector_load %w[%k, %n * 8] : memref<18x32xi8>, vector<16xi8>
    %v1 = affine.vector_load %w[%k + 1, %n * 8] : memref<18x32xi8>, vector<16xi8>
    %v2 = affine.vector_load %w[%k + 2, %n * 8] : memref<18x32xi8>, vector<16xi8>
    %v3 = affine.vector_load %w[%k + 3, %n * 8] : memref<18x32xi8>, vector<16xi8>
    %x0 = arith.extsi %v0 : vector<16xi8> to vector<16xi32>
    %x1 = arith.extsi %v1 : vector<16xi8> to vector<16xi32>
    %x2 = arith.extsi %v2 : vector<16xi8> to vector<16xi32>
    %x3 = arith.extsi %v3 : vector<16xi8> to vector<16xi32>
    %y = arith.extui %s : i8 to i32
    %b = vector.broadcast %y : i32 to vector<16xi32>
    %p0 = arith.muli %x0, %b : vector<16xi32>
    %p1 = arith.muli %x1, %b : vector<16xi32>
    %p2 = arith.muli %x2, %b : vector<16xi32>
    %p3 = arith.muli %x3, %b : vector<16xi32>
    %t0 = arith.addi %sum, %p0 : vector<16xi32>
    %t1 = arith.addi %t0, %p1 : vector<16xi32>
    %t2 = arith.addi %t1, %p2 : vector<16xi32>
    %t3 = arith.addi %t2, %p3 : vector<16xi32>
    affine.vector_store %t3, %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
  }
  }
  return
}

// CHECK-LABEL: func.func @columns
// CHECK-NOT: baco.copy
func.func @columns(%w: memref<18x64xi8> {baco.constant}, %s: i8, %out: memref<4x16xi32>)
    attributes {baco.target_options = {dot_products = 1}} {
  affine.for %n = 0 to 2 {
  affine.for %k = 0 to 16 step 4 {
    %sum = affine.vector_load %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
    %v0 = affine.vector_load %w[0, %k] : memref<18x64xi8>, vector<16xi8>
    %v1 = affine.vector_load %w[0, %k + 1] : memref<18x64xi8>, vector<16xi8>
    %v2 = affine.vector_load %w[0, %k + 2] : memref<18x64xi8>, vector<16xi8>
    %v3 = affine.vector_load %w[0, %k + 3] : memref<18x64xi8>, vector<16xi8>
    %x0 = arith.extsi %v0 : vector<16xi8> to vector<16xi32>
    %x1 = arith.extsi %v1 : vector<16xi8> to vector<16xi32>
    %x2 = arith.extsi %v2 : vector<16xi8> to vector<16xi32>
    %x3 = arith.extsi %v3 : vector<16xi8> to vector<16xi32>
    %y = arith.extui %s : i8 to i32
    %b = vector.broadcast %y : i32 to vector<16xi32>
    %p0 = arith.muli %x0, %b : vector<16xi32>
    %p1 = arith.muli %x1, %b : vector<16xi32>
    %p2 = arith.muli %x2, %b : vector<16xi32>
    %p3 = arith.muli %x3, %b : vector<16xi32>
    %t0 = arith.addi %sum, %p0 : vector<16xi32>
    %t1 = arith.addi %t0, %p1 : vector<16xi32>
    %t2 = arith.addi %t1, %p2 : vector<16xi32>
    %t3 = arith.addi %t2, %p3 : vector<16xi32>
    affine.vector_store %t3, %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
  }
  }
  return
}

// CHECK-LABEL: func.func @repeated
// CHECK-NOT: baco.copy
func.func @repeated(%w: memref<18x32xi8> {baco.constant}, %s: i8, %out: memref<4x16xi32>)
    attributes {baco.target_options = {dot_products = 1}} {
  affine.for %n = 0 to 2 {
  affine.for %k = 4 to 16 step 4 {
    %sum = affine.vector_load %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
    %v0 = affine.vector_load %w[%k, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %v1 = affine.vector_load %w[%k, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %v2 = affine.vector_load %w[%k + 2, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %v3 = affine.vector_load %w[%k + 3, %n * 16] : memref<18x32xi8>, vector<16xi8>
    %x0 = arith.extsi %v0 : vector<16xi8> to vector<16xi32>
    %x1 = arith.extsi %v1 : vector<16xi8> to vector<16xi32>
    %x2 = arith.extsi %v2 : vector<16xi8> to vector<16xi32>
    %x3 = arith.extsi %v3 : vector<16xi8> to vector<16xi32>
    %y = arith.extui %s : i8 to i32
    %b = vector.broadcast %y : i32 to vector<16xi32>
    %p0 = arith.muli %x0, %b : vector<16xi32>
    %p1 = arith.muli %x1, %b : vector<16xi32>
    %p2 = arith.muli %x2, %b : vector<16xi32>
    %p3 = arith.muli %x3, %b : vector<16xi32>
    %t0 = arith.addi %sum, %p0 : vector<16xi32>
    %t1 = arith.addi %t0, %p1 : vector<16xi32>
    %t2 = arith.addi %t1, %p2 : vector<16xi32>
    %t3 = arith.addi %t2, %p3 : vector<16xi32>
    affine.vector_store %t3, %out[%n, 0] : memref<4x16xi32>, vector<16xi32>
  }
  }
  return
}

