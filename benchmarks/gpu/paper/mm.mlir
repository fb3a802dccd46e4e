// MM_GPU of the BaCO paper: C += A B in f32, 1024 x 1024 x 1024. The knobs, their
// values and their constraints are those of the paper: a block computes tiles of
// v5 x v7 elements, in steps of v8, and a thread tiles of v4 x v3 of these; a thread
// copies runs of v6 elements to shared memory, of which there are 48 KiB. gs0, gs1
// are the threads of the grid, ls0, ls1 those of a block, along columns and rows.
// Beyond the paper's, an advisory constraint keeps the code small.
// The default is the paper's.
// Reduced by: s/1024x1024xf32/64x64xf32/g
#p = #baco.ordinal<[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
#q = #baco.ordinal<[4, 8, 16, 32, 64, 128, 256, 512, 1024], log>
#v3 = #baco.knob<"v3", #q>
#v4 = #baco.knob<"v4", #p, default = 1>
#v5 = #baco.knob<"v5", #q>
#v6 = #baco.knob<"v6", #q>
#v7 = #baco.knob<"v7", #q>
#v8 = #baco.knob<"v8", #p, default = 1>
#ls0 = #baco.knob<"ls0", #p>
#ls1 = #baco.knob<"ls1", #p>
#gs0 = #baco.knob<"gs0", #p, default = 1024>
#gs1 = #baco.knob<"gs1", #p, default = 1024>
func.func @mm(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>,
              %c: memref<1024x1024xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.gpu_blocks<sizes = [#v5, #v7, 0], global = [#gs1, #gs0, 0],
                       local = [#ls1, #ls0, 0]>,
      #baco.tile<sizes = [0, 0, #v8]>,
      #baco.gpu_shared<operands = [0, 1], run = #v6>,
      #baco.gpu_threads<sizes = [#v4, #v3, 0], local = [#ls1, #ls0, 0]>,
      #baco.tile<sizes = [0, 0, 1]>,
      #baco.vectorize<>, #baco.hoist<>],
    where = ["49152 - 4 * v5 * v7 - 4 * v5 * v8 - 4 * v7 * v8 >= 0" : "three tiles fit 48 KiB",
             advisory "v4 * v3 <= 256" : "a thread has at most 255 registers"]>}
    ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>)
    outs(%c : memref<1024x1024xf32>)
  return
}
