// A tuned function takes and returns the tensors that it did, for callers of the
// same module and others: by the documented lowering and by stock passes alike,
// the program prints what it did before. Tensors that are needed again aren't
// written.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --entry=product --evaluator=static --budget=1 --seed=1 --output-dir=%t
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/interface-tensors.tuned.mlir
// RUN: FileCheck %s --check-prefix=HEAD --input-file=%t/interface-tensors.schedule.mlir
// RUN: %lower %s | %run | FileCheck %s
// RUN: %lower %t/interface-tensors.tuned.mlir | %run | FileCheck %s
// RUN: baco-opt %t/interface-tensors.tuned.mlir --baco-lower-to-cpu | %run | FileCheck %s
// RUN: %stock-mlir-opt %t/interface-tensors.tuned.mlir \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --buffer-results-to-out-params="hoist-static-allocs modify-public-functions" \
// RUN:   --buffer-deallocation-pipeline %to-llvm | %run | FileCheck %s

// The library has the interface of what applies it.
// RUN: baco-opt %s --baco-apply="library=%t/interface-tensors.library.mlir entry=product" -o %t/applied
// RUN: baco-opt %t/interface-tensors.tuned.mlir | diff %t/applied -
// RUN: baco-opt %s --baco-apply="library=%t/interface-tensors.library.mlir entry=product interface=buffers" \
// RUN:   | FileCheck %s --check-prefix=BUFFERS
// RUN: %exits 1 baco-tune-driver %s --interface=memrefs 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK:      2144
// CHECK-NEXT: 4192
// CHECK-NEXT: 96

// What it accumulates into may be written, in a copy where that is needed again.
// TUNED-LABEL: func.func @product(%arg0: tensor<64x1024xf32>, %arg1: tensor<1024x64xf32>, %arg2: tensor<64x64xf32>) -> (f32, tensor<64x64xf32>) {
// TUNED:         to_buffer %arg0 read_only
// TUNED:         to_buffer %arg1 read_only
// TUNED:         to_buffer %arg2 :
// TUNED:         %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
// TUNED:         %[[S:.*]] = call @product_buffers({{.*}}, %[[R]])
// TUNED:         %[[T:.*]] = bufferization.to_tensor %[[R]] restrict writable
// TUNED:         return %[[S]], %[[T]] : f32, tensor<64x64xf32>
// TUNED:       func.func private @product_buffers({{.*}}: memref<64x1024xf32>
// TUNED-NOT:     affine.prefetch
// TUNED-LABEL: func.func @twice({{.*}}tensor<64x64xf32>) -> (f32, f32, f32)
// TUNED:         call @product(
// TUNED-LABEL: func.func @main() {

// HEAD: {{^}}// of --interface=buffers{{[:,]$}}

// BUFFERS-NOT: tensor<
// BUFFERS:     func.func @product({{.*}}memref<64x64xf32>, %{{.*}}: memref<64x64xf32>) -> f32
// BUFFERS-NOT: tensor<

// WRONG: --interface must be original or buffers, but is 'memrefs'

func.func @product(%A: tensor<64x1024xf32>, %B: tensor<1024x64xf32>, %C: tensor<64x64xf32>)
    -> (f32, tensor<64x64xf32>) {
  %c3 = arith.constant 3 : index
  %r = linalg.matmul ins(%A, %B : tensor<64x1024xf32>, tensor<1024x64xf32>)
                     outs(%C : tensor<64x64xf32>) -> tensor<64x64xf32>
  %x = tensor.extract %r[%c3, %c3] : tensor<64x64xf32>
  return %x, %r : f32, tensor<64x64xf32>
}

func.func @twice(%A: tensor<64x1024xf32>, %B: tensor<1024x64xf32>, %C: tensor<64x64xf32>)
    -> (f32, f32, f32) {
  %c3 = arith.constant 3 : index
  %x, %D = call @product(%A, %B, %C) : (tensor<64x1024xf32>, tensor<1024x64xf32>, tensor<64x64xf32>) -> (f32, tensor<64x64xf32>)
  %y, %E = call @product(%A, %B, %D) : (tensor<64x1024xf32>, tensor<1024x64xf32>, tensor<64x64xf32>) -> (f32, tensor<64x64xf32>)
  %c = tensor.extract %C[%c3, %c3] : tensor<64x64xf32>
  return %x, %y, %c : f32, f32, f32
}

func.func @main() {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %start = arith.constant 96.0 : f32
  %a = tensor.empty() : tensor<64x1024xf32>
  %b = tensor.empty() : tensor<1024x64xf32>
  %c = tensor.empty() : tensor<64x64xf32>
  %A = linalg.fill ins(%one : f32) outs(%a : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %B = linalg.fill ins(%two : f32) outs(%b : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %C = linalg.fill ins(%start : f32) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %x, %y, %z = call @twice(%A, %B, %C) : (tensor<64x1024xf32>, tensor<1024x64xf32>, tensor<64x64xf32>) -> (f32, f32, f32)
  vector.print %x : f32
  vector.print %y : f32
  vector.print %z : f32
  return
}
