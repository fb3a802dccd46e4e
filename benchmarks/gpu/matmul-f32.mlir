// C += A B in f32 on a GPU with 227 KiB of shared memory per block, such as an
// H100 or H200. lower-variants.sh draws configurations from its space.
// Reduced by: s/1024/128/g
func.func @matmul(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>,
                  %c: memref<1024x1024xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [
        #baco.knob<"BM", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>,
        #baco.knob<"BN", #baco.ordinal<[16, 32, 64, 128, 256], log>, default = 64>, 0]>,
      #baco.tile<sizes = [0, 0,
        #baco.knob<"BK", #baco.ordinal<[8, 16, 32, 64], log>, default = 16>]>,
      #baco.gpu_shared<operands = [0, 1],
        width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>,
        padding = #baco.knob<"P", #baco.ordinal<[0, 4]>>, limit = 232448>,
      #baco.gpu_threads<sizes = [
        #baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>,
        #baco.knob<"TN", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>, 0]>,
      #baco.tile<sizes = [0, 0,
        #baco.knob<"KU", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 4>]>,
      #baco.vectorize<>, #baco.hoist<>],
    where = ["32 * TM * TN <= BM * BN" : "a block has at least one warp of threads",
             "TM * TN <= 128" : "accumulators leave half of the registers of a thread"]>}
    ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>)
    outs(%c : memref<1024x1024xf32>)
  return
}
