// A matmul by blocks, shared memory and threads, with the transform ops of
// baco: copies by all threads and vectors of four, one barrier before and one
// behind both, static shared memory up to 48 KiB, and dynamic beyond.
// RUN: split-file %s %t
// RUN: baco-opt %t/static.mlir --transform-interpreter | FileCheck %s
// RUN: baco-opt %t/static.mlir --transform-interpreter --baco-lower-to-nvvm \
// RUN:   | FileCheck %s --check-prefix=PTX
// RUN: baco-opt %t/dynamic.mlir --transform-interpreter \
// RUN:   | FileCheck %s --check-prefix=DYNAMIC
// RUN: baco-opt %t/dynamic.mlir --transform-interpreter --baco-lower-to-nvvm \
// RUN:   | FileCheck %s --check-prefix=DYNAMIC-PTX

// CHECK-LABEL: func.func @mm(
// CHECK:       gpu.launch blocks({{.*}}) in (%{{[a-z0-9]+}} = %c2, %{{[a-z0-9]+}} = %c4, %{{[a-z0-9]+}} = %c1)
// CHECK-SAME:    threads(%[[X:[a-z0-9_]+]], %[[Y:[a-z0-9_]+]], %{{[a-z0-9_]+}}) in (%{{[a-z0-9]+}} = %c16, %{{[a-z0-9]+}} = %c8, %{{[a-z0-9]+}} = %c1)
// CHECK-SAME:    workgroup(%[[A:.*]] : memref<32x20xf32, #gpu.address_space<workgroup>>, %[[B:.*]] : memref<16x68xf32, #gpu.address_space<workgroup>>)
// CHECK:         %[[ROWS:.*]] = arith.muli %[[Y]], %c16
// CHECK:         %[[THREAD:.*]] = arith.addi %[[X]], %[[ROWS]]
// CHECK:         scf.for
// CHECK-NEXT:      memref.subview
// CHECK-NEXT:      memref.subview
// CHECK-NEXT:      memref.subview %[[A]]
// CHECK-NEXT:      memref.subview %[[B]]
// CHECK-NEXT:      gpu.barrier
// CHECK:           vector.load {{.*}} vector<4xf32>
// CHECK-NEXT:      vector.store {{.*}} vector<4xf32>
// Two vectors per thread, both loaded first:
// CHECK:           vector.load
// CHECK:           vector.load
// CHECK-NEXT:      vector.store
// CHECK-NEXT:      vector.store
// CHECK-NEXT:      gpu.barrier
// CHECK:           linalg.matmul
// CHECK-NOT:       gpu.barrier
// CHECK:         gpu.terminator

// PTX:      gpu.binary @mm_kernel
// PTX-SAME: ld.global.nc.v4
// PTX-SAME: st.shared.v4

//--- static.mlir
module attributes {transform.with_named_sequence} {
  func.func @mm(%a: memref<128x64xf32>, %b: memref<64x128xf32>,
                %c: memref<128x128xf32>) {
    linalg.matmul ins(%a, %b : memref<128x64xf32>, memref<64x128xf32>)
                  outs(%c : memref<128x128xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %block, %blocks = transform.structured.tile_using_forall %mm
      tile_sizes [32, 64, 0] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %step, %k = transform.structured.tile_using_for %block tile_sizes [0, 0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %four = transform.param.constant 4 : i64 -> !transform.param<i64>
    %copies = transform.baco.gpu_promote %step [0, 1] padding %four
      : (!transform.any_op, !transform.param<i64>) -> !transform.any_op
    %thread, %threads = transform.structured.tile_using_forall %step
      tile_sizes [4, 4, 0] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.baco.gpu_map %f : !transform.any_op
    transform.baco.gpu_copy %copies by %four
      : !transform.any_op, !transform.param<i64>
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

//--- dynamic.mlir
// 288 threads copy 9600 elements in a loop of three times eleven turns, and then 4800
// without one; the last turn of each is for some of the threads only.
// DYNAMIC-LABEL: func.func @mm(
// DYNAMIC:       %[[SIZE:.*]] = arith.constant 57984 : i32
// DYNAMIC:       gpu.launch
// DYNAMIC-SAME:    dynamic_shared_memory_size %[[SIZE]]
// DYNAMIC:         %[[ALL:.*]] = gpu.dynamic_shared_memory
// DYNAMIC-DAG:     memref.view %[[ALL]][%c0][] {{.*}} to memref<96x101xf32
// DYNAMIC-DAG:     memref.view %[[ALL]][%c38784][] {{.*}} to memref<100x48xf32
// DYNAMIC:         scf.for %{{.*}} = %c0 to %c3 step %c1
// DYNAMIC-COUNT-11: vector.load %subview
// DYNAMIC-COUNT-11: vector.store
// DYNAMIC:         arith.cmpi ult, %{{.*}}, %c96
// DYNAMIC-NEXT:    scf.if
// DYNAMIC:         arith.cmpi ult, %{{.*}}, %c192
// DYNAMIC-NEXT:    scf.if
// DYNAMIC:         gpu.barrier
// DYNAMIC-NOT:     gpu.barrier
// DYNAMIC:         gpu.terminator

// DYNAMIC-PTX:      gpu.launch_func
// DYNAMIC-PTX-SAME: dynamic_shared_memory_size
// DYNAMIC-PTX:      .extern .shared .align 16
module attributes {transform.with_named_sequence} {
  func.func @mm(%a: memref<96x100xf32>, %b: memref<100x48xf32>,
                %c: memref<96x48xf32>) {
    linalg.matmul ins(%a, %b : memref<96x100xf32>, memref<100x48xf32>)
                  outs(%c : memref<96x48xf32>)
    return
  }
  transform.named_sequence @__transform_main(
      %m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %mm = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %block, %blocks = transform.structured.tile_using_forall %mm
      tile_sizes [96, 48, 0] (mapping = [#gpu.block<y>, #gpu.block<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %first = transform.baco.gpu_promote %block [0] {padding = 1}
      : (!transform.any_op) -> !transform.any_op
    %second = transform.baco.gpu_promote %block [1]
      : (!transform.any_op) -> !transform.any_op
    %copies = transform.merge_handles %first, %second : !transform.any_op
    %thread, %threads = transform.structured.tile_using_forall %block
      tile_sizes [4, 4, 0] (mapping = [#gpu.thread<y>, #gpu.thread<x>])
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.baco.gpu_map %f : !transform.any_op
    transform.baco.gpu_copy %copies {width = 1} : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
