// The sum of a thin product is split, and the launch that adds the parts has the
// ops around the product: two launches, and no op that is left.

// RUN: rm -rf %t && mkdir %t
// RUN: baco-tune-driver %s --target=nvvm:sm_90 --evaluator=static --verify=emulate --budget=6 --seed=1 \
// RUN:   --output-dir=%t | FileCheck %s --check-prefix=SUMMARY
// SUMMARY-NOT: wrong-result
// SUMMARY:     best {{.*}} cycles
// RUN: FileCheck %s --input-file=%t/gpu-split-epilogue.tuned.mlir
// CHECK-LABEL: func.func @linear
// CHECK-NOT:   linalg
// CHECK:       memref.alloc() {{.*}}memref<{{[0-9]+}}x{{[0-9]+}}x{{[0-9]+}}xf32>
// CHECK-NOT:   linalg
// CHECK-NOT:   memref.alloc
// CHECK-COUNT-2: gpu.launch blocks
// CHECK-NOT:   gpu.launch

func.func @linear(%a: memref<17x2003xf16>, %b: memref<2003x130xf16>,
                  %r: memref<17x130xf16>, %c: memref<17x130xf16>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<17x130xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<17x130xf32>)
  linalg.matmul ins(%a, %b : memref<17x2003xf16>, memref<2003x130xf16>)
    outs(%t : memref<17x130xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
    ins(%t, %r : memref<17x130xf32>, memref<17x130xf16>) outs(%c : memref<17x130xf16>) {
  ^bb0(%x: f32, %y: f16, %z: f16):
    %h = arith.truncf %x : f32 to f16
    %s = arith.addf %h, %y : f16
    linalg.yield %s : f16
  }
  memref.dealloc %t : memref<17x130xf32>
  return
}
