// Upstream's affine-super-vectorize gets loops wrong whose trip count isn't a
// multiple of the vectors' size, without a word: it writes into the padding.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t %quick \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRIALS --input-file=%t/super-vectorize.trials.jsonl

// CHECK: scale: 3 evaluations, 1 failed (1 wrong-result)

// TRIALS:      "size":0{{.*}},"status":"ok"
// TRIALS-NEXT: "size":1{{.*}},"status":"ok"
// TRIALS-NEXT: "size":2{{.*}},"status":"wrong-result",{{.*}}"message":"argument 1 differs at [0, 100]: got {{[^,]*}}, expected nan"
module attributes {transform.with_named_sequence} {
  func.func @scale(%x: memref<16x104xf32>, %y: memref<16x104xf32>) {
    affine.for %i = 0 to 16 {
      affine.for %j = 0 to 100 {
        %a = affine.load %x[%i, %j] : memref<16x104xf32>
        %b = arith.addf %a, %a : f32
        affine.store %b, %y[%i, %j] : memref<16x104xf32>
      }
    }
    return
  }

  transform.named_sequence @__transform_main(
      %root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root
        : (!transform.any_op) -> !transform.any_op
    transform.tune.alternatives<"size"> {
    }, {
      %g = transform.apply_registered_pass "affine-super-vectorize"
          with options = {"virtual-vector-size" = [4]} to %f
          : (!transform.any_op) -> !transform.any_op
    }, {
      %g = transform.apply_registered_pass "affine-super-vectorize"
          with options = {"virtual-vector-size" = [8]} to %f
          : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}
