// Powers and other functions without polynomials are right in the emulator, and
// have a static cost. Their errors are in unittests/Target/VectorMathTest.cpp.
// RUN: baco-opt %s --baco-annotate=target=nvvm --baco-expand-recipes \
// RUN:   --baco-concretize --transform-interpreter -o %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-static-cost=chip=sm_90 -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// CHECK: 'powers' is right in 3 orders
// COST:  'powers_kernel': static cost

#id = affine_map<(i) -> (i)>

// Powers of numbers of both signs to whole and to other numbers.
func.func @powers(%x: memref<1024xf32>, %y: memref<1024xf32>, %z: memref<1024xf32>) {
  %third = arith.constant 0.3 : f32
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
    ins(%x, %y : memref<1024xf32>, memref<1024xf32>) outs(%z : memref<1024xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %0 = math.roundeven %v : f32
    %1 = math.powf %u, %0 : f32
    %2 = math.absf %u : f32
    %3 = math.powf %2, %third : f32
    %4 = math.exp2 %v : f32
    %5 = math.cbrt %u : f32
    %6 = math.log10 %2 : f32
    %7 = math.sinh %u : f32
    %8 = math.cosh %v : f32
    %9 = math.tan %u : f32
    %10 = arith.addf %1, %3 : f32
    %11 = arith.addf %4, %5 : f32
    %12 = arith.addf %6, %7 : f32
    %13 = arith.addf %8, %9 : f32
    %14 = arith.addf %10, %11 : f32
    %15 = arith.addf %12, %13 : f32
    %16 = arith.addf %14, %15 : f32
    linalg.yield %16 : f32
  }
  return
}
