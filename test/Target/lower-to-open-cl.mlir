// Kernels as OpenCL C, and their memory; `baco-export-kernels` writes the text to files.
// RUN: rm -rf %t && mkdir %t
// RUN: split-file %s %t
// RUN: baco-opt %t/memory.mlir --baco-lower-to-opencl \
// RUN:   | FileCheck %s --check-prefix=MODULE
// RUN: baco-opt %t/memory.mlir --baco-lower-to-opencl \
// RUN:   --baco-export-kernels='folder=%t name=memory' -o /dev/null
// RUN: FileCheck %t/memory.mlir --input-file=%t/memory.cl
// RUN: FileCheck %s --check-prefix=LIST --input-file=%t/memory.list
// RUN: baco-opt %t/constants.mlir --baco-lower-to-opencl \
// RUN:   --baco-export-kernels='folder=%t name=constants' -o /dev/null
// RUN: FileCheck %t/constants.mlir --input-file=%t/constants.cl

// MODULE:     gpu.launch_func @memory_kernel::@memory_kernel blocks in
// MODULE:     gpu.binary @memory_kernel [#gpu.object<#opencl.target<"any",
// MODULE-SAME: assembly = "#pragma OPENCL FP_CONTRACT ON

// LIST: memory memory.cl memory_kernel 4 1 1 32 1 1 0 0,1,2

//--- memory.mlir
// CHECK:      #pragma OPENCL FP_CONTRACT ON
// CHECK:      float atomic_addf_global(volatile __global float *p, float b) {
// CHECK:        const uint was = atomic_cmpxchg((volatile __global uint *)p, seen, as_uint(a + b));
// CHECK:      __kernel __attribute__((reqd_work_group_size(32, 1, 1)))
// CHECK-NEXT: void memory_kernel(__global uchar *restrict arg0_buffer, ulong arg0_bytes, __global uchar *restrict arg1_buffer, ulong arg1_bytes, __global uchar *restrict arg2_buffer, ulong arg2_bytes) {
// CHECK-NEXT:   __global float *const arg0 = (__global float *)(arg0_buffer + arg0_bytes);
// CHECK-NEXT:   __global float *const arg1 = (__global float *)(arg1_buffer + arg1_bytes);
// CHECK-NEXT:   __global int *const arg2 = (__global int *)(arg2_buffer + arg2_bytes);
// CHECK-NEXT:   __local float [[TILE:v[0-9]+]][32] __attribute__((aligned(16)));
// CHECK-DAG:    const long [[BLOCK:v[0-9]+]] = get_group_id(0);
// CHECK-DAG:    const long [[THREAD:v[0-9]+]] = get_local_id(0);
// CHECK:        const long [[FIRST:v[0-9]+]] = [[BLOCK]] * 32L;
// CHECK-NEXT:   __global float *const [[ROW:v[0-9]+]] = arg0 + [[FIRST]];
// CHECK-NEXT:   const float [[X:v[0-9]+]] = [[ROW]]{{\[}}[[THREAD]]{{\]}};
// CHECK-NEXT:   [[TILE]]{{\[}}[[THREAD]]{{\]}} = [[X]];
// CHECK-NEXT:   barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
// CHECK:        const float [[Y:v[0-9]+]] = [[TILE]][{{.*}}];
// CHECK-NEXT:   {{.*}} = atomic_addf_global(arg1 + 0, [[Y]]);
// CHECK:        atomic_max((volatile __global uint *)(arg2 + 0), as_uint(
func.func @memory(%x: memref<4x32xf32>, %s: memref<f32>, %n: memref<i32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c4, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c32, %nty = %c1, %ntz = %c1)
      workgroup(%tile : memref<32xf32, #gpu.address_space<workgroup>>) {
    %c31 = arith.constant 31 : index
    %row = memref.subview %x[%b, 0] [1, 32] [1, 1] : memref<4x32xf32> to memref<32xf32, strided<[1], offset: ?>>
    %v = memref.load %row[%t] : memref<32xf32, strided<[1], offset: ?>>
    memref.store %v, %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %other = arith.subi %c31, %t : index
    %w = memref.load %tile[%other] : memref<32xf32, #gpu.address_space<workgroup>>
    %old = memref.atomic_rmw addf %w, %s[] : (f32, memref<f32>) -> f32
    %i = arith.index_cast %t : index to i32
    %last = memref.atomic_rmw maxu %i, %n[] : (i32, memref<i32>) -> i32
    gpu.terminator
  }
  return
}

//--- constants.mlir
// Constants of the module, memory of a thread, and memory whose size a launch gives.
// CHECK:      __constant float global_table[4] = {1.0f, 0.5f, (-2.0f), 0x1.99999ap-4f};
// CHECK:      __local uchar [[ALL:v[0-9]+]][1024] __attribute__((aligned(16)));
// CHECK:      float [[OWN:v[0-9]+]][4] __attribute__((aligned(16)));
// CHECK:      = global_table[
// CHECK:      __local float *const [[PART:v[0-9]+]] = (__local float *)([[ALL]] + 256L);
// CHECK:      [[PART]][
memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 0.5, -2.0, 0.1]>
func.func @constants(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.constant 1024 : i32
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c4, %nty = %c1, %ntz = %c1)
      dynamic_shared_memory_size %bytes {
    %c256 = arith.constant 256 : index
    %all = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %table = memref.get_global @table : memref<4xf32>
    %own = memref.alloca() : memref<4xf32>
    %v = memref.load %table[%t] : memref<4xf32>
    memref.store %v, %own[%t] : memref<4xf32>
    %part = memref.view %all[%c256][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %v, %part[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %w = memref.load %own[%t] : memref<4xf32>
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}
