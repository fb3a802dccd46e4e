// Ops that load what other elements say, as look-ups in tables do: every
// candidate computes what the plain lowering does.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=20 --output-dir=%t %quick --verbose 2>&1 | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// CHECK: look_up: {{[1-9][0-9]*}} evaluations
// CHECK: sums: {{[1-9][0-9]*}} evaluations
// CHECK: unclamped: {{[1-9][0-9]*}} evaluations

// TRIALS: "configuration":{{.*}}"W":{{[1-9]}}
// TRIALS: "status":"ok"

#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @look_up(%table: tensor<100x70xf32>, %ids: tensor<96xi64>) -> tensor<96x70xf32> {
  %c0 = arith.constant 0 : index
  %c99 = arith.constant 99 : index
  %e = tensor.empty() : tensor<96x70xf32>
  %r = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
    ins(%ids : tensor<96xi64>) outs(%e : tensor<96x70xf32>) {
  ^bb0(%id: i64, %o: f32):
    %x = arith.index_cast %id : i64 to index
    %low = arith.maxsi %x, %c0 : index
    %place = arith.minsi %low, %c99 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%place, %j] : tensor<100x70xf32>
    linalg.yield %v : f32
  } -> tensor<96x70xf32>
  return %r : tensor<96x70xf32>
}

#bag = affine_map<(b, l, j) -> (b, l)>
#sum = affine_map<(b, l, j) -> (b, j)>
func.func @sums(%table: memref<100x70xf32>, %ids: memref<24x5xi64>, %out: memref<24x70xf32>) {
  %c0 = arith.constant 0 : index
  %c99 = arith.constant 99 : index
  linalg.generic {indexing_maps = [#bag, #sum], iterator_types = ["parallel", "reduction", "parallel"]}
    ins(%ids : memref<24x5xi64>) outs(%out : memref<24x70xf32>) {
  ^bb0(%id: i64, %o: f32):
    %x = arith.index_cast %id : i64 to index
    %low = arith.maxsi %x, %c0 : index
    %place = arith.minsi %low, %c99 : index
    %j = linalg.index 2 : index
    %v = memref.load %table[%place, %j] : memref<100x70xf32>
    %s = arith.addf %v, %o : f32
    linalg.yield %s : f32
  }
  return
}

// Here nothing but the inputs keeps the indices in the table.
func.func @unclamped(%table: tensor<1x100x70xf32>, %ids: tensor<1x96xi64>) -> tensor<1x96x70xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<1x96x70xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%ids : tensor<1x96xi64>) outs(%e : tensor<1x96x70xf32>) {
  ^bb0(%id: i64, %o: f32):
    %short = arith.trunci %id : i64 to i32
    %place = arith.index_cast %short : i32 to index
    %j = linalg.index 2 : index
    %v = tensor.extract %table[%c0, %place, %j] : tensor<1x100x70xf32>
    linalg.yield %v : f32
  } -> tensor<1x96x70xf32>
  return %r : tensor<1x96x70xf32>
}
