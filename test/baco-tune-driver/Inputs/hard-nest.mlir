// Generated at random: isl is busy with it for seconds.
func.func @hard(%A: memref<64x64xf32>, %B: memref<4096xf32>, %n: f32) {
 affine.for %i0 = 1 to 63 step 1 {
  affine.for %i1 = affine_map<(d0) -> (d0)>(%i0) to 13 {
   affine.for %i2 = 0 to 1000000007 step 5 {
    affine.for %i3 = 0 to 1 step 1 {
     %l4 = affine.load %B[(%i2 * 7 + %i0 * 1 + %i3 * 1000003 + %i1 * 3) mod 4096] : memref<4096xf32>
     %m4 = arith.mulf %l4, %n : f32
     affine.store %m4, %A[(%i0 * 2) mod 64, (%i2 * 2 + %i3 * 1000003 + %i1 * 7) mod 64] : memref<64x64xf32>
     affine.for %i5 = affine_map<(d0) -> (d0)>(%i3) to 5 {
      affine.for %i6 = 0 to 3 step 1 {
       %l7 = affine.load %A[%i1, %i2] : memref<64x64xf32>
       %m7 = arith.mulf %l7, %n : f32
       affine.store %m7, %A[%i5, %i2] : memref<64x64xf32>
       affine.for %i8 = affine_map<(d0) -> (d0)>(%i6) to 1 {
        affine.for %i9 = affine_map<(d0) -> (d0)>(%i6) to 7 {
         affine.for %i10 = affine_map<(d0) -> (d0)>(%i6) to 3 {
          affine.for %i11 = 0 to 32 step 5 {
           affine.for %i12 = 0 to 1000000007 step 1 {
            %l13 = affine.load %A[(%i0 * 7 + %i11 * 1 + %i2 * 1000003 + %i12 * 2) mod 64, (%i5 * 2) mod 64] : memref<64x64xf32>
            %m13 = arith.mulf %l13, %n : f32
            affine.store %m13, %A[(%i5 * 1) mod 64, (%i1 * 3) mod 64] : memref<64x64xf32>
            %l14 = affine.load %A[(%i10 * 1000003 + %i0 * 1 + %i5 * 7 + %i9 * 7) mod 64, (%i0 * 2 + %i1 * 1 + %i11 * 1 + %i3 * 1) mod 64] : memref<64x64xf32>
            %m14 = arith.mulf %l14, %n : f32
            affine.store %m14, %A[(%i8 * 3 + %i11 * 7 + %i6 * 1 + %i1 * 7) mod 64, (%i0 * 1 + %i12 * 2) mod 64] : memref<64x64xf32>
           }
           affine.for %i15 = 1 to 13 step 1 {
            %l16 = affine.load %A[%i3, %i3] : memref<64x64xf32>
            %m16 = arith.mulf %l16, %n : f32
            affine.store %m16, %A[%i2, %i10] : memref<64x64xf32>
            %l17 = affine.load %A[%i11, %i15] : memref<64x64xf32>
            %m17 = arith.mulf %l17, %n : f32
            affine.store %m17, %A[%i2, %i10] : memref<64x64xf32>
            %l18 = affine.load %A[%i9, %i10] : memref<64x64xf32>
            %m18 = arith.mulf %l18, %n : f32
            affine.store %m18, %A[%i8, %i3] : memref<64x64xf32>
           }
          }
         }
        }
       }
      }
     }
    }
   }
  }
 }
 return
}
