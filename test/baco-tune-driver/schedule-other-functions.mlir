// A schedule that matches ops of the whole file changes more than what is run,
// which one should know; what the kernel calls is run with it. By costs, some
// schedule is always kept; by times, the original code may be as fast.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --entry=kernel --evaluator=static \
// RUN:   --budget=2 --seed=1 --output-dir=%t 2>&1 | FileCheck %s

// CHECK-NOT: warning: the schedule
// CHECK:     schedule-other-functions.mlir:[[#@LINE+10]]:1: warning: the schedule changes 'other' too, which was neither timed nor checked
// CHECK-NOT: warning: the schedule
// CHECK:     wrote
func.func private @printMemrefF32(memref<*xf32>)
func.func private @helper(%A: memref<8x8xf32>, %B: memref<8x8xf32>,
                          %C: memref<8x8xf32>) {
  linalg.matmul ins(%A, %B : memref<8x8xf32>, memref<8x8xf32>)
                outs(%C : memref<8x8xf32>)
  return
}
func.func @other(%A: memref<8x8xf32>, %B: memref<8x8xf32>,
                 %C: memref<8x8xf32>) {
  linalg.matmul ins(%A, %B : memref<8x8xf32>, memref<8x8xf32>)
                outs(%C : memref<8x8xf32>)
  return
}
func.func @kernel(%A: memref<8x8xf32>, %B: memref<8x8xf32>,
                  %C: memref<8x8xf32>) {
  call @helper(%A, %B, %C)
      : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>) -> ()
  return
}
func.func @plain(%A: memref<8xf32>) {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %functions = transform.structured.match ops{["func.func"]}
        attributes{sym_visibility = "private"} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.annotate %functions "mine" : !transform.any_op
    transform.tune.alternatives<"how"> {
      %tiled, %loop = transform.structured.tile_using_for %mm tile_sizes [4]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }, {
      %tiled, %loop = transform.structured.tile_using_for %mm tile_sizes [2]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
