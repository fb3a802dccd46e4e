// What two operands of an op are may be one buffer. A kernel that says so is
// verified like that: tiles keep the order of its loop, vectors don't.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t %quick \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRIALS --input-file=%t/aliasing.trials.jsonl

// CHECK: running_sum: 3 evaluations, 1 failed (1 wrong-result)
// CHECK-NOT: how = 1

// TRIALS:      "how":0{{.*}},"status":"ok"
// TRIALS-NEXT: "how":1{{.*}},"status":"wrong-result",{{.*}}"message":"argument 0 differs at [2]: got {{[^,]*}}, expected {{[^,]*}} (tolerance
// TRIALS-NEXT: "how":2{{.*}},"status":"ok"
module attributes {transform.with_named_sequence} {
  func.func @running_sum(%x: memref<65xf32>) {
    %old = memref.subview %x[0] [64] [1]
      : memref<65xf32> to memref<64xf32, strided<[1]>>
    %new = memref.subview %x[1] [64] [1]
      : memref<65xf32> to memref<64xf32, strided<[1], offset: 1>>
    linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%old : memref<64xf32, strided<[1]>>)
      outs(%new : memref<64xf32, strided<[1], offset: 1>>) {
    ^bb0(%a: f32, %b: f32):
      %sum = arith.addf %a, %b : f32
      linalg.yield %sum : f32
    }
    return
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.generic"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"how"> {
    }, {
      transform.structured.vectorize %op : !transform.any_op
    }, {
      %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [16]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
