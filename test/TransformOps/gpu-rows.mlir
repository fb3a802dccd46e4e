// Ops on rows become one kernel, in which lanes of warps have rows in registers and reduce them by
// shuffles. Right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.recipes.mlir
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize --transform-interpreter -o %t.mlir
// RUN: FileCheck %s --check-prefix=KERNEL < %t.mlir
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// Others: one lane for a row, or all lanes of a warp, one element at a time.
// RUN: baco-opt %t.recipes.mlir --baco-expand-recipes --baco-concretize='configuration={"schedule_softmax.L": 1, "schedule_softmax.B": 64, "schedule_halves.L": 32, "schedule_halves.B": 2, "schedule_halves.V": 1, "schedule_norm.L": 32, "schedule_norm.B": 1, "schedule_norm.V": 1}' \
// RUN:   --transform-interpreter --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s
// RUN: baco-opt %t.mlir --baco-lower-to-nvvm | FileCheck %s --check-prefix=PTX
// The emulator tells if a shuffle is missing.
// RUN: awk '/gpu.shuffle/ && !n++ {sub(/%%c[0-9]*_i32/, "%%zero"); print "%%zero = arith.constant 0 : i32"} 1' %t.mlir > %t.wrong.mlir
// RUN: not baco-opt %t.wrong.mlir --baco-lower-to-nvvm=format=llvm \
// RUN:   --baco-emulate-kernels=reference=%s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: 'softmax' is right in 3 orders
// CHECK: 'halves' is right in 3 orders
// CHECK: 'norm' is right in 3 orders
// CHECK: 'sums_add' is right in 3 orders
// CHECK: 'other_rows' is right in 3 orders
// WRONG: error: baco-emulate-kernels: order 'forward': argument 0 differs at
// PTX: shfl.sync.bfly.b32

#two = affine_map<(i, j) -> (i, j)>
#swapped = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// In place. A row is read once, and written once; nothing is left of the buffers.
// KERNEL-LABEL: func.func @softmax(
// KERNEL-SAME:    %[[X:.*]]: memref<3x13x50xf32>)
// KERNEL-NOT:     memref.alloc
// KERNEL:         gpu.launch
// KERNEL:           vector.load %[[X]]
// KERNEL:           gpu.shuffle xor
// KERNEL:           math.exp
// KERNEL-NOT:       vector.load
// KERNEL:           gpu.shuffle xor
// KERNEL:           vector.store %{{.*}}, %[[X]]
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @softmax(%x: memref<3x13x50xf32>) {
  linalg.softmax dimension(2) ins(%x : memref<3x13x50xf32>) outs(%x : memref<3x13x50xf32>)
  return
}

// KERNEL-LABEL: func.func @halves(
// KERNEL:         gpu.launch
// KERNEL:           arith.extui {{.*}} : i16 to i32
// KERNEL:           gpu.shuffle xor {{.*}} : i32
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @halves(%x: memref<9x48xf16>, %y: memref<9x48xf16>) {
  linalg.softmax dimension(1) ins(%x : memref<9x48xf16>) outs(%y : memref<9x48xf16>)
  return
}

// The mean, the variance and the norm. Callers read the mean; the copy of a fill, as bufferization
// makes it, belongs to the kernel.
// KERNEL-LABEL: func.func @norm(
// KERNEL-SAME:    %{{.*}}: memref<33x40xf32>, %{{.*}}: memref<40xf32>, %[[MEAN:.*]]: memref<33xf32>, %{{.*}}: memref<33x40xf32>)
// KERNEL-NOT:     memref.alloc
// KERNEL:         gpu.launch
// KERNEL:           memref.store %{{.*}}, %[[MEAN]]
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @norm(%x: memref<33x40xf32>, %gain: memref<40xf32>, %mean: memref<33xf32>, %y: memref<33x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %part = arith.constant 0.025 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %v = memref.alloc() : memref<33xf32>
  linalg.fill ins(%zero : f32) outs(%v : memref<33xf32>)
  linalg.copy ins(%v : memref<33xf32>) outs(%mean : memref<33xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<33x40xf32>) outs(%mean : memref<33xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %part : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x, %mean : memref<33x40xf32>, memref<33xf32>) outs(%v : memref<33xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %q = arith.mulf %d, %d : f32
    %p = arith.mulf %q, %part : f32
    %s = arith.addf %p, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #row, #column, #two], iterator_types = ["parallel", "parallel"]}
    ins(%x, %mean, %v, %gain : memref<33x40xf32>, memref<33xf32>, memref<33xf32>, memref<40xf32>) outs(%y : memref<33x40xf32>) {
  ^bb0(%a: f32, %m: f32, %w: f32, %g: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %e = arith.addf %w, %epsilon : f32
    %r = math.rsqrt %e : f32
    %n = arith.mulf %d, %r : f32
    %s = arith.mulf %n, %g : f32
    linalg.yield %s : f32
  }
  memref.dealloc %v : memref<33xf32>
  return
}

// All lanes of a row read the sum that one of them then overwrites.
// KERNEL-LABEL: func.func @sums_add(
// KERNEL:         gpu.launch
// KERNEL:           gpu.barrier
// KERNEL-NOT:     gpu.launch
// KERNEL:         return
func.func @sums_add(%x: memref<8x64xf32>, %sums: memref<8xf32>, %y: memref<8x64xf32>) {
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<8x64xf32>) outs(%sums : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%x, %sums : memref<8x64xf32>, memref<8xf32>) outs(%y : memref<8x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.mulf %a, %m : f32
    linalg.yield %d : f32
  }
  return
}

// The last op reads other rows of what the one before writes: it has a kernel of its own.
// KERNEL-LABEL: func.func @other_rows(
// KERNEL-COUNT-2: gpu.launch
// KERNEL:         return
func.func @other_rows(%x: memref<16x16xf32>, %t: memref<16x16xf32>, %y: memref<16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<16xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<16x16xf32>) outs(%sums : memref<16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%x, %sums : memref<16x16xf32>, memref<16xf32>) outs(%t : memref<16x16xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.mulf %a, %m : f32
    linalg.yield %d : f32
  }
  linalg.generic {indexing_maps = [#swapped, #two, #two], iterator_types = ["parallel", "parallel"]}
    ins(%t, %x : memref<16x16xf32>, memref<16x16xf32>) outs(%y : memref<16x16xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.addf %a, %m : f32
    linalg.yield %d : f32
  }
  memref.dealloc %sums : memref<16xf32>
  return
}
