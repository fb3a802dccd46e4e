// Edits that don't change the code of a function don't change which schedule it
// gets.
// RUN: rm -rf %t && mkdir %t
// RUN: %tune %s --output-dir=%t
// DEFINE: %{edit} =
// DEFINE: %{bodies} = sed 's/%%cst[_0-9]*/%%cst/g; /arith.constant/d; /@unused/,/^  }/d; /^module/d; /^}/d; /func.func/d; s/@power/@square/'
// DEFINE: %{check} = sed '%{edit}' %s > %t/edited.mlir && not cmp -s %s %t/edited.mlir && \
// DEFINE:   baco-opt %t/edited.mlir --baco-apply=library=%t/immaterial-edits.library.mlir \
// DEFINE:     -o %t/applied && %{bodies} %t/applied | cmp - %t/bodies
// RUN: %stock-mlir-opt %t/immaterial-edits.tuned.mlir | %{bodies} > %t/bodies

// Names of values, functions and callees; comments and white space; visibility;
// functions that nobody calls.
// REDEFINE: %{edit} = s/%%A/%%left/g; s/%%i/%%row/g
// RUN: %{check}
// REDEFINE: %{edit} = s/@product/@gemm/g
// RUN: %{check}
// REDEFINE: %{edit} = s/@square/@power/g
// RUN: %{check}
// REDEFINE: %{edit} = s/return$/return \/\/ done/; s/^  affine/      affine/
// RUN: %{check}
// REDEFINE: %{edit} = s/func.func @sums/func.func public @sums/; s/func.func private/func.func/
// RUN: %{check}
// REDEFINE: %{edit} = s/^func.func @sums/func.func private @unused() { return }\nfunc.func @sums/
// RUN: %{check}
// Constants that nothing uses, and their order.
// REDEFINE: %{edit} = s/^  %%one = /  %%unused = arith.constant 7 : i32\n&/
// RUN: %{check}
// REDEFINE: %{edit} = /%%one = /d; s/^  %%two = .*/&\n  %%one = arith.constant 1.0 : f32/
// RUN: %{check}
// Attributes for readers.
// REDEFINE: %{edit} = s/%%s: memref<64xf32>/%%s: memref<64xf32> {my.name = "sums"}/; s/%%p: f32)/& attributes {llvm.emit_c_interface, my.owner = 1}/
// RUN: %{check}
// REDEFINE: %{edit} = s/^func.func private @square/module attributes {transform.with_named_sequence, my.version = 2} {\n&/; $ s/}/}}/
// RUN: %{check}
// Locations.
// RUN: baco-opt %s --mlir-print-debuginfo -o %t/locations.mlir
// RUN: baco-opt %t/locations.mlir --baco-apply=library=%t/immaterial-edits.library.mlir \
// RUN:   | %{bodies} | cmp - %t/bodies
// The order of functions: their bodies are the same in another order.
// RUN: sed '/@product/,/^}/!d' %s > %t/reordered.mlir
// RUN: sed '/@product/,/^}/d' %s >> %t/reordered.mlir
// RUN: baco-opt %t/reordered.mlir --baco-apply=library=%t/immaterial-edits.library.mlir \
// RUN:   | %{bodies} | sort > %t/sorted
// RUN: sort %t/bodies | cmp - %t/sorted

func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}
func.func @sums(%A: memref<64x64xf32>, %s: memref<64xf32>, %p: f32) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %r = arith.mulf %p, %one : f32
  %o = arith.divf %r, %two : f32
  %q = func.call @square(%o) : (f32) -> f32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %A[%i, %j] : memref<64x64xf32>
      %y = affine.load %s[%i] : memref<64xf32>
      %v = arith.mulf %x, %q : f32
      %z = arith.addf %v, %y : f32
      affine.store %z, %s[%i] : memref<64xf32>
    }
  }
  return
}
func.func @product(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
