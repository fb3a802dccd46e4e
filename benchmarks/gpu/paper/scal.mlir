// Scal of the BaCO paper: x *= a, 2^25 elements in f32. The knobs, their values and
// their constraints are those of the paper: a block has chunks of s0 elements, of
// which a thread has runs of s1 vectors of vec elements; gs0 * gs1 are the threads of
// the grid, ls0 * ls1 those of a block. The default is the paper's.
// Reduced by: s/33554432xf32/65536xf32/g
#p = #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
#all = #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608, 16777216, 33554432], log>
#s0 = #baco.knob<"s0", #all, default = 2>
#s1 = #baco.knob<"s1", #all>
#vec = #baco.knob<"vec", #baco.ordinal<[2, 4, 8, 16], log>>
#ls0 = #baco.knob<"ls0", #p>
#ls1 = #baco.knob<"ls1", #p>
#gs0 = #baco.knob<"gs0", #p, default = 1024>
#gs1 = #baco.knob<"gs1", #p, default = 1024>
func.func @scal(%x: memref<33554432xf32>) {
  %a = arith.constant 0.75 : f32
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#s0], global = [[#gs1, #gs0]],
                       local = [[#ls1, #ls0]]>,
      #baco.gpu_threads<sizes = [[#s1, #vec]], local = [[#ls1, #ls0]]>,
      #baco.tile<sizes = [#vec]>, #baco.vectorize<>],
      where = ["s0 >= s1 * vec" : "a chunk has a run"]>}
    outs(%x : memref<33554432xf32>) {
  ^bb0(%u: f32):
    %v = arith.mulf %u, %a : f32
    linalg.yield %v : f32
  }
  return
}
