// Attention on f16 and bf16 is one kernel on tensor cores: with a mask, for a batch, with keys in either
// order, softmax in f16, and queries that another product computes; unless the probabilities are a
// result, too, an extent isn't a multiple of an instruction's, or the GPU has no such cores.
// RUN: baco-opt %s --baco-annotate=target=nvvm:sm_90 | FileCheck %s
// RUN: baco-opt %s --baco-annotate=target=nvvm:sm_75 | FileCheck %s --check-prefix=OLD

// CHECK-LABEL: func.func @halves(
// CHECK-NOT:     #baco.recipe<
// CHECK:         linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-NEXT:      #baco.gpu_epilogue<>,
// CHECK-NEXT:      #baco.gpu_blocks<
// CHECK-NEXT:      #baco.gpu_chain<{{.*}}, mma = true>,
// CHECK-NEXT:      #baco.tile<
// CHECK-NEXT:      #baco.gpu_shared<operands = [1], width = 8, padding = #baco.knob<"P"
// CHECK-NEXT:      #baco.gpu_mma<
// CHECK:         "elements of rows leave half of the registers of a multiprocessor"
// CHECK-NEXT:    "the tiles of a block must fit its shared memory"
// CHECK-NOT:     #baco.recipe<
// CHECK-LABEL: func.func @batch(
// CHECK-NOT:     #baco.recipe<
// CHECK:         linalg.{{.*}}matmul {baco.recipe = #baco.recipe<[
// CHECK:           #baco.gpu_chain<{{.*}}, mma = true>,
// CHECK-NOT:     #baco.recipe<
// CHECK-LABEL: func.func @short(
// CHECK-NOT:     #baco.recipe<
// CHECK:         linalg.{{.*}}matmul {baco.recipe = #baco.recipe<[
// CHECK:           #baco.gpu_chain<{{.*}}, mma = true>,
// CHECK-NOT:     #baco.recipe<
// The product of queries and weights has a kernel of its own.
// CHECK-LABEL: func.func @projected(
// CHECK:         linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-NOT:       #baco.gpu_chain<
// CHECK:         linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK:           #baco.gpu_chain<{{.*}}, mma = true>,
// CHECK-NOT:     #baco.recipe<
// CHECK-LABEL: func.func @result(
// CHECK-NOT:     #baco.gpu_chain<
// CHECK-LABEL: func.func @odd(
// CHECK-NOT:     #baco.gpu_chain<
// OLD-NOT:       #baco.gpu_chain<

#two_halves = affine_map<(i, j) -> (i, j)>
#left_halves = affine_map<(m, n, k) -> (m, k)>
#right_halves = affine_map<(m, n, k) -> (n, k)>
#result_halves = affine_map<(m, n, k) -> (m, n)>
func.func @halves(%q: tensor<64x32xf16>, %k: tensor<64x32xf16>, %v: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %zero = arith.constant 0.0 : f32
  %zf = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul indexing_maps = [#left_halves, #right_halves, #result_halves]
    ins(%q, %k : tensor<64x32xf16>, tensor<64x32xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e2 = tensor.empty() : tensor<64x64xf32>
  %t = linalg.generic {indexing_maps = [#two_halves, #two_halves], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x64xf32>) outs(%e2 : tensor<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<64x64xf32>
  %w = linalg.softmax dimension(1) ins(%t : tensor<64x64xf32>) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [#two_halves, #two_halves], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%zf : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %u = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  %re = tensor.empty() : tensor<64x32xf16>
  %r = linalg.generic {indexing_maps = [#two_halves, #two_halves], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<64x32xf32>) outs(%re : tensor<64x32xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x32xf16>
  return %r : tensor<64x32xf16>
}

#two_batch = affine_map<(b, i, j) -> (b, i, j)>
#mk_batch = affine_map<(b, i, j) -> (i, j)>
#left_batch = affine_map<(b, m, n, k) -> (b, m, k)>
#right_batch = affine_map<(b, m, n, k) -> (b, k, n)>
#result_batch = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @batch(%q: tensor<2x48x48xbf16>, %k: tensor<2x48x80xbf16>, %v: tensor<2x80x40xbf16>, %mask: tensor<48x80xf32>) -> tensor<2x48x40xf32> {
  %zero = arith.constant 0.0 : f32
  %zf = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x48x80xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x48x80xf32>) -> tensor<2x48x80xf32>
  %s = linalg.batch_matmul indexing_maps = [#left_batch, #right_batch, #result_batch]
    ins(%q, %k : tensor<2x48x48xbf16>, tensor<2x48x80xbf16>) outs(%f : tensor<2x48x80xf32>) -> tensor<2x48x80xf32>
  %e2 = tensor.empty() : tensor<2x48x80xf32>
  %t = linalg.generic {indexing_maps = [#two_batch, #mk_batch, #two_batch], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %mask : tensor<2x48x80xf32>, tensor<48x80xf32>) outs(%e2 : tensor<2x48x80xf32>) {
  ^bb0(%x: f32, %g: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    %cc = arith.cmpf olt, %g, %zf : f32
    %y1 = arith.select %cc, %low, %y0 : f32
    linalg.yield %y1 : f32
  } -> tensor<2x48x80xf32>
  %w = linalg.softmax dimension(2) ins(%t : tensor<2x48x80xf32>) outs(%e2 : tensor<2x48x80xf32>) -> tensor<2x48x80xf32>
  %pe = tensor.empty() : tensor<2x48x80xbf16>
  %p = linalg.generic {indexing_maps = [#two_batch, #two_batch], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x48x80xf32>) outs(%pe : tensor<2x48x80xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<2x48x80xbf16>
  %oe = tensor.empty() : tensor<2x48x40xf32>
  %of = linalg.fill ins(%zf : f32) outs(%oe : tensor<2x48x40xf32>) -> tensor<2x48x40xf32>
  %u = linalg.batch_matmul ins(%p, %v : tensor<2x48x80xbf16>, tensor<2x80x40xbf16>) outs(%of : tensor<2x48x40xf32>) -> tensor<2x48x40xf32>
  return %u : tensor<2x48x40xf32>
}

#two_short = affine_map<(i, j) -> (i, j)>
#left_short = affine_map<(m, n, k) -> (m, k)>
#right_short = affine_map<(m, n, k) -> (n, k)>
#result_short = affine_map<(m, n, k) -> (m, n)>
func.func @short(%q: tensor<64x32xf16>, %k: tensor<64x32xf16>, %v: tensor<64x32xf16>) -> tensor<64x32xf16> {
  %zero = arith.constant 0.0 : f32
  %zf = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul indexing_maps = [#left_short, #right_short, #result_short]
    ins(%q, %k : tensor<64x32xf16>, tensor<64x32xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e2 = tensor.empty() : tensor<64x64xf16>
  %t = linalg.generic {indexing_maps = [#two_short, #two_short], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x64xf32>) outs(%e2 : tensor<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y0 = arith.mulf %x, %scale : f32
    %y2 = arith.truncf %y0 : f32 to f16
    linalg.yield %y2 : f16
  } -> tensor<64x64xf16>
  %w = linalg.softmax dimension(1) ins(%t : tensor<64x64xf16>) outs(%e2 : tensor<64x64xf16>) -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%zf : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %u = linalg.matmul ins(%w, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  %re = tensor.empty() : tensor<64x32xf16>
  %r = linalg.generic {indexing_maps = [#two_short, #two_short], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<64x32xf32>) outs(%re : tensor<64x32xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x32xf16>
  return %r : tensor<64x32xf16>
}

#two_projected = affine_map<(i, j) -> (i, j)>
#row_projected = affine_map<(i, j) -> (i)>
#left_projected = affine_map<(m, n, k) -> (m, k)>
#right_projected = affine_map<(m, n, k) -> (n, k)>
#result_projected = affine_map<(m, n, k) -> (m, n)>
func.func @projected(%q0: tensor<64x32xf16>, %k: tensor<64x32xf16>, %v: tensor<64x32xf16>, %w: tensor<32x32xf16>) -> tensor<64x32xf16> {
  %zt = arith.constant 0.0 : f16
  %qe0 = tensor.empty() : tensor<64x32xf16>
  %qf = linalg.fill ins(%zt : f16) outs(%qe0 : tensor<64x32xf16>) -> tensor<64x32xf16>
  %q = linalg.matmul ins(%q0, %w : tensor<64x32xf16>, tensor<32x32xf16>) outs(%qf : tensor<64x32xf16>) -> tensor<64x32xf16>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.176777 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul indexing_maps = [#left_projected, #right_projected, #result_projected]
    ins(%q, %k : tensor<64x32xf16>, tensor<64x32xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = linalg.generic {indexing_maps = [#two_projected, #two_projected], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.mulf %x, %scale : f32
    linalg.yield %y : f32
  } -> tensor<64x64xf32>
  %low = arith.constant 0xFF800000 : f32
  %column = tensor.empty() : tensor<64xf32>
  %maxs = linalg.fill ins(%low : f32) outs(%column : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#two_projected, #row_projected], iterator_types = ["parallel", "reduction"]}
    ins(%t : tensor<64x64xf32>) outs(%maxs : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maxnumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %powers = linalg.generic {indexing_maps = [#two_projected, #row_projected, #two_projected], iterator_types = ["parallel", "parallel"]}
    ins(%t, %max : tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %y = arith.subf %a, %b : f32
    %z = math.exp %y : f32
    linalg.yield %z : f32
  } -> tensor<64x64xf32>
  %sums = linalg.fill ins(%zero : f32) outs(%column : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#two_projected, #row_projected], iterator_types = ["parallel", "reduction"]}
    ins(%powers : tensor<64x64xf32>) outs(%sums : tensor<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<64xf32>
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [#two_projected, #row_projected, #two_projected], iterator_types = ["parallel", "parallel"]}
    ins(%powers, %sum : tensor<64x64xf32>, tensor<64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%a: f32, %b: f32, %o: f16):
    %y = arith.divf %a, %b : f32
    %z = arith.truncf %y : f32 to f16
    linalg.yield %z : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %u = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  %re = tensor.empty() : tensor<64x32xf16>
  %r = linalg.generic {indexing_maps = [#two_projected, #two_projected], iterator_types = ["parallel", "parallel"]}
    ins(%u : tensor<64x32xf32>) outs(%re : tensor<64x32xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x32xf16>
  return %r : tensor<64x32xf16>
}

#two_result = affine_map<(i, j) -> (i, j)>
#left_result = affine_map<(m, n, k) -> (m, k)>
#right_result = affine_map<(m, n, k) -> (n, k)>
#result_result = affine_map<(m, n, k) -> (m, n)>
func.func @result(%q: tensor<64x32xf16>, %k: tensor<64x32xf16>, %v: tensor<64x32xf16>) -> (tensor<64x32xf16>, tensor<64x64xf16>) {
  %zero = arith.constant 0.0 : f32
  %zf = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul indexing_maps = [#left_result, #right_result, #result_result]
    ins(%q, %k : tensor<64x32xf16>, tensor<64x32xf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e2 = tensor.empty() : tensor<64x64xf32>
  %t = linalg.generic {indexing_maps = [#two_result, #two_result], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x64xf32>) outs(%e2 : tensor<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<64x64xf32>
  %w = linalg.softmax dimension(1) ins(%t : tensor<64x64xf32>) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %pe = tensor.empty() : tensor<64x64xf16>
  %p = linalg.generic {indexing_maps = [#two_result, #two_result], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x64xf32>) outs(%pe : tensor<64x64xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x64xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%zf : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %u = linalg.matmul ins(%p, %v : tensor<64x64xf16>, tensor<64x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  %re = tensor.empty() : tensor<64x32xf16>
  %r = linalg.generic {indexing_maps = [#two_result, #two_result], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<64x32xf32>) outs(%re : tensor<64x32xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x32xf16>
  return %r, %p : tensor<64x32xf16>, tensor<64x64xf16>
}

#two_odd = affine_map<(i, j) -> (i, j)>
#left_odd = affine_map<(m, n, k) -> (m, k)>
#right_odd = affine_map<(m, n, k) -> (n, k)>
#result_odd = affine_map<(m, n, k) -> (m, n)>
func.func @odd(%q: tensor<64x32xf16>, %k: tensor<72x32xf16>, %v: tensor<72x32xf16>) -> tensor<64x32xf16> {
  %zero = arith.constant 0.0 : f32
  %zf = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x72xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x72xf32>) -> tensor<64x72xf32>
  %s = linalg.matmul indexing_maps = [#left_odd, #right_odd, #result_odd]
    ins(%q, %k : tensor<64x32xf16>, tensor<72x32xf16>) outs(%f : tensor<64x72xf32>) -> tensor<64x72xf32>
  %e2 = tensor.empty() : tensor<64x72xf32>
  %t = linalg.generic {indexing_maps = [#two_odd, #two_odd], iterator_types = ["parallel", "parallel"]}
    ins(%s : tensor<64x72xf32>) outs(%e2 : tensor<64x72xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    linalg.yield %y0 : f32
  } -> tensor<64x72xf32>
  %w = linalg.softmax dimension(1) ins(%t : tensor<64x72xf32>) outs(%e2 : tensor<64x72xf32>) -> tensor<64x72xf32>
  %pe = tensor.empty() : tensor<64x72xf16>
  %p = linalg.generic {indexing_maps = [#two_odd, #two_odd], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x72xf32>) outs(%pe : tensor<64x72xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x72xf16>
  %oe = tensor.empty() : tensor<64x32xf32>
  %of = linalg.fill ins(%zf : f32) outs(%oe : tensor<64x32xf32>) -> tensor<64x32xf32>
  %u = linalg.matmul ins(%p, %v : tensor<64x72xf16>, tensor<72x32xf16>) outs(%of : tensor<64x32xf32>) -> tensor<64x32xf32>
  %re = tensor.empty() : tensor<64x32xf16>
  %r = linalg.generic {indexing_maps = [#two_odd, #two_odd], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<64x32xf32>) outs(%re : tensor<64x32xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<64x32xf16>
  return %r : tensor<64x32xf16>
}
