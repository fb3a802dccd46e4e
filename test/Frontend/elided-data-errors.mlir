// Constants that can't be made up.
// RUN: baco-opt %s --baco-lower-front-ends --split-input-file --verify-diagnostics

func.func @huge() -> tensor<1048576x1048576xf32> {
  // expected-error @below {{the elided data of constants need more than 1 GiB; give weights as arguments of the functions, or tune a part of the model}}
  %0 = arith.constant dense_resource<__elided__> : tensor<1048576x1048576xf32>
  return %0 : tensor<1048576x1048576xf32>
}

// -----

// Even the number of its elements is too large.
func.func @overflows() -> tensor<4294967296x4294967296xf32> {
  // expected-error @below {{the elided data of constants need more than 1 GiB}}
  %0 = arith.constant dense_resource<__elided__> : tensor<4294967296x4294967296xf32>
  return %0 : tensor<4294967296x4294967296xf32>
}
