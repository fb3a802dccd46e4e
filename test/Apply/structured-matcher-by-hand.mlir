// Entries of schedules by hand that consist of upstream's ops are applied by a
// stock mlir-opt, too, if the function is all that they can be for.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{file} =
// DEFINE: %{tune} = baco-tune-driver %t/%{file}.mlir --budget=2 --evaluator=static --seed=1 --output-dir=%t
// DEFINE: %{both} = sed '/^module/,$d' %t/%{file}.mlir > %t/bare.mlir && cat %t/others.mlir >> %t/bare.mlir && \
// DEFINE:   baco-opt %t/bare.mlir --baco-apply="library=%t/%{file}.library.mlir mode=warn" -o %t/ours 2>/dev/null && \
// DEFINE:   baco-opt %t/bare.mlir --baco-fingerprint -o %t/marked.mlir && \
// DEFINE:   %stock-mlir-opt %t/marked.mlir --transform-preload-library=transform-library-paths=%t/%{file}.library.mlir \
// DEFINE:     --transform-interpreter | sed 's/ attributes {baco.fingerprint[^}]*}//' | cmp - %t/ours && \
// DEFINE:   FileCheck %s --input-file=%t/ours --check-prefix=APPLIED
// APPLIED:     scf.for
// APPLIED:     func.func @untouched
// APPLIED-NOT: scf.for

// REDEFINE: %{file} = ops
// RUN: %{tune}
// RUN: FileCheck %s --check-prefix=STRUCTURE --input-file=%t/ops.library.mlir
// STRUCTURE: as_written,{{.*}} stock = "structure"
// RUN: %{both}
// REDEFINE: %{file} = parts
// RUN: %{tune}
// RUN: FileCheck %s --check-prefix=FINGERPRINT --input-file=%t/parts.library.mlir
// FINGERPRINT: as_written,{{.*}} stock = "fingerprint"
// RUN: %{both}

// With other functions in the file, a schedule may be for ops in these.
// RUN: cat %t/helper.mlir %t/ops.mlir > %t/several.mlir
// REDEFINE: %{file} = several
// RUN: %{tune} && not grep stock %t/several.library.mlir

// It may be for globals, too, and finds declarations among functions.
// RUN: sed 's/@ops/@global/; s/^    %%mm = /    %%g = transform.structured.match ops{["memref.global"]} in %%root : (!transform.any_op) -> !transform.any_op\n    transform.annotate %%g "seen" : !transform.any_op\n&/' \
// RUN:   %t/ops.mlir > %t/edited.mlir && cat %t/constant.mlir %t/edited.mlir > %t/global.mlir
// REDEFINE: %{file} = global
// RUN: %{tune} && not grep stock %t/global.library.mlir
// RUN: sed 's/@parts/@declared/' %t/parts.mlir > %t/edited.mlir && cat %t/declaration.mlir %t/edited.mlir > %t/declared.mlir
// REDEFINE: %{file} = declared
// RUN: %{tune} && not grep stock %t/declared.library.mlir

//--- constant.mlir
memref.global "private" constant @one : memref<4xf32> = dense<1.0>
//--- declaration.mlir
func.func private @expf(f32) -> f32
//--- ops.mlir
func.func @ops(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.tune.knob<"size"> options = [4, 8] -> !transform.param<i64>
    %tiled, %loops:2 = transform.structured.tile_using_for %mm tile_sizes [%size, 8]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
//--- parts.mlir
func.func @parts(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%C : memref<32x32xf32>)
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tile(%m: !transform.op<"builtin.module"> {transform.readonly}) {
    %mm = transform.structured.match ops{["linalg.matmul"]} interface{TilingInterface} in %m : (!transform.op<"builtin.module">) -> !transform.any_op
    %size = transform.tune.knob<"size"> options = [4, 8] -> !transform.param<i64>
    %tiled, %loops:2 = transform.structured.tile_using_for %mm tile_sizes [%size, 8]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.op<"builtin.module">) {
    transform.include @tile failures(propagate) (%root) : (!transform.op<"builtin.module">) -> ()
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.op<"builtin.module">) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.apply_cse to %root : !transform.op<"builtin.module">
    transform.yield
  }
}
//--- helper.mlir
func.func private @helper(%x: f32) -> f32 {
  return %x : f32
}
//--- others.mlir
func.func @untouched(%A: memref<16x32xf32>, %B: memref<32x32xf32>, %C: memref<16x32xf32>) {
  linalg.matmul ins(%A, %B : memref<16x32xf32>, memref<32x32xf32>) outs(%C : memref<16x32xf32>)
  return
}
