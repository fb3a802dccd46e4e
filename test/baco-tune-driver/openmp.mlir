// Whoever gets loops that run on threads hears what to link.
// RUN: rm -rf %t && split-file %s %t
// RUN: cat %t/for.mlir %t/parallel.mlir > %t/both.mlir
// RUN: baco-tune-driver %t/both.mlir --budget=1 --output-dir=%t/out %quick | FileCheck %s --check-prefix=OPENMP
// RUN: baco-tune-driver %t/both.mlir --apply=%t/out/both.library.mlir --output-dir=%t/out | FileCheck %s --check-prefix=OPENMP
// RUN: baco-tune-driver %t/for.mlir --budget=1 --output-dir=%t/out %quick | FileCheck %s --check-prefix=NONE

// OPENMP: wrote
// OPENMP: {{^}}its parallel loops run on the threads of OpenMP: link programs with -fopenmp{{$}}
// NONE-NOT: OpenMP
//--- for.mlir
func.func @square(%A: memref<2048xf32>) {
  affine.for %i = 0 to 2048 {
    %0 = affine.load %A[%i] : memref<2048xf32>
    %1 = arith.mulf %0, %0 : f32
    affine.store %1, %A[%i] : memref<2048xf32>
  }
  return
}
//--- parallel.mlir
func.func @negate(%A: memref<8xf32>) {
  affine.parallel (%i) = (0) to (8) {
    %0 = affine.load %A[%i] : memref<8xf32>
    %1 = arith.negf %0 : f32
    affine.store %1, %A[%i] : memref<8xf32>
  }
  return
}
