// From a recipe to code for a GPU: blocks, shared memory, threads, accumulators in
// registers. Its space has the limits of GPUs as constraints.
// RUN: baco-opt %s --baco-expand-recipes | FileCheck %s
// RUN: baco-opt %s --baco-expand-recipes --baco-extract-space -o /dev/null \
// RUN:   | FileCheck %s --check-prefix=SPACE
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter | FileCheck %s --check-prefix=KERNEL
// RUN: baco-opt %s --baco-expand-recipes --baco-concretize \
// RUN:   --transform-interpreter --baco-lower-to-nvvm \
// RUN:   | FileCheck %s --check-prefix=PTX
// Without shared memory, and one row of elements per thread:
// RUN: baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"S": 0, "TM": 1, "TN": 16}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm \
// RUN:   | FileCheck %s --check-prefix=PLAIN
// RUN: not baco-opt %s --baco-expand-recipes \
// RUN:   --baco-concretize='configuration={"TM": 1, "TN": 1}' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=THREADS

// CHECK:      %[[BM:.*]] = transform.tune.knob<"BM">
// CHECK:      tile_using_forall {{.*}} tile_sizes [%[[BM]], 64, 0](mapping = [#gpu.block<y>, #gpu.block<x>])
// CHECK:      transform.tune.alternatives
// CHECK:      transform.baco.gpu_promote {{.*}} [0, 1] padding
// CHECK:      tile_using_forall {{.*}} tile_sizes [%{{.*}}, %{{.*}}, 0](mapping = [#gpu.thread<y>, #gpu.thread<x>])
// CHECK-NEXT: transform.baco.gpu_map
// CHECK-NEXT: transform.baco.gpu_copy %{{.*}} by

// SPACE-DAG: "64 * BM <= 1024 * TN * TM"
// SPACE-DAG: a block has at most 1024 threads
// SPACE-DAG: "!(S == 1) || 4 * BM * (BK + P) + 4 * BK * (64 + P) <= 49152"
// SPACE-DAG: "!(S == 1) || V * 4 <= 16"
// SPACE-DAG: "divides(BM, 256)"

// One barrier before the copies and one behind; accumulators in the loops'
// variables.
// KERNEL:     gpu.launch
// KERNEL:       scf.for {{.*}} iter_args({{.*}}vector<4x4xf32>
// KERNEL-COUNT-2: gpu.barrier
// KERNEL-NOT:     gpu.barrier
// KERNEL:         scf.for {{.*}} iter_args({{.*}}vector<4x4xf32>
// KERNEL:           vector.fma
// KERNEL:       gpu.terminator

// PTX:      gpu.binary
// PTX-SAME: .maxntid 16, 16, 1
// PTX-SAME: ld.global.nc.v4
// PTX-SAME: st.shared.v4
// PTX-SAME: ld.shared.v4
// PTX-SAME: fma.rn.f32

// PLAIN:      gpu.binary
// PLAIN-NOT:  .shared
// PLAIN-SAME: fma.rn.f32

// THREADS: error: configuration: {{.*}}a block has at most 1024 threads

func.func @matmul(%a: memref<256x256xf32>, %b: memref<256x256xf32>,
                  %c: memref<256x256xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [
        #baco.knob<"BM", #baco.ordinal<[32, 64, 128], log>, default = 64>, 64, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[8, 16, 32, 64], log>, default = 16>]>,
      #baco.gpu_shared<operands = [0, 1],
        width = #baco.knob<"V", #baco.ordinal<[1, 2, 4, 8], log>, default = 4>,
        padding = #baco.knob<"P", #baco.ordinal<[0, 4]>>,
        enabled = #baco.knob<"S", #baco.ordinal<[0, 1]>, default = 1>>,
      #baco.gpu_threads<sizes = [
        #baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8], log>, default = 4>,
        #baco.knob<"TN", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, 0]>,
      #baco.tile<sizes = [0, 0, 4]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
    outs(%c : memref<256x256xf32>)
  return
}
