// REQUIRES: opencl
// Recipes for a device of OpenCL have no step that it can't do: tensor cores, copies
// in stages, rows in the registers of a warp, and atomic operations on 64 bits. Those
// for an NVIDIA GPU have them.
// RUN: baco-opt %s --baco-annotate=target=opencl 2>&1 | FileCheck %s
// RUN: baco-opt %s --baco-annotate=target=nvvm:sm_90 2>&1 | FileCheck %s --check-prefix=NVVM
// CHECK-DAG: remark: no automatic recipe: {{.*}} has no atomic operations on 64 bits
// CHECK-DAG: remark: no automatic recipe: {{.*}} doesn't compute in bf16
// CHECK: module attributes {baco.gpu_target = #opencl.target<
// CHECK-NOT: {{gpu_mma|stages =|gpu_rows|gpu_reduce}}
// CHECK: func.func @tf32
// CHECK: #baco.gpu_shared<
// CHECK-NOT: {{gpu_mma|stages =|gpu_rows|gpu_reduce}}
// CHECK: func.func @sum
// CHECK-NOT: baco.recipe
// NVVM-DAG: gpu_mma
// NVVM-DAG: stages =
// NVVM-DAG: gpu_rows
// NVVM-DAG: gpu_reduce

func.func @product(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  linalg.matmul ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>) outs(%c : memref<256x256xf32>)
  return
}

func.func @tf32(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  linalg.matmul {baco.tf32} ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>) outs(%c : memref<256x256xf32>)
  return
}

func.func @rows(%x: memref<64x512xf32>, %y: memref<64x512xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<64x512xf32>) outs(%y : memref<64x512xf32>)
  return
}

func.func @narrow(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xf32>)
  return
}

func.func @sum(%x: memref<65536xf64>, %s: memref<f64>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : memref<65536xf64>) outs(%s : memref<f64>) {
  ^bb0(%u: f64, %v: f64):
    %w = arith.addf %u, %v : f64
    linalg.yield %w : f64
  }
  return
}
