// Kernels become PTX, with no GPU and no CUDA: vectors of 16 bytes stay whole
// in global and in shared memory, and what is only read is read by the
// read-only path, because arguments don't alias.
// RUN: baco-opt %s --baco-lower-to-nvvm --split-input-file | FileCheck %s
// RUN: baco-opt %s --baco-lower-to-nvvm='chip=sm_80 features=+ptx75' \
// RUN:   --split-input-file | FileCheck %s --check-prefix=SM80
// Without an alignment that is known of arguments:
// RUN: baco-opt %s --baco-lower-to-nvvm=argument-alignment=4 \
// RUN:   --split-input-file | FileCheck %s --check-prefix=ALIGN4
// The same module gives the same text, whatever CUDA there is.
// RUN: baco-opt %s --baco-lower-to-nvvm --split-input-file > %t.first
// RUN: env CUDA_HOME=/nowhere CUDA_PATH=/nowhere CUDA_ROOT=/nowhere PATH= \
// RUN:   baco-opt %s --baco-lower-to-nvvm --split-input-file > %t.second
// RUN: cmp %t.first %t.second

// CHECK-LABEL: func.func @reverse(
// CHECK:       gpu.launch_func @reverse_kernel::@reverse_kernel
// CHECK-SAME:    args(%arg0 : memref<64x64xf32>, %arg1 : memref<64x64xf32>)
// CHECK:       gpu.binary @reverse_kernel
// CHECK-SAME:  .target sm_90
// CHECK-SAME:  .entry reverse_kernel
// CHECK-SAME:  .maxntid 16, 1, 1
// CHECK-SAME:  .shared .align 16
// CHECK-SAME:  ld.global.nc.v4.b32
// CHECK-SAME:  st.shared.v4.b32
// CHECK-SAME:  bar.sync
// CHECK-SAME:  ld.shared.v4.b32
// CHECK-SAME:  st.global.v4.b32
// SM80-LABEL:  func.func @reverse(
// SM80:        .version 7.5
// SM80-SAME:   .target sm_80
// ALIGN4-LABEL: func.func @reverse(
// ALIGN4-NOT:   ld.global.nc.v4
// ALIGN4:       ld.shared.v4
func.func @reverse(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c60 = arith.constant 60 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c64, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c16, %nty = %c1, %ntz = %c1)
      workgroup(%row : memref<64xf32, #gpu.address_space<workgroup>>) {
    %i = arith.muli %t, %c4 : index
    %v = vector.load %x[%b, %i] : memref<64x64xf32>, vector<4xf32>
    vector.store %v, %row[%i]
      : memref<64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.barrier
    %j = arith.subi %c60, %i : index
    %w = vector.load %row[%j]
      : memref<64xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %w, %y[%b, %i] : memref<64x64xf32>, vector<4xf32>
    gpu.terminator
  }
  return
}

// -----

// Two views of one argument may overlap, and the offset of one is not aligned:
// neither is said of them.
// CHECK-LABEL: func.func @views(
// CHECK:       gpu.binary @views_kernel
// CHECK-NOT:   .param .u64 .ptr .align 16
// CHECK-NOT:   ld.global.nc
func.func @views(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.subview %x[1] [32] [1]
    : memref<64xf32> to memref<32xf32, strided<[1], offset: 1>>
  %b = memref.subview %x[3] [32] [1]
    : memref<64xf32> to memref<32xf32, strided<[1], offset: 3>>
  gpu.launch blocks(%bx, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c8, %nty = %c1, %ntz = %c1) {
    %v = memref.load %a[%t] : memref<32xf32, strided<[1], offset: 1>>
    memref.store %v, %b[%t] : memref<32xf32, strided<[1], offset: 3>>
    gpu.terminator
  }
  return
}

// -----

// Linalg ops and copies of strided memrefs in a kernel become loops.
// CHECK-LABEL: func.func @whole(
// CHECK:       gpu.binary @whole_kernel
// CHECK-SAME:  fma.rn.f32
func.func @whole(%a: memref<8x8xf32>, %b: memref<8x8xf32>,
                 %c: memref<8x8xf32>, %d: memref<8x16xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>)
                  outs(%c : memref<8x8xf32>)
    %part = memref.subview %d[0, 8] [8, 8] [1, 1]
      : memref<8x16xf32> to memref<8x8xf32, strided<[16, 1], offset: 8>>
    memref.copy %c, %part
      : memref<8x8xf32> to memref<8x8xf32, strided<[16, 1], offset: 8>>
    gpu.terminator
  }
  return
}

// -----

// Dynamic shared memory is declared, not defined, and vectors of several
// dimensions are lowered.
// CHECK-LABEL: func.func @dynamic(
// CHECK:       gpu.launch_func
// CHECK-SAME:    dynamic_shared_memory_size
// CHECK:       gpu.binary @dynamic_kernel
// CHECK-SAME:  .extern .shared .align 16 .b8 __dynamic_shmem__0[]
// CHECK-SAME:  st.shared
// CHECK-SAME:  st.global.v4
func.func @dynamic(%x: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %bytes = arith.constant 65536 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c8, %nty = %c1, %ntz = %c1)
      dynamic_shared_memory_size %bytes {
    %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %part = memref.view %all[%c0][]
      : memref<?xi8, #gpu.address_space<workgroup>>
        to memref<64xf32, #gpu.address_space<workgroup>>
    %v = memref.load %x[%t] : memref<64xf32>
    memref.store %v, %part[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %i = arith.subi %c8, %t : index
    %w = memref.load %part[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    %row = vector.broadcast %w : f32 to vector<4xf32>
    %tile = vector.broadcast %row : vector<4xf32> to vector<2x4xf32>
    %twice = arith.addf %tile, %tile : vector<2x4xf32>
    %last = vector.extract %twice[1] : vector<4xf32> from vector<2x4xf32>
    vector.store %last, %x[%c0] : memref<64xf32>, vector<4xf32>
    gpu.terminator
  }
  return
}
