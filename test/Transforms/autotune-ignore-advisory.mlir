// The pass searches beyond advisory constraints if asked to.
// RUN: echo "size,time_ns" > %t.csv
// RUN: echo "4,300" >> %t.csv
// RUN: echo "8,100" >> %t.csv
// RUN: baco-opt %s -o /dev/null 2>&1 \
// RUN:   --baco-autotune="evaluator=replay:%t.csv optimizer=exhaustive" \
// RUN:   | FileCheck %s --check-prefix=WITH
// RUN: baco-opt %s -o /dev/null 2>&1 \
// RUN:   --baco-autotune="evaluator=replay:%t.csv optimizer=exhaustive ignore-advisory" \
// RUN:   | FileCheck %s --check-prefix=WITHOUT

// WITH:    remark: tuned 'kernel' in 1 evaluation: 300 ns
// WITHOUT: remark: tuned 'kernel' in 2 evaluations: 100 ns
func.func @kernel(%A: memref<32x32xf32>) {
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op)
      attributes {baco.constraints = [
        #baco.constraint<"size < 8", "a guess", advisory>]} {
    %size = transform.tune.knob<"size"> options = [4, 8]
        -> !transform.param<i64>
    transform.yield
  }
}
