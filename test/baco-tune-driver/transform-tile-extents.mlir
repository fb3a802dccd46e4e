// Schedules by hand say of which loops knobs of stock ops are tiles, as far as
// what these ops tile is certain.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{space} = baco-tune-driver --emit-space=- --host=l1=49152,l2=2097152

// K and N tile tiles; the loop that J tiles is as it was.
// RUN: %{space} %t/products.mlir --schedule=%t/chain.mlir | tr -d ' \n' | FileCheck %s --check-prefix=CHAIN
// RUN: %{space} %t/products.mlir --schedule=%t/chain.mlir --ignore-advisory | tr -d ' \n' | FileCheck %s --check-prefix=CHAIN
// CHAIN: "name":"I",{{[^}]*}}"extent":96
// CHAIN: "name":"K",
// CHAIN-NOT: "extent"
// CHAIN: "name":"J",{{[^}]*}}"extent":64
// CHAIN-NOT: "extent"

// Of two products that differ in their rows, the columns are certain.
// RUN: %{space} %t/two.mlir --schedule=%t/chain.mlir | tr -d ' \n' | FileCheck %s --check-prefix=TWO
// TWO: "name":"I",
// TWO-NOT: "extent"
// TWO: "name":"J",{{[^}]*}}"extent":64
// TWO-NOT: "extent"

// Loops of unknown trip count have none.
// RUN: %{space} %t/dynamic.mlir --schedule=%t/chain.mlir | tr -d ' \n' | FileCheck %s --check-prefix=TWO

// An op in a loop may be a tile; so may one that was changed in between.
// RUN: %{space} %t/looped.mlir --schedule=%t/chain.mlir | FileCheck %s --check-prefix=NONE
// RUN: sed 's|// CLEAN ||' %t/chain.mlir > %t/cleaned.mlir
// RUN: %{space} %t/products.mlir --schedule=%t/cleaned.mlir | tr -d ' \n' | FileCheck %s --check-prefix=CLEANED
// CLEANED: "name":"I",{{[^}]*}}"extent":96
// CLEANED-NOT: "extent"

// What other ops read as well, or what differs from use to use, has none; nor
// have sizes that follow from numbers of threads.
// RUN: %{space} %t/products.mlir --schedule=%t/reused.mlir | tr -d ' \n' | FileCheck %s --check-prefix=REUSED
// REUSED: "name":"unrolled",
// REUSED-NOT: "extent"
// REUSED: "name":"vectorized",{{[^}]*}}"extent":96
// REUSED: "name":"twice",
// REUSED-NOT: "extent"
// RUN: sed 's/tile_sizes/num_threads/' %t/forall.mlir > %t/threads.mlir
// RUN: %{space} %t/products.mlir --schedule=%t/forall.mlir | FileCheck %s --check-prefix=FORALL
// FORALL: "extent": 96
// RUN: %{space} %t/products.mlir --schedule=%t/threads.mlir | FileCheck %s --check-prefix=NONE
// NONE:     "name": "I"
// NONE-NOT: "extent"

// The extents make a search in another shape try shares: three quarters of
// the loop.
// RUN: printf 'I,time_ns\n8,900\n16,800\n32,700\n48,300\n96,1000\n' > %t/table.csv
// DEFINE: %{tune} = baco-tune-driver --evaluator=replay:%t/table.csv --schedule=%t/forall.mlir --db=%t/all.db
// RUN: %{tune} %t/products.mlir --budget=5 --output-dir=%t/small
// RUN: sed 's/96x/192x/g' %t/products.mlir > %t/large.mlir
// RUN: %{tune} %t/large.mlir --budget=2 --output-dir=%t/large --like=f | FileCheck %s --check-prefix=LIKE
// LIKE: tried first: {{[0-9]+}} configuration
// RUN: FileCheck %s --check-prefix=SHARE < %t/large/large.trials.jsonl
// SHARE: "trial":1,"configuration":{"I":96}

//--- products.mlir
func.func @f(%A: memref<96x32xf32>, %B: memref<32x64xf32>, %C: memref<96x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<96x64xf32>)
  linalg.matmul ins(%A, %B : memref<96x32xf32>, memref<32x64xf32>)
                outs(%C : memref<96x64xf32>)
  return
}

//--- two.mlir
func.func @f(%A: memref<96x32xf32>, %B: memref<32x64xf32>, %C: memref<96x64xf32>,
             %D: memref<48x32xf32>, %E: memref<48x64xf32>) {
  linalg.matmul ins(%A, %B : memref<96x32xf32>, memref<32x64xf32>)
                outs(%C : memref<96x64xf32>)
  linalg.matmul ins(%D, %B : memref<48x32xf32>, memref<32x64xf32>)
                outs(%E : memref<48x64xf32>)
  return
}

//--- dynamic.mlir
func.func @f(%A: memref<?x32xf32>, %B: memref<32x64xf32>, %C: memref<?x64xf32>) {
  linalg.matmul ins(%A, %B : memref<?x32xf32>, memref<32x64xf32>)
                outs(%C : memref<?x64xf32>)
  return
}

//--- looped.mlir
func.func @f(%A: memref<96x32xf32>, %B: memref<32x64xf32>, %C: memref<96x64xf32>) {
  affine.for %i = 0 to 4 {
    linalg.matmul ins(%A, %B : memref<96x32xf32>, memref<32x64xf32>)
                  outs(%C : memref<96x64xf32>)
  }
  return
}

//--- chain.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %i = transform.tune.knob<"I"> options = [8, 16, 32, 96] -> !transform.param<i64>
    %0, %l:2 = transform.structured.tile_using_for %mm tile_sizes [%i, 0, 16]
        : (!transform.any_op, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    // CLEAN transform.apply_patterns to %root { transform.apply_patterns.canonicalization } : !transform.any_op
    %k = transform.tune.knob<"K"> options = [4, 8] -> !transform.param<i64>
    %j = transform.tune.knob<"J"> options = [4, 8] -> !transform.param<i64>
    %1, %m:2 = transform.structured.tile_using_for %0 tile_sizes [0, %j, %k]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %n = transform.tune.knob<"N"> options = [1, 2] -> !transform.param<i64>
    %2, %o = transform.structured.tile_using_for %1 tile_sizes [0, %n]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- reused.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %u = transform.tune.knob<"unrolled"> options = [8, 16] -> !transform.param<i64>
    %v = transform.tune.knob<"vectorized"> options = [8, 16] -> !transform.param<i64>
    %two = transform.tune.knob<"twice"> options = [8, 16] -> !transform.param<i64>
    %0, %l:3 = transform.structured.tile_using_for %mm tile_sizes [%v, %u, %two]
        : (!transform.any_op, !transform.param<i64>, !transform.param<i64>, !transform.param<i64>)
        -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %0 vector_sizes [%v, 16, 16]
        : !transform.any_op, !transform.param<i64>
    transform.annotate %l#0 "unroll" = %u : !transform.any_op, !transform.param<i64>
    %fill = transform.structured.match ops{["linalg.fill"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %1, %m = transform.structured.tile_using_for %fill tile_sizes [%two]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- forall.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    %i = transform.tune.knob<"I"> options = [8, 16, 32, 48, 96] -> !transform.param<i64>
    %0, %l = transform.structured.tile_using_forall %mm tile_sizes [%i]
        : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
