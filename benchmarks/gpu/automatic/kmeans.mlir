// Assignment of k-means, the nearest of 8 centers for each of 524288 points with 32
// features, which gets its recipe by --baco-annotate=target=nvvm, or from
// baco-bench-draws --emulate.
// Reduced by: s/524288/1024/g
func.func @kmeans(%points: memref<524288x32xf32>, %centers: memref<8x32xf32>,
                  %nearest: memref<524288xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0x7F800000 : f32
  %first = arith.constant 0 : i32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
    outs(%nearest : memref<524288xi32>) {
  ^bb0(%before: i32):
    %i = linalg.index 0 : index
    %least:2 = scf.for %k = %c0 to %c8 step %c1
        iter_args(%best = %none, %which = %first) -> (f32, i32) {
      %square = scf.for %f = %c0 to %c32 step %c1 iter_args(%sum = %zero) -> f32 {
        %x = memref.load %points[%i, %f] : memref<524288x32xf32>
        %y = memref.load %centers[%k, %f] : memref<8x32xf32>
        %d = arith.subf %x, %y : f32
        %dd = arith.mulf %d, %d : f32
        %next = arith.addf %sum, %dd : f32
        scf.yield %next : f32
      }
      %isLess = arith.cmpf olt, %square, %best : f32
      %number = arith.index_cast %k : index to i32
      %newBest = arith.select %isLess, %square, %best : f32
      %newWhich = arith.select %isLess, %number, %which : i32
      scf.yield %newBest, %newWhich : f32, i32
    }
    linalg.yield %least#1 : i32
  }
  return
}

// The squared distances of all points from all centers.
func.func @distances(%points: memref<524288x32xf32>, %centers: memref<8x32xf32>,
                     %squares: memref<524288x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(p, c, f) -> (p, f)>,
                                   affine_map<(p, c, f) -> (c, f)>,
                                   affine_map<(p, c, f) -> (p, c)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%points, %centers : memref<524288x32xf32>, memref<8x32xf32>)
    outs(%squares : memref<524288x8xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %d = arith.subf %x, %y : f32
    %dd = arith.mulf %d, %d : f32
    %next = arith.addf %sum, %dd : f32
    linalg.yield %next : f32
  }
  return
}
