// RUN: baco-opt %s --split-input-file --verify-diagnostics --baco-lower-sparse

// An order in which upstream's sparsifier would crash.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>

func.func @order(%b: tensor<8x6xf64, #CSR>, %x: tensor<6xf64>, %y: tensor<8xf64>)
    -> tensor<8xf64> {
  // expected-error @below {{iterator 0 visits level 1 of operand 0, but is not inside iterator 1, which visits the level above; change the order of the iterators, or the format}}
  %r = linalg.generic {
      indexing_maps = [affine_map<(k, i) -> (i, k)>, affine_map<(k, i) -> (k)>,
                       affine_map<(k, i) -> (i)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%b, %x : tensor<8x6xf64, #CSR>, tensor<6xf64>)
      outs(%y : tensor<8xf64>) attrs = {sorted = true} {
  ^bb(%v: f64, %w: f64, %a: f64):
    %p = arith.mulf %v, %w : f64
    %s = arith.addf %a, %p : f64
    linalg.yield %s : f64
  } -> tensor<8xf64>
  return %r : tensor<8xf64>
}

// -----

// Several columns add to one row.

#CSC = #sparse_tensor.encoding<{map = (i, k) -> (k : dense, i : compressed)}>

func.func @race(%b: tensor<8x6xf64, #CSC>, %x: tensor<6xf64>, %y: tensor<8xf64>)
    -> tensor<8xf64> attributes {baco.sparse_parallel = "dense-outer-loop"} {
  // expected-error @below {{the outermost loop would be parallel, but several of its iterations may write one element; put a parallel iterator outermost, or set 'baco.sparse_parallel' to "none"}}
  %r = linalg.generic {
      indexing_maps = [affine_map<(k, i) -> (i, k)>, affine_map<(k, i) -> (k)>,
                       affine_map<(k, i) -> (i)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%b, %x : tensor<8x6xf64, #CSC>, tensor<6xf64>)
      outs(%y : tensor<8xf64>) attrs = {sorted = true} {
  ^bb(%v: f64, %w: f64, %a: f64):
    %p = arith.mulf %v, %w : f64
    %s = arith.addf %a, %p : f64
    linalg.yield %s : f64
  } -> tensor<8xf64>
  return %r : tensor<8xf64>
}

// -----

#V = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>

func.func @result(%v: tensor<4xf64, #V>) -> tensor<4xf64, #V> {
  %e = tensor.empty() : tensor<4xf64, #V>
  // expected-error @below {{returns a sparse tensor that an op computes, which isn't supported; return a dense one, as of the entries' values}}
  return %e : tensor<4xf64, #V>
}

// -----

#V = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>

// expected-error @below {{returns a sparse tensor, and takes a dense one, which isn't supported}}
func.func @compress(%v: tensor<4xf64>) -> tensor<4xf64, #V> {
  %s = sparse_tensor.convert %v : tensor<4xf64> to tensor<4xf64, #V>
  return %s : tensor<4xf64, #V>
}

// -----

#COO = #sparse_tensor.encoding<{
  map = (i, k) -> (i : compressed(nonunique), k : singleton)
}>

func.func @convert(%v: tensor<4x4xf64>) {
  // expected-error @below {{the format of the result isn't supported: level 1 is a singleton whose coordinates are stored among those of the level above; write singleton(soa)}}
  %s = sparse_tensor.convert %v : tensor<4x4xf64> to tensor<4x4xf64, #COO>
  return
}

// -----

#COO = #sparse_tensor.encoding<{
  map = (i, k) -> (i : compressed(nonunique), k : singleton)
}>

// expected-error @below {{the format of argument 0 isn't supported: level 1 is a singleton whose coordinates are stored among those of the level above; write singleton(soa)}}
func.func @format(%v: tensor<4x4xf64, #COO>) {
  return
}

// -----

#V = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>

// expected-error @below {{returns a sparse tensor, and is called, which isn't supported; inline it}}
func.func @called(%v: tensor<4xf64, #V>) -> tensor<4xf64, #V> {
  return %v : tensor<4xf64, #V>
}
func.func @caller(%v: tensor<4xf64, #V>) {
  %r = call @called(%v) : (tensor<4xf64, #V>) -> tensor<4xf64, #V>
  return
}

// -----

#V = #sparse_tensor.encoding<{map = (i) -> (i : compressed)}>

// expected-error @below {{takes or returns a sparse tensor, and has no body}}
func.func private @external(%v: tensor<4xf64, #V>)

// -----

#BSR = #sparse_tensor.encoding<{
  map = (i, k) -> (i floordiv 2 : dense, k : compressed, i mod 2 : dense)
}>

// expected-error @below {{argument 0 is sparse, and the blocks of its format don't divide dimension 0, whose extent is dynamic; make it static, or change the format}}
func.func @dynamic(%v: tensor<?x6xf64, #BSR>) {
  return
}

// -----

#BSR = #sparse_tensor.encoding<{
  map = (i, k) -> (i floordiv 2 : dense, k floordiv 4 : compressed,
                   i mod 2 : dense, k mod 4 : dense)
}>

// expected-error @below {{argument 0 is sparse, and the blocks of its format don't divide dimension 1, whose extent is 6; pad it, or change the format}}
func.func @blocks(%v: tensor<4x6xf64, #BSR>) {
  return
}

// -----

// Where there is no entry, the result isn't 0.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>

func.func @cosine(%b: tensor<8x6xf64, #CSR>, %a: tensor<8x6xf64>)
    -> tensor<8x6xf64> {
  // expected-error @below {{upstream's sparsifier makes no loops of this, as it makes none of functions that aren't 0 where operands have no entries, of ops that it doesn't know, or of several results; 'sparse_tensor.unary', 'sparse_tensor.binary' and 'sparse_tensor.reduce' say what to compute of entries, and where there are none, by any op}}
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, k) -> (i, k)>, affine_map<(i, k) -> (i, k)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<8x6xf64, #CSR>) outs(%a : tensor<8x6xf64>) {
  ^bb(%v: f64, %w: f64):
    %c = math.cos %v : f64
    linalg.yield %c : f64
  } -> tensor<8x6xf64>
  return %r : tensor<8x6xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
func.func @select(%b: tensor<16x12xf64, #CSR>, %a: tensor<16x12xf64>) -> tensor<16x12xf64> {
  %zero = arith.constant 0.0 : f64
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
    ins(%b : tensor<16x12xf64, #CSR>) outs(%a : tensor<16x12xf64>) {
  ^bb0(%x: f64, %y: f64):
    // expected-error @below {{'sparse_tensor.select' op is for sparse results upstream, which aren't supported; use 'sparse_tensor.unary' with 'arith.select', and zero for what isn't selected}}
    %1 = sparse_tensor.select %x : f64 {
      ^bb0(%v: f64):
        %2 = arith.cmpf ogt, %v, %zero : f64
        sparse_tensor.yield %2 : i1
    }
    linalg.yield %1 : f64
  } -> tensor<16x12xf64>
  return %0 : tensor<16x12xf64>
}

// -----

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>
func.func @product(%b: tensor<16x12xf64, #CSR>, %a: tensor<16xf64>) -> tensor<16xf64> {
  // expected-error @below {{upstream makes loops of a product, a minimum, a maximum or an 'and' of a sparse tensor only where the result is one number; use 'sparse_tensor.reduce', which leaves out what isn't stored}}
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%b : tensor<16x12xf64, #CSR>) outs(%a : tensor<16xf64>) {
  ^bb0(%x: f64, %y: f64):
    %1 = arith.mulf %y, %x : f64
    linalg.yield %1 : f64
  } -> tensor<16xf64>
  return %0 : tensor<16xf64>
}

// -----

// Of one number it does.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>
func.func @largest(%b: tensor<16x12xf64, #CSR>, %a: tensor<f64>) -> tensor<f64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
    ins(%b : tensor<16x12xf64, #CSR>) outs(%a : tensor<f64>) {
  ^bb0(%x: f64, %y: f64):
    %1 = arith.maximumf %y, %x : f64
    linalg.yield %1 : f64
  } -> tensor<f64>
  return %0 : tensor<f64>
}

// -----

// A matrix and its transpose, of which both are read by rows.
#CSR = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
// expected-error @below {{upstream converts this sparse tensor, as it does where no order of loops visits the levels of all operands from the outermost to the innermost one, which isn't supported; change a format}}
func.func @transposed(%B: tensor<32x32xf64, #CSR>, %C: tensor<32x32xf64, #CSR>,
                      %y: tensor<32xf64>) -> tensor<32xf64> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>,
                       affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
    ins(%B, %C : tensor<32x32xf64, #CSR>, tensor<32x32xf64, #CSR>) outs(%y : tensor<32xf64>) {
  ^bb0(%b: f64, %c: f64, %a: f64):
    %1 = arith.mulf %b, %c : f64
    %2 = arith.addf %1, %a : f64
    linalg.yield %2 : f64
  } -> tensor<32xf64>
  return %0 : tensor<32xf64>
}

// -----

// What it packs, it keeps.

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>
#CSC = #sparse_tensor.encoding<{map = (i, k) -> (k : dense, i : compressed)}>
func.func @packs_and_sums(%b: tensor<4x4xf64, #CSR>) -> (tensor<4x4xf64, #CSC>, f64) {
  %c = sparse_tensor.convert %b : tensor<4x4xf64, #CSR> to tensor<4x4xf64, #CSC>
  // expected-error @below {{computes with tensors in a function that returns a sparse one, which isn't supported; move it to another function}}
  %z = arith.constant dense<0.0> : tensor<f64>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
    ins(%b : tensor<4x4xf64, #CSR>) outs(%z : tensor<f64>) {
  ^bb(%v: f64, %a: f64):
    %s = arith.addf %v, %a : f64
    linalg.yield %s : f64
  } -> tensor<f64>
  %e = tensor.extract %r[] : tensor<f64>
  return %c, %e : tensor<4x4xf64, #CSC>, f64
}

// -----

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>
func.func private @use(%b: tensor<4x4xf64, #CSR>) {
  return
}
func.func @packs_and_calls(%b: tensor<4x4xf64, #CSR>) -> tensor<4x4xf64, #CSR> {
  // expected-error @below {{passes memory to a function where a sparse tensor is returned, which isn't supported; call it from another function}}
  call @use(%b) : (tensor<4x4xf64, #CSR>) -> ()
  return %b : tensor<4x4xf64, #CSR>
}

// -----

#CSR = #sparse_tensor.encoding<{map = (i, k) -> (i : dense, k : compressed)}>
// expected-error @below {{argument 0 is sparse, and its elements are neither integers nor floating-point numbers, which isn't supported}}
func.func @complex(%b: tensor<4x4xcomplex<f64>, #CSR>) {
  return
}
