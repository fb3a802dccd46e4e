// More kernels that are wrong, each with one error: local memory, warps, atomic
// operations, blocks, barriers and asynchronous copies.
// RUN: not baco-opt %s --baco-lower-to-nvvm=format=llvm --split-input-file \
// RUN:   --baco-emulate-kernels -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='is right in'

// Local memory: behind its end.
// CHECK: error: {{.*}}kernel 'behind_kernel'{{.*}}thread (8,0,0) of block (0,0,0) writes 4 bytes out of bounds: byte 32 of local memory {{.*}}, which has 32, at {{.*}}.mlir:
func.func @behind(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c16, %nty = %c1, %ntz = %c1)
      private(%row : memref<8xf32, #gpu.address_space<private>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %row[%t] : memref<8xf32, #gpu.address_space<private>>
    %i = arith.remui %t, %c8 : index
    %w = memref.load %row[%i] : memref<8xf32, #gpu.address_space<private>>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Local memory: before its beginning.
// CHECK: error: {{.*}}kernel 'before_kernel'{{.*}}thread (0,0,0) of block (0,0,0) writes 4 bytes out of bounds: byte -4 of local memory {{.*}}, which has 32, at {{.*}}.mlir:
func.func @before(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c8, %nty = %c1, %ntz = %c1)
      private(%row : memref<8xf32, #gpu.address_space<private>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    %i = arith.subi %t, %c1 : index
    memref.store %v, %row[%i] : memref<8xf32, #gpu.address_space<private>>
    %j = arith.subi %c7, %t : index
    %w = memref.load %row[%j] : memref<8xf32, #gpu.address_space<private>>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Local memory: an element that the thread has not written.
// CHECK: error: {{.*}}kernel 'unwritten_kernel'{{.*}}thread (0,0,0) of block (0,0,0) reads 4 bytes of local memory {{.*}}, of which it has not written byte 28, at {{.*}}.mlir:
func.func @unwritten(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c8, %nty = %c1, %ntz = %c1)
      private(%row : memref<8xf32, #gpu.address_space<private>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %row[%t] : memref<8xf32, #gpu.address_space<private>>
    %i = arith.subi %c7, %t : index
    %w = memref.load %row[%i] : memref<8xf32, #gpu.address_space<private>>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Local memory: a vector of which an element is missing.
// CHECK: error: {{.*}}kernel 'partial_kernel'{{.*}}thread (3,0,0) of block (0,0,0) reads 16 bytes of local memory {{.*}}, of which it has not written byte 12, at {{.*}}.mlir:
func.func @partial(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c4, %nty = %c1, %ntz = %c1)
      private(%row : memref<8xf32, #gpu.address_space<private>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    scf.for %i = %c0 to %c3 step %c1 {
      memref.store %v, %row[%i] : memref<8xf32, #gpu.address_space<private>>
    }
    %i = arith.remui %t, %c3 : index
    memref.store %v, %row[%i] : memref<8xf32, #gpu.address_space<private>>
    %last = arith.cmpi ne, %t, %c3 : index
    scf.if %last {
      memref.store %v, %row[%c3] : memref<8xf32, #gpu.address_space<private>>
    }
    %w = vector.load %row[%c0] : memref<8xf32, #gpu.address_space<private>>, vector<4xf32>
    %s = vector.reduction <add>, %w : vector<4xf32> into f32
    memref.store %s, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Local memory: an index that is right for another variable.
// CHECK: error: {{.*}}kernel 'neighbor_kernel'{{.*}}thread (8,0,0) of block (0,0,0) reads 4 bytes out of bounds: byte 32 of local memory {{.*}}, which has 32, at {{.*}}.mlir:
func.func @neighbor(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c16, %nty = %c1, %ntz = %c1)
      private(%row : memref<8xf32, #gpu.address_space<private>>, %other : memref<8xf32, #gpu.address_space<private>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    scf.for %i = %c0 to %c8 step %c1 {
      memref.store %v, %row[%i] : memref<8xf32, #gpu.address_space<private>>
      memref.store %v, %other[%i] : memref<8xf32, #gpu.address_space<private>>
    }
    %w = memref.load %row[%t] : memref<8xf32, #gpu.address_space<private>>
    %i = arith.remui %t, %c8 : index
    %u = memref.load %other[%i] : memref<8xf32, #gpu.address_space<private>>
    %s = arith.addf %w, %u : f32
    memref.store %s, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Two threads write an element.
// CHECK: error: {{.*}}kernel 'both_kernel'{{.*}}thread {{.*}} of block (0,0,0) races: it writes argument 0 at byte 0, which thread {{.*}} wrote without a barrier between
func.func @both(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1) {
    %i = arith.divui %t, %c2 : index
    %v = memref.load %y[%t] : memref<64xf32>
    memref.store %v, %x[%i] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Two blocks write an element.
// CHECK: error: {{.*}}kernel 'twice_kernel'{{.*}}thread (0,0,0) of block (1,0,0) races: it writes argument 0 at byte 0, which block (0,0,0) wrote in the same launch
func.func @twice(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c2, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1) {
    %o = arith.muli %b, %c32 : index
    %i = arith.addi %o, %t : index
    %v = memref.load %y[%i] : memref<64xf32>
    memref.store %v, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// An atomic addition, and a plain one, to the same element.
// CHECK: error: {{.*}}kernel 'mixed_kernel'{{.*}}races: it {{reads|writes}} argument 0 at byte 0, which {{.*}} changed atomically without a barrier between
func.func @mixed(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1) {
    %v = memref.load %y[%t] : memref<64xf32>
    %is = arith.cmpi ne, %t, %c31 : index
    scf.if %is {
      %r = memref.atomic_rmw addf %v, %x[%c0] : (f32, memref<64xf32>) -> f32
    } else {
      %o = memref.load %x[%c0] : memref<64xf32>
      %s = arith.addf %o, %v : f32
      memref.store %s, %x[%c0] : memref<64xf32>
    }
    gpu.terminator
  }
  return
}

// -----

// Another warp isn't waited for by the operations of a warp.
// CHECK: error: {{.*}}kernel 'warps_kernel'{{.*}}reads shared memory {{.*}} which no thread has written
func.func @warps(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1)
      workgroup(%row : memref<64xf32, #gpu.address_space<workgroup>>) {
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %row[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %all = arith.constant -1 : i32
    nvvm.bar.warp.sync %all : i32
    %i = arith.subi %c63, %t : index
    %w = memref.load %row[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// Warps wait at different barriers.
// CHECK: error: {{.*}}kernel 'barriers_kernel'{{.*}}thread (0,0,0) of block (0,0,0) waits at barrier 1, at {{.*}}, but thread (32,0,0) waits at barrier 2
func.func @barriers(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1) {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %v = memref.load %x[%t] : memref<64xf32>
    %is = arith.cmpi ult, %t, %c32 : index
    scf.if %is {
      nvvm.barrier id = %one
    } else {
      nvvm.barrier id = %two
    }
    memref.store %v, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// A lane that isn't in its own mask.
// CHECK: error: {{.*}}kernel 'mask_kernel'{{.*}}thread (16,0,0) of block (0,0,0) takes part in an operation of its warp whose mask is without it
func.func @mask(%x: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1) {
    %half = arith.constant 65535 : i32
    %v = memref.load %x[%t] : memref<64xi32>
    %w = nvvm.redux.sync add %v, %half : i32 -> i32
    memref.store %w, %x[%t] : memref<64xi32>
    gpu.terminator
  }
  return
}

// -----

// A shuffle from a lane that takes no part.
// CHECK: error: {{.*}}kernel 'shuffle_kernel'{{.*}}shuffles from a lane that takes no part in the operation
func.func @shuffle(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1) {
    %half = arith.constant 65535 : i32
    %from = arith.constant 16 : i32
    %clamp = arith.constant 31 : i32
    %is = arith.cmpi ult, %t, %c16 : index
    scf.if %is {
      %v = memref.load %x[%t] : memref<64xf32>
      %w = nvvm.shfl.sync bfly %half, %v, %from, %clamp : f32 -> f32
      memref.store %w, %x[%t] : memref<64xf32>
    }
    gpu.terminator
  }
  return
}

// -----

// A product on tensor cores by half a warp.
// CHECK: error: {{.*}}kernel 'product_kernel'{{.*}}multiplies on tensor cores in a warp of less than 32 threads
func.func @product(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c16, %nty = %c1, %ntz = %c1) {
    %i = arith.index_cast %t : index to i32
    %z = arith.constant 0.0 : f32
    %r = nvvm.mma.sync A[%i, %i, %i, %i] B[%i, %i] C[%z, %z, %z, %z]
      {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>,
       multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>,
       shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %v = llvm.extractvalue %r[0] : !llvm.struct<(f32, f32, f32, f32)>
    memref.store %v, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// A copy to an address that isn't aligned as long as it is.
// CHECK: error: {{.*}}kernel 'copy_kernel'{{.*}}copies 16 bytes to an address that isn't a multiple of 16: shared memory {{.*}} at byte 4
func.func @copy(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1)
      workgroup(%row : memref<64xf32, #gpu.address_space<workgroup>>) {
    %i = arith.addi %t, %c1 : index
    %g = nvgpu.device_async_copy %x[%t], %row[%i], 4 : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    %h = nvgpu.device_async_create_group %g
    nvgpu.device_async_wait %h
    gpu.barrier
    %w = memref.load %row[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

// A copy from behind the end of an argument.
// CHECK: error: {{.*}}kernel 'source_kernel'{{.*}}reads 16 bytes out of bounds: byte 256 of argument 0, which has 256
func.func @source(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1)
      workgroup(%row : memref<128xf32, #gpu.address_space<workgroup>>) {
    %i = arith.muli %t, %c4 : index
    %g = nvgpu.device_async_copy %x[%i], %row[%i], 4 : memref<64xf32> to memref<128xf32, #gpu.address_space<workgroup>>
    %h = nvgpu.device_async_create_group %g
    nvgpu.device_async_wait %h
    gpu.barrier
    %w = memref.load %row[%t] : memref<128xf32, #gpu.address_space<workgroup>>
    memref.store %w, %y[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}
