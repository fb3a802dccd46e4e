// Sines and cosines in kernels are those of the C library in f64, in the emulator. Errors for all
// arguments: unittests/Target/VectorMathTest.cpp.
// RUN: rm -rf %t && split-file %s %t
// RUN: baco-opt %t/kernel.mlir --baco-annotate=target=nvvm --baco-expand-recipes \
// RUN:   --baco-concretize --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%t/reference.mlir -o /dev/null 2>&1 | FileCheck %s
// The emulator tells a wrong quarter.
// RUN: sed 's/math.sin %b/math.cos %b/' %t/kernel.mlir > %t/wrong.mlir
// RUN: not baco-opt %t/wrong.mlir --baco-annotate=target=nvvm --baco-expand-recipes \
// RUN:   --baco-concretize --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%t/reference.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: 'turns' is right in 3 orders
// CHECK: 'narrow' is right in 3 orders
// WRONG: error: baco-emulate-kernels: order 'forward': argument 2 differs at

//--- kernel.mlir
#id = affine_map<(i) -> (i)>
func.func @turns(%x: memref<1024xf32>, %y: memref<1024xf32>, %z: memref<1024xf32>) {
  %c = arith.constant 64.0 : f32
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<1024xf32>) outs(%y, %z : memref<1024xf32>, memref<1024xf32>) {
  ^bb0(%u: f32, %o: f32, %p: f32):
    %b = arith.mulf %u, %c : f32
    %0 = math.cos %u : f32
    %1 = math.sin %b : f32
    linalg.yield %0, %1 : f32, f32
  }
  return
}
func.func @narrow(%x: memref<64xf16>, %y: memref<64xf16>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<64xf16>) outs(%y : memref<64xf16>) {
  ^bb0(%u: f16, %o: f16):
    %0 = math.sin %u : f16
    linalg.yield %0 : f16
  }
  return
}

//--- reference.mlir
#id = affine_map<(i) -> (i)>
func.func @turns(%x: memref<1024xf32>, %y: memref<1024xf32>, %z: memref<1024xf32>) {
  %c = arith.constant 64.0 : f32
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<1024xf32>) outs(%y, %z : memref<1024xf32>, memref<1024xf32>) {
  ^bb0(%u: f32, %o: f32, %p: f32):
    %b = arith.mulf %u, %c : f32
    %d = arith.extf %u : f32 to f64
    %e = arith.extf %b : f32 to f64
    %f = math.cos %d : f64
    %g = math.sin %e : f64
    %0 = arith.truncf %f : f64 to f32
    %1 = arith.truncf %g : f64 to f32
    linalg.yield %0, %1 : f32, f32
  }
  return
}
func.func @narrow(%x: memref<64xf16>, %y: memref<64xf16>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
    ins(%x : memref<64xf16>) outs(%y : memref<64xf16>) {
  ^bb0(%u: f16, %o: f16):
    %d = arith.extf %u : f16 to f64
    %f = math.sin %d : f64
    %0 = arith.truncf %f : f64 to f16
    linalg.yield %0 : f16
  }
  return
}
