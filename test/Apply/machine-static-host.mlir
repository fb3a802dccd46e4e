// What a static cost was computed for is what the entry says, whatever CPU this
// is: entries of equal runs are equal on all runners, and apply on all.
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{caches} = l1=32768,l2=1048576,l3=33554432
// DEFINE: %{host} =
// DEFINE: %{tune} = baco-tune-driver %s --evaluator=static --budget=2 --host=%{host} --output-dir=%t
// DEFINE: %{entry} = grep -o 'cpu = "[^"]*"\|isa = "[^"]*"\|host = "[^"]*"' %t/machine-static-host.library.mlir \
// DEFINE:   | FileCheck %s --match-full-lines --check-prefix
// DEFINE: %{level} =
// DEFINE: %{apply} = baco-opt %s --baco-apply="library=%t/machine-static-host.library.mlir target-cpu=%{level} host=%{host}" \
// DEFINE:   | FileCheck %s --check-prefix

// REDEFINE: %{level} = x86-64-v4
// REDEFINE: %{host} = vector-bytes=64,vector-registers=32,%{caches}
// RUN: %{tune}
// RUN: %{entry} V4
// RUN: %{apply} APPLIED
// RUN: baco-opt %s --baco-apply="library=%t/machine-static-host.library.mlir target-cpu=znver5 host=%{host}" \
// RUN:   | FileCheck %s --check-prefix=APPLIED
// REDEFINE: %{level} = x86-64-v3
// REDEFINE: %{host} = vector-bytes=32,vector-registers=16,%{caches}
// RUN: %{tune}
// RUN: %{entry} V3
// RUN: %{apply} APPLIED
// REDEFINE: %{level} = x86-64-v2
// REDEFINE: %{host} = vector-bytes=16,vector-registers=16,%{caches}
// RUN: %{tune}
// RUN: %{entry} V2
// RUN: %{apply} APPLIED

// V4:      cpu = "x86-64-v4"
// V4-NEXT: host = "vector-bytes=64,vector-registers=32,l1=32768,l2=1048576,l3=33554432,threads=1"
// V4-NEXT: isa = "x86-64-v4"
// V4-NOT:  {{.}}
// V3:      cpu = "x86-64-v3"
// V3:      isa = "x86-64-v3"
// V2:      cpu = "x86-64-v2"
// V2:      isa = "x86-64-v2"
// APPLIED: func.func @product
// APPLIED: vector<
func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
