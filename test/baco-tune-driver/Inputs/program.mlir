// A program that calls two kernels, the second of them twice, with work between
// them. Each kernel has four configurations; the first is the default.
func.func private @first(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                         %C: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [
      #baco.knob<"size", #baco.ordinal<[2, 4, 8, 16]>, default = 2>, 0, 0]>]>}
    ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
    outs(%C : memref<32x32xf32>)
  return
}
func.func private @second(%A: memref<32x32xf32>, %B: memref<32x16xf32>,
                          %C: memref<32x16xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [
      #baco.knob<"size", #baco.ordinal<[2, 4, 8, 16]>, default = 2>, 0, 0]>]>}
    ins(%A, %B : memref<32x32xf32>, memref<32x16xf32>)
    outs(%C : memref<32x16xf32>)
  return
}
func.func @main(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                %T: memref<32x32xf32>, %D: memref<32x16xf32>,
                %C: memref<32x16xf32>) attributes {baco.no_tune} {
  call @first(%A, %B, %T)
    : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) -> ()
  linalg.max ins(%T, %A : memref<32x32xf32>, memref<32x32xf32>)
             outs(%T : memref<32x32xf32>)
  affine.for %i = 0 to 2 {
    func.call @second(%T, %D, %C)
      : (memref<32x32xf32>, memref<32x16xf32>, memref<32x16xf32>) -> ()
  }
  return
}
