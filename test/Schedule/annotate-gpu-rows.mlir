// A softmax of rows that a block can have in registers is one kernel, and costs fewer sectors of
// memory than kernels of its parts, which a call between them needs. Longer rows have these.
// RUN: baco-opt %s --baco-annotate=target=nvvm -o %t.mlir
// RUN: %one-line-recipes %t.mlir | FileCheck %s
// RUN: baco-opt %t.mlir --baco-expand-recipes --baco-concretize --transform-interpreter \
// RUN:   --baco-lower-to-nvvm=format=llvm --baco-static-cost=chip=sm_90 -o /dev/null 2> %t.txt
// RUN: awk -F"[' ]" '/remark:/ {k = $4} /remark:/ && match($0, /static cost [0-9]+/) {c[k] = substr($0, RSTART + 12, RLENGTH - 12)} \
// RUN:   match($0, /[0-9]+ blocks/) {b = substr($0, RSTART, RLENGTH - 7)} \
// RUN:   match($0, /[0-9]+ sectors/) {p = k ~ /fused/ ? "fused" : k ~ /apart/ ? "apart" : "long"; n[p]++; s[p] += b * substr($0, RSTART, RLENGTH - 8); t[p] += c[k]} \
// RUN:   END {print "fused:", n["fused"], "kernel", s["fused"], "sectors", t["fused"], "cycles"; \
// RUN:        print "apart:", n["apart"], "kernels", s["apart"], "sectors", t["apart"], "cycles"; \
// RUN:        print (2 * s["fused"] < s["apart"] && 2 * t["fused"] < t["apart"]) ? "less than half" : "too much"}' %t.txt \
// RUN:   | FileCheck %s --check-prefix=COST

// Each row is read and written once: 2 * 4096 * 512 * 4 / 32.
// COST:      fused: 1 kernel 524288 sectors
// COST-NEXT: apart: 6 kernels
// COST-NEXT: less than half

#two = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func private @other()

// CHECK-LABEL: func.func @fused(
// CHECK:       linalg.fill
// CHECK-NEXT:  linalg.generic {{.*}}baco.recipe = #baco.recipe<[#baco.gpu_rows<rows = #baco.knob<"B", #baco.ordinal<[1, {{.*}}, 1024], log>, default = 4>, lanes = #baco.knob<"L", #baco.ordinal<[8, 16, 32, 64, 128, 256, 512], log>, default = 32>, width = #baco.knob<"V", #baco.ordinal<[1, 2, 4], log>, default = 4>>
// CHECK-NOT:   baco.recipe =
// CHECK:       return
func.func @fused(%x: memref<4096x512xf32>, %y: memref<4096x512xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<4096x512xf32>) outs(%y : memref<4096x512xf32>)
  return
}

// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-6: baco.recipe =
func.func @apart(%x: memref<4096x512xf32>, %y: memref<4096x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %max = memref.alloc() : memref<4096xf32>
  %sum = memref.alloc() : memref<4096xf32>
  linalg.fill ins(%least : f32) outs(%max : memref<4096xf32>)
  func.call @other() : () -> ()
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%x : memref<4096x512xf32>) outs(%max : memref<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.maxnumf %a, %o : f32
    linalg.yield %s : f32
  }
  func.call @other() : () -> ()
  linalg.generic {indexing_maps = [#two, #row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%x, %max : memref<4096x512xf32>, memref<4096xf32>) outs(%y : memref<4096x512xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  func.call @other() : () -> ()
  linalg.fill ins(%zero : f32) outs(%sum : memref<4096xf32>)
  func.call @other() : () -> ()
  linalg.generic {indexing_maps = [#two, #row], iterator_types = ["parallel", "reduction"]}
    ins(%y : memref<4096x512xf32>) outs(%sum : memref<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  }
  func.call @other() : () -> ()
  linalg.generic {indexing_maps = [#row, #two], iterator_types = ["parallel", "parallel"]}
    ins(%sum : memref<4096xf32>) outs(%y : memref<4096x512xf32>) {
  ^bb0(%m: f32, %o: f32):
    %d = arith.divf %o, %m : f32
    linalg.yield %d : f32
  }
  memref.dealloc %max : memref<4096xf32>
  memref.dealloc %sum : memref<4096xf32>
  return
}

// CHECK-LABEL: func.func @long(
// CHECK-COUNT-4: baco.recipe =
func.func @long(%x: memref<2x65537xf32>, %y: memref<2x65537xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<2x65537xf32>) outs(%y : memref<2x65537xf32>)
  return
}
