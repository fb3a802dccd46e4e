// Products are rounded with the sums that they are added to where a schedule may
// round otherwise; but not where a loop sums one number after the other, as an
// addition takes less time than a fused one. Without a schedule, each operation
// rounds.
// RUN: baco-opt %s --baco-lower-sparse | FileCheck %s
// RUN: baco-opt %s --baco-lower-to-cpu | FileCheck %s --check-prefix=LLVM

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
#CSC = #sparse_tensor.encoding<{map = (d0, d1) -> (d1 : dense, d0 : compressed)}>

// CHECK-LABEL: func.func @plain(
// CHECK-NOT: fastmath
// LLVM-LABEL: llvm.func @plain(
// LLVM-NOT: fastmath
// LLVM: llvm.return
func.func @plain(%b: tensor<16x12xf64, #CSR>, %c: tensor<12x24xf64>) -> tensor<16x24xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<16x24xf64>
  %zeros = linalg.fill ins(%zero : f64) outs(%empty : tensor<16x24xf64>) -> tensor<16x24xf64>
  %r = linalg.matmul ins(%b, %c : tensor<16x12xf64, #CSR>, tensor<12x24xf64>) outs(%zeros : tensor<16x24xf64>) -> tensor<16x24xf64>
  return %r : tensor<16x24xf64>
}

// CHECK-LABEL: func.func @chain(
// CHECK: arith.mulf %{{.*}} fastmath<contract> : f64
// CHECK: arith.addf %{{.*}}, %{{[^ ]*}} : f64
func.func @chain(%b: tensor<16x12xf64, #CSR>, %x: tensor<12xf64>, %y: tensor<16xf64>) -> tensor<16xf64>
    attributes {baco.sparse_vl = 0} {
  %r = linalg.matvec ins(%b, %x : tensor<16x12xf64, #CSR>, tensor<12xf64>) outs(%y : tensor<16xf64>) -> tensor<16xf64>
  return %r : tensor<16xf64>
}

// Each round adds to another element.
// CHECK-LABEL: func.func @scattered(
// CHECK: arith.mulf %{{.*}} fastmath<contract> : f64
// CHECK: arith.addf %{{.*}} fastmath<contract> : f64
func.func @scattered(%b: tensor<16x12xf64, #CSC>, %x: tensor<12xf64>, %y: tensor<16xf64>) -> tensor<16xf64>
    attributes {baco.sparse_vl = 0} {
  %r = linalg.matvec ins(%b, %x : tensor<16x12xf64, #CSC>, tensor<12xf64>) outs(%y : tensor<16xf64>) -> tensor<16xf64>
  return %r : tensor<16xf64>
}
