// A function that returns tensors of dynamic shape to its callers has versions
// for their shapes, and the program prints what it did before, for shapes
// inside and outside of the set.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=3 --seed=1 --output-dir=%t %quick --verbose 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN --input-file=%t.err --allow-empty
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/dynamic-results.tuned.mlir
// RUN: %lower %s | %run > %t/before
// RUN: %lower %t/dynamic-results.tuned.mlir | %run | diff %t/before -
// RUN: FileCheck %s --check-prefix=PRINTED --input-file=%t/before

// CHECK-DAG: {{^}}product_64x48_48x32: {{[0-9]+}} evaluation
// CHECK-DAG: {{^}}product_40x40_40x40: {{[0-9]+}} evaluation
// WARN-NOT: warning
// WARN-NOT: not tuned
// TUNED-LABEL: func.func private @print(
// TUNED:       call @product_64x48_48x32_buffers(
// TUNED:       call @product_40x40_40x40_buffers(
// PRINTED:      96, 96, 96
// PRINTED:      80, 80, 80
// PRINTED:      14, 14, 14
// PRINTED:      16, 16, 16
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}

func.func @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>)
    -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func private @filled(%m: index, %n: index, %x: f32) -> tensor<?x?xf32> {
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = linalg.fill ins(%x : f32) outs(%empty : tensor<?x?xf32>)
    -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func private @print(%m: index, %n: index, %k: index) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = call @filled(%m, %k, %one) : (index, index, f32) -> tensor<?x?xf32>
  %b = call @filled(%k, %n, %two) : (index, index, f32) -> tensor<?x?xf32>
  %c = call @product(%a, %b)
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %memory = bufferization.to_buffer %c
    : tensor<?x?xf32> to memref<?x?xf32>
  %view = memref.cast %memory : memref<?x?xf32> to memref<*xf32>
  call @printMemrefF32(%view) : (memref<*xf32>) -> ()
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  %c48 = arith.constant 48 : index
  %c64 = arith.constant 64 : index
  call @print(%c64, %c32, %c48) : (index, index, index) -> ()
  call @print(%c40, %c40, %c40) : (index, index, index) -> ()
  // Nobody knows these shapes before.
  scf.for %k = %c7 to %c9 step %c1 {
    func.call @print(%k, %k, %k) : (index, index, index) -> ()
  }
  return
}
