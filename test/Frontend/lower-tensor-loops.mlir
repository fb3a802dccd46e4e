// Bufferization knows scf's loops and conditions on tensors, not affine's.
// RUN: baco-opt %s --baco-lower-front-ends 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: baco-tune-driver %s --emit-space=- | FileCheck %s --check-prefix=SPACE

// REMARK: remark: made 3 affine loops and conditions on tensors ones of scf
// REMARK: remark: filled 1 allocation with zeros

// SPACE: "name": "W0"

// CHECK-LABEL: func.func @blur(
// CHECK:       %[[ZEROS:.*]] = linalg.fill
// CHECK:       scf.for {{.*}} iter_args(%{{.*}} = %[[ZEROS]]) -> (tensor<64x64xf32>)
// CHECK:         scf.for {{.*}} -> (tensor<64x64xf32>)
// CHECK:           scf.for {{.*}} -> (f32)
// CHECK:           tensor.insert
// CHECK-NOT:   affine.for
// Not each element is written.
func.func @blur(%in: tensor<64x66xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %out = tensor.empty() : tensor<64x64xf32>
  %rows = affine.for %i = 0 to 62 iter_args(%row = %out) -> tensor<64x64xf32> {
    %columns = affine.for %j = 0 to 64 iter_args(%column = %row) -> tensor<64x64xf32> {
      %sum = affine.for %k = 0 to 3 iter_args(%part = %zero) -> f32 {
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%j, %k)
        %x = tensor.extract %in[%i, %at] : tensor<64x66xf32>
        %next = arith.addf %part, %x : f32
        affine.yield %next : f32
      }
      %inserted = tensor.insert %sum into %column[%i, %j] : tensor<64x64xf32>
      affine.yield %inserted : tensor<64x64xf32>
    }
    affine.yield %columns : tensor<64x64xf32>
  }
  return %rows : tensor<64x64xf32>
}

// CHECK-LABEL: func.func @condition(
// CHECK:       scf.if {{.*}} -> (tensor<8xf32>)
func.func @condition(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %r = affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%n) -> tensor<8xf32> {
    affine.yield %a : tensor<8xf32>
  } else {
    affine.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Those on scalars and memrefs stay what planners know.
// CHECK-LABEL: func.func @memory(
// CHECK:       affine.for
func.func @memory(%a: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xf32>
    affine.store %x, %a[%i] : memref<8xf32>
  }
  return
}
