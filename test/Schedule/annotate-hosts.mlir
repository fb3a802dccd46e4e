// The same matmuls, in a batch, on smaller machines.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=32,vector-registers=16,l1=32768,l2=262144,l3=8388608" | FileCheck %s --check-prefix=AVX2
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=16,vector-registers=32,l1=65536,l2=1048576,l3=0" | FileCheck %s --check-prefix=NEON

// 6x16 is the classic register tile: 12 sums, 2 vectors of B, 1 of A. Blocks of
// 128 rows would fill half of level 2; 96 is the next that 6 divides.
// AVX2: "MC", {{.*}} default = 96>, 0, #baco.knob<"KC", {{.*}} default = 256>]
// AVX2-SAME: "NR", #baco.ordinal<[8, 16, 32, 64], log>, default = 16>
// AVX2-SAME: "MR", #baco.ordinal<[2, 3, 4, 6, 8, 12, 16], log>, default = 6>
// AVX2-SAME: copy_length = 8
// AVX2-SAME: advisory "MR * NR / 8 + NR / 8 + 1 <= 16"
// AVX2-SAME: advisory "KC * NR * 4 <= 65536"

// NEON: "NR", #baco.ordinal<[4, 8, 16, 32], log>, default = 16>
// NEON-SAME: "MR", {{.*}} default = 4>
// NEON-SAME: copy_length = 4
// NEON-SAME: advisory "MR * NR / 4 + NR / 4 + 1 <= 32"
// NEON-SAME: advisory "MC * KC * 4 <= 1048576"
func.func @matmul(%a: memref<2x768x768xf32>, %b: memref<2x768x768xf32>,
                  %c: memref<2x768x768xf32>) {
  linalg.batch_matmul
    ins(%a, %b : memref<2x768x768xf32>, memref<2x768x768xf32>)
    outs(%c : memref<2x768x768xf32>)
  return
}
