// Rows of a product of f16, and a softmax of them, are computed in shared memory by the kernel that
// reads them; tensor cores do both products. Right in the emulator, whatever knobs are.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-opt %s --baco-expand-recipes --baco-extract-space -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=SPACE
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter -o %t/kernel.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t/kernel.mlir
// RUN: baco-opt %t/kernel.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"BM": 32, "WM": 32, "KU": 16, "P": 0, "S": 1, "L": 4, "WS": 8, "WN": 8}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Without the barrier behind the product, rows are read that others still write.
// RUN: awk '/gpu.barrier/ && ++n == 3 {next} 1' %t/kernel.mlir > %t/race.mlir
// RUN: not baco-opt %t/race.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels 2>&1 | FileCheck %s --check-prefix=RACE

// SPACE: "reason": "'WM' must divide the rows of a block"
// SPACE: "reason": "the tiles of a block must fit 232448 bytes of shared memory"
// SPACE: "reason": "warps that compute rows compute the result, too"

// The sums begin with zeros instead of a fill; scores and probabilities have padded rows, and scores
// are written once.
// KERNEL-LABEL: func.func @attention(
// KERNEL-NOT:     memref.alloc
// KERNEL:         gpu.launch {{.*}} workgroup(%{{.*}} : memref<16x72xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<16x72xf16, #gpu.address_space<workgroup>>, %{{.*}} : memref<16x40xf16, #gpu.address_space<workgroup>>, %{{.*}} : memref<2x32x40xf16, #gpu.address_space<workgroup>>, %{{.*}} : memref<2x32x40xf16, #gpu.address_space<workgroup>>)
// KERNEL-NOT:     linalg.fill
// KERNEL:           scf.for {{.*}} iter_args(%{{.*}} = %cst{{[^,]*}}, %{{.*}} = %cst
// KERNEL:             nvgpu.ldmatrix
// KERNEL:             nvvm.mma.sync
// KERNEL:           gpu.barrier
// KERNEL:           gpu.shuffle
// KERNEL:           math.exp
// KERNEL-NOT:       vector.store {{.*}}vector<4xf32>
// KERNEL:           vector.store {{.*}}vector<4xf16>
// KERNEL:           gpu.barrier
// KERNEL:           nvgpu.ldmatrix
// KERNEL:           nvvm.mma.sync
// KERNEL:           gpu.terminator
// KERNEL-NOT:     gpu.launch

// CHECK: remark: baco-emulate-kernels: 'attention' is right in 3 orders

// RACE: error: baco-emulate-kernels: order 'forward': kernel 'attention_kernel', {{.*}} shared memory

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @attention(%q: memref<64x32xf16>, %k: memref<64x32xf16>, %v: memref<64x32xf16>, %r: memref<64x32xf16>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf16>
  %u = memref.alloc() : memref<64x32xf32>
  %max = memref.alloc() : memref<64xf32>
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf16>, memref<64x32xf16>) outs(%s : memref<64x64xf32>)
  linalg.fill ins(%low : f32) outs(%max : memref<64xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%s : memref<64x64xf32>) outs(%max : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maxnumf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%max : memref<64xf32>) outs(%s : memref<64x64xf32>) {
  ^bb0(%m: f32, %x: f32):
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%s : memref<64x64xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s, %sum : memref<64x64xf32>, memref<64xf32>) outs(%p : memref<64x64xf16>) {
  ^bb0(%x: f32, %t: f32, %o: f16):
    %y = arith.divf %x, %t : f32
    %z = arith.truncf %y : f32 to f16
    linalg.yield %z : f16
  }
  linalg.fill ins(%zero : f32) outs(%u : memref<64x32xf32>)
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_epilogue<>,
      #baco.gpu_blocks<sizes = [#baco.knob<"BM", #baco.ordinal<[16, 32]>, default = 16>, 0, 0]>,
      #baco.gpu_chain<columns = 32, rows = #baco.knob<"WM", #baco.ordinal<[16, 32]>, default = 16>,
                      run = #baco.knob<"WS", #baco.ordinal<[8, 16]>, default = 16>,
                      depth = #baco.knob<"KU", #baco.ordinal<[16, 32]>, default = 32>, width = 8,
                      padding = #baco.knob<"P", #baco.ordinal<[0, 8]>, default = 8>,
                      stages = #baco.knob<"S", #baco.ordinal<[1, 2]>, default = 2>,
                      lanes = #baco.knob<"L", #baco.ordinal<[4, 16]>, default = 16>, limit = 232448, mma = true>,
      #baco.tile<sizes = [0, 0, 32]>,
      #baco.gpu_shared<operands = [1], width = 8, padding = #baco.knob<"P", #baco.ordinal<[0, 8]>, default = 8>,
                       stages = 2, limit = 232448>,
      #baco.gpu_mma<sizes = [#baco.knob<"WM", #baco.ordinal<[16, 32]>, default = 16>,
                             #baco.knob<"WN", #baco.ordinal<[8, 16]>, default = 16>, 0]>]>}
    ins(%p, %v : memref<64x64xf16>, memref<64x32xf16>) outs(%u : memref<64x32xf32>)
  linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%u : memref<64x32xf32>) outs(%r : memref<64x32xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  }
  memref.dealloc %s : memref<64x64xf32>
  memref.dealloc %p : memref<64x64xf16>
  memref.dealloc %u : memref<64x32xf32>
  memref.dealloc %max : memref<64xf32>
  memref.dealloc %sum : memref<64xf32>
  return
}
