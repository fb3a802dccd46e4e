// The same matmuls, in a batch, on smaller machines.
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=32,vector-registers=16,l1=32768,l2=262144,l3=8388608" | %one-line-recipes | FileCheck %s --check-prefix=AVX2
// RUN: baco-opt %s --baco-annotate="host=vector-bytes=16,vector-registers=32,l1=65536,l2=1048576,l3=0" | %one-line-recipes | FileCheck %s --check-prefix=NEON

// 6x16 is the classic register tile: 12 sums, 2 vectors of B, 1 of A. With 384
// steps a panel of 16 columns takes three quarters of level 1; 48 rows take as
// much as they may of half of level 2, 85 rows.
// AVX2: "KC", {{[^>]*}}>, default = 384, extent = {{[0-9]+}}>
// AVX2-SAME: "MC", {{[^>]*}}>, default = 48, extent = {{[0-9]+}}>
// AVX2-SAME: "NR", #baco.ordinal<[8, 16, 32], log>, default = 16>
// AVX2-SAME: "MR", {{[^>]*}}>, default = 6>
// AVX2-SAME: advisory "MR * NR // 8 + 1 * NR // 8 + 1 <= 16"
// The widest panel, 768 steps of 32 columns, is below four times level 1.
// AVX2-NOT: "a panel,

// 768 steps needn't be cut.
// NEON-NOT: "KC"
// NEON: "MC", {{[^>]*}}>, default = 48, extent = {{[0-9]+}}>
// NEON-SAME: "NR", #baco.ordinal<[4, 8, 16], log>, default = 16>
// NEON-SAME: "MR", {{[^>]*}}>, default = 6>
// NEON-SAME: advisory "MR * NR // 4 + 1 * NR // 4 + 1 <= 32"
// NEON-SAME: advisory "768 * 1 * MC * 4 <= 524288"
func.func @matmul(%a: memref<2x768x768xf32>, %b: memref<2x768x768xf32>,
                  %c: memref<2x768x768xf32>) {
  linalg.batch_matmul
    ins(%a, %b : memref<2x768x768xf32>, memref<2x768x768xf32>)
    outs(%c : memref<2x768x768xf32>)
  return
}
