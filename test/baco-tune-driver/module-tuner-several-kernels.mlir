// Kernels share a budget by the time that they take; those that are the same
// but for names are tuned once.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=20 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: ls %t | FileCheck %s --check-prefix=FILES
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/module-tuner-several-kernels.summary.json
// RUN: sed 's/{baco.recipe = .*/ /; s/ *#baco.tile.*//' %s > %t/plain.mlir
// RUN: %stock-mlir-opt %t/plain.mlir \
// RUN:   --transform-preload-library=transform-library-paths=%t/module-tuner-several-kernels.schedule.mlir \
// RUN:   --transform-interpreter -o %t/scheduled
// RUN: %stock-mlir-opt %t/module-tuner-several-kernels.tuned.mlir | cmp - %t/scheduled
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/module-tuner-several-kernels.tuned.mlir

// The large one takes most of the time. The space of the small one is exhausted
// before its part is spent: the rest goes to the large one.
// CHECK:      large: [[LARGE:[0-9]+]] evaluations
// CHECK:      share {{(9[0-9.]+|100)}} % of the kernels' time, 17 calls, [[LARGE]] evaluations granted
// CHECK:      twin: the same kernel as large, whose schedule it gets
// The small one is best as it was.
// CHECK:      small: 4 evaluations
// CHECK:      share {{[0-9.]+}} % of the kernels' time, 4 evaluations granted
// CHECK:      chosen the original code
// CHECK:      every configuration of the space was tried

// FILES-NOT: twin
// FILES:     module-tuner-several-kernels.large.trials.jsonl
// FILES-NOT: twin

// JSON:      "name": "large"
// JSON:      "evaluations": 16
// JSON:      "same_as": null
// JSON:      "weight": 0.9
// JSON-NEXT: "calls": 17.0
// JSON-NEXT: "granted": 16
// JSON:      "name": "twin"
// JSON:      "evaluations": 0
// JSON:      "same_as": "large"
// JSON-NEXT: "share": null
// JSON:      "kept": "{{default|tuned}}"
// JSON:      "name": "small"
// JSON:      "kept": "plain"

// TUNED-LABEL: func.func private @twin
// TUNED:       scf.for
// TUNED-LABEL: func.func private @small
// TUNED-NEXT:  linalg.matmul

// What the journal has is shared as before, and nothing is run again.
// RUN: cp %t/module-tuner-several-kernels.large.trials.jsonl %t/before
// RUN: baco-tune-driver %s --budget=20 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cmp %t/module-tuner-several-kernels.large.trials.jsonl %t/before
// A killed run, too: the trials are those of one that was not.
// RUN: rm -rf %t/again && baco-tune-driver %s --budget=12 \
// RUN:   --evaluator=replay:%t/module-tuner-several-kernels.baco.db --output-dir=%t/again
// RUN: baco-tune-driver %s --budget=20 \
// RUN:   --evaluator=replay:%t/module-tuner-several-kernels.baco.db --output-dir=%t/again
// RUN: cmp %t/module-tuner-several-kernels.large.trials.jsonl %t/again/module-tuner-several-kernels.large.trials.jsonl

// Renaming a kernel doesn't make it another one.
// RUN: sed 's/large/grand/g; s/%A/%first/g' %s > %t/module-tuner-several-kernels.mlir
// RUN: baco-tune-driver %t/module-tuner-several-kernels.mlir --budget=20 --output-dir=%t %quick --verbose \
// RUN:   2>%t/progress
// RUN: FileCheck %s --check-prefix=RENAMED --input-file=%t/progress
// RENAMED-NOT: grand {{.*}} 15/16
// RENAMED:     grand (1 of 2) 16/16

// The pass says the same.
// RUN: baco-opt %s --baco-autotune="budget=3 trial-time=2 final-time=10" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PASS
// PASS: remark: tuned 'large' in 2 evaluations:
// PASS: remark: 'twin' is the same kernel as 'large' and gets its schedule
// PASS: remark: left 'small' as it is: the plain lowering, {{.*}}, is certainly faster than the best schedule

func.func private @large(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                         %C: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.integer<1 to 64>>, 0, 1]>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>)
    outs(%C : memref<64x64xf32>)
  return
}
func.func private @twin(%X: memref<64x64xf32>, %Y: memref<64x64xf32>,
                        %Z: memref<64x64xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.integer<1 to 64>>, 0, 1]>]>}
    ins(%X, %Y : memref<64x64xf32>, memref<64x64xf32>)
    outs(%Z : memref<64x64xf32>)
  return
}
func.func private @small(%A: memref<16x16xf32>, %B: memref<16x16xf32>,
                         %C: memref<16x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"T", #baco.integer<1 to 4>>, 0, 1]>]>}
    ins(%A, %B : memref<16x16xf32>, memref<16x16xf32>)
    outs(%C : memref<16x16xf32>)
  return
}
func.func @main(%A: memref<64x64xf32>, %B: memref<64x64xf32>,
                %C: memref<64x64xf32>, %S: memref<16x16xf32>) {
  affine.for %i = 0 to 16 {
    func.call @large(%A, %B, %C)
      : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
  }
  call @twin(%A, %B, %C)
    : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
  call @small(%S, %S, %S)
    : (memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>) -> ()
  return
}
