// Where an argument's shape is dynamic, it has that of its file, unless an
// option says others. The schedule's command has the shape.
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/write-npy.py %t/x.npy '<f4' 40x24 'range(960)'
// RUN: %python %S/Inputs/write-npy.py %t/w.npy '<f4' 24x56 'range(1344)'
// RUN: %python %S/Inputs/write-npy.py %t/y.npy '<f4' 64x64 '[0.5] * 4096'
// RUN: baco-tune-driver %s --budget=1 --output-dir=%t %quick \
// RUN:   --arg=product:a=@%t/x.npy,b=@%t/w.npy 2>&1 | FileCheck %s
// RUN: head -5 %t/input-files-shapes.schedule.mlir | FileCheck %s --check-prefix=HEAD
// RUN: baco-tune-driver %s --budget=1 --output-dir=%t/tensors %quick \
// RUN:   --entry=layer --arg=layer:0=@%t/y.npy 2>&1 | FileCheck %s --check-prefix=LAYER
// CHECK: product_40x24_24x56_40x56: 1 evaluation
// HEAD: shape=product:0=40x24,1=24x56,2=40x56
// LAYER: layer_64x64: 1 evaluation

// RUN: %exits 1 baco-tune-driver %s --budget=1 --output-dir=%t %quick \
// RUN:   --arg=product:0=@%t/x.npy,1=@%t/x.npy 2>&1 | FileCheck %s --check-prefix=MISFIT
// MISFIT: :[[#@LINE+15]]:1: error: the files of arguments have shapes that don't fit: {{.}}
// RUN: %exits 1 baco-tune-driver %s --budget=1 --output-dir=%t %quick \
// RUN:   --arg=product:0=@%t/x.npy --shape=product:0=8x24,1=24x56 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER: error: argument 0: '{{.*}}x.npy' holds 40x24 of '<f4', but the argument is 8x24 of f32

// A proposed shape has the extents of files, if not all follow from them.
// RUN: %exits 1 baco-tune-driver %s --budget=1 --output-dir=%t %quick \
// RUN:   --entry=product --arg=product:0=@%t/x.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HINT
// HINT: --shape=product:0=40x24,1=24x256,2=40x256
// RUN: baco-tune-driver %s --output-dir=%t --entry=product \
// RUN:   --arg=product:0=@%t/x.npy --shape=product:0=40x24,1=24x256,2=40x256 \
// RUN:   --emit-space=- | FileCheck %s --check-prefix=TYPED
// TYPED: "parameters"
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>,
                   %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>)
    outs(%c : memref<?x?xf32>)
  return
}

func.func @layer(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.exp ins(%x : tensor<?x?xf32>) outs(%x : tensor<?x?xf32>)
    -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
