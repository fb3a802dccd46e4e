// --tf32 allows all products of f32 to round; the schedule's command says so, too.
// RUN: rm -rf %t && mkdir %t && cp %s %t
// DEFINE: %{tune} = baco-tune-driver allow-tf32-entry.mlir --output-dir=%t --target=nvvm:sm_90 --evaluator=static --seed=1 --budget=1
// RUN: cd %t && %{tune} --tf32 --entry=product
// RUN: FileCheck %s --input-file=%t/allow-tf32-entry.tuned.mlir
// RUN: FileCheck %s --input-file=%t/allow-tf32-entry.schedule.mlir --check-prefix=HEAD
// RUN: cd %t && baco-opt allow-tf32-entry.mlir --baco-allow-tf32 --transform-preload-library='transform-library-paths=allow-tf32-entry.schedule.mlir' --transform-interpreter | FileCheck %s
// CHECK-LABEL: func.func @product(
// CHECK:       nvvm.mma.sync
// CHECK-NOT:   baco.tf32
// HEAD: --baco-allow-tf32

// The entry is for products that may round.
// RUN: cd %t && baco-tune-driver allow-tf32-entry.mlir --output-dir=%t/applied --target=nvvm:sm_90 --tf32 --entry=product --apply=allow-tf32-entry.library.mlir
// RUN: cmp %t/allow-tf32-entry.tuned.mlir %t/applied/allow-tf32-entry.tuned.mlir
// RUN: not baco-opt %s --baco-apply="library=%t/allow-tf32-entry.library.mlir target=nvvm:sm_90 entry=product" 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT: allow-tf32-entry.mlir:{{[0-9]+}}:1: error: the entry of 'product' in {{.*}} is stale: the function has changed

// It belongs to the study.
// RUN: cd %t && %{tune} --entry=product && FileCheck %s --input-file=%t/allow-tf32-entry.tuned.mlir --check-prefix=WITHOUT
// RUN: baco study list %t/allow-tf32-entry.baco.db | grep -c product | FileCheck %s --check-prefix=STUDIES
// WITHOUT-NOT: nvvm.mma.sync
// STUDIES: {{^}}2{{$}}

// RUN: baco-opt %s --baco-allow-tf32 | FileCheck %s --check-prefix=PASS
// PASS-LABEL: func.func @product
// PASS-NEXT: linalg.matmul {baco.tf32}
// PASS-LABEL: func.func @others
// PASS-NOT:  baco.tf32
func.func @product(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

func.func @others(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>,
                          %d: memref<64x64xf32>, %e: memref<64xf32>, %f: memref<64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>)
  linalg.matvec ins(%d, %e : memref<64x64xf32>, memref<64xf32>) outs(%f : memref<64xf32>)
  return
}

// Where there are no such numbers.
// RUN: %exits 1 baco-tune-driver %s --tf32 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: %exits 1 baco-tune-driver %s --tf32 --target=nvvm:sm_75 --evaluator=static 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not baco-opt %s --baco-autotune=tf32 2>&1 | FileCheck %s --check-prefix=AUTOTUNE
// CPU: {{^}}baco-tune-driver: error: --tf32: target cpu has no such numbers; leave the option out{{$}}
// OLD: {{^}}baco-tune-driver: error: --tf32: sm_75 has no tensor cores for f32; leave the option out{{$}}
// AUTOTUNE: error: tf32: target cpu has no such numbers
