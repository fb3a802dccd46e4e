// What is wrong with kernels is an error of one line: what, where, which thread.
// RUN: not baco-opt %s --baco-lower-to-nvvm=format=llvm --split-input-file \
// RUN:   --baco-emulate-kernels -o /dev/null 2>&1 | FileCheck %s

// A barrier is missing. In another order, the same is a race.
// CHECK: error: baco-emulate-kernels: order 'forward': kernel 'missing_kernel', thread (0,0,0) of block (0,0,0) reads shared memory '{{.*}}' at byte 252, which no thread has written, at {{.*}}emulator-instrument-errors.mlir:[[#@LINE+11]]:10
func.func @missing(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1)
      workgroup(%row : memref<64xf32, #gpu.address_space<workgroup>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %row[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %j = arith.subi %c63, %t : index
    %w = memref.load %row[%j] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Not all threads come to the barrier.
// CHECK: error: baco-emulate-kernels: order 'forward': kernel 'divergent_kernel', thread (0,0,0) of block (0,0,0) waits at barrier 0, at {{.*}}emulator-instrument-errors.mlir:{{[0-9]+}}:7, but thread (16,0,0) has ended
func.func @divergent(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1) {
    %is = arith.cmpi ult, %t, %c16 : index
    %v = memref.load %x[%t] : memref<64xf32>
    scf.if %is {
      gpu.barrier
    }
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK: error: {{.*}}kernel 'bounds_kernel', thread (63,0,0) of block (0,0,0) reads 4 bytes out of bounds: byte 252 of argument 0, which has 252
func.func @bounds(%x: memref<63xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%t] : memref<63xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%t] : memref<63xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK: error: {{.*}}kernel 'sharedbounds_kernel', thread (63,0,0) of block (0,0,0) writes 4 bytes out of bounds: byte 256 of shared memory '{{.*}}', which has 256
func.func @sharedbounds(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1) 
      workgroup(%row : memref<64xf32, #gpu.address_space<workgroup>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    %i = arith.addi %t, %c1 : index
    memref.store %v, %row[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %row[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK: error: {{.*}}kernel 'uninit_kernel', thread (31,0,0) of block (0,0,0) reads shared memory '{{.*}}' at byte 128, which no thread has written
func.func @uninit(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1) 
      workgroup(%row : memref<64xf32, #gpu.address_space<workgroup>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %row[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %i = arith.addi %t, %c1 : index
    %w = memref.load %row[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Blocks write what others read.
// CHECK: error: {{.*}}kernel 'blocks_kernel', thread (0,0,0) of block (1,0,0) races: it reads argument 0 at byte 0, which block (0,0,0) wrote in the same launch
func.func @blocks(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c2, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%t] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    %o = arith.muli %b, %c32 : index
    %i = arith.addi %o, %t : index
    memref.store %w, %x[%i] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK: error: {{.*}}kernel 'endless_kernel', thread (0,0,0) of block (0,0,0) still runs when the launch has made {{[0-9]+}} steps
func.func @endless(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %z = arith.constant 0 : i32
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1) {
    scf.while : () -> () {
      %v = memref.atomic_rmw ori %z, %x[%t] : (i32, memref<64xi32>) -> i32
      %go = arith.cmpi ne, %v, %z : i32
      %s = arith.constant true
      scf.condition(%s)
    } do { scf.yield }
    gpu.terminator
  }
  return
}

// -----

// The last thread wins.
// CHECK: error: baco-emulate-kernels: order 'reverse': the results differ from those of order 'forward'
func.func @last(%x: memref<32xi32>, %y: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c32, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = arith.index_cast %b : index to i32
    %old = memref.atomic_rmw assign %v, %y[%c0] : (i32, memref<1xi32>) -> i32
    gpu.terminator
  }
  return
}

// -----

// A warp's lane is missing.
// CHECK: error: {{.*}}kernel 'lane_kernel', thread (0,0,0) of block (0,0,0) waits for its warp, at {{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}, but thread (9,0,0) has ended
func.func @lane(%x: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %c32 = arith.constant 32 : index
  %one = arith.constant 1 : i32
  %width = arith.constant 32 : i32
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1) {
    %takes = arith.cmpi ne, %t, %c9 : index
    scf.if %takes {
      %v = memref.load %x[%t] : memref<32xf32>
      %w, %valid = gpu.shuffle xor %v, %one, %width : f32
      memref.store %w, %x[%t] : memref<32xf32>
    }
    gpu.terminator
  }
  return
}

// -----

// A vector that isn't aligned: the kernel relies on the alignment of arguments.
// CHECK: error: {{.*}}kernel 'misaligned_kernel', thread (1,0,0) of block (0,0,0) reads 16 bytes at an address that isn't a multiple of 16: argument 0 at byte 4
func.func @misaligned(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c8, %nty = %c1, %ntz = %c1) {
    %v = vector.load %x[%t] {alignment = 16} : memref<64xf32>, vector<4xf32>
    %i = arith.muli %t, %c4 : index
    vector.store %v, %y[%i] : memref<64xf32>, vector<4xf32>
    gpu.terminator
  }
  return
}

// -----

// More threads than a block may have.
// CHECK: error: {{.*}}kernel 'threads_kernel': a block has at most 1024 threads, but it is 2048
func.func @threads(%x: memref<2048xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1024, %nty = %c2, %ntz = %c1) {
    memref.store %zero, %x[%t] : memref<2048xf32>
    gpu.terminator
  }
  return
}

// -----

// CHECK: error: baco-emulate-kernels: a kernel has more than 49152 bytes of static shared memory; use dynamic shared memory
func.func @static(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1)
      workgroup(%row : memref<16384xf32, #gpu.address_space<workgroup>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %row[%t] : memref<16384xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %row[%t] : memref<16384xf32, #gpu.address_space<workgroup>>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}
