// A schedule that is written by hand is part of what an entry is for: once it
// is edited the entry is stale, also where the function is the same.
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{file} =
// DEFINE: %{edit} =
// DEFINE: %{tune} = baco-tune-driver %t/%{file}.mlir --apply=%t/a.library.mlir --apply-mode=tune \
// DEFINE:   --budget=2 --evaluator=static --seed=1 --output-dir=%t/out
// DEFINE: %{apply} = baco-opt %t/%{file}.mlir --baco-apply=library=%t/a.library.mlir
// DEFINE: %{edited} = sed '%{edit}' %t/%{file}.mlir > %t/edited.mlir && not cmp -s %t/%{file}.mlir %t/edited.mlir
// DEFINE: %{stale} = %{edited} && not baco-opt %t/edited.mlir --baco-apply=library=%t/a.library.mlir 2>&1 \
// DEFINE:   | FileCheck %s --implicit-check-not=error: --check-prefix=STALE
// STALE: edited.mlir:1:1: error: the entry of '{{.*}}' in {{.*}}a.library.mlir is stale: the schedule as written has changed since it was tuned; tune it again{{$}}

// A recipe: a knob is narrowed, a step is gone. Spaces and names aren't edits.
// REDEFINE: %{file} = recipe
// RUN: %{tune} && %{apply}
// The hash is that of the text on one line, FNV-1a: how recipes are printed makes
// no entry stale.
// RUN: FileCheck %s --check-prefix=HASH --input-file=%t/a.library.mlir
// HASH: schedule = "bfb859311aa18ed142a92f5966fc10ad"
// REDEFINE: %{edit} = s/\[16, 32\]/[16]/
// RUN: %{stale}
// REDEFINE: %{edit} = s/#baco.vectorize<>, #baco.hoist<>/#baco.vectorize<>/
// RUN: %{stale}
// REDEFINE: %{edit} = s/log>/log >/; s/@product/@other/
// RUN: %{edited} && baco-opt %t/edited.mlir --baco-apply=library=%t/a.library.mlir
// It is tuned again, which replaces the entry.
// REDEFINE: %{edit} = s/\[16, 32\]/[16]/
// RUN: %{edited} && baco-tune-driver %t/edited.mlir --apply=%t/a.library.mlir --apply-mode=tune \
// RUN:   --budget=2 --evaluator=static --output-dir=%t/out | FileCheck %s --check-prefix=AGAIN
// AGAIN: product: 1 evaluation
// AGAIN: added 1 entry
// RUN: grep -c 'baco.entry =' %t/a.library.mlir | FileCheck %s --check-prefix=ONE
// ONE: {{^1$}}
// Without a recipe of its own, a function takes that of the entry.
// RUN: baco-opt %t/recipe.mlir | %one-line-recipes | sed 's/{baco.recipe = .*>} //' > %t/bare.mlir && not grep baco %t/bare.mlir
// RUN: baco-opt %t/bare.mlir --baco-apply=library=%t/a.library.mlir

// An entry that was tuned without it, automatically or by an older baco.
// RUN: sed -i 's/ schedule = "[0-9a-f]*",//' %t/a.library.mlir
// RUN: not %{apply} 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: recipe.mlir:1:1: error: the entry of 'product' in {{.*}} is stale: it was tuned without the schedule as written, or by an older baco; tune it again

// A schedule in the file.
// RUN: rm %t/a.library.mlir
// REDEFINE: %{file} = hand
// RUN: %{tune} && %{apply}
// REDEFINE: %{edit} = s/\[4, 8\]/[4]/
// RUN: %{stale}
// REDEFINE: %{edit} = /inner/d
// RUN: %{stale}
// REDEFINE: %{edit} = s/%%tiled/%%outer/g; s/@hand/@renamed/
// RUN: %{edited} && baco-opt %t/edited.mlir --baco-apply=library=%t/a.library.mlir
// RUN: %{tune} | FileCheck %s --check-prefix=KNOWN
// KNOWN-NOT: added
// REDEFINE: %{edit} = s/\[4, 8\]/[4]/
// RUN: %{edited} && baco-tune-driver %t/edited.mlir --apply=%t/a.library.mlir --apply-mode=tune \
// RUN:   --budget=2 --evaluator=static --output-dir=%t/out | FileCheck %s --check-prefix=ADDED
// ADDED: added 1 entry
// RUN: baco-opt %t/edited.mlir --baco-apply=library=%t/a.library.mlir
// In its own file it isn't written for those who apply the entry, but is for
// those who tune.
// RUN: sed '/^module/,$d' %t/hand.mlir > %t/bare.mlir
// RUN: baco-opt %t/bare.mlir --baco-apply=library=%t/a.library.mlir
// RUN: sed -n '/^module/,$p' %t/hand.mlir > %t/schedule.mlir
// REDEFINE: %{file} = bare
// RUN: %{tune} --schedule=%t/schedule.mlir | FileCheck %s --check-prefix=ADDED
// RUN: %{tune} --schedule=%t/schedule.mlir | FileCheck %s --check-prefix=KNOWN

// With --apply that file is compared as well.
// RUN: %{tune} --schedule=%t/schedule.mlir --apply-mode=frozen
// RUN: sed 's/\[4, 8\]/[4]/' %t/schedule.mlir > %t/edited.mlir
// RUN: not %{tune} --schedule=%t/edited.mlir --apply-mode=frozen 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: bare.mlir:1:1: error: the entry of 'hand' in {{.*}} is stale: the schedule as written has changed
// An entry that isn't used, as the schedule is another one.
// RUN: sed 's/\[4, 8\]/[4]/' %t/hand.mlir > %t/edited.mlir && rm %t/a.library.mlir
// REDEFINE: %{file} = hand
// RUN: %{tune}
// RUN: not baco-opt %t/edited.mlir --baco-apply="library=%t/a.library.mlir explain" 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=remark
// EXPLAIN: remark: '@tuned.hand.{{.*}}a.library.mlir is stale: the schedule as written has changed since it was tuned{{$}}
// Of a function as it is written, where it has no schedule of its own.
// RUN: sed 's/pipeline = /&9/' %t/a.library.mlir > %t/old.mlir
// RUN: not baco-opt %t/bare.mlir --baco-apply="library=%t/old.mlir explain" 2>&1 | FileCheck %s --check-prefix=BARE --implicit-check-not=remark
// BARE: remark: '@tuned.hand.{{.*}}old.mlir is stale: it was made by
// BARE: error: the entry of 'hand' in {{.*}}old.mlir is stale: it was made by

// An attribute that a schedule may match.
// RUN: sed 's/xf32>) {/xf32>) attributes {my.hot} {/' %t/hand.mlir > %t/hot.mlir
// REDEFINE: %{file} = hot
// RUN: rm %t/a.library.mlir && %{tune} && %{apply}
// REDEFINE: %{edit} = s/attributes {my.hot} {/{/
// RUN: %{stale}

// Functions without loops or linalg ops.
// REDEFINE: %{file} = vector
// RUN: rm %t/a.library.mlir && %{tune} && %{apply}
// RUN: sed '/^module/,$d' %t/vector.mlir > %t/bare.mlir && sed 's/pipeline = /&9/' %t/a.library.mlir > %t/old.mlir
// RUN: baco-opt %t/bare.mlir --baco-apply=library=%t/a.library.mlir
// RUN: not baco-opt %t/bare.mlir --baco-apply=library=%t/old.mlir 2>&1 | FileCheck %s --check-prefix=VERSION --implicit-check-not=error:
// VERSION: bare.mlir:1:1: error: the entry of 'vector' in {{.*}}old.mlir is stale: it was made by
// REDEFINE: %{edit} = s/reduction <add>, %%r/reduction <mul>, %%r/
// RUN: %{edited} && not baco-opt %t/edited.mlir --baco-apply=library=%t/a.library.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHANGED --implicit-check-not=error:
// CHANGED: edited.mlir:1:1: error: the entry of 'vector' in {{.*}} is stale: the function has changed since it was tuned: attributes of its ops; tune it again

//--- vector.mlir
func.func @vector(%a: memref<8x8xf32>, %c: memref<8xf32>) {
  %i = arith.constant 0 : index
  %p = arith.constant 0.0 : f32
  %A = vector.transfer_read %a[%i, %i], %p {in_bounds = [true, true]} : memref<8x8xf32>, vector<8x8xf32>
  %C = vector.transfer_read %c[%i], %p {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
  %r = vector.multi_reduction <add>, %A, %C [1] : vector<8x8xf32> to vector<8xf32>
  %s = vector.reduction <add>, %r : vector<8xf32> into f32
  memref.store %s, %c[%i] : memref<8xf32>
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.tune.knob<"size"> options = [1, 2] -> !transform.param<i64>
    transform.annotate %f "my.size" = %size : !transform.any_op, !transform.param<i64>
    transform.yield
  }
}
//--- recipe.mlir
func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul
    {baco.recipe = #baco.recipe<[
      #baco.tile<sizes = [#baco.knob<"MC", #baco.ordinal<[16, 32], log>>, 16, 0]>,
      #baco.tile<sizes = [4, 0, 1]>, #baco.vectorize<>, #baco.hoist<>]>}
    ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
//--- hand.mlir
func.func @hand(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %mm = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.tune.knob<"size"> options = [4, 8] -> !transform.param<i64>
    %tiled, %loops:2 = transform.structured.tile_using_for %mm tile_sizes [%size, 8]
      : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %inner, %loop = transform.structured.tile_using_for %tiled tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
