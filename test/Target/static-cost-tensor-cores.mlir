// The static cost of what feeds tensor cores, by hand.
// RUN: baco-opt %s --split-input-file --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-static-cost -o /dev/null 2>&1 | FileCheck %s

// Rows of 128 bytes all begin in the same bank, so that each of the four matrices
// takes eight rounds. The store of 32 x 4 bytes takes one cycle, and 4 sectors.
// CHECK: remark: 'conflicts_kernel': static cost
// CHECK: note: in a block {{[0-9]+}} instructions of warps, 33 cycles of accesses, 4 sectors
func.func @conflicts(%out: memref<64xf16>) {
  %one = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %warp = arith.constant 32 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%bx = %warp, %by = %one, %bz = %one)
      workgroup(%tile : memref<16x64xf16, #gpu.address_space<workgroup>>) {
    %row = arith.remui %tx, %c16 : index
    %half = arith.divui %tx, %c16 : index
    %col = arith.muli %half, %c8 : index
    %all = nvgpu.ldmatrix %tile[%row, %col] {numTiles = 4 : i32, transpose = false}
      : memref<16x64xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %first = vector.extract %all[0] : vector<2xf16> from vector<4x2xf16>
    %i = arith.muli %tx, %c2 : index
    vector.store %first, %out[%i] {alignment = 4 : i64} : memref<64xf16>, vector<2xf16>
    gpu.terminator
  }
  return
}

// -----

// Rows of 144 bytes begin four banks further each: one round for each matrix, of
// which there are two here. Their addresses are those of the first 16 threads.
// CHECK: remark: 'padded_kernel': static cost
// CHECK: note: in a block {{[0-9]+}} instructions of warps, 3 cycles of accesses, 4 sectors
func.func @padded(%out: memref<64xf16>) {
  %one = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %warp = arith.constant 32 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%bx = %warp, %by = %one, %bz = %one)
      workgroup(%tile : memref<32x72xf16, #gpu.address_space<workgroup>>) {
    %two = nvgpu.ldmatrix %tile[%tx, %c8] {numTiles = 2 : i32, transpose = true}
      : memref<32x72xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
    %first = vector.extract %two[0] : vector<2xf16> from vector<2x2xf16>
    %i = arith.muli %tx, %c2 : index
    vector.store %first, %out[%i] {alignment = 4 : i64} : memref<64xf16>, vector<2xf16>
    gpu.terminator
  }
  return
}

// -----

// A copy of 32 x 16 bytes to shared memory reads 16 sectors of four lines, and
// writes them in four rounds, as they come. Then a warp reads 64 bytes of it in one round, and writes
// them to two sectors of a line.
// CHECK: remark: 'copies_kernel': static cost
// CHECK: note: in a block {{[0-9]+}} instructions of warps, 6 cycles of accesses, 18 sectors
func.func @copies(%in: memref<256xf16>, %out: memref<32xf16>) {
  %one = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %warp = arith.constant 32 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%bx = %warp, %by = %one, %bz = %one)
      workgroup(%tile : memref<256xf16, #gpu.address_space<workgroup>>) {
    %i = arith.muli %tx, %c8 : index
    %copy = nvgpu.device_async_copy %in[%i], %tile[%i], 8 {bypassL1}
      : memref<256xf16> to memref<256xf16, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %copy
    nvgpu.device_async_wait %group
    gpu.barrier
    %v = memref.load %tile[%tx] : memref<256xf16, #gpu.address_space<workgroup>>
    memref.store %v, %out[%tx] : memref<32xf16>
    gpu.terminator
  }
  return
}
