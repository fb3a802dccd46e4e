// Weights that are transposed in each execution are transposed before the
// search. The command in the schedule's head does the same.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=3 --seed=1 --output-dir=%t %quick 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t/constants.schedule.mlir --check-prefix=SCHEDULE
// RUN: FileCheck %s --input-file=%t/constants.tuned.mlir --check-prefix=TUNED
// RUN: baco-opt %s --baco-transpose-constants \
// RUN:   --transform-preload-library=transform-library-paths=%t/constants.schedule.mlir \
// RUN:   --transform-interpreter -o %t/replayed.mlir 2> /dev/null
// RUN: baco-opt %t/constants.tuned.mlir -o %t/tuned.mlir
// RUN: diff %t/tuned.mlir %t/replayed.mlir

// CHECK: remark: transposed the constants of 1 op
// CHECK: layer: 3 evaluations
// CHECK-NOT: failed
// CHECK: speed-up
// SCHEDULE: --baco-transpose-constants
// TUNED-NOT: linalg.transpose
// The original code stays if it is faster.
// TUNED: {{memref.global .* : memref<2x48xf32> = dense<|arith.constant dense<.*> : tensor<2x48xf32>}}
func.func @layer(%x: memref<32x2xf32>, %y: memref<32x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = bufferization.to_tensor %x restrict : memref<32x2xf32> to tensor<32x2xf32>
  %w = arith.constant dense<"0x000000000000003E0000803E0000C03E0000003F0000203F0000403F0000603F0000803F0000903F0000A03F0000B03F0000C03F0000D03F0000E03F0000F03F0000004000000840000010400000184000002040000028400000304000003840000040400000484000005040000058400000604000006840000070400000784000008040000084400000884000008C4000009040000094400000984000009C400000A0400000A4400000A8400000AC400000B0400000B4400000B8400000BC400000C0400000C4400000C8400000CC400000D0400000D4400000D8400000DC400000E0400000E4400000E8400000EC400000F0400000F4400000F8400000FC40000000410000024100000441000006410000084100000A4100000C4100000E41000010410000124100001441000016410000184100001A4100001C4100001E41000020410000224100002441000026410000284100002A4100002C4100002E41000030410000324100003441000036410000384100003A4100003C4100003E41"> : tensor<48x2xf32>
  %e = tensor.empty() : tensor<2x48xf32>
  %t = linalg.transpose ins(%w : tensor<48x2xf32>) outs(%e : tensor<2x48xf32>) permutation = [1, 0]
  %o = tensor.empty() : tensor<32x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = linalg.matmul ins(%a, %t : tensor<32x2xf32>, tensor<2x48xf32>) outs(%f : tensor<32x48xf32>) -> tensor<32x48xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<32x48xf32>, memref<32x48xf32>) -> ()
  return
}
