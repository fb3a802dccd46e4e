// Kernels share the time, too; both spaces are too large for it.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --optimizer=random --budget=100000 --time-limit=1 \
// RUN:   --output-dir=%t %quick --verbose | FileCheck %s
// RUN: baco-tune-driver %s --optimizer=random --stop=never --time-limit=1 \
// RUN:   --output-dir=%t %quick --verbose | FileCheck %s --check-prefixes=CHECK,OPEN
// CHECK: a: {{[0-9]+}} evaluation
// CHECK: share {{[0-9.]+}} % of the kernels' time
// OPEN-NOT: granted
// CHECK: stopped by the time limit
// CHECK: b: {{[0-9]+}} evaluation
// CHECK: share {{[0-9.]+}} % of the kernels' time
// CHECK: stopped by the time limit
func.func @a(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"T", #baco.integer<1 to 64>>, #baco.knob<"U", #baco.integer<1 to 64>>, 0]>]>} ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
func.func @b(%A: memref<128x64xf64>, %B: memref<64x64xf64>, %C: memref<128x64xf64>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"T", #baco.integer<1 to 64>>, #baco.knob<"U", #baco.integer<1 to 64>>, 0]>]>} ins(%A, %B : memref<128x64xf64>, memref<64x64xf64>) outs(%C : memref<128x64xf64>)
  return
}
