// Products on tensor cores are right in the emulator, with tiles that are copied
// at once and ahead, and several steps of 16 in a tile.
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter -o %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm | FileCheck %s --check-prefix=PTX
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"WM": 32, "WN": 8, "S": 3, "BK": 32, "P": 16}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Without a barrier, a warp reads what others haven't copied yet:
// RUN: awk '!/gpu.barrier/ || ++n != 2' %t.mlir > %t.barrier.mlir
// RUN: not baco-opt %t.barrier.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=BARRIER

// CHECK: remark: baco-emulate-kernels: 'halves' is right in 3 orders

// PTX:      gpu.binary @halves_kernel
// PTX-NOT:  st.global
// PTX-SAME: ldmatrix.sync.aligned
// PTX-SAME: mma.sync.aligned.m16n8k16
// PTX-SAME: st.global

// BARRIER: error: baco-emulate-kernels: order 'forward': kernel 'halves_kernel', {{.*}} shared memory

func.func @halves(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [32, 32, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[16, 32]>>]>,
      #baco.gpu_shared<operands = [0, 1], width = 8, padding = [8, #baco.knob<"P", #baco.ordinal<[8, 16]>>],
        stages = #baco.knob<"S", #baco.ordinal<[1, 2, 3]>>>,
      #baco.gpu_mma<sizes = [#baco.knob<"WM", #baco.ordinal<[16, 32]>>,
                             #baco.knob<"WN", #baco.ordinal<[8, 16, 32]>, default = 16>, 0]>]>}
    ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf32>)
  return
}
