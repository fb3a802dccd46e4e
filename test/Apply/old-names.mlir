// What an older baco wrote: `baco.keep` for `baco.no_tune`, and a library whose
// version for separate buffers is named `scale_apart`, now `scale_noalias`.
// RUN: rm -rf %t && split-file %s %t
// Today's library tells the version of the pipeline, without which an entry is
// stale; all else is as it was.
// RUN: baco-tune-driver %t/module.mlir --budget=1 --evaluator=static --host=vector-bytes=32,vector-registers=16,l1=32768,l2=524288,l3=33554432 \
// RUN:   --output-dir=%t/out 2>&1 | FileCheck %s --check-prefix=TUNED
// TUNED: scale_noalias: 1 evaluation
// RUN: grep -o 'pipeline = [0-9]*' %t/out/module.library.mlir | sed 's/.*/s,pipeline = [0-9]*,&,/' > %t/pipeline.sed
// RUN: sed -i -f %t/pipeline.sed %t/old.library.mlir
// RUN: baco-opt %t/module.mlir --baco-apply='library=%t/old.library.mlir target-cpu=x86-64-v3 host=vector-bytes=32,vector-registers=16,l1=32768,l2=524288,l3=33554432' | FileCheck %s
// CHECK-LABEL: func.func @scale(
// CHECK:         call @scale_noalias(
// CHECK-LABEL: func.func private @scale_noalias(
// CHECK:         vector<16xf32>
// CHECK-LABEL: func.func @kept(
// CHECK:         linalg.exp
//--- module.mlir
func.func @scale(%A: memref<64x48xf32>, %B: memref<48x32xf32>, %C: memref<64x32xf32>) {
  linalg.matmul ins(%A, %B : memref<64x48xf32>, memref<48x32xf32>) outs(%C : memref<64x32xf32>)
  return
}
func.func @kept(%A: memref<64x48xf32>, %C: memref<64x48xf32>) attributes {baco.keep} {
  linalg.exp ins(%A : memref<64x48xf32>) outs(%C : memref<64x48xf32>)
  return
}
func.func @any() -> ((memref<64x48xf32>, memref<48x32xf32>, memref<64x32xf32>) -> ()) {
  %f = func.constant @scale : (memref<64x48xf32>, memref<48x32xf32>, memref<64x32xf32>) -> ()
  return %f : (memref<64x48xf32>, memref<48x32xf32>, memref<64x32xf32>) -> ()
}
//--- old.library.mlir
// Made by baco-tune-driver: what it found, to be used without a search:
//   baco-opt apart.mlir --baco-apply='library=apart.library.mlir'
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tuned.scale_apart.37d0f14f(%arg0: !transform.any_op {transform.readonly}) attributes {baco.entry = {baco = "0.1.0", configuration = "{\22NR\22:16,\22MR\22:5,\22KU\22:4,\22pack\22:0,\22prefetch\22:0}", cpu = "x86-64-v3", evaluations = 2 : i64, evaluator = "static", fingerprint = "5127948295e128b41df1f44b19a70e35", function = "scale_apart", host = "vector-bytes=32,vector-registers=16,l1=32768,l2=524288,l3=33554432,threads=1", isa = "x86-64-v3", llvm = "22.1.8", outcome = "default", parts = "a68d90c7 24318deb 5193fcac 6c62272e d606c90d f1fc5156 4c34d587", pipeline = 5 : i64, speedup = 1.000000e+00 : f64, speedup_over_plain = 45.361915939265018 : f64, structure = "46ccc865a73c17e55401874ebd0a4baa"}} {
    %0 = transform.structured.match ops{["func.func"]} attributes {sym_name = "scale_apart"} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["linalg.matmul"]} in %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.baco.restructure %1 [#baco.loop_permute<order = [2, 1, 3], statement = 0>, #baco.loop_vectorize<statement = 0, loop = 1, width = 16>, #baco.loop_unroll<statement = 0, loop = 2, factor = 5>, #baco.loop_unroll<statement = 0, loop = 3, factor = 4>, #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 0>, #baco.loop_prefetch<statement = 0, loop = 1, ahead = 0>] : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
}
