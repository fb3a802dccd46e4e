// A schedule is never applied to other code than it was tuned for, nor where
// it was made by other versions, or for another machine.
// RUN: rm -rf %t && mkdir %t
// RUN: %tune %s --output-dir=%t
// DEFINE: %{edit} =
// DEFINE: %{what} =
// DEFINE: %{changed} = sed '%{edit}' %s > %t/edited.mlir && not cmp -s %s %t/edited.mlir && \
// DEFINE:   not baco-opt %t/edited.mlir --baco-apply=library=%t/kernel-parts-stale.library.mlir 2>&1 | \
// DEFINE:   FileCheck %s --check-prefix=CHANGED --implicit-check-not=error: -DWHAT="%{what}"
// CHANGED: edited.mlir:[[@LINE+73]]:1: error: the entry of 'sums' in {{.*}}kernel-parts-stale.library.mlir is stale: the function has changed since it was tuned: [[WHAT]]; tune it again{{$}}

// A constant, an element type, a bound, a subscript, the order of operands, a
// flag, a callee's code, a callee that is another one, an attribute.
// REDEFINE: %{edit} = s/2.0 : f32/3.0 : f32/
// REDEFINE: %{what} = the code of 'twice', which it uses
// RUN: %{changed}
// REDEFINE: %{edit} = s/f32/f64/g
// REDEFINE: %{what} = its signature, its types, the code of 'twice', which it uses
// RUN: %{changed}
// REDEFINE: %{edit} = s/64x64/65x64/
// REDEFINE: %{what} = its signature
// RUN: %{changed}
// REDEFINE: %{edit} = s/%%j = 0 to 64/%%j = 0 to 63/
// REDEFINE: %{what} = attributes of its ops
// RUN: %{changed}
// REDEFINE: %{edit} = s/%%A\[%%i, %%j\]/%%A\[%%j, %%i\]/
// REDEFINE: %{what} = operands of its ops
// RUN: %{changed}
// REDEFINE: %{edit} = s/addf %%v, %%y/addf %%y, %%v/
// REDEFINE: %{what} = operands of its ops
// RUN: %{changed}
// REDEFINE: %{edit} = s/addf %%v, %%y/subf %%v, %%y/
// REDEFINE: %{what} = its ops
// RUN: %{changed}
// REDEFINE: %{edit} = s/addf %%v, %%y : f32/addf %%v, %%y fastmath<fast> : f32/
// REDEFINE: %{what} = attributes of its ops
// RUN: %{changed}
// REDEFINE: %{edit} = s/mulf %%x, %%two/addf %%x, %%two/
// REDEFINE: %{what} = the code of 'twice', which it uses
// RUN: %{changed}
// REDEFINE: %{edit} = s/^func.func private @twice/func.func private @same(%%x: f32) -> f32 { return %%x : f32 } &/; s/call @twice/call @same/
// REDEFINE: %{what} = the code of 'same', which it uses
// RUN: %{changed}
// REDEFINE: %{edit} = s/%%A: memref<64x64xf32>/%%A: memref<64x64xf32> {llvm.noalias}/
// REDEFINE: %{what} = its signature
// RUN: %{changed}

// The library's versions and machine.
// DEFINE: %{library} = sed '%{edit}' %t/kernel-parts-stale.library.mlir > %t/edited.library.mlir && \
// DEFINE:   not cmp -s %t/kernel-parts-stale.library.mlir %t/edited.library.mlir && \
// DEFINE:   not baco-opt %s --baco-apply=library=%t/edited.library.mlir 2>&1
// REDEFINE: %{edit} = s/llvm = "/llvm = "9/
// RUN: %{library} | FileCheck %s --check-prefix=VERSION --implicit-check-not=error:
// REDEFINE: %{edit} = s/baco = "/baco = "9/
// RUN: %{library} | FileCheck %s --check-prefix=VERSION --implicit-check-not=error:
// REDEFINE: %{edit} = s/pipeline = /pipeline = 9/
// RUN: %{library} | FileCheck %s --check-prefix=VERSION --implicit-check-not=error:
// VERSION: kernel-parts-stale.mlir:[[@LINE+25]]:1: error: the entry of 'sums' in {{.*}} is stale: it was made by baco {{.*}}, LLVM {{.*}}, pipeline {{.*}}, and this is baco {{.*}}; tune it again{{$}}
// REDEFINE: %{edit} = s/isa = "/isa = "other-/
// RUN: %{library} | FileCheck %s --check-prefix=MACHINE --implicit-check-not=error:
// REDEFINE: %{edit} = s/l2=/l2=9/
// RUN: %{library} | FileCheck %s --check-prefix=MACHINE --implicit-check-not=error:
// RUN: not baco-opt %s --baco-apply="library=%t/kernel-parts-stale.library.mlir threads=2" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MACHINE --implicit-check-not=error:
// MACHINE: kernel-parts-stale.mlir:[[@LINE+18]]:1: error: the entry of 'sums' in {{.*}} is for another machine: {{.*}} ({{.*}}, vector-bytes={{.*}}), not {{.*}}; tune it for this one{{$}}

// Another CPU of the same kind will do.
// REDEFINE: %{edit} = s/cpu = "/cpu = "like-/
// RUN: sed '%{edit}' %t/kernel-parts-stale.library.mlir > %t/edited.library.mlir
// RUN: baco-opt %s --baco-apply=library=%t/edited.library.mlir -o %t/applied
// RUN: %stock-mlir-opt %t/kernel-parts-stale.tuned.mlir | cmp - %t/applied

// Functions without an entry.
// RUN: sed 's/@sums/@other/; s/2.0 :/5.0 :/' %s > %t/edited.mlir
// RUN: not baco-opt %t/edited.mlir --baco-apply=library=%t/kernel-parts-stale.library.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RENAMED
// RENAMED: edited.mlir:[[@LINE+6]]:1: error: no entry for 'other': that of 'sums' in {{.*}} has the same ops, but other code; tune 'other'{{$}}
func.func private @twice(%x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %y = arith.mulf %x, %two : f32
  return %y : f32
}
func.func @sums(%A: memref<64x64xf32>, %s: memref<64xf32>, %p: f32) {
  %q = func.call @twice(%p) : (f32) -> f32
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
