// A schedule whose choices are made is tuned again with --retune, from what was
// chosen; --sequence says with which sequence it starts.
// RUN: rm -rf %t
// RUN: %exits 1 baco-tune-driver %s --emit-space=- 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: %exits 1 baco-tune-driver %s --sequence=other --emit-space=- 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: %exits 1 baco-tune-driver %s --sequence=made --emit-space=- 2>&1 | FileCheck %s --check-prefix=MADE
// RUN: baco-tune-driver %s --sequence=made --retune --emit-space=- | FileCheck %s --check-prefix=SPACE
// RUN: baco-tune-driver %s --sequence=open --emit-space=- | FileCheck %s --check-prefix=OPEN
// RUN: baco-tune-driver %s --sequence=made --retune --budget=3 --output-dir=%t %quick \
// RUN:   | FileCheck %s --check-prefix=TUNED
// RUN: head -1 %t/retune.trials.jsonl | FileCheck %s --check-prefix=FIRST
// RUN: baco-opt %s --transform-preload-library=transform-library-paths=%t/retune.schedule.mlir \
// RUN:   --transform-interpreter | FileCheck %s --check-prefix=REPLAYED
// RUN: baco-opt %s --baco-autotune="sequence=made retune budget=2 trial-time=2 final-time=10" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PASS
// RUN: %exits 1 baco-tune-driver %S/Inputs/tiny.mlir --retune 2>&1 | FileCheck %s --check-prefix=NO-SCHEDULE
// RUN: %exits 1 baco-tune-driver %S/Inputs/tiny.mlir --sequence=made 2>&1 | FileCheck %s --check-prefix=NO-SEQUENCE

// NONE: error: no transform.named_sequence '@__transform_main' to start the schedule with; choose one of '@made', '@open', '@helper' by the option 'sequence'
// OTHER: error: no transform.named_sequence '@other' to start the schedule with; choose one of '@made', '@open', '@helper' by the option 'sequence'
// MADE: error: nothing to tune: the schedule has no unresolved transform.tune.knob and no transform.tune.alternatives; the option 'retune' tunes resolved ones, too
// NO-SCHEDULE: error: no schedule for the option 'retune': give it in the file or by the option 'schedule'
// NO-SEQUENCE: error: no schedule for the option 'sequence'

// SPACE: "name": "rows"
// SPACE: "default": 16
// SPACE: "name": "how"
// SPACE: "default": 1
// OPEN-NOT: "name": "rows"
// OPEN: "name": "columns"

// TUNED: fill: 3 evaluations
// TUNED-NOT: failed
// FIRST: "configuration":{"rows":16,"how":1}
// REPLAYED: func.func @fill
// PASS: remark: {{tuned|left}} 'fill'

func.func @fill(%x: f32, %C: memref<64x64xf32>) {
  linalg.fill ins(%x : f32) outs(%C : memref<64x64xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @made(%root: !transform.any_op) {
    transform.include @helper failures(propagate) (%root) : (!transform.any_op) -> ()
    transform.yield
  }
  transform.named_sequence @open(%root: !transform.any_op) {
    %op = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.tune.knob<"columns"> options = [8, 16] -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, %size]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @helper(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.fill"]} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.tune.knob<"rows"> = 16 from options = [8, 16, 32] -> !transform.param<i64>
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [%size]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.tune.alternatives<"how"> selected_region = 1 {
    }, {
      %again, %inner = transform.structured.tile_using_for %tiled tile_sizes [0, 8]
          : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    }
    transform.yield
  }
}
