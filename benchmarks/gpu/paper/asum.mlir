// Asum of the BaCO paper: s += sum of |x|, 2^24 elements in f32. The knobs, their
// values and their constraints are those of the paper: a block has chunks of sp0
// elements, of which a thread adds runs of sp1 elements at a distance of stride; gs0
// are the threads of the grid, ls0 those of a block. The default is the paper's.
// Reduced by: s/16777216xf32/65536xf32/g; s/default = 16777216/default = 65536/
#p = #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
#all = #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608, 16777216], log>
#run = #baco.ordinal<[256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608, 16777216], log>
func.func @asum(%x: memref<16777216xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                  iterator_types = ["reduction"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_reduce<chunk = #baco.knob<"sp0", #all, default = 256>,
                       run = #baco.knob<"sp1", #run>,
                       stride = #baco.knob<"stride", #all>,
                       global = #baco.knob<"gs0", #p, default = 1024>,
                       local = #baco.knob<"ls0", #p>>],
      where = ["divides(sp1, sp0)" : "a chunk has whole runs"]>}
    ins(%x : memref<16777216xf32>) outs(%s : memref<f32>) {
  ^bb0(%u: f32, %sum: f32):
    %v = math.absf %u : f32
    %w = arith.addf %v, %sum : f32
    linalg.yield %w : f32
  }
  return
}
