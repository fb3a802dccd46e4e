// Designs for FPGAs have estimated costs: knobs are found, searched and applied.

// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --target=fpga:arria10 --evaluator=static --budget=30 --seed=3 \
// RUN:   --output-dir=%t 2>&1 | FileCheck %s
// CHECK: filter: 30 evaluations
// By hand: loads take 120 cycles, products and sums 3, stores 1, and loops 2 more.
// Plain, each sum waits for the one before in memory off the chip, 120 + 3 + 120
// cycles: 64 * (2 + 127 + 7 * 243) + 2 in the first nest, 2 + 124 + 63 in the second.
// CHECK-NEXT: plain 117311 cycles
// By default the loop carries the sum, 3 cycles; its first term is loaded before it,
// and the last is stored behind it: 64 * (120 + 2 + 126 + 7 * 3 + 1) + 2.
// CHECK-NEXT: default 17471 cycles
// CHECK-NEXT: best {{[1-9][0-9]?[0-9]?}} cycles
// CHECK-NEXT: static cost in cycles, not a time
// CHECK: chosen nest0_join = {{.*}}nest0_copy0 =
// RUN: FileCheck %s --check-prefix=TRIALS --input-file=%t/fpga-target.trials.jsonl
// TRIALS: estimated for arria10: 3 DSPs, {{[0-9]+}} ALMs, {{[0-9]+}} registers, {{[0-9]+}} M20K; longest pipeline: 64 iterations, 124 deep, interval 1 (recurrences 1, ports 1, transfers 1)

// A small device has no room for most designs: a kind of failure of its own.
// RUN: baco-tune-driver %s --target=fpga:ice40 --evaluator=static --budget=12 --seed=3 \
// RUN:   --optimizer=random --output-dir=%t/small 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: filter: 12 evaluations, [[N:[0-9]+]] failed ([[N]] launch-failed)
// RUN: FileCheck %s --check-prefix=ROOM --input-file=%t/small/fpga-target.trials.jsonl
// The search learns how much of the device each design needs, of which parts.
// ROOM-DAG: "status":"launch-failed"{{.*}}doesn't fit Lattice iCE40 UP5K: needs at least {{[0-9]+}} {{DSPs|LUTs}}, but {{8|4224}} is the most","usage":[{{[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+}}]
// ROOM-DAG: "status":"ok"{{.*}}"usage":[{{[0-9.]+,[0-9.]+,[0-9.]+,[0-9.]+}}]
// ROOM-DAG: "status":"launch-failed"{{.*}}"cost_beyond_limits":{{[0-9.]+}}}

// The same commands make code for a CPU, where each candidate is verified.
// RUN: baco-opt %s --baco-annotate='target=fpga:arria10' --baco-expand-recipes -o %t/open.mlir
// RUN: baco-tune-driver %t/open.mlir --target=cpu --budget=12 --optimizer=random %quick \
// RUN:   --output-dir=%t/cpu 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: filter: 12 evaluations{{$}}

func.func @filter(%x: memref<72xf32>, %w: memref<8xf32>, %y: memref<64xf32>,
                  %z: memref<64xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %k = 0 to 8 {
      %a = affine.load %x[%i + %k] : memref<72xf32>
      %b = affine.load %w[%k] : memref<8xf32>
      %c = affine.load %y[%i] : memref<64xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      affine.store %s, %y[%i] : memref<64xf32>
    }
  }
  affine.for %i = 0 to 64 {
    %a = affine.load %y[%i] : memref<64xf32>
    %p = arith.mulf %a, %a : f32
    affine.store %p, %z[%i] : memref<64xf32>
  }
  return
}
