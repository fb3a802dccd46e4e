// What front ends write becomes linalg on tensors; functions without it stay as
// they are.
// RUN: baco-opt %s --baco-lower-front-ends -o %t.lowered 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.lowered
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// The data are the same in each run.
// RUN: baco-opt %s --baco-lower-front-ends -o %t.again 2> /dev/null
// RUN: diff %t.lowered %t.again
// Nothing is left to do.
// RUN: baco-opt %t.lowered --baco-lower-front-ends 2> /dev/null | diff %t.lowered -

// REMARK: remark: the elided data of 3 constants were made up
// REMARK: remark: made 3 globals of ml_program constants or memory
// REMARK: remark: its 1 tosa op can't be lowered to linalg: {{.*}}tosa.custom
// REMARK: remark: lowered 4 tosa ops, 1 elementwise op on tensors, 2 packings of tensors to linalg
// REMARK: remark: made 3 powers products
// REMARK: remark: filled 3 allocations with zeros, of which elements are read before they are written
// REMARK: remark: copied 1 tensor that is returned twice

// CHECK-LABEL: @untouched
// CHECK-COUNT-2: arith.constant 1.0
func.func @untouched(%c: tensor<4xf32>) -> tensor<4xf32> {
  %dead = arith.constant 1.0 : f32
  %one = arith.constant 1.0 : f32
  %r = linalg.fill ins(%one : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: @product
// CHECK-NOT:   tosa
// CHECK:       linalg.batch_matmul
// CHECK:       math.tanh
// CHECK-NOT:   tosa
func.func @product(%a: tensor<1x8x16xf32>) -> tensor<8x16xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x16x16xf32>}> : () -> tensor<1x16x16xf32>
  %0 = tosa.matmul %a, %w, %zero, %zero : (tensor<1x8x16xf32>, tensor<1x16x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x16xf32>
  %1 = tosa.tanh %0 : (tensor<1x8x16xf32>) -> tensor<1x8x16xf32>
  %shape = tosa.const_shape {values = dense<[8, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.reshape %1, %shape : (tensor<1x8x16xf32>, !tosa.shape<2>) -> tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// Types that upstream's check of profiles refuses.
// CHECK-LABEL: @wide
// CHECK:       arith.sitofp %{{.*}} : i64 to f32
func.func @wide(%a: tensor<1x8xi64>) -> tensor<1x8xf32> {
  %0 = tosa.cast %a : (tensor<1x8xi64>) -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// CHECK-LABEL: @elementwise
// CHECK:       linalg.generic
// CHECK-NEXT:  ^bb0
// CHECK-NEXT:  arith.mulf %{{.*}} : f32
func.func @elementwise(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = arith.mulf %a, %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// CHECK-LABEL: @packed
// CHECK:       linalg.transpose
// CHECK:       linalg.transpose
func.func @packed(%a: tensor<16x8xf32>, %b: tensor<2x4x4x4xf32>) -> (tensor<4x4x4x2xf32>, tensor<8x16xf32>) {
  %e = tensor.empty() : tensor<4x4x4x2xf32>
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %e : tensor<16x8xf32> -> tensor<4x4x4x2xf32>
  %f = tensor.empty() : tensor<8x16xf32>
  %1 = linalg.unpack %b inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %f : tensor<2x4x4x4xf32> -> tensor<8x16xf32>
  return %0, %1 : tensor<4x4x4x2xf32>, tensor<8x16xf32>
}

ml_program.global private mutable @state(dense<0.5> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private @weights(dense_resource<__elided__> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private @mask(dense_resource<__elided__> : tensor<16xi1>) : tensor<16xi1>

// CHECK-NOT:   ml_program
// CHECK:       memref.global "private" @state : memref<4xf32> = dense<5.000000e-01>
// CHECK-LABEL: @globals
// CHECK-NEXT:  %[[STATE:.*]] = memref.get_global @state
// CHECK-NEXT:  %[[NOW:.*]] = bufferization.to_tensor %[[STATE]] restrict
// CHECK-NEXT:  bufferization.alloc_tensor() copy(%[[NOW]])
// CHECK-NEXT:  arith.constant dense_resource<elided{{.*}}> : tensor<4xf32>
// CHECK-NEXT:  arith.constant dense<{{.*}}> : tensor<16xi1>
func.func @globals() -> (tensor<4xf32>, tensor<4xf32>, tensor<16xi1>) {
  %s = ml_program.global_load @state : tensor<4xf32>
  %w = ml_program.global_load @weights : tensor<4xf32>
  %m = ml_program.global_load_const @mask : tensor<16xi1>
  return %s, %w, %m : tensor<4xf32>, tensor<4xf32>, tensor<16xi1>
}

// CHECK-LABEL: @custom
// CHECK-NEXT:  tosa.custom
func.func @custom(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = tosa.custom %a {domain_name = "d", implementation_attrs = "", operator_name = "o"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Powers whose exponents are small integers.
// CHECK-LABEL: @powers
// CHECK:         %[[SQUARE:.*]] = arith.mulf %[[X:.*]], %[[X]] : f32
// CHECK:         %[[SECOND:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK:         arith.mulf %[[X]], %[[SECOND]] : f32
// CHECK:         arith.divf
// CHECK:         math.powf
// CHECK:         math.fpowi
func.func @powers(%a: memref<64xf32>, %b: memref<64x5xf32>, %n: i32) {
  %two = arith.constant 2 : i32
  %three = arith.constant 3.0 : f32
  %inverse = arith.constant -1 : i32
  %half = arith.constant 0.5 : f32
  affine.for %i = 0 to 64 {
    %x = affine.load %a[%i] : memref<64xf32>
    %0 = math.fpowi %x, %two : f32, i32
    affine.store %0, %b[%i, 0] : memref<64x5xf32>
    %1 = math.powf %x, %three : f32
    affine.store %1, %b[%i, 1] : memref<64x5xf32>
    %2 = math.fpowi %x, %inverse : f32, i32
    affine.store %2, %b[%i, 2] : memref<64x5xf32>
    %3 = math.powf %x, %half : f32
    affine.store %3, %b[%i, 3] : memref<64x5xf32>
    %4 = math.fpowi %x, %n : f32, i32
    affine.store %4, %b[%i, 4] : memref<64x5xf32>
  }
  return
}

// Two results that are one tensor become two.
// CHECK-LABEL: @twice
// CHECK:       %[[R:.*]] = linalg.exp
// CHECK:       %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[R]])
// CHECK:       return %[[R]], %[[COPY]]
func.func @twice(%a: tensor<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %empty = tensor.empty() : tensor<64x64xf32>
  %r = linalg.exp ins(%a : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  return %r, %r : tensor<64x64xf32>, tensor<64x64xf32>
}

// Elements that nobody has written are zeros where they are read: of what a
// product accumulates into, but not of what an op only writes.
// CHECK-LABEL: @undefined
// CHECK:       %[[EMPTY:.*]] = tensor.empty() : tensor<64x64xf32>
// CHECK:       %[[ZERO:.*]] = linalg.fill ins(%{{.*}}) outs(%[[EMPTY]]
// CHECK:       linalg.matmul {{.*}} outs(%[[ZERO]]
// CHECK:       linalg.exp {{.*}} outs(%[[EMPTY]]
func.func @undefined(%a: tensor<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %empty = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>)
    outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.exp ins(%0 : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>)
    -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// CHECK-LABEL: @undefined_memory
// CHECK-DAG:   %[[SUMS:.*]] = memref.alloc() : memref<64xf32>
// CHECK-DAG:   %[[PRODUCTS:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK-DAG:   %[[COPY:.*]] = memref.alloc() : memref<32xf32>
// CHECK:       linalg.fill ins(%{{.*}}) outs(%[[PRODUCTS]]
// CHECK-NEXT:  linalg.matmul
// CHECK-NOT:   linalg.fill
// CHECK:       affine.store %{{.*}}, %[[COPY]]
// CHECK:       linalg.fill ins(%{{.*}}) outs(%[[SUMS]]
// CHECK-NEXT:  affine.for
func.func @undefined_memory(%a: memref<64x64xf32>, %b: memref<64xf32>) {
  %sums = memref.alloc() : memref<64xf32>
  %products = memref.alloc() : memref<64x64xf32>
  %copy = memref.alloc() : memref<32xf32>
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>)
                outs(%products : memref<64x64xf32>)
  affine.for %i = 0 to 32 {
    %x = affine.load %products[%i, 0] : memref<64x64xf32>
    affine.store %x, %copy[%i] : memref<32xf32>
    %y = affine.load %copy[%i] : memref<32xf32>
    affine.store %y, %b[%i] : memref<64xf32>
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %products[%i, %j] : memref<64x64xf32>
      %s = affine.load %sums[%i] : memref<64xf32>
      %t = arith.addf %s, %x : f32
      affine.store %t, %sums[%i] : memref<64xf32>
    }
  }
  memref.copy %sums, %b : memref<64xf32> to memref<64xf32>
  return
}

// CHECK: dialect_resources
// CHECK: elided{{.*}}: "0x
