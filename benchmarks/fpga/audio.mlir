// An audio pipeline after ILLIXR's encoding and decoding, in small: a gain, a
// filter, a rotation of two channels, mixing for speakers, and levels. Fifteen
// knobs, 2 to the 7th times 3 to the 8th = 839808 configurations.

#off = #baco.ordinal<[0, 1]>
#unroll = #baco.ordinal<[1, 2, 4], log>

func.func @audio(%x: memref<528xf32>, %gain: memref<528xf32>,
                 %taps: memref<16xf32>, %cosine: memref<512xf32>,
                 %y: memref<512xf32>, %mix: memref<8x512xf32>,
                 %out: memref<512xf32>, %level: memref<512xf32>,
                 %clipped: memref<512xf32>) {
  %a = memref.alloc() : memref<528xf32>
  %z = memref.alloc() : memref<512xf32>
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 528 {
    %v = affine.load %x[%i] : memref<528xf32>
    %g = affine.load %gain[%i] : memref<528xf32>
    %t = arith.mulf %v, %g : f32
    affine.store %t, %a[%i] : memref<528xf32>
  } {baco.recipe = #baco.recipe<[
      #baco.loop_fuse<statements = [1, 2], loop = #baco.knob<"join12", #off, default = 0>>,
      #baco.loop_fuse<statements = [2, 3], loop = #baco.knob<"join23", #off, default = 0>>,
      #baco.loop_fuse<statements = [4, 5], loop = #baco.knob<"join45", #off, default = 0>>,
      #baco.loop_copy<statement = 1, loop = 1, reference = 2,
                      width = #baco.knob<"copy_taps", #off, default = 0>, whole = 1>,
      #baco.loop_copy<statement = 2, loop = 1, reference = 2,
                      width = #baco.knob<"copy_cosine", #off, default = 0>, whole = 1>,
      #baco.loop_copy<statement = 3, loop = 1, reference = 1,
                      width = #baco.knob<"copy_mix", #off, default = 0>, whole = 1>,
      #baco.loop_copy<statement = 4, loop = 1, reference = 1,
                      width = #baco.knob<"copy_out", #off, default = 0>, whole = 1>,
      #baco.loop_unroll<statement = 0, loop = 1, factor = #baco.knob<"unroll0", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 1, loop = 1, factor = #baco.knob<"unroll1", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 1, loop = 2, factor = #baco.knob<"unroll1_taps", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 2, loop = 1, factor = #baco.knob<"unroll2", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 3, loop = 1, factor = #baco.knob<"unroll3", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 3, loop = 2, factor = #baco.knob<"unroll3_speakers", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 4, loop = 1, factor = #baco.knob<"unroll4", #unroll, default = 1>>,
      #baco.loop_unroll<statement = 5, loop = 1, factor = #baco.knob<"unroll5", #unroll, default = 1>>],
    nests = 6>}
  affine.for %i = 0 to 512 {
    affine.for %k = 0 to 16 {
      %v = affine.load %a[%i + %k] : memref<528xf32>
      %w = affine.load %taps[%k] : memref<16xf32>
      %s = affine.load %y[%i] : memref<512xf32>
      %p = arith.mulf %v, %w : f32
      %t = arith.addf %s, %p : f32
      affine.store %t, %y[%i] : memref<512xf32>
    }
  }
  affine.for %i = 0 to 512 {
    %v = affine.load %y[%i] : memref<512xf32>
    %c = affine.load %cosine[%i] : memref<512xf32>
    %t = arith.mulf %v, %c : f32
    affine.store %t, %z[%i] : memref<512xf32>
  }
  affine.for %i = 0 to 512 {
    affine.for %m = 0 to 8 {
      %w = affine.load %mix[%m, %i] : memref<8x512xf32>
      %v = affine.load %z[%i] : memref<512xf32>
      %s = affine.load %out[%i] : memref<512xf32>
      %p = arith.mulf %w, %v : f32
      %t = arith.addf %s, %p : f32
      affine.store %t, %out[%i] : memref<512xf32>
    }
  }
  affine.for %i = 0 to 512 {
    %v = affine.load %out[%i] : memref<512xf32>
    %t = arith.mulf %v, %v : f32
    affine.store %t, %level[%i] : memref<512xf32>
  }
  affine.for %i = 0 to 512 {
    %v = affine.load %level[%i] : memref<512xf32>
    %t = arith.minimumf %v, %one : f32
    affine.store %t, %clipped[%i] : memref<512xf32>
  }
  return
}
