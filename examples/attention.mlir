// One head of attention on 512 tokens, 64 features each: softmax(Q K^T / 8) V.
#row = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

func.func @attention(%Q: memref<512x64xf32>, %K: memref<512x64xf32>,
                     %V: memref<512x64xf32>, %O: memref<512x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125 : f32
  %S = memref.alloc() : memref<512x512xf32>
  %m = memref.alloc() : memref<512xf32>
  %d = memref.alloc() : memref<512xf32>
  linalg.fill ins(%zero : f32) outs(%S : memref<512x512xf32>)
  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                                 affine_map<(i, j, k) -> (j, k)>,
                                 affine_map<(i, j, k) -> (i, j)>]
    ins(%Q, %K : memref<512x64xf32>, memref<512x64xf32>) outs(%S : memref<512x512xf32>)
  linalg.fill ins(%lowest : f32) outs(%m : memref<512xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
    ins(%S : memref<512x512xf32>) outs(%m : memref<512xf32>) {
  ^bb0(%s: f32, %acc: f32):
    %0 = arith.maximumf %s, %acc : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
    ins(%m : memref<512xf32>) outs(%S : memref<512x512xf32>) {
  ^bb0(%max: f32, %s: f32):
    %0 = arith.subf %s, %max : f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  }
  linalg.fill ins(%zero : f32) outs(%d : memref<512xf32>)
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
    ins(%S : memref<512x512xf32>) outs(%d : memref<512xf32>) {
  ^bb0(%s: f32, %acc: f32):
    %0 = arith.addf %s, %acc : f32
    linalg.yield %0 : f32
  }
  linalg.fill ins(%zero : f32) outs(%O : memref<512x64xf32>)
  linalg.matmul ins(%S, %V : memref<512x512xf32>, memref<512x64xf32>) outs(%O : memref<512x64xf32>)
  linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
    ins(%d : memref<512xf32>) outs(%O : memref<512x64xf32>) {
  ^bb0(%sum: f32, %o: f32):
    %0 = arith.divf %o, %sum : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %S : memref<512x512xf32>
  memref.dealloc %m : memref<512xf32>
  memref.dealloc %d : memref<512xf32>
  return
}
