// What is cheap to make again, such as the broadcast of a bias that two layers
// share, is made in each kernel, so that equal layers are equal kernels.
// RUN: baco-opt %s --baco-outline-kernels --split-input-file 2>/dev/null | FileCheck %s
// RUN: rm -rf %t
// RUN: split-file %s %t.parts
// RUN: baco-tune-driver %t.parts/layers.mlir --budget=4 --seed=1 --output-dir=%t \
// RUN:   --trial-time=2 --final-time=10 2>/dev/null | FileCheck %s --check-prefix=TUNED

// TUNED-DAG: {{^}}layers_matmul: 4 evaluations
// TUNED-DAG: {{^}}layers_matmul_0: the same kernel as layers_matmul

//--- layers.mlir
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
// The weights and the bias are arguments; the constant of few equal elements
// and what is computed of it aren't.
// CHECK-LABEL: func.func @layers
// CHECK:       call @layers_matmul(%arg0, %arg1, %arg3)
// CHECK-NEXT:  call @layers_matmul_0({{%.*}}, %arg2, %arg3)
// CHECK-LABEL: func.func private @layers_matmul(
// CHECK-SAME:  %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[BIAS:[a-z0-9]*]]: tensor<64xf32>) -> tensor<64x64xf32> {
// CHECK:       arith.constant dense<2.000000e+00> : tensor<64xf32>
// CHECK:       linalg.generic {{.*}} ins(%[[BIAS]], %{{.*}} : tensor<64xf32>, tensor<64xf32>)
// CHECK:       %[[B:.*]] = linalg.broadcast
// CHECK:       linalg.matmul ins(%[[X]], %[[W]] {{.*}} outs(%[[B]]
// CHECK:       linalg.generic
// CHECK:       return
// CHECK-LABEL: func.func private @layers_matmul_0(
// CHECK:       linalg.broadcast
func.func @layers(%x: tensor<64x64xf32>, %v: tensor<64x64xf32>, %w: tensor<64x64xf32>,
                  %bias: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant dense<2.0> : tensor<64xf32>
  %e = tensor.empty() : tensor<64x64xf32>
  %s = tensor.empty() : tensor<64xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
    ins(%bias, %two : tensor<64xf32>, tensor<64xf32>) outs(%s : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %q = arith.mulf %a, %b : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  %b = linalg.broadcast ins(%t : tensor<64xf32>) outs(%e : tensor<64x64xf32>) dimensions = [0]
  %m = linalg.matmul ins(%x, %v : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%b : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
    ins(%m : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.maximumf %a, %zero : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  %n = linalg.matmul ins(%r, %w : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%b : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
    ins(%n : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.maximumf %a, %zero : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  vector.print str "done\n"
  return %p : tensor<64x64xf32>
}

//--- between.mlir
// -----

// A broadcast doesn't end the group that it stands in, and is a member where it
// is made of the group's results. It comes right before its use. What fills an
// input is no part of a kernel.
#all = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i)>
// CHECK-LABEL: func.func @between
// CHECK:       %[[ONES:.*]] = linalg.fill
// CHECK:       call @between_matmul(%arg0, %[[ONES]], %arg1)
// CHECK-NOT:   call
// CHECK-LABEL: func.func private @between_matmul(
// CHECK:       linalg.matmul
// CHECK:       %[[MAX:.*]] = linalg.reduce
// CHECK:       %[[COLUMN:.*]] = linalg.broadcast ins(%[[MAX]]
// CHECK:       linalg.sub ins(%{{.*}}, %[[COLUMN]]
// CHECK:       %[[ROW:.*]] = linalg.broadcast
// CHECK-NEXT:  linalg.add ins(%{{.*}}, %[[ROW]]
func.func @between(%x: tensor<64x64xf32>, %v: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %s = tensor.empty() : tensor<64xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<64xf32>) -> tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %ones : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %row = linalg.broadcast ins(%v : tensor<64xf32>) outs(%e : tensor<64x64xf32>) dimensions = [0]
  %max = linalg.reduce ins(%m : tensor<64x64xf32>) outs(%z : tensor<64xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %q = arith.maximumf %a, %b : f32
      linalg.yield %q : f32
    }
  %column = linalg.broadcast ins(%max : tensor<64xf32>) outs(%e : tensor<64x64xf32>) dimensions = [1]
  %d = linalg.sub ins(%m, %column : tensor<64x64xf32>, tensor<64x64xf32>)
                  outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.add ins(%d, %row : tensor<64x64xf32>, tensor<64x64xf32>)
                  outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  vector.print str "done\n"
  return %r : tensor<64x64xf32>
}
