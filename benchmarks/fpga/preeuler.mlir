// What comes before the Euler solver of Rodinia's CFD, in small: pressures of
// cells, contributions of fluxes by their neighbors, and step factors. Seven
// knobs, 8 * 8 * 6 * 5 * 2 * 2 * 2 = 15360 configurations.

#off = #baco.ordinal<[0, 1]>

func.func @preeuler(%density: memref<40x12xf32>, %energy: memref<40x12xf32>,
                    %area: memref<40x12xf32>, %normals: memref<12x16xf32>,
                    %flux: memref<40x12xf32>, %step: memref<40x12xf32>) {
  %pressure = memref.alloc() : memref<40x12xf32>
  %half = arith.constant 5.0e-01 : f32
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 12 {
      %d = affine.load %density[%i, %j] : memref<40x12xf32>
      %e = affine.load %energy[%i, %j] : memref<40x12xf32>
      %q = arith.mulf %d, %half : f32
      %p = arith.subf %e, %q : f32
      affine.store %p, %pressure[%i, %j] : memref<40x12xf32>
    }
  } {baco.recipe = #baco.recipe<[
      #baco.loop_fuse<statements = [0, 1], loop = #baco.knob<"join01", #baco.ordinal<[0, 2]>, default = 0>>,
      #baco.loop_copy<statement = 1, loop = 1, reference = 3,
                      width = #baco.knob<"copy_normals", #off, default = 0>, whole = 1>,
      #baco.loop_copy<statement = 2, loop = 1, reference = 2,
                      width = #baco.knob<"copy_area", #off, default = 0>, whole = 1>,
      #baco.loop_unroll<statement = 0, loop = 2, factor = #baco.knob<"unroll0", #baco.ordinal<[1, 2, 3, 4, 6, 12], log>, default = 1>>,
      #baco.loop_unroll<statement = 1, loop = 1, factor = #baco.knob<"unroll1", #baco.ordinal<[1, 2, 4, 5, 8, 10, 20, 40], log>, default = 1>>,
      #baco.loop_unroll<statement = 1, loop = 3, factor = #baco.knob<"unroll2", #baco.ordinal<[1, 2, 4, 8, 16], log>, default = 1>>,
      #baco.loop_unroll<statement = 2, loop = 1, factor = #baco.knob<"unroll3", #baco.ordinal<[1, 2, 4, 5, 8, 10, 20, 40], log>, default = 1>>],
    nests = 3>}
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 12 {
      affine.for %k = 0 to 16 {
        %n = affine.load %normals[%j, %k] : memref<12x16xf32>
        %p = affine.load %pressure[%i, %j] : memref<40x12xf32>
        %f = affine.load %flux[%i, %j] : memref<40x12xf32>
        %t = arith.mulf %n, %p : f32
        %s = arith.addf %f, %t : f32
        affine.store %s, %flux[%i, %j] : memref<40x12xf32>
      }
    }
  }
  affine.for %j = 0 to 40 {
    affine.for %i = 0 to 12 {
      %p = affine.load %pressure[%j, %i] : memref<40x12xf32>
      %a = affine.load %area[%j, %i] : memref<40x12xf32>
      %r = math.sqrt %a : f32
      %t = arith.mulf %r, %p : f32
      affine.store %t, %step[%j, %i] : memref<40x12xf32>
    }
  }
  return
}
