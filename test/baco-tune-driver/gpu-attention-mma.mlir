// Random candidates of attention on bf16, with a mask of -inf, are right in the emulator: one kernel does
// it on tensor cores.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --target=nvvm:sm_90 --evaluator=static --verify=emulate --optimizer=random \
// RUN:   --budget=8 --seed=1 --output-dir=%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRIALS --implicit-check-not='"wrong' < %t/gpu-attention-mma.trials.jsonl

// CHECK: attention: 8 evaluations
// CHECK: chosen {{.*}}WS = {{[0-9]+}}
// TRIALS-COUNT-8: "status":"ok"

#two = affine_map<(b, i, j) -> (b, i, j)>
#mk = affine_map<(b, i, j) -> (i, j)>
#left = affine_map<(b, m, n, k) -> (b, m, k)>
#right = affine_map<(b, m, n, k) -> (b, n, k)>
#result = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @attention(%q: tensor<2x48x32xbf16>, %k: tensor<2x80x32xbf16>, %v: tensor<2x80x40xbf16>, %mask: tensor<48x80xf32>) -> tensor<2x48x40xbf16> {
  %zero = arith.constant 0.0 : f32
  %zf = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x48x80xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x48x80xf32>) -> tensor<2x48x80xf32>
  %s = linalg.batch_matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : tensor<2x48x32xbf16>, tensor<2x80x32xbf16>) outs(%f : tensor<2x48x80xf32>) -> tensor<2x48x80xf32>
  %e2 = tensor.empty() : tensor<2x48x80xf32>
  %t = linalg.generic {indexing_maps = [#two, #mk, #two], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%s, %mask : tensor<2x48x80xf32>, tensor<48x80xf32>) outs(%e2 : tensor<2x48x80xf32>) {
  ^bb0(%x: f32, %g: f32, %o: f32):
    %y0 = arith.mulf %x, %scale : f32
    %cc = arith.cmpf olt, %g, %zf : f32
    %y1 = arith.select %cc, %low, %y0 : f32
    linalg.yield %y1 : f32
  } -> tensor<2x48x80xf32>
  %w = linalg.softmax dimension(2) ins(%t : tensor<2x48x80xf32>) outs(%e2 : tensor<2x48x80xf32>) -> tensor<2x48x80xf32>
  %pe = tensor.empty() : tensor<2x48x80xbf16>
  %p = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x48x80xf32>) outs(%pe : tensor<2x48x80xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<2x48x80xbf16>
  %oe = tensor.empty() : tensor<2x48x40xf32>
  %of = linalg.fill ins(%zf : f32) outs(%oe : tensor<2x48x40xf32>) -> tensor<2x48x40xf32>
  %u = linalg.batch_matmul ins(%p, %v : tensor<2x48x80xbf16>, tensor<2x80x40xbf16>) outs(%of : tensor<2x48x40xf32>) -> tensor<2x48x40xf32>
  %re = tensor.empty() : tensor<2x48x40xbf16>
  %r = linalg.generic {indexing_maps = [#two, #two], iterator_types = ["parallel", "parallel", "parallel"]} ins(%u : tensor<2x48x40xf32>) outs(%re : tensor<2x48x40xbf16>) {
  ^bb0(%x: f32, %o: bf16):
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<2x48x40xbf16>
  return %r : tensor<2x48x40xbf16>
}
