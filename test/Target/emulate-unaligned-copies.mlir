// Copies to shared memory by vectors that rows don't begin with: the aligned vectors
// around each are loaded and shifted. Right for elements of 1, 2, 4 and 8 bytes, rows
// at odd places, operands that end within a vector, loads at once and a step ahead.
// RUN: split-file %s %t
// RUN: baco-opt %t/kernels.mlir --baco-expand-recipes --baco-concretize --transform-interpreter -o %t/out.mlir
// RUN: FileCheck %t/kernels.mlir --input-file %t/out.mlir
// RUN: baco-opt %t/out.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%t/kernels.mlir -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RIGHT
// The same with vectors of half the length, at once:
// RUN: baco-opt %t/kernels.mlir --baco-expand-recipes --baco-concretize='configuration={"H": 4, "F": 2, "S": 1, "T": 1}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%t/kernels.mlir -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RIGHT
// PTX has vectors of 16 bytes:
// RUN: baco-opt %t/out.mlir --baco-lower-to-nvvm -o - | FileCheck %s --check-prefix=PTX

// RIGHT: 'halves' is right in 3 orders
// RIGHT: 'floats' is right in 3 orders
// RIGHT: 'bytes' is right in 3 orders
// RIGHT: 'doubles' is right in 3 orders

// PTX: .entry halves_kernel
// PTX: ld.global.nc.v4.b32
// PTX: shf.r.wrap.b32

//--- kernels.mlir
// A of 61 x 45 elements, the last of which is alone in its vector:
// CHECK-LABEL: func.func @halves(
// CHECK:      %[[ROW:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [2745], strides: [1]
// CHECK:      %[[BEGIN:.*]] = arith.andi %{{.*}}, %c-8
// CHECK:      %[[LOADED:.*]] = arith.cmpi ule, %[[BEGIN]], %c2728
// CHECK:      %[[FROM:.*]] = arith.minui %[[BEGIN]], %c2728
// CHECK:      vector.load %[[ROW]][%[[FROM]]] : memref<2745xf16>, vector<16xf16>
// What is loaded ahead is shifted after the products, where it is stored:
// CHECK:      scf.for
// CHECK:        vector.load {{.*}} vector<16xf16>
// CHECK-NOT:    llvm.intr.fshr
// CHECK:        nvvm.mma.sync
// CHECK-COUNT-4: llvm.intr.fshr
// CHECK:        vector.store {{.*}}, vector<8xf16>
func.func @halves(%a: memref<61x45xf16>, %b: memref<45x59xf16>, %c: memref<61x59xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [64, 64, 64]>,
      #baco.gpu_blocks<sizes = [32, 32, 0]>, #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"H", #baco.ordinal<[1, 2, 4, 8]>, default = 8>,
        padding = 8, stages = #baco.knob<"S", #baco.ordinal<[1, 2]>, default = 2>>,
      #baco.gpu_mma<sizes = [16, 16, 0]>]>}
    ins(%a, %b : memref<61x45xf16>, memref<45x59xf16>) outs(%c : memref<61x59xf32>)
  return
}

// CHECK-LABEL: func.func @floats(
// CHECK:      vector.load {{.*}} vector<8xf32>
// CHECK-NOT:  fshr
// CHECK:      gpu.terminator
func.func @floats(%a: memref<30x45xf32>, %b: memref<45x30xf32>, %c: memref<30x30xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [32, 32, 48]>,
      #baco.gpu_blocks<sizes = [16, 32, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = #baco.knob<"F", #baco.ordinal<[1, 2, 4]>, default = 4>,
        stages = #baco.knob<"T", #baco.ordinal<[1, 2]>, default = 2>>,
      #baco.gpu_threads<sizes = [4, 4, 0]>, #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<30x45xf32>, memref<45x30xf32>) outs(%c : memref<30x30xf32>)
  return
}

func.func @bytes(%a: memref<30x45xi8>, %b: memref<45x30xi8>, %c: memref<30x30xi32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [32, 32, 48]>,
      #baco.gpu_blocks<sizes = [16, 32, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 16, stages = 2>,
      #baco.gpu_threads<sizes = [4, 4, 0]>, #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<30x45xi8>, memref<45x30xi8>) outs(%c : memref<30x30xi32>)
  return
}

func.func @doubles(%a: memref<31x45xf64>, %b: memref<45x31xf64>, %c: memref<31x31xf64>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_pad<extents = [32, 32, 48]>,
      #baco.gpu_blocks<sizes = [16, 32, 0]>, #baco.tile<sizes = [0, 0, 16]>,
      #baco.gpu_shared<operands = [0, 1], width = 2, stages = 2>,
      #baco.gpu_threads<sizes = [4, 4, 0]>, #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<31x45xf64>, memref<45x31xf64>) outs(%c : memref<31x31xf64>)
  return
}
