// A function on tensors whose original stays keeps its form, and so does one
// that is the same; stock tools replay that.
// RUN: rm -rf %t && mkdir %t && cp %s %t/in.mlir
// RUN: echo '{"plain": 500, "trials": {"1": 1000, "2": 900}}' > %t/script
// RUN: env SCRIPTED_WORKER=%t/script baco-tune-driver %t/in.mlir --output-dir=%t \
// RUN:   --worker=%scripted-worker | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/in.summary.json
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/in.tuned.mlir
// RUN: sed 's/ {baco.recipe = .*>}$//' %s > %t/plain.mlir
// RUN: %stock-mlir-opt %t/plain.mlir \
// RUN:   --transform-preload-library=transform-library-paths=%t/in.schedule.mlir \
// RUN:   --transform-interpreter -o %t/scheduled
// RUN: %stock-mlir-opt %t/in.tuned.mlir | cmp - %t/scheduled

// CHECK: product: 2 evaluations
// CHECK: chosen the original code
// CHECK: again: the same kernel as product: its original code stays as well

// JSON: "name": "product"
// JSON: "kept": "plain"
// JSON: "name": "again"
// JSON: "same_as": "product"
// JSON: "kept": "plain"

// TUNED-LABEL: func.func @product
// TUNED-SAME:  tensor<16x16xf32>) -> tensor<16x16xf32>
// TUNED-NEXT:  linalg.matmul ins
// TUNED-LABEL: func.func @again
// TUNED-NEXT:  linalg.matmul ins
func.func @product(%A: tensor<16x16xf32>, %B: tensor<16x16xf32>,
                   %C: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[1, 2]>>, 0, 0]>]>}
    ins(%A, %B : tensor<16x16xf32>, tensor<16x16xf32>)
    outs(%C : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
func.func @again(%X: tensor<16x16xf32>, %Y: tensor<16x16xf32>,
                 %Z: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"T", #baco.ordinal<[1, 2]>>, 0, 0]>]>}
    ins(%X, %Y : tensor<16x16xf32>, tensor<16x16xf32>)
    outs(%Z : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
