// The static cost of kernels by hand. All figures follow from the model of
// docs/Gpu.md by hand: on an H100 (132 multiprocessors) memory gives
// 3350 / 1.98 = 1691.9 bytes in a cycle, and the L2 cache 132 * 32 = 4224.
// RUN: baco-opt %s --split-input-file --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-static-cost -o /dev/null 2>&1 | FileCheck %s

// 2^26 floats are copied: 2^29 bytes are 317315 cycles of memory and 127100 of
// the L2 cache. A block has 8 warps with 4 sectors and a line for each access.
// The cost has an eighth of the smaller bounds, and 2000 cycles for the launch.
// CHECK: remark: 'copy_kernel': static cost 3{{[0-9]+}} cycles, not a time: {{[0-9]+}} by multiprocessors, 127100 by the L2 cache, 317315 by memory
// CHECK: note: 262144 blocks of 256 threads, 8 resident; about {{[0-9]+}} registers; 0 bytes of shared memory
// CHECK: note: in a block {{[0-9]+}} instructions of warps, 16 cycles of accesses, 64 sectors
func.func @copy(%a: memref<67108864xf32>, %b: memref<67108864xf32>) {
  %one = arith.constant 1 : index
  %grid = arith.constant 262144 : index
  %block = arith.constant 256 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %grid, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%bx = %block, %by = %one, %bz = %one) {
    %first = arith.muli %x, %block : index
    %i = arith.addi %first, %tx : index
    %v = memref.load %a[%i] : memref<67108864xf32>
    memref.store %v, %b[%i] : memref<67108864xf32>
    gpu.terminator
  }
  return
}

// -----

// Rows become columns: a warp loads a line, and stores to 32 of them.
// CHECK: remark: 'transpose_kernel': static cost
// CHECK: note: 16384 blocks of 64 threads
// CHECK: note: in a block {{[0-9]+}} instructions of warps, 66 cycles of accesses, 72 sectors
func.func @transpose(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>) {
  %one = arith.constant 1 : index
  %rows = arith.constant 1024 : index
  %grid = arith.constant 16 : index
  %block = arith.constant 64 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %grid, %gy = %rows, %gz = %one)
      threads(%tx, %ty, %tz) in (%bx = %block, %by = %one, %bz = %one) {
    %first = arith.muli %x, %block : index
    %i = arith.addi %first, %tx : index
    %v = memref.load %a[%y, %i] : memref<1024x1024xf32>
    memref.store %v, %b[%i, %y] : memref<1024x1024xf32>
    gpu.terminator
  }
  return
}
