// Vectors as OpenCL C.
// RUN: rm -rf %t && mkdir %t
// RUN: baco-opt %s --baco-lower-to-opencl \
// RUN:   --baco-export-kernels='folder=%t name=vectors' -o /dev/null
// RUN: FileCheck %s --input-file=%t/vectors.cl

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
