// Vectors whose addresses are certainly multiples of 16 bytes are accessed at once, although
// their place comes from a tile in a tile of a tile; where an offset may be any, element by
// element.
// RUN: baco-opt %s --baco-lower-to-nvvm | FileCheck %s

// CHECK:      gpu.binary @tiles_kernel
// CHECK-NOT:  ld.global{{[.nc]*}}.b32
// CHECK-SAME: ld.global{{[.nc]*}}.v4.b32
// CHECK-NOT:  st.global.b32
// CHECK-SAME: st.global.v4.b32
func.func @tiles(%x: memref<64x256xf32>, %y: memref<64x256xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c4, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c4, %sz = %c1) {
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %tx, %c32 : index
    %lane = arith.remui %tx, %c32 : index
    %group = arith.divui %lane, %c4 : index
    %place = arith.remui %lane, %c4 : index
    %first = arith.muli %by, %c16 : index
    %second = arith.muli %ty, %c4 : index
    %rows = arith.addi %first, %second : index
    %half = arith.divui %group, %c2 : index
    %row = arith.addi %rows, %half : index
    %block = arith.muli %bx, %c64 : index
    %tile = arith.muli %warp, %c32 : index
    %part = arith.remui %group, %c2 : index
    %of_part = arith.muli %part, %c16 : index
    %of_lane = arith.muli %place, %c4 : index
    %a = arith.addi %block, %tile : index
    %b = arith.addi %a, %of_part : index
    %column = arith.addi %b, %of_lane : index
    %v = vector.load %x[%row, %column] : memref<64x256xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    vector.store %w, %y[%row, %column] : memref<64x256xf32>, vector<4xf32>
    gpu.terminator
  }
  return
}

// CHECK:      gpu.binary @shifted_kernel
// CHECK-NOT:  ld.global{{[.nc]*}}.v4
// CHECK-SAME: ld.global{{[.nc]*}}.b32
func.func @shifted(%x: memref<64x250xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %v = vector.load %x[%tx, %c3] : memref<64x250xf32>, vector<4xf32>
    %w = vector.load %x[%tx, %c8] : memref<64x250xf32>, vector<4xf32>
    %s = arith.addf %v, %w : vector<4xf32>
    %sum = vector.reduction <add>, %s : vector<4xf32> into f32
    memref.store %sum, %y[%tx] : memref<64xf32>
    gpu.terminator
  }
  return
}
