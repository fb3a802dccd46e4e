// Programs whose results are one element, on a GPU: a loss in a tensor, and the
// root mean square by which a vector is divided.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --target=nvvm:sm_90 --evaluator=static --verify=emulate --optimizer=random \
// RUN:   --budget=8 --seed=1 --output-dir=%t 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// CHECK-DAG: {{^}}loss  {{.*}} cycles
// CHECK-DAG: {{^}}norm  {{.*}} cycles
// CHECK:     {{^}}8 evaluations in
// TRIALS-COUNT-8: "status":"ok"

#id = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
#scalar = affine_map<() -> ()>

func.func @loss(%a: tensor<20x30xf32>, %b: tensor<20x30xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                       iterator_types = ["reduction", "reduction"]}
    ins(%a, %b : tensor<20x30xf32>, tensor<20x30xf32>) outs(%0 : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %d = arith.subf %x, %y : f32
    %q = arith.mulf %d, %d : f32
    %w = arith.addf %sum, %q : f32
    linalg.yield %w : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

func.func @norm(%a: tensor<700xf32>) -> tensor<700xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 700.0 : f32
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]}
    ins(%a : tensor<700xf32>) outs(%0 : tensor<f32>) {
  ^bb0(%x: f32, %sum: f32):
    %q = arith.mulf %x, %x : f32
    %w = arith.addf %sum, %q : f32
    linalg.yield %w : f32
  } -> tensor<f32>
  %2 = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []}
    ins(%1 : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%x: f32, %old: f32):
    %q = arith.divf %x, %n : f32
    %r = math.rsqrt %q : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  %f = tensor.empty() : tensor<700xf32>
  %3 = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel"]}
    ins(%a, %2 : tensor<700xf32>, tensor<f32>) outs(%f : tensor<700xf32>) {
  ^bb0(%x: f32, %r: f32, %old: f32):
    %w = arith.mulf %x, %r : f32
    linalg.yield %w : f32
  } -> tensor<700xf32>
  return %3 : tensor<700xf32>
}
