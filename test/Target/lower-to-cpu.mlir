// What was never scheduled lowers completely, too.
// RUN: baco-opt %s --baco-lower-to-cpu --split-input-file | FileCheck %s

// CHECK-LABEL: llvm.func @matmul(
// CHECK-SAME: attributes {llvm.emit_c_interface}
// CHECK-NOT: {{linalg|scf|memref|vector}}.
// CHECK: llvm.fmul
// CHECK: llvm.func @_mlir_ciface_matmul(
func.func @matmul(%a: memref<4x8xf32>, %b: memref<8x4xf32>,
                  %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>)
                outs(%c : memref<4x4xf32>)
  return
}

// -----

// CHECK-LABEL: llvm.func @vectors(
// CHECK-NOT: {{vector|affine|math|arith}}.
// CHECK: llvm.intr.sqrt({{.*}}) : (vector<8xf32>) -> vector<8xf32>
func.func @vectors(%x: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 step 8 {
    %v = vector.transfer_read %x[%i], %zero {in_bounds = [true]}
      : memref<64xf32>, vector<8xf32>
    %r = math.sqrt %v : vector<8xf32>
    vector.transfer_write %r, %x[%i] {in_bounds = [true]}
      : vector<8xf32>, memref<64xf32>
  }
  return
}

// -----

// What a schedule vectorized without lowering contractions.
// CHECK-LABEL: llvm.func @reduction(
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.return
func.func @reduction(%x: memref<4x8xf32>, %y: memref<4xf32>) {
  %i = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %v = vector.transfer_read %x[%i, %i], %zero {in_bounds = [true, true]}
    : memref<4x8xf32>, vector<4x8xf32>
  %init = vector.transfer_read %y[%i], %zero {in_bounds = [true]}
    : memref<4xf32>, vector<4xf32>
  %sum = vector.multi_reduction <add>, %v, %init [1]
    : vector<4x8xf32> to vector<4xf32>
  vector.transfer_write %sum, %y[%i] {in_bounds = [true]}
    : vector<4xf32>, memref<4xf32>
  return
}

// -----

// Copies of strided memrefs need no run-time library.
// CHECK-NOT: memrefCopy
// CHECK-LABEL: llvm.func @copy(
// CHECK: llvm.store {{.*}} : f32
// CHECK-NOT: memrefCopy
func.func @copy(%x: memref<8x8xf32>, %y: memref<4x4xf32>) {
  %tile = memref.subview %x[2, 2] [4, 4] [1, 1]
    : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  memref.copy %tile, %y
    : memref<4x4xf32, strided<[8, 1], offset: 18>> to memref<4x4xf32>
  return
}

// -----

// Contiguous ones become one memcpy.
// CHECK-LABEL: llvm.func @copy_all(
// CHECK: llvm.intr.memcpy
func.func @copy_all(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  memref.copy %x, %y : memref<8x8xf32> to memref<8x8xf32>
  return
}

// -----

// Only what can be called from outside gets a C interface; a declaration would
// otherwise lead to another symbol than the one that it names.
// CHECK: llvm.func @external(f32)
// CHECK-NOT: _mlir_ciface_external
// CHECK-NOT: _mlir_ciface_helper
// CHECK: llvm.func @_mlir_ciface_kernel
func.func private @external(%x: f32)
func.func private @helper(%x: f32) {
  call @external(%x) : (f32) -> ()
  return
}
func.func @kernel(%x: f32) {
  call @helper(%x) : (f32) -> ()
  return
}

// -----

// Functions of vectors of f32 are polynomials, unless these are inaccurate;
// scalars and other types are left to the C library.
// CHECK-LABEL: llvm.func @exp(
// CHECK-NOT: llvm.intr.exp({{.*}} : (vector<8xf32>)
// Most vectors have results that are normal numbers.
// CHECK: %[[NORMAL:.*]] = "llvm.intr.vector.reduce.and"({{.*}}) : (vector<8xi1>) -> i1
// CHECK: llvm.cond_br %[[NORMAL]]
// CHECK-COUNT-2: llvm.shl {{.*}} : vector<8xi32>
// CHECK: llvm.intr.exp({{.*}}) : (f32) -> f32
// CHECK: llvm.intr.exp({{.*}}) : (vector<8xf64>) -> vector<8xf64>
// CHECK: llvm.intr.sin({{.*}}) : (vector<8xf32>) -> vector<8xf32>
// CHECK-COUNT-8: llvm.call @cbrtf(
func.func @exp(%x: vector<8xf32>, %y: f32, %z: vector<8xf64>)
    -> (vector<8xf32>, f32, vector<8xf64>, vector<8xf32>, vector<8xf32>) {
  %a = math.exp %x : vector<8xf32>
  %b = math.exp %y : f32
  %c = math.exp %z : vector<8xf64>
  %d = math.sin %x : vector<8xf32>
  %e = math.cbrt %x : vector<8xf32>
  return %a, %b, %c, %d, %e
    : vector<8xf32>, f32, vector<8xf64>, vector<8xf32>, vector<8xf32>
}

// -----

// Tensors are put into memory, small ones on the stack.
// CHECK-LABEL: llvm.func @tensors(
// CHECK-NOT: {{tensor|bufferization|linalg|memref|malloc}}.
// CHECK: llvm.alloca
// CHECK-NOT: {{tensor|bufferization|linalg|memref|malloc}}.
// CHECK: llvm.func @_mlir_ciface_tensors(
func.func @tensors(%A: memref<8x4xf32>, %C: memref<8xf32>) {
  %a = bufferization.to_tensor %A restrict : memref<8x4xf32> to tensor<8x4xf32>
  %c = bufferization.to_tensor %C restrict writable
    : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %t = linalg.exp ins(%a : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
    -> tensor<8x4xf32>
  %r = linalg.reduce {arith.addf} ins(%t : tensor<8x4xf32>)
    outs(%c : tensor<8xf32>) dimensions = [1]
  bufferization.materialize_in_destination %r in restrict writable %C
    : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Lanes are compared in halves, and a maximum is an intrinsic.
// CHECK-LABEL: llvm.func @largest(
// CHECK: llvm.intr.maxnum({{.*}}nsz>} : (vector<4xf32>, vector<4xf32>)
// CHECK: llvm.intr.maxnum({{.*}}nsz>} : (vector<2xf32>, vector<2xf32>)
// CHECK: llvm.intr.maxnum({{.*}}nsz>} : (f32, f32)
// CHECK: llvm.intr.maxnum({{.*}}nsz>} : (vector<4xf32>, vector<4xf32>)
// CHECK: llvm.intr.maximum({{.*}}nsz>} : (vector<2xf32>, vector<2xf32>)
// CHECK: llvm.intr.maximum({{.*}}nsz>} : (f32, f32)
func.func @largest(%x: vector<8xf32>, %y: vector<4xf32>) -> f32 {
  %a = vector.reduction <maxnumf>, %x : vector<8xf32> into f32
  %b = vector.broadcast %a : f32 to vector<4xf32>
  %c = arith.maxnumf %b, %y : vector<4xf32>
  %r = vector.reduction <maximumf>, %c : vector<4xf32> into f32
  return %r : f32
}

// -----

// Upstream lowers no softmax on memrefs.
// CHECK-LABEL: llvm.func @softmax(
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.intr.exp
// CHECK: llvm.fdiv
// CHECK: llvm.call @free
// CHECK: llvm.return
func.func @softmax(%x: memref<?x4x?xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<?x4x?xf32>)
                              outs(%x : memref<?x4x?xf32>)
  return
}

// -----

// exp(x) - 1 and log(1 + x) would lose all digits of small numbers.
// CHECK-LABEL: llvm.func @small(
// CHECK-NOT: llvm.intr.{{exp|log}}
// CHECK-DAG: llvm.call @expm1f(
// CHECK-DAG: llvm.call @log1pf(
// CHECK-DAG: llvm.call @expm1(
// CHECK-DAG: llvm.call @log1p(
// CHECK: llvm.return
func.func @small(%x: f32, %y: f64) -> (f32, f32, f64, f64) {
  %0 = math.expm1 %x : f32
  %1 = math.log1p %x : f32
  %2 = math.expm1 %y : f64
  %3 = math.log1p %y : f64
  return %0, %1, %2, %3 : f32, f32, f64, f64
}

// -----

// They are made of exponentials and logarithms, which are polynomials, too.
// CHECK-LABEL: llvm.func @small_vectors(
// CHECK-NOT: llvm.intr.{{exp|log}}
// CHECK-NOT: llvm.call
// CHECK: llvm.return
func.func @small_vectors(%x: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>) {
  %0 = math.expm1 %x : vector<8xf32>
  %1 = math.log1p %x : vector<8xf32>
  return %0, %1 : vector<8xf32>, vector<8xf32>
}
