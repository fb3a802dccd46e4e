// Ops on sparse tensors without a recipe, and why.
// RUN: baco-opt %s --baco-annotate --split-input-file --verify-diagnostics=only-expected

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
#CSC = #sparse_tensor.encoding<{ map = (d0, d1) -> (d1 : dense, d0 : compressed) }>
func.func @converted(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                     %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  %0 = sparse_tensor.convert %B : tensor<64x48xf64, #CSR> to tensor<64x48xf64, #CSC>
  // expected-remark @below {{no automatic recipe: its sparse operand is no argument of the function, but computed by 'sparse_tensor.convert'}}
  %1 = linalg.matmul ins(%0, %C : tensor<64x48xf64, #CSC>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %1 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @several(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64, #CSR>,
                   %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-remark @below {{it has several sparse operands}}
  %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64, #CSR>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @result(%B: tensor<64x48xf64>, %C: tensor<48x16xf64>) -> tensor<64x16xf64, #CSR> {
  %A = tensor.empty() : tensor<64x16xf64, #CSR>
  // expected-remark @below {{its result is a sparse tensor; compute a dense one}}
  %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64, #CSR>) -> tensor<64x16xf64, #CSR>
  return %0 : tensor<64x16xf64, #CSR>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @twice(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x16xf64>,
                 %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-remark @below {{'linalg.matmul' uses its sparse operand, too, so that the format can't change}}
  %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  // expected-remark @below {{'linalg.matmul' uses its sparse operand, too}}
  %1 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%0 : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %1 : tensor<64x16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @dynamic(%B: tensor<?x48xf64, #CSR>, %C: tensor<48x16xf64>,
                   %A: tensor<?x16xf64>) -> tensor<?x16xf64> {
  // expected-remark @below {{the shape of its sparse operand is dynamic}}
  %0 = linalg.matmul ins(%B, %C : tensor<?x48xf64, #CSR>, tensor<48x16xf64>)
    outs(%A : tensor<?x16xf64>) -> tensor<?x16xf64>
  return %0 : tensor<?x16xf64>
}

// -----

#Sum = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
func.func @sum(%B: tensor<2047xf64, #Sum>, %A: tensor<1024x1024xf64>) -> tensor<1024x1024xf64> {
  // expected-remark @below {{its sparse operand isn't indexed by one loop for each dimension}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
    ins(%B : tensor<2047xf64, #Sum>) outs(%A : tensor<1024x1024xf64>) {
  ^bb0(%b: f64, %a: f64):
    %1 = arith.addf %a, %b : f64
    linalg.yield %1 : f64
  } -> tensor<1024x1024xf64>
  return %0 : tensor<1024x1024xf64>
}

// -----

#BSR = #sparse_tensor.encoding<{
  map = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense) }>
func.func @blocks(%B: tensor<64x48xf64, #BSR>, %C: tensor<48x16xf64>,
                  %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-remark @below {{levels of its sparse operand are parts of dimensions}}
  %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #BSR>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#AoS = #sparse_tensor.encoding<{ map = (i, j) -> (i : compressed(nonunique), j : singleton) }>
func.func @pairs(%B: tensor<64x48xf64, #AoS>, %C: tensor<48x16xf64>,
                 %A: tensor<64x16xf64>) -> tensor<64x16xf64> {
  // expected-remark @below {{the format of its sparse operand: level 1 is a singleton whose coordinates are stored among those of the level above; write singleton(soa)}}
  %0 = linalg.matmul ins(%B, %C : tensor<64x48xf64, #AoS>, tensor<48x16xf64>)
    outs(%A : tensor<64x16xf64>) -> tensor<64x16xf64>
  return %0 : tensor<64x16xf64>
}

// -----

#CSF = #sparse_tensor.encoding<{
  map = (d0, d1, d2) -> (d0 : dense, d1 : compressed, d2 : compressed) }>
func.func @overwritten(%B: tensor<8x16x32xf64, #CSF>, %y: tensor<16xf64>) -> tensor<16xf64> {
  %far = arith.constant 1.0e10 : f64
  // expected-remark @below {{a loop that reduces is outside of one of the result in the format of its sparse operand, and 'sparse_tensor.reduce' begins anew in each of its iterations, so that only the last one would count; change the format}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>],
      iterator_types = ["reduction", "parallel", "reduction"]}
    ins(%B : tensor<8x16x32xf64, #CSF>) outs(%y : tensor<16xf64>) {
  ^bb0(%b: f64, %a: f64):
    %1 = sparse_tensor.reduce %b, %a, %far : f64 {
      ^bb0(%l: f64, %r: f64):
        %2 = arith.minimumf %l, %r : f64
        sparse_tensor.yield %2 : f64
    }
    linalg.yield %1 : f64
  } -> tensor<16xf64>
  return %0 : tensor<16xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @selected(%B: tensor<64x48xf64, #CSR>, %y: tensor<64xf64>) -> tensor<64xf64> {
  %zero = arith.constant 0.0 : f64
  // expected-remark @below {{upstream makes loops of 'sparse_tensor.select' only where the result is sparse; use 'sparse_tensor.unary' with 'arith.select', and zero for what isn't selected}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B : tensor<64x48xf64, #CSR>) outs(%y : tensor<64xf64>) {
  ^bb0(%b: f64, %a: f64):
    %1 = sparse_tensor.select %b : f64 {
      ^bb0(%v: f64):
        %2 = arith.cmpf ogt, %v, %zero : f64
        sparse_tensor.yield %2 : i1
    }
    %3 = arith.addf %a, %1 : f64
    linalg.yield %3 : f64
  } -> tensor<64xf64>
  return %0 : tensor<64xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @complex(%B: tensor<64x48xcomplex<f64>, #CSR>, %x: tensor<48xcomplex<f64>>,
                   %y: tensor<64xcomplex<f64>>) -> tensor<64xcomplex<f64>> {
  // expected-remark @below {{its sparse operand has complex numbers, which can't be packed; make tensors of their real and imaginary parts}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B, %x : tensor<64x48xcomplex<f64>, #CSR>, tensor<48xcomplex<f64>>)
    outs(%y : tensor<64xcomplex<f64>>) {
  ^bb0(%b: complex<f64>, %c: complex<f64>, %a: complex<f64>):
    %1 = complex.mul %b, %c : complex<f64>
    %2 = complex.add %a, %1 : complex<f64>
    linalg.yield %2 : complex<f64>
  } -> tensor<64xcomplex<f64>>
  return %0 : tensor<64xcomplex<f64>>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @largest(%B: tensor<64x48xf64, #CSR>, %y: tensor<64xf64>) -> tensor<64xf64> {
  // expected-remark @below {{upstream makes loops of a product, a minimum, a maximum or an 'and' of a sparse tensor only where the result is one number; use 'sparse_tensor.reduce', which leaves out what isn't stored}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B : tensor<64x48xf64, #CSR>) outs(%y : tensor<64xf64>) {
  ^bb0(%b: f64, %a: f64):
    %1 = arith.maximumf %a, %b : f64
    linalg.yield %1 : f64
  } -> tensor<64xf64>
  return %0 : tensor<64xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @empty(%B: tensor<0x48xf64, #CSR>, %y: tensor<0xf64>) -> tensor<0xf64> {
  // expected-remark @below {{no automatic recipe: it is empty}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B : tensor<0x48xf64, #CSR>) outs(%y : tensor<0xf64>) {
  ^bb0(%b: f64, %a: f64):
    %1 = arith.addf %a, %b : f64
    linalg.yield %1 : f64
  } -> tensor<0xf64>
  return %0 : tensor<0xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @sums(%B: tensor<64x48xf64, #CSR>, %y: tensor<64xf64>, %z: tensor<64xf64>)
    -> (tensor<64xf64>, tensor<64xf64>) {
  // expected-remark @below {{no automatic recipe: it has 2 results, and upstream makes loops of ops with one only; write an op for each}}
  %0:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B : tensor<64x48xf64, #CSR>) outs(%y, %z : tensor<64xf64>, tensor<64xf64>) {
  ^bb0(%b: f64, %a: f64, %c: f64):
    %1 = arith.addf %a, %b : f64
    %2 = arith.mulf %b, %b : f64
    %3 = arith.addf %c, %2 : f64
    linalg.yield %1, %3 : f64, f64
  } -> (tensor<64xf64>, tensor<64xf64>)
  return %0#0, %0#1 : tensor<64xf64>, tensor<64xf64>
}

// -----

// In the order of its iterators, as it is sorted.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @sorted(%B: tensor<64x48xf64, #CSR>, %C: tensor<48x32xf64>, %y: tensor<64xf64>)
    -> tensor<64xf64> {
  %far = arith.constant 1.0e10 : f64
  // expected-remark @below {{a loop that reduces is outside of one of the result in the format of its sparse operand, and 'sparse_tensor.reduce' begins anew in each of its iterations, so that only the last one would count; change the format}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(l, i, j) -> (i, j)>, affine_map<(l, i, j) -> (j, l)>,
                       affine_map<(l, i, j) -> (i)>],
      iterator_types = ["reduction", "parallel", "reduction"], sorted = true}
    ins(%B, %C : tensor<64x48xf64, #CSR>, tensor<48x32xf64>) outs(%y : tensor<64xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = sparse_tensor.reduce %1, %a, %far : f64 {
      ^bb0(%l: f64, %r: f64):
        %3 = arith.minimumf %l, %r : f64
        sparse_tensor.yield %3 : f64
    }
    linalg.yield %2 : f64
  } -> tensor<64xf64>
  return %0 : tensor<64xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
func.func @counted(%B: tensor<64x48xf64, #CSR>, %x: tensor<48xf64>, %y: tensor<64xf64>)
    -> (tensor<64xf64>, index) {
  // expected-remark @below {{no automatic recipe: 'sparse_tensor.number_of_entries' uses its sparse operand, too, so that the format can't change}}
  %0 = linalg.matvec ins(%B, %x : tensor<64x48xf64, #CSR>, tensor<48xf64>)
    outs(%y : tensor<64xf64>) -> tensor<64xf64>
  %1 = sparse_tensor.number_of_entries %B : tensor<64x48xf64, #CSR>
  return %0, %1 : tensor<64xf64>, index
}
