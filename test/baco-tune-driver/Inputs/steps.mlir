// A kernel that compiles and runs in no time, with a recipe: nothing is planned.
func.func @tiny(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                %C: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[2, 4]>>, 0, 0]>]>}
    ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
    outs(%C : memref<32x32xf32>)
  return
}
