// A product and a softmax whose rows one other product reads are a part of its kernel, unless another
// op, or the caller, reads the rows, too. Right in the emulator.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize --transform-interpreter \
// RUN:   --baco-lower-to-nvvm=format=llvm --baco-emulate-kernels=reference=%s \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=EMULATOR

// CHECK-LABEL: func.func @views(
// CHECK-NOT:     #baco.recipe<
// CHECK:         linalg.matmul {baco.recipe = #baco.recipe<[
// CHECK-NEXT:      #baco.gpu_epilogue<>,
// CHECK-NEXT:      #baco.gpu_blocks<
// CHECK-NEXT:      #baco.gpu_chain<
// CHECK:           "the tiles of a block must fit its shared memory"
// CHECK-NOT:     #baco.recipe<
// CHECK-LABEL: func.func @other(
// CHECK-NOT:     #baco.gpu_chain<
// CHECK-LABEL: func.func @result(
// CHECK-NOT:     #baco.gpu_chain<

// EMULATOR: 'views' is right in 3 orders
// EMULATOR: 'other' is right in 3 orders
// EMULATOR: 'result' is right in 3 orders

#right = affine_map<(m, n, k) -> (n, k)>
#left = affine_map<(m, n, k) -> (m, k)>
#result = affine_map<(m, n, k) -> (m, n)>
#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// Views of one buffer.
func.func @views(%qkv: memref<64x96xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %q = memref.subview %qkv[0, 0] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1]>>
  %k = memref.subview %qkv[0, 32] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 32>>
  %v = memref.subview %qkv[0, 64] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 64>>
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  %max = memref.alloc() : memref<64xf32>
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf32, strided<[96, 1]>>, memref<64x32xf32, strided<[96, 1], offset: 32>>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%s : memref<64x64xf32>) outs(%max : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maxnumf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s, %max : memref<64x64xf32>, memref<64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%p : memref<64x64xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%sum : memref<64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%t: f32, %x: f32):
    %y = arith.divf %x, %t : f32
    linalg.yield %y : f32
  }
  linalg.fill ins(%zero : f32) outs(%r : memref<64x32xf32>)
  linalg.matmul ins(%p, %v : memref<64x64xf32>, memref<64x32xf32, strided<[96, 1], offset: 64>>) outs(%r : memref<64x32xf32>)
  memref.dealloc %s : memref<64x64xf32>
  memref.dealloc %p : memref<64x64xf32>
  memref.dealloc %max : memref<64xf32>
  memref.dealloc %sum : memref<64xf32>
  return
}

// Another product reads the rows, too.
func.func @other(%qkv: memref<64x96xf32>, %w: memref<64x32xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %q = memref.subview %qkv[0, 0] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1]>>
  %k = memref.subview %qkv[0, 32] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 32>>
  %v = memref.subview %qkv[0, 64] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 64>>
  %s = memref.alloc() : memref<64x64xf32>
  %p = memref.alloc() : memref<64x64xf32>
  %max = memref.alloc() : memref<64xf32>
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf32, strided<[96, 1]>>, memref<64x32xf32, strided<[96, 1], offset: 32>>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%s : memref<64x64xf32>) outs(%max : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maxnumf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s, %max : memref<64x64xf32>, memref<64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%p : memref<64x64xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%sum : memref<64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%t: f32, %x: f32):
    %y = arith.divf %x, %t : f32
    linalg.yield %y : f32
  }
  linalg.fill ins(%zero : f32) outs(%r : memref<64x32xf32>)
  linalg.matmul ins(%p, %v : memref<64x64xf32>, memref<64x32xf32, strided<[96, 1], offset: 64>>) outs(%r : memref<64x32xf32>)
  linalg.fill ins(%zero : f32) outs(%w : memref<64x32xf32>)
  linalg.matmul ins(%p, %q : memref<64x64xf32>, memref<64x32xf32, strided<[96, 1]>>) outs(%w : memref<64x32xf32>)
  memref.dealloc %s : memref<64x64xf32>
  memref.dealloc %p : memref<64x64xf32>
  memref.dealloc %max : memref<64xf32>
  memref.dealloc %sum : memref<64xf32>
  return
}

// The rows are a result.
func.func @result(%qkv: memref<64x96xf32>, %p: memref<64x64xf32>, %r: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %q = memref.subview %qkv[0, 0] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1]>>
  %k = memref.subview %qkv[0, 32] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 32>>
  %v = memref.subview %qkv[0, 64] [64, 32] [1, 1] : memref<64x96xf32> to memref<64x32xf32, strided<[96, 1], offset: 64>>
  %s = memref.alloc() : memref<64x64xf32>
  %max = memref.alloc() : memref<64xf32>
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
  linalg.matmul indexing_maps = [#left, #right, #result]
    ins(%q, %k : memref<64x32xf32, strided<[96, 1]>>, memref<64x32xf32, strided<[96, 1], offset: 32>>) outs(%s : memref<64x64xf32>)
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%s : memref<64x64xf32>) outs(%max : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maxnumf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%s, %max : memref<64x64xf32>, memref<64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %d = arith.subf %x, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%p : memref<64x64xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  }
  linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%sum : memref<64xf32>) outs(%p : memref<64x64xf32>) {
  ^bb0(%t: f32, %x: f32):
    %y = arith.divf %x, %t : f32
    linalg.yield %y : f32
  }
  linalg.fill ins(%zero : f32) outs(%r : memref<64x32xf32>)
  linalg.matmul ins(%p, %v : memref<64x64xf32>, memref<64x32xf32, strided<[96, 1], offset: 64>>) outs(%r : memref<64x32xf32>)
  memref.dealloc %s : memref<64x64xf32>
  memref.dealloc %max : memref<64xf32>
  memref.dealloc %sum : memref<64xf32>
  return
}
