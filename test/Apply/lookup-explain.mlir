// Which entries there are for a kernel, which is used, and what would have made
// the others fit.
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{caches} = vector-registers=32,l1=32768,l3=33554432
// DEFINE: %{small} = vector-bytes=64,%{caches},l2=262144
// DEFINE: %{large} = vector-bytes=64,%{caches},l2=1048576
// DEFINE: %{tune} = baco-tune-driver %s --evaluator=static --budget=1 --output-dir=%t
// RUN: %{tune} --host=%{small} && mv %t/lookup-explain.library.mlir %t/small.mlir
// RUN: %{tune} --host=%{large} && mv %t/lookup-explain.library.mlir %t/large.mlir
// RUN: sed 's/pipeline = /pipeline = 9/' %t/large.mlir > %t/old.mlir
// RUN: sed 's/, fingerprint = "/&0/' %t/large.mlir > %t/edited.mlir
// RUN: sed 's/@product/@other/; s/f32/f64/g' %s > %t/other.mlir
// RUN: baco-tune-driver %t/other.mlir --evaluator=static --budget=1 --host=%{large} --output-dir=%t
// DEFINE: %{libraries} = %t/other.library.mlir,%t/old.mlir,%t/edited.mlir,%t/small.mlir,%t/large.mlir,%t/large.mlir
// RUN: baco-opt %s --baco-apply="library=%{libraries} target-cpu=x86-64-v4 host=%{large} explain" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark
// RUN: baco-tune-driver %s --apply=%{libraries} --target-cpu=x86-64-v4 --host=%{large} --explain --output-dir=%t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark
// CHECK: lookup-explain.mlir:[[@LINE+12]]:1: remark: {{.*}}other.library.mlir has no entry for 'product'
// CHECK: remark: '@tuned.product.{{[0-9a-f]+}}' in {{.*}}old.mlir is stale: it was made by {{.*}}
// CHECK: remark: the entry of 'product' in {{.*}}edited.mlir is stale: the function has changed
// CHECK: remark: '@tuned.product.{{[0-9a-f]+}}' in {{.*}}small.mlir is for another machine: target-cpu=x86-64-v4 host=vector-bytes=64,vector-registers=32,l1=32768,l2=262144,l3=33554432,threads=1 would use it
// CHECK: remark: '@tuned.product.{{[0-9a-f]+}}' in {{.*}}large.mlir is used
// CHECK: remark: '@tuned.product.{{[0-9a-f]+}}' in {{.*}}large.mlir fits, but another one comes first

// Where none fits, too.
// RUN: not baco-opt %s --baco-apply="library=%t/small.mlir target-cpu=x86-64-v4 host=%{large} explain" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// NONE: remark: {{.*}} is for another machine: target-cpu=x86-64-v4 host={{.*}} would use it
// NONE: error: the entry of 'product'
func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
