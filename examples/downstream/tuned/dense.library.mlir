// Made by baco-tune-driver: what it found, to be used without a search:
//   baco-opt dense.mlir --baco-apply='library=dense.library.mlir'
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tuned.layer(%arg0: !transform.any_op {transform.readonly}) attributes {baco.entry = {baco = "0.1.0", configuration = "{\22NR\22:32,\22MR\22:14,\22KU\22:2,\22pack\22:0,\22prefetch\22:0,\22U\22:1,\22W\22:16}", cpu = "znver5", evaluations = 10 : i64, evaluator = "jit", fingerprint = "c3d6857e80a8affe3c8e6613f04d4e8d", function = "layer", host = "vector-bytes=64,vector-registers=32,l1=32768,l2=1048576,l3=33554432,threads=1", isa = "x86-64-v4", llvm = "22.1.8", outcome = "default", pipeline = 1 : i64, speedup = 1.000000e+00 : f64, speedup_over_plain = 77.608260269704928 : f64, structure = "6077592b6b54ba463ffcd99311f1812e"}} {
    transform.include @tuned.layer.schedule_layer_1 failures(propagate) (%arg0) : (!transform.any_op) -> ()
    transform.include @tuned.layer.schedule_layer failures(propagate) (%arg0) : (!transform.any_op) -> ()
    transform.yield 
  }
  transform.named_sequence @tuned.layer.schedule_layer(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} attributes {sym_name = "layer"} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["linalg.matmul"]} in %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.merge_handles %1, %0 : !transform.any_op
    %3:2 = transform.split_handle %2 {overflow_result = 1 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %4 = transform.baco.restructure %3#0 [#baco.loop_permute<order = [2, 1, 3], statement = 0>, #baco.loop_vectorize<statement = 0, loop = 1, width = 32>, #baco.loop_unroll<statement = 0, loop = 2, factor = 14>, #baco.loop_unroll<statement = 0, loop = 3, factor = 2>, #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 0>, #baco.loop_prefetch<statement = 0, loop = 1, ahead = 0>] : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  transform.named_sequence @tuned.layer.schedule_layer_1(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} attributes {sym_name = "layer"} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["linalg.generic"]} in %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.baco.restructure %1 [#baco.loop_unroll<statement = 0, loop = 1, factor = 1>, #baco.loop_vectorize<statement = 0, loop = 2, width = 16>] : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  transform.named_sequence @tuned.blur(%arg0: !transform.any_op {transform.readonly}) attributes {baco.entry = {baco = "0.1.0", cpu = "znver5", evaluations = 10 : i64, evaluator = "jit", fingerprint = "06b14c47e5673efb051e30cf66bc08e6", function = "blur", host = "vector-bytes=64,vector-registers=32,l1=32768,l2=1048576,l3=33554432,threads=1", isa = "x86-64-v4", llvm = "22.1.8", outcome = "plain", pipeline = 1 : i64, speedup = 1.3795322899988149 : f64, speedup_interval = array<f64: 1.3272113740735509, 1.4173123851175762>, speedup_over_plain = 1.000000e+00 : f64, structure = "36509ff6267b718c7396e78bf3721ad9"}} {
    transform.yield 
  }
}