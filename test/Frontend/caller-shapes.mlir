// Shapes come from callers, through constants, allocations, casts and calls.
// RUN: baco-opt %s --baco-specialize-shapes --split-input-file \
// RUN:   --verify-diagnostics | FileCheck %s

// A helper allocates, and a function between passes the sizes on.
// CHECK-LABEL: func.func @product(
// CHECK:         func.call @product_96x48_48x64_96x64(
// CHECK:         func.call @product_64x64_64x64_64x64(
// CHECK:         linalg.matmul
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>,
                   %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
                outs(%c : memref<?x?xf32>)
  return
}
func.func private @filled(%m: index, %n: index) -> memref<?x?xf32> {
  %0 = memref.alloc(%m, %n) : memref<?x?xf32>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%0 : memref<?x?xf32>)
  return %0 : memref<?x?xf32>
}
func.func @between(%m: index, %n: index, %k: index) {
  %a = call @filled(%m, %k) : (index, index) -> memref<?x?xf32>
  %b = call @filled(%k, %n) : (index, index) -> memref<?x?xf32>
  %c = call @filled(%m, %n) : (index, index) -> memref<?x?xf32>
  call @product(%a, %b, %c)
    : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
func.func @main() {
  %m = arith.constant 96 : index
  %n = arith.constant 64 : index
  %k = arith.constant 48 : index
  call @between(%n, %n, %n) : (index, index, index) -> ()
  call @between(%m, %n, %k) : (index, index, index) -> ()
  call @between(%m, %n, %k) : (index, index, index) -> ()
  return
}

// -----

// A version shows the shapes of what it calls. The loop's end is an extent.
// CHECK-LABEL: func.func @outer(
// CHECK-LABEL: func.func private @outer_2048(
// CHECK:         scf.for %{{.*}} = %c0 to %c2048
// CHECK-LABEL: func.func private @inner(
// CHECK:         func.call @inner_2048(
func.func @outer(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %size step %c1 {
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %x[%i] : memref<?xf32>
  }
  call @inner(%x) : (memref<?xf32>) -> ()
  return
}
func.func private @inner(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %size step %c1 {
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %x[%i] : memref<?xf32>
  }
  return
}
func.func @main(%x: memref<2048xf32>) {
  %0 = memref.cast %x : memref<2048xf32> to memref<?xf32>
  call @outer(%0) : (memref<?xf32>) -> ()
  return
}

// -----

// A function that calls itself, whose address is taken, and that has several
// blocks. Its own call goes through the dispatch, too.
// CHECK-LABEL: func.func @recursive(
// CHECK:         func.call @recursive_4096(
// CHECK:         func.call @recursive_other_0(
// CHECK-LABEL: func.func private @recursive_other_0(
// CHECK-SAME:    attributes {baco.no_tune}
// CHECK:         call @recursive(
// CHECK-LABEL: func.func private @recursive_4096(
// CHECK:         call @recursive(
// CHECK:         constant @recursive :
func.func private @recursive_other() {
  return
}
func.func @recursive(%x: memref<?xf32>, %depth: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ends = arith.cmpi sle, %depth, %c0 : index
  cf.cond_br %ends, ^stop, ^go
^go:
  %size = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %size step %c1 {
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %x[%i] : memref<?xf32>
  }
  %rest = arith.subi %depth, %c1 : index
  call @recursive(%x, %rest) : (memref<?xf32>, index) -> ()
  cf.br ^stop
^stop:
  return
}
func.func @main(%x: memref<4096xf32>, %depth: index) -> index {
  %0 = memref.cast %x : memref<4096xf32> to memref<?xf32>
  call @recursive(%0, %depth) : (memref<?xf32>, index) -> ()
  %f = constant @recursive : (memref<?xf32>, index) -> ()
  call_indirect %f(%0, %depth) : (memref<?xf32>, index) -> ()
  return %depth : index
}

// -----

// What only allocations leave open becomes static in place.
// CHECK-LABEL: func.func @local(
// CHECK-NOT:     memref<?x?xf32>
// CHECK:         linalg.matmul {{.*}} memref<32x64xf32>
func.func @local(%c: memref<32x32xf32>) {
  %m = arith.constant 32 : index
  %k = arith.constant 64 : index
  %a = memref.alloc(%m, %k) : memref<?x?xf32>
  %b = memref.alloc(%k, %m) : memref<?x?xf32>
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
                outs(%c : memref<32x32xf32>)
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  return
}

// -----

// Nine shapes are too many, and empty ones aren't tuned.
// CHECK-LABEL: func.func @squares(
// CHECK-COUNT-8: func.call @squares_
// CHECK-NOT:     func.call @squares_
// CHECK:         linalg.matmul
// expected-remark @below {{the largest 8 of the 9 shapes of its callers are tuned}}
func.func @squares(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>)
                outs(%c : memref<?x?xf32>)
  return
}
func.func private @call(%n: index) {
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  call @squares(%a, %a) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
func.func @main() {
  %0 = arith.constant 0 : index
  %1 = arith.constant 16 : index
  %2 = arith.constant 24 : index
  %3 = arith.constant 32 : index
  %4 = arith.constant 40 : index
  %5 = arith.constant 48 : index
  %6 = arith.constant 56 : index
  %7 = arith.constant 64 : index
  %8 = arith.constant 72 : index
  %9 = arith.constant 80 : index
  call @call(%0) : (index) -> ()
  call @call(%1) : (index) -> ()
  call @call(%2) : (index) -> ()
  call @call(%3) : (index) -> ()
  call @call(%4) : (index) -> ()
  call @call(%5) : (index) -> ()
  call @call(%6) : (index) -> ()
  call @call(%7) : (index) -> ()
  call @call(%8) : (index) -> ()
  call @call(%9) : (index) -> ()
  return
}

// -----

// Nobody says a shape.
// CHECK-LABEL: func.func @convolution({{.*}} attributes {baco.no_tune}
// expected-remark @below {{not tuned: the shapes of its arguments are dynamic; say which shapes to tune: --shape=convolution:0=66x66,1=3x3,2=64x64}}
func.func @convolution(%image: memref<?x?xf32>, %filter: memref<?x?xf32>,
                       %result: memref<?x?xf32>) {
  linalg.conv_2d ins(%image, %filter : memref<?x?xf32>, memref<?x?xf32>)
                 outs(%result : memref<?x?xf32>)
  return
}

// -----

// The one that callers pass takes no time.
// expected-remark @below {{not tuned: no shape of its callers can be (--shape=tiny:0=8x8: its ops take about a microsecond); say which shapes to tune: --shape=tiny:0=256x256}}
func.func private @tiny(%a: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
    outs(%a : memref<?x?xf32>) {
  ^bb0(%x: f32):
    %0 = arith.addf %x, %x : f32
    linalg.yield %0 : f32
  }
  return
}
func.func @main(%a: memref<8x8xf32>) {
  %0 = memref.cast %a : memref<8x8xf32> to memref<?x?xf32>
  call @tiny(%0) : (memref<?x?xf32>) -> ()
  return
}

// -----

// Upstream's bufferization can't have calls that return tensors of dynamic
// shape. Their callers get what is called, which is only a call of a version
// where the shapes are known.
// CHECK-LABEL: func.func @grown(
// CHECK:         %[[FITS:.*]] = scf.if %{{.*}} -> (tensor<?x?xf32>) {
// CHECK:           func.call @grown_64x48_48x32(
// CHECK:         } else {
// CHECK:           linalg.matmul
// CHECK:         return %[[FITS]]
// CHECK-LABEL: func.func private @grown_64x48_48x32(
// CHECK-SAME:    -> tensor<64x32xf32>
func.func @grown(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>)
    -> tensor<?x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
                     outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// Nothing else calls it.
// CHECK-NOT:   @roots(
func.func private @roots(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = call @grown(%a, %a)
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.sqrt ins(%0 : tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>)
    -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[A:.*]]: tensor<64x48xf32>, %[[B:.*]]: tensor<48x32xf32>
// CHECK-NEXT:    %[[C:.*]] = call @grown_64x48_48x32(%[[A]], %[[B]])
// CHECK-NEXT:    return %[[C]] : tensor<64x32xf32>
func.func @main(%a: tensor<64x48xf32>, %b: tensor<48x32xf32>)
    -> tensor<64x32xf32> {
  %0 = tensor.cast %a : tensor<64x48xf32> to tensor<?x?xf32>
  %1 = tensor.cast %b : tensor<48x32xf32> to tensor<?x?xf32>
  %2 = call @grown(%0, %1)
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %3 = tensor.cast %2 : tensor<?x?xf32> to tensor<64x32xf32>
  return %3 : tensor<64x32xf32>
}
// The version has what the function calls.
// CHECK-LABEL: func.func @other(
// CHECK:         call @roots_56x56(
func.func @other(%a: tensor<56x56xf32>) -> tensor<56x56xf32> {
  %0 = tensor.cast %a : tensor<56x56xf32> to tensor<?x?xf32>
  %1 = call @roots(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = tensor.cast %1 : tensor<?x?xf32> to tensor<56x56xf32>
  return %2 : tensor<56x56xf32>
}

// -----

// expected-remark @below {{not tuned: it returns tensors of dynamic shape, and has several blocks or calls itself, which can't be bufferized; say which shapes to tune: --shape=blocks:0=256x256,1=256x256}}
func.func private @blocks(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: i1)
    -> tensor<?x?xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = linalg.matmul ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>)
                     outs(%b : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
^bb2:
  return %a : tensor<?x?xf32>
}
func.func @main(%a: tensor<64x64xf32>, %c: i1) -> tensor<64x64xf32> {
  %0 = tensor.cast %a : tensor<64x64xf32> to tensor<?x?xf32>
  %1 = call @blocks(%0, %0, %c)
    : (tensor<?x?xf32>, tensor<?x?xf32>, i1) -> tensor<?x?xf32>
  %2 = tensor.cast %1 : tensor<?x?xf32> to tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// The extents that are proposed are large enough.
// expected-remark @below {{not tuned: the shapes of its arguments are dynamic; say which shapes to tune: --shape=scaled:0=4096}}
func.func @scaled(%x: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]} outs(%x : memref<?xf32>) {
  ^bb0(%a: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// None is.
// expected-remark @below {{not tuned: the shapes of its arguments are dynamic, and no example of shapes can be tuned: the shape of result 0 doesn't follow from those of the arguments}}
func.func @halves(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %empty = tensor.empty(%n) : tensor<?xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                        affine_map<(i) -> (0)>],
                       iterator_types = ["parallel"]}
    ins(%empty : tensor<?xf32>) outs(%x : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.addf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %empty : tensor<?xf32>
}
