// Each op family as OpenCL C; `baco-export-kernels` writes the text to files.
// RUN: rm -rf %t && mkdir %t
// RUN: split-file %s %t
// RUN: baco-opt %t/memory.mlir --baco-lower-to-opencl \
// RUN:   | FileCheck %s --check-prefix=MODULE
// RUN: baco-opt %t/memory.mlir --baco-lower-to-opencl \
// RUN:   --baco-export-kernels='folder=%t name=memory' -o /dev/null
// RUN: FileCheck %t/memory.mlir --input-file=%t/memory.cl
// RUN: FileCheck %s --check-prefix=LIST --input-file=%t/memory.list
// RUN: baco-opt %t/arithmetic.mlir --baco-lower-to-opencl \
// RUN:   --baco-export-kernels='folder=%t name=arithmetic' -o /dev/null
// RUN: FileCheck %t/arithmetic.mlir --input-file=%t/arithmetic.cl
// RUN: baco-opt %t/vectors.mlir --baco-lower-to-opencl \
// RUN:   --baco-export-kernels='folder=%t name=vectors' -o /dev/null
// RUN: FileCheck %t/vectors.mlir --input-file=%t/vectors.cl
// RUN: baco-opt %t/control.mlir --baco-lower-to-opencl \
// RUN:   --baco-export-kernels='folder=%t name=control' -o /dev/null
// RUN: FileCheck %t/control.mlir --input-file=%t/control.cl
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

//--- arithmetic.mlir
// CHECK:      #pragma OPENCL EXTENSION cl_khr_fp64 : enable
// CHECK:      #pragma OPENCL EXTENSION cl_khr_fp16 : enable
// CHECK:      void arithmetic_kernel({{.*}}, ulong arg1_word, ulong arg2_word, ulong arg3_word)
// CHECK-DAG:  const float [[A:arg[0-9]]] = as_float((uint)[[A]]_word);
// CHECK-DAG:  const int [[FLAG:arg[0-9]]] = (int)([[FLAG]]_word & 1);
// CHECK-DAG:  const int [[N:arg[0-9]]] = (int)[[N]]_word;
// CHECK-DAG:  = as_int(as_uint([[N]]) + as_uint(7));
// CHECK-DAG:  = as_int(as_uint({{.*}}) / as_uint([[N]]));
// CHECK-DAG:  = as_uint([[N]]) < as_uint({{.*}});
// CHECK-DAG:  = convert_char({{.*}});
// CHECK-DAG:  = (char)(
// CHECK-DAG:  [[FLAG]] ? {{.*}} : as_float((uint)0x7F800000);
// CHECK-DAG:  = exp(
// CHECK-DAG:  = rint(
// CHECK-DAG:  isnan(
// CHECK-DAG:  isunordered([[A]], {{.*}}) | ([[A]] < {{.*}});
// CHECK-DAG:  = convert_half(
// CHECK-DAG:  = convert_double(
// CHECK-DAG:  : 0.25f;
func.func @arithmetic(%x: memref<64xf32>, %a: f32, %flag: i1, %n: i32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %seven = arith.constant 7 : i32
    %quarter = arith.constant 0.25 : f32
    %infinity = arith.constant 0x7F800000 : f32
    %0 = memref.load %x[%t] : memref<64xf32>
    %1 = arith.addi %n, %seven : i32
    %2 = arith.divui %1, %n : i32
    %3 = arith.cmpi ult, %n, %2 : i32
    %4 = arith.trunci %2 : i32 to i8
    %5 = arith.addi %4, %4 : i8
    %6 = arith.extui %5 : i8 to i32
    %7 = arith.select %3, %6, %1 : i32
    %8 = arith.sitofp %7 : i32 to f32
    %9 = math.exp %8 : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.maximumf %10, %a : f32
    %12 = arith.cmpf ult, %a, %11 : f32
    %13 = arith.select %12, %11, %quarter : f32
    %14 = arith.select %flag, %13, %infinity : f32
    %15 = arith.truncf %14 : f32 to f16
    %16 = arith.addf %15, %15 : f16
    %17 = arith.extf %16 : f16 to f64
    %18 = arith.mulf %17, %17 : f64
    %19 = arith.truncf %18 : f64 to f32
    %20 = arith.addf %19, %0 : f32
    memref.store %20, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

//--- vectors.mlir
// CHECK:      const float4 [[A:v[0-9]+]] = vload4(0, arg0 + [[ROW:v[0-9]+ \* 8]]);
// CHECK-NEXT: const float2 [[B:v[0-9]+]] = vload2(0, arg0 + [[ROW]] + 4);
// CHECK-NEXT: const float4 [[C:v[0-9]+]] = fma([[A]], [[A]], [[A]]);
// CHECK-NEXT: const float2 [[D:v[0-9]+]] = fma([[B]], [[B]], [[B]]);
// CHECK:      const int4 [[MASK:v[0-9]+]] = convert_int4(
// CHECK-NEXT: {{.*}} = select({{.*}}, convert_long4([[MASK]]));
// CHECK:      const float2 [[PART:v[0-9]+]] = [[A]].s01;
// CHECK-NEXT: const float [[SUM:v[0-9]+]] = [[PART]].s0 + [[PART]].s1;
// CHECK-NEXT: {{.*}} = ((float4)([[SUM]], [[C]].s1, [[C]].s2, [[C]].s3));
// CHECK-NEXT: vstore4({{.*}}, 0, arg0 + [[ROW]]);
// CHECK-NEXT: vstore2([[D]], 0, arg0 + [[ROW]] + 4);
func.func @vectors(%x: memref<64x8xf32>, %y: memref<64x8xf64>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0.0> : vector<4xf64>
    %v = vector.load %x[%t, %c0] : memref<64x8xf32>, vector<6xf32>
    %w = vector.fma %v, %v, %v : vector<6xf32>
    %d = vector.load %y[%t, %c0] : memref<64x8xf64>, vector<4xf64>
    %less = arith.cmpf olt, %d, %zero : vector<4xf64>
    %positive = arith.select %less, %zero, %d : vector<4xi1>, vector<4xf64>
    vector.store %positive, %y[%t, %c0] : memref<64x8xf64>, vector<4xf64>
    %part = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<6xf32> to vector<2xf32>
    %sum = vector.reduction <add>, %part : vector<2xf32> into f32
    %new = vector.insert %sum, %w [0] : f32 into vector<6xf32>
    vector.store %new, %x[%t, %c0] : memref<64x8xf32>, vector<6xf32>
    gpu.terminator
  }
  return
}

//--- control.mlir
// A loop that exchanges what it carries reads both before it writes one.
// CHECK:      float [[A:v[0-9]+]] = 0.0f;
// CHECK-NEXT: float [[B:v[0-9]+]] = 1.0f;
// CHECK-NEXT: for (long [[I:v[0-9]+]] = 0L; [[I]] < {{.*}}; [[I]] += 1L) {
// CHECK:      float [[C:v[0-9]+]] = [[B]];
// CHECK-NEXT: float [[D:v[0-9]+]] = [[A]];
// CHECK-NEXT: [[A]] = [[C]];
// CHECK-NEXT: [[B]] = [[D]];
// CHECK:      if ({{.*}}) {
// CHECK:      } else {
// CHECK:      for (;;) {
// CHECK:        if (!{{.*}})
// CHECK-NEXT:     break;
func.func @control(%x: memref<64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c64, %nty = %c1, %ntz = %c1) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %f0 = arith.constant 0.0 : f32
    %f1 = arith.constant 1.0 : f32
    %r:2 = scf.for %i = %c0 to %n step %one iter_args(%a = %f0, %c = %f1) -> (f32, f32) {
      %0 = memref.load %x[%i] : memref<64xf32>
      memref.store %0, %x[%t] : memref<64xf32>
      scf.yield %c, %a : f32, f32
    }
    %greater = arith.cmpf ogt, %r#0, %r#1 : f32
    %chosen = scf.if %greater -> (f32) {
      %1 = arith.mulf %r#0, %r#1 : f32
      scf.yield %1 : f32
    } else {
      %2 = math.sqrt %r#1 : f32
      scf.yield %2 : f32
    }
    %w = scf.while (%s = %chosen) : (f32) -> f32 {
      %small = arith.cmpf olt, %s, %f1 : f32
      scf.condition(%small) %s : f32
    } do {
    ^bb0(%s: f32):
      %next = arith.addf %s, %s : f32
      scf.yield %next : f32
    }
    memref.store %w, %x[%t] : memref<64xf32>
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
