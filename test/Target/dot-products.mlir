// RUN: baco-opt %s --baco-dot-products | FileCheck %s

// Unsigned scalars and signed lanes need no offset.
// CHECK-LABEL: func.func @mixed
// CHECK-SAME: %[[V0:.*]]: vector<16xi8>, %[[V1:.*]]: vector<16xi8>, %[[V2:.*]]: vector<16xi8>, %[[V3:.*]]: vector<16xi8>
// CHECK-SAME: %[[S0:.*]]: i8, %[[S1:.*]]: i8, %[[S2:.*]]: i8, %[[S3:.*]]: i8
// CHECK-SAME: %[[SUM:.*]]: vector<16xi32>
// CHECK: %[[EVEN:.*]] = vector.interleave %[[V0]], %[[V2]]
// CHECK: %[[ODD:.*]] = vector.interleave %[[V1]], %[[V3]]
// CHECK: %[[LANES:.*]] = vector.interleave %[[EVEN]], %[[ODD]] : vector<32xi8> -> vector<64xi8>
// CHECK: %[[FEW:.*]] = vector.from_elements %[[S0]], %[[S1]], %[[S2]], %[[S3]] : vector<4xi8>
// CHECK: %[[WORD:.*]] = vector.bitcast %[[FEW]] : vector<4xi8> to vector<1xi32>
// CHECK: %[[ALL:.*]] = vector.broadcast {{.*}} : i32 to vector<16xi32>
// CHECK: %[[BYTES:.*]] = vector.bitcast %[[ALL]] : vector<16xi32> to vector<64xi8>
// CHECK-NOT: arith.xori
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: arith.muli
// CHECK-NOT: arith.subi
// CHECK: return
func.func @mixed(%v0: vector<16xi8>, %v1: vector<16xi8>, %v2: vector<16xi8>,
                 %v3: vector<16xi8>, %s0: i8, %s1: i8, %s2: i8, %s3: i8,
                 %sum: vector<16xi32>) -> vector<16xi32>
    attributes {baco.target_options = {dot_products = 1}} {
  %x0 = arith.extsi %v0 : vector<16xi8> to vector<16xi32>
  %x1 = arith.extsi %v1 : vector<16xi8> to vector<16xi32>
  %x2 = arith.extsi %v2 : vector<16xi8> to vector<16xi32>
  %x3 = arith.extsi %v3 : vector<16xi8> to vector<16xi32>
  %y0 = arith.extui %s0 : i8 to i32
  %y1 = arith.extui %s1 : i8 to i32
  %y2 = arith.extui %s2 : i8 to i32
  %y3 = arith.extui %s3 : i8 to i32
  %b0 = vector.broadcast %y0 : i32 to vector<16xi32>
  %b1 = vector.broadcast %y1 : i32 to vector<16xi32>
  %b2 = vector.broadcast %y2 : i32 to vector<16xi32>
  %b3 = vector.broadcast %y3 : i32 to vector<16xi32>
  %p0 = arith.muli %x0, %b0 : vector<16xi32>
  %p1 = arith.muli %b1, %x1 : vector<16xi32>
  %p2 = arith.muli %x2, %b2 : vector<16xi32>
  %p3 = arith.muli %x3, %b3 : vector<16xi32>
  %t0 = arith.addi %sum, %p0 : vector<16xi32>
  %t1 = arith.addi %p1, %t0 : vector<16xi32>
  %t2 = arith.addi %t1, %p2 : vector<16xi32>
  %t3 = arith.addi %t2, %p3 : vector<16xi32>
  return %t3 : vector<16xi32>
}

// Two rows share the vectors. Their scalars are moved by 128, so that behind
// the loop 128 + 3 times the vectors are too much.
// CHECK-LABEL: func.func @rows
// CHECK: %[[ZERO:.*]] = arith.constant dense<0> : vector<16xi32>
// CHECK: %[[SUMS:.*]]:3 = affine.for {{.*}} iter_args(%{{.*}}, %{{.*}}, %[[EXCESS:.*]] = %[[ZERO]])
// CHECK-COUNT-3: vector.interleave
// CHECK-NOT: vector.interleave
// CHECK: arith.xori %{{.*}}, %[[SIGNS:.*]] : vector<64xi8>
// CHECK: llvm.call_intrinsic
// CHECK: arith.xori
// CHECK: llvm.call_intrinsic
// CHECK: %[[OFFSET:.*]] = arith.constant dense<-125> : vector<64xi8>
// CHECK: %[[OFFSETS:.*]] = vector.extract_strided_slice %[[OFFSET]]
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[OFFSETS]], %{{.*}})
// CHECK: affine.yield
// CHECK-DAG: arith.subi %[[SUMS]]#0, %[[SUMS]]#2
// CHECK-DAG: arith.subi %[[SUMS]]#1, %[[SUMS]]#2
func.func @rows(%v: memref<64x16xi8>, %s: memref<2x64xi8>,
                %a: vector<16xi32>, %b: vector<16xi32>)
    -> (vector<16xi32>, vector<16xi32>)
    attributes {baco.target_options = {dot_products = 1}} {
  %zero = arith.constant 3 : i32
  %sums:2 = affine.for %k = 0 to 64 step 4 iter_args(%c = %a, %d = %b)
      -> (vector<16xi32>, vector<16xi32>) {
    %v0 = affine.vector_load %v[%k, 0] : memref<64x16xi8>, vector<16xi8>
    %v1 = affine.vector_load %v[%k + 1, 0] : memref<64x16xi8>, vector<16xi8>
    %v2 = affine.vector_load %v[%k + 2, 0] : memref<64x16xi8>, vector<16xi8>
    %v3 = affine.vector_load %v[%k + 3, 0] : memref<64x16xi8>, vector<16xi8>
    %x0 = arith.extsi %v0 : vector<16xi8> to vector<16xi32>
    %x1 = arith.extsi %v1 : vector<16xi8> to vector<16xi32>
    %x2 = arith.extsi %v2 : vector<16xi8> to vector<16xi32>
    %x3 = arith.extsi %v3 : vector<16xi8> to vector<16xi32>
    %s0 = affine.load %s[0, %k] : memref<2x64xi8>
    %s1 = affine.load %s[0, %k + 1] : memref<2x64xi8>
    %s2 = affine.load %s[0, %k + 2] : memref<2x64xi8>
    %s3 = affine.load %s[0, %k + 3] : memref<2x64xi8>
    %y0 = arith.extsi %s0 : i8 to i32
    %y1 = arith.extsi %s1 : i8 to i32
    %y2 = arith.extsi %s2 : i8 to i32
    %y3 = arith.extsi %s3 : i8 to i32
    %z0 = arith.subi %y0, %zero : i32
    %z1 = arith.subi %y1, %zero : i32
    %z2 = arith.subi %y2, %zero : i32
    %z3 = arith.subi %y3, %zero : i32
    %b0 = vector.broadcast %z0 : i32 to vector<16xi32>
    %b1 = vector.broadcast %z1 : i32 to vector<16xi32>
    %b2 = vector.broadcast %z2 : i32 to vector<16xi32>
    %b3 = vector.broadcast %z3 : i32 to vector<16xi32>
    %p0 = arith.muli %x0, %b0 : vector<16xi32>
    %p1 = arith.muli %x1, %b1 : vector<16xi32>
    %p2 = arith.muli %x2, %b2 : vector<16xi32>
    %p3 = arith.muli %x3, %b3 : vector<16xi32>
    %c0 = arith.addi %c, %p0 : vector<16xi32>
    %c1 = arith.addi %c0, %p1 : vector<16xi32>
    %c2 = arith.addi %c1, %p2 : vector<16xi32>
    %c3 = arith.addi %c2, %p3 : vector<16xi32>
    %u0 = affine.load %s[1, %k] : memref<2x64xi8>
    %u1 = affine.load %s[1, %k + 1] : memref<2x64xi8>
    %u2 = affine.load %s[1, %k + 2] : memref<2x64xi8>
    %u3 = affine.load %s[1, %k + 3] : memref<2x64xi8>
    %w0 = arith.extsi %u0 : i8 to i32
    %w1 = arith.extsi %u1 : i8 to i32
    %w2 = arith.extsi %u2 : i8 to i32
    %w3 = arith.extsi %u3 : i8 to i32
    %m0 = arith.subi %w0, %zero : i32
    %m1 = arith.subi %w1, %zero : i32
    %m2 = arith.subi %w2, %zero : i32
    %m3 = arith.subi %w3, %zero : i32
    %e0 = vector.broadcast %m0 : i32 to vector<16xi32>
    %e1 = vector.broadcast %m1 : i32 to vector<16xi32>
    %e2 = vector.broadcast %m2 : i32 to vector<16xi32>
    %e3 = vector.broadcast %m3 : i32 to vector<16xi32>
    %q0 = arith.muli %x0, %e0 : vector<16xi32>
    %q1 = arith.muli %x1, %e1 : vector<16xi32>
    %q2 = arith.muli %x2, %e2 : vector<16xi32>
    %q3 = arith.muli %x3, %e3 : vector<16xi32>
    %d0 = arith.addi %d, %q0 : vector<16xi32>
    %d1 = arith.addi %d0, %q1 : vector<16xi32>
    %d2 = arith.addi %d1, %q2 : vector<16xi32>
    %d3 = arith.addi %d2, %q3 : vector<16xi32>
    affine.yield %c3, %d3 : vector<16xi32>, vector<16xi32>
  }
  return %sums#0, %sums#1 : vector<16xi32>, vector<16xi32>
}

// Five unsigned products, in two registers: the first one beside lanes of zeros,
// with the scalars of those behind it. The signed bytes are those of the scalars
// here, moved by -128, which the sum lacks.
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: %[[V:.*]]: vector<32xi8>, %[[S:.*]]: i8, %[[SUM:.*]]: vector<32xi32>
// CHECK: %[[ZEROS:.*]] = arith.constant dense<0> : vector<32xi8>
// CHECK: vector.interleave %[[V]], %[[ZEROS]]
// CHECK: vector.interleave %[[ZEROS]], %[[ZEROS]]
// CHECK: vector.from_elements %[[S]], %[[S]], %[[S]], %[[S]]
// CHECK: vector.extract_strided_slice %[[SUM]] {offsets = [0], sizes = [16], strides = [1]}
// CHECK: llvm.call_intrinsic
// CHECK: vector.extract_strided_slice %[[SUM]] {offsets = [16], sizes = [16], strides = [1]}
// CHECK: llvm.call_intrinsic
// CHECK-COUNT-2: llvm.call_intrinsic
// CHECK: arith.constant dense<-128> : vector<128xi8>
// CHECK-COUNT-4: llvm.call_intrinsic
// CHECK: arith.subi
func.func @unsigned(%v: vector<32xi8>, %s: i8, %sum: vector<32xi32>)
    -> vector<32xi32> attributes {baco.target_options = {dot_products = 1}} {
  %x = arith.extui %v : vector<32xi8> to vector<32xi32>
  %y = arith.extui %s : i8 to i32
  %b = vector.broadcast %y : i32 to vector<32xi32>
  %p0 = arith.muli %x, %b : vector<32xi32>
  %p1 = arith.muli %x, %b : vector<32xi32>
  %p2 = arith.muli %x, %b : vector<32xi32>
  %p3 = arith.muli %x, %b : vector<32xi32>
  %p4 = arith.muli %x, %b : vector<32xi32>
  %t0 = arith.addi %sum, %p0 : vector<32xi32>
  %t1 = arith.addi %t0, %p1 : vector<32xi32>
  %t2 = arith.addi %t1, %p2 : vector<32xi32>
  %t3 = arith.addi %t2, %p3 : vector<32xi32>
  %t4 = arith.addi %t3, %p4 : vector<32xi32>
  return %t4 : vector<32xi32>
}

// Two products of words.
// CHECK-LABEL: func.func @words
// CHECK: %[[LANES:.*]] = vector.interleave %{{.*}}, %{{.*}} : vector<16xi16> -> vector<32xi16>
// CHECK: vector.from_elements {{.*}} : vector<2xi16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"
// CHECK-NOT: arith.muli
// CHECK: return
func.func @words(%v0: vector<16xi16>, %v1: vector<16xi16>, %s0: i16, %s1: i16,
                 %sum: vector<16xi32>) -> vector<16xi32>
    attributes {baco.target_options = {dot_products = 1}} {
  %x0 = arith.extsi %v0 : vector<16xi16> to vector<16xi32>
  %x1 = arith.extsi %v1 : vector<16xi16> to vector<16xi32>
  %y0 = arith.extsi %s0 : i16 to i32
  %y1 = arith.extsi %s1 : i16 to i32
  %b0 = vector.broadcast %y0 : i32 to vector<16xi32>
  %b1 = vector.broadcast %y1 : i32 to vector<16xi32>
  %p0 = arith.muli %x0, %b0 : vector<16xi32>
  %p1 = arith.muli %x1, %b1 : vector<16xi32>
  %t0 = arith.addi %sum, %p0 : vector<16xi32>
  %t1 = arith.addi %t0, %p1 : vector<16xi32>
  return %t1 : vector<16xi32>
}

// Three products of bytes, in registers of eight lanes and of four.
// CHECK-LABEL: func.func @twelve
// CHECK-SAME: vector<12xi8>, %[[S:.*]]: i8, %
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i8
// CHECK: vector.from_elements %[[S]], %[[S]], %[[S]], %[[ZERO]]
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128"
// CHECK-NOT: arith.muli
// CHECK: return
func.func @twelve(%v: vector<12xi8>, %s: i8, %sum: vector<12xi32>)
    -> vector<12xi32> attributes {baco.target_options = {dot_products = 1}} {
  %x = arith.extsi %v : vector<12xi8> to vector<12xi32>
  %y = arith.extui %s : i8 to i32
  %b = vector.broadcast %y : i32 to vector<12xi32>
  %p = arith.muli %x, %b : vector<12xi32>
  %t0 = arith.addi %sum, %p : vector<12xi32>
  %t1 = arith.addi %t0, %p : vector<12xi32>
  %t2 = arith.addi %t1, %p : vector<12xi32>
  return %t2 : vector<12xi32>
}

// Six lanes, a single product, unsigned words, a zero point that doesn't fit a byte with its
// 128, and a function without the option stay.
// CHECK-LABEL: func.func @six
// CHECK-NOT: llvm.call_intrinsic
// CHECK-LABEL: func.func @single
// CHECK-NOT: llvm.call_intrinsic
// CHECK-LABEL: func.func @unsigned_words
// CHECK-NOT: llvm.call_intrinsic
// CHECK-LABEL: func.func @far
// CHECK-NOT: llvm.call_intrinsic
// CHECK-LABEL: func.func @off
// CHECK-NOT: llvm.call_intrinsic
func.func @six(%v: vector<6xi8>, %s: i8, %sum: vector<6xi32>)
    -> vector<6xi32> attributes {baco.target_options = {dot_products = 1}} {
  %x = arith.extsi %v : vector<6xi8> to vector<6xi32>
  %y = arith.extui %s : i8 to i32
  %b = vector.broadcast %y : i32 to vector<6xi32>
  %p = arith.muli %x, %b : vector<6xi32>
  %t0 = arith.addi %sum, %p : vector<6xi32>
  %t1 = arith.addi %t0, %p : vector<6xi32>
  %t2 = arith.addi %t1, %p : vector<6xi32>
  %t3 = arith.addi %t2, %p : vector<6xi32>
  return %t3 : vector<6xi32>
}

func.func @single(%v: vector<16xi8>, %s: i8, %sum: vector<16xi32>)
    -> vector<16xi32> attributes {baco.target_options = {dot_products = 1}} {
  %x = arith.extsi %v : vector<16xi8> to vector<16xi32>
  %y = arith.extui %s : i8 to i32
  %b = vector.broadcast %y : i32 to vector<16xi32>
  %p = arith.muli %x, %b : vector<16xi32>
  %t0 = arith.addi %sum, %p : vector<16xi32>
  return %t0 : vector<16xi32>
}

func.func @unsigned_words(%v: vector<16xi16>, %s: i16, %sum: vector<16xi32>)
    -> vector<16xi32> attributes {baco.target_options = {dot_products = 1}} {
  %x = arith.extui %v : vector<16xi16> to vector<16xi32>
  %y = arith.extsi %s : i16 to i32
  %b = vector.broadcast %y : i32 to vector<16xi32>
  %p = arith.muli %x, %b : vector<16xi32>
  %t0 = arith.addi %sum, %p : vector<16xi32>
  %t1 = arith.addi %t0, %p : vector<16xi32>
  return %t1 : vector<16xi32>
}

func.func @far(%v: vector<16xi8>, %s: i8, %sum: vector<16xi32>)
    -> vector<16xi32> attributes {baco.target_options = {dot_products = 1}} {
  %zero = arith.constant 128 : i32
  %x = arith.extsi %v : vector<16xi8> to vector<16xi32>
  %y = arith.extsi %s : i8 to i32
  %z = arith.subi %y, %zero : i32
  %b = vector.broadcast %z : i32 to vector<16xi32>
  %p = arith.muli %x, %b : vector<16xi32>
  %t0 = arith.addi %sum, %p : vector<16xi32>
  %t1 = arith.addi %t0, %p : vector<16xi32>
  %t2 = arith.addi %t1, %p : vector<16xi32>
  %t3 = arith.addi %t2, %p : vector<16xi32>
  return %t3 : vector<16xi32>
}

func.func @off(%v: vector<16xi8>, %s: i8, %sum: vector<16xi32>)
    -> vector<16xi32> attributes {baco.target_options = {dot_products = 0}} {
  %x = arith.extsi %v : vector<16xi8> to vector<16xi32>
  %y = arith.extui %s : i8 to i32
  %b = vector.broadcast %y : i32 to vector<16xi32>
  %p = arith.muli %x, %b : vector<16xi32>
  %t0 = arith.addi %sum, %p : vector<16xi32>
  %t1 = arith.addi %t0, %p : vector<16xi32>
  %t2 = arith.addi %t1, %p : vector<16xi32>
  %t3 = arith.addi %t2, %p : vector<16xi32>
  return %t3 : vector<16xi32>
}

// What isn't here has no sums.
// CHECK-LABEL: func.func private @elsewhere
func.func private @elsewhere(vector<16xi8>) attributes {baco.target_options = {dot_products = 1}}
