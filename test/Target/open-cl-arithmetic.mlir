// Arithmetic and functions as OpenCL C.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-opt %s --baco-lower-to-opencl \
// RUN:   --baco-export-kernels='folder=%t name=arithmetic' -o /dev/null
// RUN: FileCheck %s --input-file=%t/arithmetic.cl

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
