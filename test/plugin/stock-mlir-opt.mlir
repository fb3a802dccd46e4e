// The plugin in a stock mlir-opt, which finds the worker from the plugin's own
// place: as a flag, and as a pipeline with either kind of plugin.
// RUN: %stock-mlir-opt --load-dialect-plugin=%baco-plugin %s \
// RUN:   --baco-autotune="budget=1 seed=1" -o %t.flag 2>%t.remark
// RUN: FileCheck %s --input-file=%t.flag
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remark
// RUN: %stock-mlir-opt --load-dialect-plugin=%baco-plugin %s \
// RUN:   --pass-pipeline='builtin.module(baco-autotune{budget=1 seed=1})' \
// RUN:   -o %t.dialect
// RUN: cmp %t.flag %t.dialect
// RUN: %stock-mlir-opt --load-pass-plugin=%baco-plugin %s \
// RUN:   --pass-pipeline='builtin.module(baco-autotune{budget=1 seed=1})' \
// RUN:   -o %t.pass
// RUN: cmp %t.flag %t.pass

// The result needs no plugin.
// RUN: %stock-mlir-opt %t.flag -o /dev/null

// CHECK-NOT:   baco.
// CHECK-LABEL: func.func @tiny(
// CHECK:       affine.for
// CHECK:       arith.addf %{{.*}}, %{{.*}} fastmath<contract> : vector<{{16|32}}xf32>
// CHECK-NOT:   baco.

// REMARK: stock-mlir-opt.mlir:[[@LINE+1]]:1: remark: tuned 'tiny' in 1 evaluation
func.func @tiny(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  return
}
