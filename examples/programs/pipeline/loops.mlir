// Loops over temporaries: the number of operations that are left depends on the
// passes, and on their order.

func.func @blend(%a: memref<8xf32>, %b: memref<8xf32>, %out: memref<8xf32>) {
  %half = arith.constant 0.5 : f32
  %double = memref.alloc() : memref<8xf32>
  %sum = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    %y = arith.addf %x, %x : f32
    affine.store %y, %double[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %double[%i] : memref<8xf32>
    %y = affine.load %b[%i] : memref<8xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %sum[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %scale = arith.mulf %half, %half : f32
    %x = affine.load %sum[%i] : memref<8xf32>
    %y = affine.load %double[%i] : memref<8xf32>
    %z = arith.mulf %x, %scale : f32
    %w = arith.addf %z, %y : f32
    affine.store %w, %out[%i] : memref<8xf32>
  }
  return
}
