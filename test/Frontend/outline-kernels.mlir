// What can be tuned in a program moves to functions, which are called in place.
// RUN: baco-opt %s --baco-outline-kernels --split-input-file \
// RUN:   --mlir-print-op-on-diagnostic=false 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// RUN: baco-opt %s --baco-outline-kernels --split-input-file 2>/dev/null \
// RUN:   | baco-opt --baco-outline-kernels --split-input-file 2>/dev/null | FileCheck %s

func.func private @clock() -> f64
func.func private @printAll(memref<*xf32>)

// Constants tell the shapes. What only fills stays, but not what the product
// accumulates into.
// CHECK-LABEL: func.func @main() attributes {baco.no_tune} {
// CHECK:   %[[A:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK:   %[[C:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK:   linalg.fill {{.*}} outs(%[[A]]
// CHECK:   call @clock
// CHECK-NEXT: call @main_matmul(%[[C]], %[[A]])
// CHECK-NEXT: call @clock
// CHECK:   memref.cast %[[C]] : memref<64x64xf32> to memref<*xf32>
// CHECK:   memref.dealloc %[[A]]
// CHECK-LABEL: func.func private @main_matmul(
// CHECK-NEXT: arith.constant 0.0
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: return
// REMARK: remark: 'main' can't be run alone, because it calls '@clock', which is external; these parts of it can be tuned: '@main_matmul'
func.func @main() {
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %A = memref.alloc(%c64, %c64) : memref<?x?xf32>
  %C = memref.alloc(%c64, %c64) : memref<?x?xf32>
  linalg.fill ins(%one : f32) outs(%A : memref<?x?xf32>)
  %t0 = call @clock() : () -> f64
  linalg.fill ins(%zero : f32) outs(%C : memref<?x?xf32>)
  linalg.matmul ins(%A, %A : memref<?x?xf32>, memref<?x?xf32>)
                outs(%C : memref<?x?xf32>)
  %t1 = call @clock() : () -> f64
  %u = memref.cast %C : memref<?x?xf32> to memref<*xf32>
  call @printAll(%u) : (memref<*xf32>) -> ()
  memref.dealloc %A : memref<?x?xf32>
  memref.dealloc %C : memref<?x?xf32>
  return
}

// -----

// Kernels are products with what follows them, and are in the order of their
// calls. The weights are arguments.
#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func @layers
// CHECK:      %[[X:.*]] = call @layers_matmul(%arg0, %arg1)
// CHECK-NEXT: %[[Y:.*]] = call @layers_matmul_0(%[[X]], %arg1)
// CHECK:      vector.print
// CHECK-NEXT: return %[[Y]]
// CHECK-LABEL: func.func private @layers_matmul(
// CHECK:      linalg.fill
// CHECK:      linalg.matmul
// CHECK:      linalg.generic
// CHECK:      return
// CHECK-LABEL: func.func private @layers_matmul_0(
// REMARK: remark: 'layers' can't be run alone, because it prints; these parts of it can be tuned: '@layers_matmul', '@layers_matmul_0'
func.func @layers(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%m : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.maximumf %a, %zero : f32
    linalg.yield %q : f32
  } -> tensor<64x64xf32>
  %n = linalg.matmul ins(%r, %w : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  vector.print str "done\n"
  return %n : tensor<64x64xf32>
}

// -----

// Products with a softmax between them stay together.
// CHECK-LABEL: func.func @attention
// CHECK:      call @attention_matmul
// CHECK-NOT:  call
// CHECK-LABEL: func.func private @attention_matmul(
// CHECK:      linalg.matmul
// CHECK:      linalg.softmax
// CHECK:      linalg.matmul
func.func @attention(%q: memref<64x64xf32>, %k: memref<64x64xf32>,
                     %v: memref<64x64xf32>, %s: memref<64x64xf32>,
                     %p: memref<64x64xf32>, %o: memref<64x64xf32>) {
  linalg.matmul ins(%q, %k : memref<64x64xf32>, memref<64x64xf32>) outs(%s : memref<64x64xf32>)
  linalg.softmax dimension(1) ins(%s : memref<64x64xf32>) outs(%p : memref<64x64xf32>)
  linalg.matmul ins(%p, %v : memref<64x64xf32>, memref<64x64xf32>) outs(%o : memref<64x64xf32>)
  vector.print str "done\n"
  return
}

// -----

// In a loop with other effects, views are made in the kernel. So are they in
// blocks of control flow.
func.func private @print(f32)
// CHECK-LABEL: func.func @loop
// CHECK:      scf.for
// CHECK:        func.call @loop_matmul(%arg0, %[[O:.*]], %arg1)
// CHECK:        func.call @print
// CHECK:      cf.cond_br
// CHECK:      call @loop_matmul_0(%arg0, %arg1)
// CHECK-LABEL: func.func private @loop_matmul(
// CHECK-SAME: %[[A:[a-z0-9]*]]: memref<64x64xf32>, %[[I:[a-z0-9]*]]: index
// CHECK:      memref.subview %[[A]][%[[I]], 0]
// CHECK:      linalg.matmul
func.func @loop(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %again: i1) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c16 {
    %a = memref.subview %A[%i, 0] [16, 64] [1, 1]
      : memref<64x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    %b = memref.subview %B[%i, 0] [16, 64] [1, 1]
      : memref<64x64xf32> to memref<16x64xf32, strided<[64, 1], offset: ?>>
    linalg.matmul
      ins(%a, %A : memref<16x64xf32, strided<[64, 1], offset: ?>>, memref<64x64xf32>)
      outs(%b : memref<16x64xf32, strided<[64, 1], offset: ?>>)
    %x = memref.load %B[%i, %c0] : memref<64x64xf32>
    func.call @print(%x) : (f32) -> ()
  }
  cf.cond_br %again, ^once, ^end
^once:
  linalg.matmul ins(%A, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%B : memref<64x64xf32>)
  cf.br ^end
^end:
  return
}

// -----

// A loop that only repeats a product isn't a part of the kernel; nests that
// follow each other are one; ops of a microsecond stay.
// CHECK-LABEL: func.func @repeat
// CHECK:      scf.for
// CHECK-NEXT:   func.call @repeat_matmul
// CHECK:      call @repeat_loops(
// CHECK-NEXT: linalg.matmul ins({{.*}} : memref<4x4xf32>
// CHECK-LABEL: func.func private @repeat_loops(
// CHECK-COUNT-2: affine.for
// CHECK:      affine.store
// CHECK-COUNT-2: affine.for
func.func @repeat(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %s: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    linalg.matmul ins(%A, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%B : memref<64x64xf32>)
  }
  vector.print str "first part\n"
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %A[%i, %j] : memref<64x64xf32>
      affine.store %x, %B[%j, %i] : memref<64x64xf32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %B[%i, %j] : memref<64x64xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %B[%i, %j] : memref<64x64xf32>
    }
  }
  linalg.matmul ins(%s, %s : memref<4x4xf32>, memref<4x4xf32>) outs(%s : memref<4x4xf32>)
  vector.print str "second part\n"
  return
}

// -----

// A function that can be run alone stays as it is.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT:   baco.no_tune
// CHECK:       linalg.matmul
func.func private @exp2Of(f32) -> f32
func.func @alone(%A: memref<64x64xf32>, %B: memref<64x64xf32>) {
  linalg.matmul ins(%A, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%B : memref<64x64xf32>)
  return
}

// -----

// What is computed of a member, and used by one, is a member, too; views of
// others move out of the way.
#one = affine_map<(i) -> (i)>
// CHECK-LABEL: func.func @between
// CHECK:      tensor.expand_shape %arg1
// CHECK-NEXT: call @between_matmul
// CHECK-LABEL: func.func private @between_matmul(
// CHECK:      linalg.matmul
// CHECK:      linalg.generic
// CHECK:      tensor.expand_shape
// CHECK:      linalg.matmul
// CHECK:      tensor.collapse_shape
// CHECK:      linalg.generic
// CHECK:      return
func.func @between(%x: tensor<64x64xf32>, %v: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %small = tensor.empty() : tensor<64xf32>
  %m = linalg.matmul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%x : tensor<64x64xf32>) -> tensor<64x64xf32>
  %sum = linalg.reduce ins(%m : tensor<64x64xf32>) outs(%v : tensor<64xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  %twice = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
    ins(%sum : tensor<64xf32>) outs(%small : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  %column = tensor.expand_shape %twice [[0, 1]] output_shape [64, 1] : tensor<64xf32> into tensor<64x1xf32>
  %row = tensor.expand_shape %v [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
  %p = linalg.matmul ins(%column, %row : tensor<64x1xf32>, tensor<1x64xf32>)
                     outs(%m : tensor<64x64xf32>) -> tensor<64x64xf32>
  %flat = tensor.collapse_shape %p [[0, 1]] : tensor<64x64xf32> into tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
    ins(%flat : tensor<4096xf32>) outs(%flat : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %back = tensor.expand_shape %r [[0, 1]] output_shape [64, 64] : tensor<4096xf32> into tensor<64x64xf32>
  vector.print str "done\n"
  return %back : tensor<64x64xf32>
}

// -----

// An argument that can't be passed to a kernel.
// CHECK-LABEL: func.func @unranked(
// CHECK-SAME:    attributes {baco.no_tune}
// CHECK:         call @unranked_matmul(
// CHECK-LABEL: func.func private @unranked_matmul(
// CHECK-SAME:    memref<64x64xf32>
func.func @unranked(%from: memref<*xf32>, %b: memref<64x64xf32>,
                    %c: memref<64x64xf32>) {
  %a = memref.alloc() : memref<64x64xf32>
  %view = memref.reinterpret_cast %from to offset: [0], sizes: [64, 64],
    strides: [64, 1] : memref<*xf32> to memref<64x64xf32, strided<[64, 1]>>
  memref.copy %view, %a
    : memref<64x64xf32, strided<[64, 1]>> to memref<64x64xf32>
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>)
                outs(%c : memref<64x64xf32>)
  memref.dealloc %a : memref<64x64xf32>
  return
}

// -----

// What a program prints, it can use again, and vector code ends a group.
// CHECK-LABEL: func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"})
// CHECK-LABEL: func.func @printed(
// CHECK:         call @printed_exp(
// CHECK:         call @printMemrefF32(
// CHECK:         vector.load
// CHECK:         call @printed_sqrt(
func.func private @printMemrefF32(tensor<*xf32>)
func.func @printed(%a: tensor<64x64xf32>, %m: memref<64x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %empty = tensor.empty() : tensor<64x64xf32>
  %0 = linalg.exp ins(%a : tensor<64x64xf32>)
    outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  %unranked = tensor.cast %0 : tensor<64x64xf32> to tensor<*xf32>
  call @printMemrefF32(%unranked) : (tensor<*xf32>) -> ()
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 step 16 {
      %x = vector.load %m[%i, %j] : memref<64x64xf32>, vector<16xf32>
      %y = arith.addf %x, %x : vector<16xf32>
      vector.store %y, %m[%i, %j] : memref<64x64xf32>, vector<16xf32>
    }
  }
  %1 = linalg.sqrt ins(%0 : tensor<64x64xf32>)
    outs(%empty : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}
