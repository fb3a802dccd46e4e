// What no GPU of the kind runs, and what has no cost.
// RUN: not baco-opt %s --split-input-file --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-static-cost=chip=sm_75 -o /dev/null 2>&1 | FileCheck %s
// RUN: not baco-opt %s --baco-static-cost=chip=sm_52 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: error: baco-static-cost: chip 'sm_52' is unknown; it can be sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_100, sm_103, sm_120, sm_121

// CHECK: error: baco-static-cost: kernel 'threads_kernel': too many threads in a block: 2048, but 1024 is the most
func.func @threads(%a: memref<32xf32>) {
  %one = arith.constant 1 : index
  %x = arith.constant 64 : index
  %y = arith.constant 32 : index
  %v = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%sx = %x, %sy = %y, %sz = %one) {
    memref.store %v, %a[%ty] : memref<32xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK: error: baco-static-cost: kernel 'shared_kernel': too much shared memory: 65540 bytes, but a block has at most 65536 on sm_75
func.func @shared(%a: memref<32xf32>) {
  %one = arith.constant 1 : index
  %x = arith.constant 32 : index
  %bytes = arith.constant 65540 : i32
  %zero = arith.constant 0 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%sx = %x, %sy = %one, %sz = %one)
      dynamic_shared_memory_size %bytes {
    %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %floats = memref.view %all[%zero][] : memref<?xi8, #gpu.address_space<workgroup>>
      to memref<32xf32, #gpu.address_space<workgroup>>
    %v = memref.load %a[%tx] : memref<32xf32>
    memref.store %v, %floats[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

// CHECK: error: baco-static-cost: kernel 'loop_kernel': the kernel has no static cost: the number of iterations of a loop isn't static
func.func @loop(%a: memref<32xf32>, %n: index) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0 : index
  %x = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
      threads(%tx, %ty, %tz) in (%sx = %x, %sy = %one, %sz = %one) {
    scf.for %i = %zero to %n step %one {
      %v = memref.load %a[%i] : memref<32xf32>
      %w = arith.mulf %v, %v : f32
      memref.store %w, %a[%tx] : memref<32xf32>
    }
    gpu.terminator
  }
  return
}
