// What becomes a part of a product's kernel has no recipe of its own, and costs fewer sectors of
// memory than kernels of their own, which a call between the ops needs.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.mlir
// RUN: %one-line-recipes %t.mlir | FileCheck %s
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize --transform-interpreter \
// RUN:   --baco-lower-to-nvvm=format=llvm --baco-static-cost=chip=sm_90 -o /dev/null 2> %t.txt
// RUN: awk -F"[' ]" '/remark:/ {k = $4} /remark:/ && match($0, /static cost [0-9]+/) {c[k] = substr($0, RSTART + 12, RLENGTH - 12)} \
// RUN:   match($0, /[0-9]+ blocks/) {b = substr($0, RSTART, RLENGTH - 7)} \
// RUN:   match($0, /[0-9]+ sectors/) {p = k ~ /fused/ ? "fused" : "apart"; n[p]++; s[p] += b * substr($0, RSTART, RLENGTH - 8); t[p] += c[k]} \
// RUN:   END {print "fused:", n["fused"], "kernel", s["fused"], "sectors", t["fused"], "cycles"; \
// RUN:        print "apart:", n["apart"], "kernels", s["apart"], "sectors", t["apart"], "cycles"; \
// RUN:        print (2 * s["fused"] < s["apart"] && 2 * t["fused"] < t["apart"]) ? "less than half" : "too much"}' %t.txt \
// RUN:   | FileCheck %s --check-prefix=COST

// COST:      fused: 1 kernel
// COST-NEXT: apart: 4 kernels
// COST-NEXT: less than half

#two = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
func.func private @other()

// CHECK-LABEL: func.func @fused(
// CHECK-NOT:   baco.recipe =
// CHECK:       linalg.matmul {baco.recipe = #baco.recipe<[#baco.gpu_epilogue<>, #baco.gpu_blocks<
// CHECK-NOT:   baco.recipe =
// CHECK:       return
func.func @fused(%a: memref<512x64xf32>, %b: memref<64x512xf32>, %c: memref<512x512xf32>, %bias: memref<512xf32>, %r: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  linalg.matmul ins(%a, %b : memref<512x64xf32>, memref<64x512xf32>) outs(%c : memref<512x512xf32>)
  linalg.generic {indexing_maps = [#two, #column, #two], iterator_types = ["parallel", "parallel"]}
    ins(%c, %bias : memref<512x512xf32>, memref<512xf32>) outs(%c : memref<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  }
  linalg.add ins(%c, %r : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return
}

// CHECK-LABEL:   func.func @apart(
// CHECK-COUNT-4: baco.recipe =
func.func @apart(%a: memref<512x64xf32>, %b: memref<64x512xf32>, %c: memref<512x512xf32>, %bias: memref<512xf32>, %r: memref<512x512xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x512xf32>)
  func.call @other() : () -> ()
  linalg.matmul ins(%a, %b : memref<512x64xf32>, memref<64x512xf32>) outs(%c : memref<512x512xf32>)
  func.call @other() : () -> ()
  linalg.generic {indexing_maps = [#two, #column, #two], iterator_types = ["parallel", "parallel"]}
    ins(%c, %bias : memref<512x512xf32>, memref<512xf32>) outs(%c : memref<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  }
  func.call @other() : () -> ()
  linalg.add ins(%c, %r : memref<512x512xf32>, memref<512x512xf32>) outs(%c : memref<512x512xf32>)
  return
}
