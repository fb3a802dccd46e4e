// Several warps of a block have a long row: they reduce it by shuffles, and go on in workgroup
// memory. Right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.recipes.mlir
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize --transform-interpreter -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Others: two warps of each row, and all that a block has.
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize='configuration={"schedule_softmax.L": 128, "schedule_softmax.B": 4, "schedule_halves.L": 1024, "schedule_halves.B": 1, "schedule_halves.V": 8, "schedule_least.L": 64, "schedule_least.B": 2, "schedule_sums_add.L": 64, "schedule_sums_add.B": 8}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// The emulator tells if warps don't wait for each other.
// RUN: sed '/gpu.barrier/d' %t.mlir > %t.wrong.mlir
// RUN: not baco-opt %t.wrong.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: 'softmax' is right in 3 orders
// CHECK: 'halves' is right in 3 orders
// CHECK: 'least' is right in 3 orders
// CHECK: 'sums_add' is right in 3 orders
// WRONG: reads shared memory {{.*}}, which no thread has written

#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The length is a prime. Each reduction has a buffer of its own, and one barrier.
// KERNEL-LABEL: func.func @softmax(
// KERNEL:         gpu.launch
// KERNEL-SAME:    workgroup(%[[MAX:.*]] : memref<1x[[WARPS:.*]]xf32, #gpu.address_space<workgroup>>, %[[SUM:.*]] : memref<1x[[WARPS]]xf32,
// KERNEL:           memref.store %{{.*}}, %[[MAX]]
// KERNEL-NEXT:    }
// KERNEL-NEXT:    gpu.barrier
// KERNEL:           memref.load %[[MAX]]
// KERNEL:           gpu.shuffle xor
// KERNEL:           gpu.barrier
// KERNEL-NOT:       gpu.barrier
// KERNEL:         return
func.func @softmax(%x: memref<5x4099xf32>, %y: memref<5x4099xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<5x4099xf32>) outs(%y : memref<5x4099xf32>)
  return
}

// KERNEL-LABEL: func.func @halves(
// KERNEL:         memref<{{.*}}xf16, #gpu.address_space<workgroup>>
func.func @halves(%x: memref<3x8192xf16>, %y: memref<3x8192xf16>) {
  linalg.softmax dimension(1) ins(%x : memref<3x8192xf16>) outs(%y : memref<3x8192xf16>)
  return
}

// Rows that the last block doesn't have, and integers.
func.func @least(%x: memref<7x2304xi32>, %least: memref<7xi32>, %y: memref<7x2304xi32>) {
  %most = arith.constant 2147483647 : i32
  linalg.fill ins(%most : i32) outs(%least : memref<7xi32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<7x2304xi32>) outs(%least : memref<7xi32>) {
  ^bb0(%a: i32, %o: i32):
    %s = arith.minsi %a, %o : i32
    linalg.yield %s : i32
  }
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%x, %least : memref<7x2304xi32>, memref<7xi32>) outs(%y : memref<7x2304xi32>) {
  ^bb0(%a: i32, %m: i32, %o: i32):
    %d = arith.subi %a, %m : i32
    linalg.yield %d : i32
  }
  return
}

// All warps of a row read the sum that one of them then overwrites.
func.func @sums_add(%x: memref<16x2560xf32>, %sums: memref<16xf32>, %y: memref<16x2560xf32>) {
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<16x2560xf32>) outs(%sums : memref<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%x, %sums : memref<16x2560xf32>, memref<16xf32>) outs(%y : memref<16x2560xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.mulf %a, %m : f32
    linalg.yield %d : f32
  }
  return
}
