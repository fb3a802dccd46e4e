// Programs that can't be run as a whole are tuned as before, with a remark.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=4 --output-dir=%t %compared 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/programs-obstacles.summary.json
// RUN: baco-tune-driver %s --budget=4 --output-dir=%t/static --evaluator=static 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATIC

// CHECK-DAG: {{^}}product: {{[0-9]+}} evaluations
// CHECK-DAG: remark: 'prints' isn't compared as a whole: it can't be run alone, because it calls '@printF32', which is external
// CHECK-DAG: remark: 'dynamic' isn't compared as a whole: it can't be run alone, because argument 0 has type 'memref<?x32xf32>', whose shape is dynamic
// JSON:      "kept": "{{tuned|default}}"
// JSON:      "name": "prints",
// JSON-NEXT: "kept": null,
// JSON:      "not compared as a whole: it can't be run alone, because it calls '@printF32', which is external"
// JSON:      "name": "dynamic",
// JSON:      "name": "static",
// JSON-NEXT: "kept": "{{tuned|default|plain}}"
// STATIC:    remark: 'static' isn't compared as a whole: evaluator static runs nothing

func.func private @printF32(f32)
func.func private @product(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                           %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  return
}
func.func @prints(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
    attributes {baco.no_tune} {
  %c0 = arith.constant 0 : index
  call @product(%A, %A, %B)
    : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) -> ()
  %x = memref.load %B[%c0, %c0] : memref<32x32xf32>
  call @printF32(%x) : (f32) -> ()
  return
}
func.func @dynamic(%A: memref<?x32xf32>, %B: memref<32x32xf32>)
    attributes {baco.no_tune} {
  %part = memref.cast %A : memref<?x32xf32> to memref<32x32xf32>
  call @product(%part, %part, %B)
    : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) -> ()
  return
}
func.func @static(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
    attributes {baco.no_tune} {
  call @product(%A, %A, %B)
    : (memref<32x32xf32>, memref<32x32xf32>, memref<32x32xf32>) -> ()
  return
}
