// One library has entries of a function for several targets: tuning for another
// one adds to it, and the machine decides which is applied.
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{caches} = l1=32768,l3=33554432
// DEFINE: %{small} = vector-bytes=32,vector-registers=16,%{caches},l2=262144
// DEFINE: %{large} = vector-bytes=32,vector-registers=16,%{caches},l2=1048576
// DEFINE: %{tune} = baco-tune-driver %s --evaluator=static --budget=1 --apply-mode=tune \
// DEFINE:   --apply=%t/all.library.mlir --db=%t/all.db --output-dir=%t
// DEFINE: %{apply} = baco-opt %s --baco-apply="library=%t/all.library.mlir
// RUN: %{tune} --host=%{small} | FileCheck %s --check-prefix=ADDED
// RUN: cp %t/several-targets.tuned.mlir %t/small.mlir
// RUN: not %{apply} host=%{large}" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: the entry of 'product' in {{.*}} is for another machine: {{.*}}l2=262144{{.*}}, not {{.*}}l2=1048576
// RUN: %{tune} --host=%{large} | FileCheck %s --check-prefix=ADDED
// ADDED: added 1 entry
// RUN: grep -c 'baco.entry = ' %t/all.library.mlir | FileCheck %s --check-prefix=TWO
// TWO: {{^2$}}

// RUN: not cmp %t/small.mlir %t/several-targets.tuned.mlir

// Each target has its own; the first one's is as it was.
// RUN: %{apply} host=%{small}" -o %t/applied && %stock-mlir-opt %t/small.mlir | cmp - %t/applied
// RUN: %{apply} host=%{large}" -o %t/applied && %stock-mlir-opt %t/several-targets.tuned.mlir | cmp - %t/applied

// So have databases, and the libraries that are written from them.
// RUN: baco study export %t/all.db --format=library --output=%t/exported.mlir
// RUN: grep -c 'baco.entry = ' %t/exported.mlir | FileCheck %s --check-prefix=TWO
// RUN: baco-opt %s --baco-apply="library=%t/exported.mlir host=%{small}" -o %t/applied
// RUN: %stock-mlir-opt %t/small.mlir | cmp - %t/applied
func.func @product(%A: memref<256x256xf32>, %B: memref<256x256xf32>, %C: memref<256x256xf32>) {
  linalg.matmul ins(%A, %B : memref<256x256xf32>, memref<256x256xf32>) outs(%C : memref<256x256xf32>)
  return
}
