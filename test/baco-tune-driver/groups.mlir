// Products and what is between them take turns on blocks of rows, in memory and
// on tensors: every candidate computes what the plain lowering does, and a
// temporary is as large as a block.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=10 --seed=3 --output-dir=%t %quick --verbose \
// RUN:   --host=vector-bytes=32,vector-registers=16,l1=4096,l2=32768 | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'
// RUN: cat %t/*.memrefs.trials.jsonl | FileCheck %s --check-prefix=BOTH
// RUN: cat %t/*.tensors.trials.jsonl | FileCheck %s --check-prefix=BOTH
// RUN: cat %t/*.schedule.mlir | FileCheck %s --check-prefix=SCHEDULE
// RUN: baco-tune-driver %s --entry=memrefs --groups=false --emit-space=- \
// RUN:   --host=vector-bytes=32,vector-registers=16,l1=4096,l2=32768 | FileCheck %s --check-prefix=APART

// TRIALS: "status":"ok"
// Also without the group.
// BOTH-DAG: "group":0{{.*}}"status":"ok"
// BOTH-DAG: "group":1{{.*}}"status":"ok"
// SCHEDULE: loop_contract
// SCHEDULE: loop_contract
// APART-NOT: "group"

// CHECK: memrefs: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: tensors: {{[1-9][0-9]*}} evaluations{{$}}
#all = affine_map<(i, j) -> (i, j)>
func.func @memrefs(%A: memref<96x12xf32>, %B: memref<12x96xf32>,
                   %C: memref<96x12xf32>, %O: memref<96x12xf32>) {
  %zero = arith.constant 0.0 : f32
  %S = memref.alloc() : memref<96x96xf32>
  linalg.fill ins(%zero : f32) outs(%S : memref<96x96xf32>)
  linalg.matmul ins(%A, %B : memref<96x12xf32>, memref<12x96xf32>)
    outs(%S : memref<96x96xf32>)
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]}
    outs(%S : memref<96x96xf32>) {
  ^bb0(%s: f32):
    %r = math.exp %s : f32
    linalg.yield %r : f32
  }
  linalg.fill ins(%zero : f32) outs(%O : memref<96x12xf32>)
  linalg.matmul ins(%S, %C : memref<96x96xf32>, memref<96x12xf32>)
    outs(%O : memref<96x12xf32>)
  memref.dealloc %S : memref<96x96xf32>
  return
}

func.func @tensors(%A: tensor<96x12xf32>, %B: tensor<12x96xf32>,
                   %C: tensor<96x12xf32>) -> tensor<96x12xf32> {
  %zero = arith.constant 0.0 : f32
  %square = tensor.empty() : tensor<96x96xf32>
  %result = tensor.empty() : tensor<96x12xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%square : tensor<96x96xf32>) -> tensor<96x96xf32>
  %1 = linalg.matmul ins(%A, %B : tensor<96x12xf32>, tensor<12x96xf32>)
    outs(%0 : tensor<96x96xf32>) -> tensor<96x96xf32>
  %2 = linalg.softmax dimension(1) ins(%1 : tensor<96x96xf32>)
    outs(%square : tensor<96x96xf32>) -> tensor<96x96xf32>
  %3 = linalg.fill ins(%zero : f32) outs(%result : tensor<96x12xf32>) -> tensor<96x12xf32>
  %4 = linalg.matmul ins(%2, %C : tensor<96x96xf32>, tensor<96x12xf32>)
    outs(%3 : tensor<96x12xf32>) -> tensor<96x12xf32>
  return %4 : tensor<96x12xf32>
}
