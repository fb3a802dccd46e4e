// A function on a sparse tensor of dynamic shape calls a version of static
// shape with a tensor that is assembled of the same buffers. Stock tools lower
// the tuned module as they do the original, with the run-time library and
// without, and it computes the same.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --entry=spmm --budget=3 --seed=1 %quick \
// RUN:   --arg="spmm:0=@uniform(extents=37x41,entries=300)" --output-dir=%t
// RUN: FileCheck %s --input-file=%t/sparse-casts-dynamic-shapes.tuned.mlir
// RUN: %stock-mlir-opt --sparsifier %s -o %t/original.mlir
// RUN: %stock-mlir-opt --sparsifier %t/sparse-casts-dynamic-shapes.tuned.mlir \
// RUN:   -o %t/library.mlir
// RUN: %stock-mlir-opt --sparsifier=enable-runtime-library=false \
// RUN:   %t/sparse-casts-dynamic-shapes.tuned.mlir -o %t/direct.mlir
// RUN: %stock-mlir-runner %t/original.mlir -e main --entry-point-result=f32 \
// RUN:   --shared-libs=%runner-libs/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: %stock-mlir-runner %t/library.mlir -e main --entry-point-result=f32 \
// RUN:   --shared-libs=%runner-libs/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: %stock-mlir-runner %t/direct.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT

// Ours needs no library, and what the program converts itself is lowered, too.
// RUN: baco-opt %t/sparse-casts-dynamic-shapes.tuned.mlir --baco-lower-to-cpu -o %t/own.mlir
// RUN: %stock-mlir-runner %t/own.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT

// The run-time library would read lists of places otherwise than they are: it
// gets them in another format.
// RUN: sed 's/d0 : dense, d1 : compressed/d0 : compressed(nonunique), d1 : singleton(soa)/' \
// RUN:   %s > %t/list.mlir
// RUN: baco-tune-driver %t/list.mlir --entry=spmm --budget=3 --seed=1 %quick \
// RUN:   --arg="spmm:0=@uniform(extents=37x41,entries=300)" --output-dir=%t
// RUN: FileCheck %s --input-file=%t/list.tuned.mlir --check-prefix=LIST
// RUN: %stock-mlir-opt --sparsifier %t/list.tuned.mlir -o %t/library.mlir
// RUN: %stock-mlir-opt --sparsifier=enable-runtime-library=false \
// RUN:   %t/list.tuned.mlir -o %t/direct.mlir
// RUN: %stock-mlir-runner %t/library.mlir -e main --entry-point-result=f32 \
// RUN:   --shared-libs=%runner-libs/libmlir_c_runner_utils.so \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: %stock-mlir-runner %t/direct.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT
// RUN: baco-opt %t/list.tuned.mlir --baco-lower-to-cpu -o %t/own.mlir
// RUN: %stock-mlir-runner %t/own.mlir -e main --entry-point-result=f32 \
// RUN:   | FileCheck %s --check-prefix=RESULT

// Nothing makes a tensor of static shape where all levels are dense.
// RUN: sed 's/d1 : compressed/d1 : dense/' %s > %t/dense.mlir
// RUN: %exits 1 baco-tune-driver %t/dense.mlir --entry=spmm --budget=3 --seed=1 %quick \
// RUN:   --shape=spmm:0=37x41 --output-dir=%t 2>&1 | FileCheck %s --check-prefix=DENSE
// DENSE: dense.mlir: error: --shape=spmm:0=37x41,1=41x64,2=37x64: argument 0 is sparse, and all of its levels are dense, of which upstream makes no tensor of static shape; write its extents in its type

// Without the run-time library, the buffers are shared.
// CHECK-LABEL: func.func @spmm(
// CHECK-NOT:   tensor.cast %arg0
// CHECK:       %[[P:.*]] = sparse_tensor.positions %arg0 {level = 1 : index}
// CHECK:       %[[C:.*]] = sparse_tensor.coordinates %arg0 {level = 1 : index}
// CHECK:       %[[V:.*]] = sparse_tensor.values %arg0
// CHECK:       %[[B:.*]] = sparse_tensor.assemble
// CHECK-SAME:    to tensor<37x41xf64, #sparse>
// CHECK:       call @spmm_37x41_41x64_37x64(%[[B]]
// CHECK:       %[[COPY:.*]] = sparse_tensor.has_runtime_library
// CHECK-NEXT:  scf.if %[[COPY]] {
// CHECK-NEXT:    bufferization.dealloc_tensor %[[B]]
// CHECK:       else
// CHECK:       linalg.generic

// LIST-LABEL: func.func @spmm(
// LIST:       %[[LIBRARY:.*]] = sparse_tensor.has_runtime_library
// LIST-NEXT:  %[[A:.*]] = scf.if %[[LIBRARY]]
// LIST-NEXT:    %[[OTHER:.*]] = sparse_tensor.convert %arg0
// LIST:         sparse_tensor.assemble
// LIST:       else
// LIST:         sparse_tensor.assemble
// LIST:       call @spmm_37x41_41x64_37x64(%[[A]]

// RESULT: 2.308800e+04

#CSR = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32, crdWidth = 32
}>

func.func @spmm(%B: tensor<?x?xf64, #CSR>, %C: tensor<?x64xf64>,
                %A: tensor<?x64xf64>) -> tensor<?x64xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                       affine_map<(i, j, k) -> (k, j)>,
                       affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%B, %C : tensor<?x?xf64, #CSR>, tensor<?x64xf64>)
    outs(%A : tensor<?x64xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.addf %a, %1 : f64
    linalg.yield %2 : f64
  } -> tensor<?x64xf64>
  return %0 : tensor<?x64xf64>
}

func.func private @number(%n: index) -> index {
  return %n : index
}

func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c37 = arith.constant 37 : index
  %c41 = arith.constant 41 : index
  %zero = arith.constant 0.0 : f64
  %rows = call @number(%c37) : (index) -> index
  %columns = call @number(%c41) : (index) -> index
  // Every fifth element is i + 1.
  %dense = tensor.generate %rows, %columns {
  ^bb0(%i: index, %j: index):
    %sum = arith.addi %i, %j : index
    %rest = arith.remui %sum, %c5 : index
    %is = arith.cmpi eq, %rest, %c0 : index
    %integer = arith.index_cast %i : index to i64
    %number = arith.sitofp %integer : i64 to f64
    %one = arith.constant 1.0 : f64
    %next = arith.addf %number, %one : f64
    %value = arith.select %is, %next, %zero : f64
    tensor.yield %value : f64
  } : tensor<?x?xf64>
  %B = sparse_tensor.convert %dense
    : tensor<?x?xf64> to tensor<?x?xf64, #CSR>
  %products = tensor.generate {
  ^bb0(%i: index, %j: index):
    %product = arith.muli %i, %j : index
    %integer = arith.index_cast %product : index to i64
    %number = arith.sitofp %integer : i64 to f64
    tensor.yield %number : f64
  } : tensor<41x64xf64>
  %C = tensor.cast %products : tensor<41x64xf64> to tensor<?x64xf64>
  %empty = tensor.empty(%c37) : tensor<?x64xf64>
  %A = linalg.fill ins(%zero : f64)
    outs(%empty : tensor<?x64xf64>) -> tensor<?x64xf64>
  %all = call @spmm(%B, %C, %A)
    : (tensor<?x?xf64, #CSR>, tensor<?x64xf64>, tensor<?x64xf64>)
    -> tensor<?x64xf64>
  %one = tensor.extract %all[%c3, %c37] : tensor<?x64xf64>
  %result = arith.truncf %one : f64 to f32
  return %result : f32
}
