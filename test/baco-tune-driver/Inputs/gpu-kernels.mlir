// A product and an element-wise kernel for GPUs. Of their knobs' values some ask
// for more threads or shared memory than there are, and some leave holes.
#id = affine_map<(i, j) -> (i, j)>

func.func @product(%a: memref<256x256xf32>, %b: memref<256x256xf32>,
                   %c: memref<256x256xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [
        #baco.knob<"BM", #baco.ordinal<[16, 32, 64, 128], log>, default = 32>,
        #baco.knob<"BN", #baco.ordinal<[16, 32, 64, 128], log>, default = 32>, 0]>,
      #baco.tile<sizes = [0, 0, #baco.knob<"BK", #baco.ordinal<[8, 16, 32], log>, default = 8>]>,
      #baco.gpu_shared<operands = [0, 1],
        width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 1>,
        padding = #baco.knob<"P", #baco.ordinal<[0, 4]>>>,
      #baco.gpu_threads<sizes = [
        #baco.knob<"TM", #baco.ordinal<[1, 2, 4, 8], log>, default = 2>,
        #baco.knob<"TN", #baco.ordinal<[1, 2, 4, 8], log>, default = 2>, 0]>,
      #baco.tile<sizes = [0, 0, 4]>,
      #baco.vectorize<>, #baco.hoist<>]>}
    ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
    outs(%c : memref<256x256xf32>)
  return
}

func.func @scale(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"],
    baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [
        #baco.knob<"SM", #baco.ordinal<[1, 4, 16, 64], log>, default = 64>,
        #baco.knob<"SN", #baco.ordinal<[32, 64, 128, 256], log>, default = 32>]>,
      #baco.gpu_threads<sizes = [
        #baco.knob<"SR", #baco.ordinal<[1, 4, 16], log>, default = 4>,
        #baco.knob<"SV", #baco.ordinal<[1, 2, 4, 8], log>, default = 8>]>,
      #baco.vectorize<>]>}
    ins(%a : memref<1024x1024xf32>) outs(%b : memref<1024x1024xf32>) {
    ^bb0(%x: f32, %y: f32):
      %0 = arith.addf %x, %x : f32
      linalg.yield %0 : f32
  }
  return
}
