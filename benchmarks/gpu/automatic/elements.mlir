// Ops on elements, and reductions, that get their recipes by
// --baco-annotate=target=nvvm, or from baco-bench-draws --emulate.
// Reduced by: s/16777216/65536/g; s/4096/96/g
#one = affine_map<(i) -> (i)>
#two = affine_map<(i, j) -> (i, j)>

func.func @scal(%x: memref<16777216xf32>, %a: f32) {
  linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]}
    outs(%x : memref<16777216xf32>) {
  ^bb0(%u: f32):
    %v = arith.mulf %u, %a : f32
    linalg.yield %v : f32
  }
  return
}

func.func @fill(%x: memref<4096x4096xf64>) {
  %zero = arith.constant 0.0 : f64
  linalg.fill ins(%zero : f64) outs(%x : memref<4096x4096xf64>)
  return
}

func.func @transpose(%x: memref<4096x4096xf32>, %y: memref<4096x4096xf32>) {
  linalg.transpose ins(%x : memref<4096x4096xf32>)
    outs(%y : memref<4096x4096xf32>) permutation = [1, 0]
  return
}

func.func @asum(%x: memref<16777216xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [#one, affine_map<(i) -> ()>],
                  iterator_types = ["reduction"]}
    ins(%x : memref<16777216xf32>) outs(%s : memref<f32>) {
  ^bb0(%u: f32, %sum: f32):
    %v = math.absf %u : f32
    %w = arith.addf %v, %sum : f32
    linalg.yield %w : f32
  }
  return
}

func.func @largest(%x: memref<16777216xi32>, %s: memref<i32>) {
  linalg.generic {indexing_maps = [#one, affine_map<(i) -> ()>],
                  iterator_types = ["reduction"]}
    ins(%x : memref<16777216xi32>) outs(%s : memref<i32>) {
  ^bb0(%u: i32, %most: i32):
    %w = arith.maxsi %u, %most : i32
    linalg.yield %w : i32
  }
  return
}

func.func @rows(%x: memref<4096x4096xf32>, %y: memref<4096xf32>) {
  linalg.generic {indexing_maps = [#two, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<4096x4096xf32>) outs(%y : memref<4096xf32>) {
  ^bb0(%u: f32, %sum: f32):
    %w = arith.addf %u, %sum : f32
    linalg.yield %w : f32
  }
  return
}

// Functions without CUDA's libdevice.
func.func @gelu(%x: memref<16777216xf32>, %y: memref<16777216xf32>) {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 0.707106781 : f32
  linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
    ins(%x : memref<16777216xf32>) outs(%y : memref<16777216xf32>) {
  ^bb0(%u: f32, %o: f32):
    %0 = arith.mulf %u, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %u, %half : f32
    %4 = arith.mulf %3, %2 : f32
    linalg.yield %4 : f32
  }
  return
}

// The softmax of each row, in four ops.
func.func @softmax(%x: memref<4096x4096xf32>, %most: memref<4096xf32>,
                   %e: memref<4096x4096xf32>, %sum: memref<4096xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  linalg.fill ins(%least : f32) outs(%most : memref<4096xf32>)
  linalg.generic {indexing_maps = [#two, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<4096x4096xf32>) outs(%most : memref<4096xf32>) {
  ^bb0(%u: f32, %m: f32):
    %w = arith.maximumf %u, %m : f32
    linalg.yield %w : f32
  }
  linalg.generic {indexing_maps = [#two, affine_map<(i, j) -> (i)>, #two],
                  iterator_types = ["parallel", "parallel"]}
    ins(%x, %most : memref<4096x4096xf32>, memref<4096xf32>)
    outs(%e : memref<4096x4096xf32>) {
  ^bb0(%u: f32, %m: f32, %o: f32):
    %0 = arith.subf %u, %m : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%zero : f32) outs(%sum : memref<4096xf32>)
  linalg.generic {indexing_maps = [#two, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
    ins(%e : memref<4096x4096xf32>) outs(%sum : memref<4096xf32>) {
  ^bb0(%u: f32, %s: f32):
    %w = arith.addf %u, %s : f32
    linalg.yield %w : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, #two],
                  iterator_types = ["parallel", "parallel"]}
    ins(%sum : memref<4096xf32>) outs(%e : memref<4096x4096xf32>) {
  ^bb0(%s: f32, %u: f32):
    %w = arith.divf %u, %s : f32
    linalg.yield %w : f32
  }
  return
}
