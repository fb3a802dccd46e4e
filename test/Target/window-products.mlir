// Sums of products of two vectors of bytes, as of depthwise convolutions.
// RUN: baco-opt %s --baco-dot-products --canonicalize --cse | FileCheck %s

// Two windows of three rows and two columns. The products of a column come together, with a zero as the fourth, as
// both windows read the column in the middle. Signed data become unsigned, so that 128 + 3 times the weights are
// subtracted, once for both.
// CHECK-LABEL: func.func @windows
// CHECK-DAG: %[[OFFSET:.*]] = arith.constant dense<-125> : vector<64xi8>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : vector<16xi32>
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<0> : vector<16xi8>
// CHECK-DAG: %[[SIGN:.*]] = arith.constant dense<-128> : vector<16xi8>
// CHECK: %[[X0:.*]] = arith.xori %arg0, %[[SIGN]]
// CHECK: %[[X1:.*]] = arith.xori %arg1, %[[SIGN]]
// CHECK: %[[X2:.*]] = arith.xori %arg2, %[[SIGN]]
// CHECK: %[[EVEN:.*]] = vector.interleave %[[X0]], %[[X2]]
// CHECK: %[[ODD:.*]] = vector.interleave %[[X1]], %[[NONE]]
// CHECK: %[[LEFT:.*]] = vector.interleave %[[EVEN]], %[[ODD]] : vector<32xi8> -> vector<64xi8>
// CHECK: vector.interleave %arg9, %arg11
// CHECK: %[[W0:.*]] = vector.interleave {{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK: arith.xori %arg3, %[[SIGN]]
// CHECK: %[[MIDDLE:.*]] = vector.interleave {{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK: vector.interleave %arg12, %arg14
// CHECK: %[[W1:.*]] = vector.interleave {{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK: %[[PART:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[ZERO]], %[[OFFSET]], %{{.*}})
// CHECK: %[[EXCESS:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[PART]], %[[OFFSET]], %{{.*}})
// CHECK: %[[START:.*]] = arith.subi %[[ZERO]], %[[EXCESS]]
// CHECK: %[[RIGHT:.*]] = vector.interleave {{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK-NOT: vector.interleave
// CHECK: %[[S0:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[START]], %[[MIDDLE]], %[[W1]])
// CHECK: %[[S1:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[S0]], %[[LEFT]], %[[W0]])
// CHECK: %[[SUM:.*]] = arith.addi %arg15, %[[START]]
// CHECK: %[[S2:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[SUM]], %[[RIGHT]], %[[W1]])
// CHECK: %[[S3:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[S2]], %[[MIDDLE]], %[[W0]])
// CHECK: return %[[S1]], %[[S3]]
func.func @windows(%x00: vector<16xi8>, %x10: vector<16xi8>, %x20: vector<16xi8>, %x01: vector<16xi8>, %x11: vector<16xi8>, %x21: vector<16xi8>, %x02: vector<16xi8>, %x12: vector<16xi8>, %x22: vector<16xi8>,
                   %w00: vector<16xi8>, %w10: vector<16xi8>, %w20: vector<16xi8>, %w01: vector<16xi8>, %w11: vector<16xi8>, %w21: vector<16xi8>,
                   %sum: vector<16xi32>) -> (vector<16xi32>, vector<16xi32>)
    attributes {baco.target_options = {dot_products = 1}} {
  %zero = arith.constant dense<3> : vector<16xi32>
  %ex00 = arith.extsi %x00 : vector<16xi8> to vector<16xi32>
  %dx00 = arith.subi %ex00, %zero : vector<16xi32>
  %ex10 = arith.extsi %x10 : vector<16xi8> to vector<16xi32>
  %dx10 = arith.subi %ex10, %zero : vector<16xi32>
  %ex20 = arith.extsi %x20 : vector<16xi8> to vector<16xi32>
  %dx20 = arith.subi %ex20, %zero : vector<16xi32>
  %ex01 = arith.extsi %x01 : vector<16xi8> to vector<16xi32>
  %dx01 = arith.subi %ex01, %zero : vector<16xi32>
  %ex11 = arith.extsi %x11 : vector<16xi8> to vector<16xi32>
  %dx11 = arith.subi %ex11, %zero : vector<16xi32>
  %ex21 = arith.extsi %x21 : vector<16xi8> to vector<16xi32>
  %dx21 = arith.subi %ex21, %zero : vector<16xi32>
  %ex02 = arith.extsi %x02 : vector<16xi8> to vector<16xi32>
  %dx02 = arith.subi %ex02, %zero : vector<16xi32>
  %ex12 = arith.extsi %x12 : vector<16xi8> to vector<16xi32>
  %dx12 = arith.subi %ex12, %zero : vector<16xi32>
  %ex22 = arith.extsi %x22 : vector<16xi8> to vector<16xi32>
  %dx22 = arith.subi %ex22, %zero : vector<16xi32>
  %ew00 = arith.extsi %w00 : vector<16xi8> to vector<16xi32>
  %ew10 = arith.extsi %w10 : vector<16xi8> to vector<16xi32>
  %ew20 = arith.extsi %w20 : vector<16xi8> to vector<16xi32>
  %ew01 = arith.extsi %w01 : vector<16xi8> to vector<16xi32>
  %ew11 = arith.extsi %w11 : vector<16xi8> to vector<16xi32>
  %ew21 = arith.extsi %w21 : vector<16xi8> to vector<16xi32>
  %p000 = arith.muli %dx00, %ew00 : vector<16xi32>
  %p001 = arith.muli %dx01, %ew01 : vector<16xi32>
  %s001 = arith.addi %p000, %p001 : vector<16xi32>
  %p010 = arith.muli %dx10, %ew10 : vector<16xi32>
  %s010 = arith.addi %s001, %p010 : vector<16xi32>
  %p011 = arith.muli %dx11, %ew11 : vector<16xi32>
  %s011 = arith.addi %s010, %p011 : vector<16xi32>
  %p020 = arith.muli %dx20, %ew20 : vector<16xi32>
  %s020 = arith.addi %s011, %p020 : vector<16xi32>
  %p021 = arith.muli %dx21, %ew21 : vector<16xi32>
  %s021 = arith.addi %s020, %p021 : vector<16xi32>
  %p100 = arith.muli %dx01, %ew00 : vector<16xi32>
  %s100 = arith.addi %sum, %p100 : vector<16xi32>
  %p101 = arith.muli %dx02, %ew01 : vector<16xi32>
  %s101 = arith.addi %s100, %p101 : vector<16xi32>
  %p110 = arith.muli %dx11, %ew10 : vector<16xi32>
  %s110 = arith.addi %s101, %p110 : vector<16xi32>
  %p111 = arith.muli %dx12, %ew11 : vector<16xi32>
  %s111 = arith.addi %s110, %p111 : vector<16xi32>
  %p120 = arith.muli %dx21, %ew20 : vector<16xi32>
  %s120 = arith.addi %s111, %p120 : vector<16xi32>
  %p121 = arith.muli %dx22, %ew21 : vector<16xi32>
  %s121 = arith.addi %s120, %p121 : vector<16xi32>
  return %s021, %s121 : vector<16xi32>, vector<16xi32>
}

// Unsigned data and signed weights need no offset. The fifth product has zeros beside it.
// CHECK-LABEL: func.func @unsigned_data
// CHECK-NOT: arith.xori
// CHECK: %[[LAST:.*]] = arith.extui %arg9 : vector<16xi8> to vector<16xi32>
// CHECK: %[[WEIGHT:.*]] = vector.bitcast %[[LAST]] : vector<16xi32> to vector<64xi8>
// CHECK: %[[PLACE:.*]] = arith.extui %arg4 : vector<16xi8> to vector<16xi32>
// CHECK: %[[DATA:.*]] = vector.bitcast %[[PLACE]] : vector<16xi32> to vector<64xi8>
// CHECK: %[[FOUR:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%arg10, %{{.*}}, %{{.*}})
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%[[FOUR]], %[[DATA]], %[[WEIGHT]])
// CHECK-NOT: arith
// CHECK: return
func.func @unsigned_data(%x0: vector<16xi8>, %x1: vector<16xi8>, %x2: vector<16xi8>, %x3: vector<16xi8>, %x4: vector<16xi8>,
    %w0: vector<16xi8>, %w1: vector<16xi8>, %w2: vector<16xi8>, %w3: vector<16xi8>, %w4: vector<16xi8>,
    %sum: vector<16xi32>) -> vector<16xi32>
    attributes {baco.target_options = {dot_products = 1}} {
  %a0 = arith.extui %x0 : vector<16xi8> to vector<16xi32>
  %b0 = arith.extsi %w0 : vector<16xi8> to vector<16xi32>
  %p0 = arith.muli %a0, %b0 : vector<16xi32>
  %s0 = arith.addi %sum, %p0 : vector<16xi32>
  %a1 = arith.extui %x1 : vector<16xi8> to vector<16xi32>
  %b1 = arith.extsi %w1 : vector<16xi8> to vector<16xi32>
  %p1 = arith.muli %a1, %b1 : vector<16xi32>
  %s1 = arith.addi %s0, %p1 : vector<16xi32>
  %a2 = arith.extui %x2 : vector<16xi8> to vector<16xi32>
  %b2 = arith.extsi %w2 : vector<16xi8> to vector<16xi32>
  %p2 = arith.muli %a2, %b2 : vector<16xi32>
  %s2 = arith.addi %s1, %p2 : vector<16xi32>
  %a3 = arith.extui %x3 : vector<16xi8> to vector<16xi32>
  %b3 = arith.extsi %w3 : vector<16xi8> to vector<16xi32>
  %p3 = arith.muli %a3, %b3 : vector<16xi32>
  %s3 = arith.addi %s2, %p3 : vector<16xi32>
  %a4 = arith.extui %x4 : vector<16xi8> to vector<16xi32>
  %b4 = arith.extsi %w4 : vector<16xi8> to vector<16xi32>
  %p4 = arith.muli %a4, %b4 : vector<16xi32>
  %s4 = arith.addi %s3, %p4 : vector<16xi32>
  return %s4 : vector<16xi32>
}


// Weights are the unsigned ones, and a zero point is subtracted.
// CHECK-LABEL: func.func @unsigned_weights
// CHECK: %[[ZEROS:.*]] = arith.constant dense<-3> : vector<64xi8>
// CHECK: vector.interleave %arg4, %arg6
// CHECK: %[[WEIGHTS:.*]] = vector.interleave {{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[WEIGHTS]], %[[ZEROS]])
// CHECK-NOT: arith.xori
// CHECK: %[[DATA:.*]] = vector.interleave {{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[WEIGHTS]], %[[DATA]])
func.func @unsigned_weights(%x0: vector<16xi8>, %x1: vector<16xi8>, %x2: vector<16xi8>, %x3: vector<16xi8>,
    %w0: vector<16xi8>, %w1: vector<16xi8>, %w2: vector<16xi8>, %w3: vector<16xi8>,
    %sum: vector<16xi32>) -> vector<16xi32>
    attributes {baco.target_options = {dot_products = 1}} {
  %zero = arith.constant dense<-3> : vector<16xi32>
  %a0 = arith.extsi %x0 : vector<16xi8> to vector<16xi32>
  %d0 = arith.subi %a0, %zero : vector<16xi32>
  %b0 = arith.extui %w0 : vector<16xi8> to vector<16xi32>
  %p0 = arith.muli %d0, %b0 : vector<16xi32>
  %s0 = arith.addi %sum, %p0 : vector<16xi32>
  %a1 = arith.extsi %x1 : vector<16xi8> to vector<16xi32>
  %d1 = arith.subi %a1, %zero : vector<16xi32>
  %b1 = arith.extui %w1 : vector<16xi8> to vector<16xi32>
  %p1 = arith.muli %d1, %b1 : vector<16xi32>
  %s1 = arith.addi %s0, %p1 : vector<16xi32>
  %a2 = arith.extsi %x2 : vector<16xi8> to vector<16xi32>
  %d2 = arith.subi %a2, %zero : vector<16xi32>
  %b2 = arith.extui %w2 : vector<16xi8> to vector<16xi32>
  %p2 = arith.muli %d2, %b2 : vector<16xi32>
  %s2 = arith.addi %s1, %p2 : vector<16xi32>
  %a3 = arith.extsi %x3 : vector<16xi8> to vector<16xi32>
  %d3 = arith.subi %a3, %zero : vector<16xi32>
  %b3 = arith.extui %w3 : vector<16xi8> to vector<16xi32>
  %p3 = arith.muli %d3, %b3 : vector<16xi32>
  %s3 = arith.addi %s2, %p3 : vector<16xi32>
  return %s3 : vector<16xi32>
}


// No instruction multiplies two unsigned bytes.
// CHECK-LABEL: func.func @both_unsigned
// CHECK-NOT: llvm.call_intrinsic
// CHECK: return
func.func @both_unsigned(%x0: vector<16xi8>, %x1: vector<16xi8>, %x2: vector<16xi8>, %x3: vector<16xi8>,
    %w0: vector<16xi8>, %w1: vector<16xi8>, %w2: vector<16xi8>, %w3: vector<16xi8>,
    %sum: vector<16xi32>) -> vector<16xi32>
    attributes {baco.target_options = {dot_products = 1}} {
  %a0 = arith.extui %x0 : vector<16xi8> to vector<16xi32>
  %b0 = arith.extui %w0 : vector<16xi8> to vector<16xi32>
  %p0 = arith.muli %a0, %b0 : vector<16xi32>
  %s0 = arith.addi %sum, %p0 : vector<16xi32>
  %a1 = arith.extui %x1 : vector<16xi8> to vector<16xi32>
  %b1 = arith.extui %w1 : vector<16xi8> to vector<16xi32>
  %p1 = arith.muli %a1, %b1 : vector<16xi32>
  %s1 = arith.addi %s0, %p1 : vector<16xi32>
  %a2 = arith.extui %x2 : vector<16xi8> to vector<16xi32>
  %b2 = arith.extui %w2 : vector<16xi8> to vector<16xi32>
  %p2 = arith.muli %a2, %b2 : vector<16xi32>
  %s2 = arith.addi %s1, %p2 : vector<16xi32>
  %a3 = arith.extui %x3 : vector<16xi8> to vector<16xi32>
  %b3 = arith.extui %w3 : vector<16xi8> to vector<16xi32>
  %p3 = arith.muli %a3, %b3 : vector<16xi32>
  %s3 = arith.addi %s2, %p3 : vector<16xi32>
  return %s3 : vector<16xi32>
}


// A zero point beyond a byte is no factor.
// CHECK-LABEL: func.func @far_zero
// CHECK-NOT: llvm.call_intrinsic
// CHECK: return
func.func @far_zero(%x0: vector<16xi8>, %x1: vector<16xi8>, %x2: vector<16xi8>, %x3: vector<16xi8>,
    %w0: vector<16xi8>, %w1: vector<16xi8>, %w2: vector<16xi8>, %w3: vector<16xi8>,
    %sum: vector<16xi32>) -> vector<16xi32>
    attributes {baco.target_options = {dot_products = 1}} {
  %zero = arith.constant dense<128> : vector<16xi32>
  %a0 = arith.extsi %x0 : vector<16xi8> to vector<16xi32>
  %d0 = arith.subi %a0, %zero : vector<16xi32>
  %b0 = arith.extsi %w0 : vector<16xi8> to vector<16xi32>
  %p0 = arith.muli %d0, %b0 : vector<16xi32>
  %s0 = arith.addi %sum, %p0 : vector<16xi32>
  %a1 = arith.extsi %x1 : vector<16xi8> to vector<16xi32>
  %d1 = arith.subi %a1, %zero : vector<16xi32>
  %b1 = arith.extsi %w1 : vector<16xi8> to vector<16xi32>
  %p1 = arith.muli %d1, %b1 : vector<16xi32>
  %s1 = arith.addi %s0, %p1 : vector<16xi32>
  %a2 = arith.extsi %x2 : vector<16xi8> to vector<16xi32>
  %d2 = arith.subi %a2, %zero : vector<16xi32>
  %b2 = arith.extsi %w2 : vector<16xi8> to vector<16xi32>
  %p2 = arith.muli %d2, %b2 : vector<16xi32>
  %s2 = arith.addi %s1, %p2 : vector<16xi32>
  %a3 = arith.extsi %x3 : vector<16xi8> to vector<16xi32>
  %d3 = arith.subi %a3, %zero : vector<16xi32>
  %b3 = arith.extsi %w3 : vector<16xi8> to vector<16xi32>
  %p3 = arith.muli %d3, %b3 : vector<16xi32>
  %s3 = arith.addi %s2, %p3 : vector<16xi32>
  return %s3 : vector<16xi32>
}


// Two products don't pay.
// CHECK-LABEL: func.func @few
// CHECK-NOT: llvm.call_intrinsic
// CHECK: return
func.func @few(%x0: vector<16xi8>, %x1: vector<16xi8>,
    %w0: vector<16xi8>, %w1: vector<16xi8>,
    %sum: vector<16xi32>) -> vector<16xi32>
    attributes {baco.target_options = {dot_products = 1}} {
  %a0 = arith.extsi %x0 : vector<16xi8> to vector<16xi32>
  %b0 = arith.extsi %w0 : vector<16xi8> to vector<16xi32>
  %p0 = arith.muli %a0, %b0 : vector<16xi32>
  %s0 = arith.addi %sum, %p0 : vector<16xi32>
  %a1 = arith.extsi %x1 : vector<16xi8> to vector<16xi32>
  %b1 = arith.extsi %w1 : vector<16xi8> to vector<16xi32>
  %p1 = arith.muli %a1, %b1 : vector<16xi32>
  %s1 = arith.addi %s0, %p1 : vector<16xi32>
  return %s1 : vector<16xi32>
}
