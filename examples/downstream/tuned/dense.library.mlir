// Made by baco-tune-driver: what it found, to be used without a search:
//   baco-opt dense.mlir --baco-apply='library=dense.library.mlir'
module attributes {transform.with_named_sequence} {
  transform.named_sequence @tuned.layer.303b88e3(%arg0: !transform.any_op {transform.readonly}) attributes {baco.entry = {baco = "0.1.0", configuration = "{\22NR\22:16,\22MR\22:6,\22KU\22:2,\22pack\22:0,\22prefetch\22:0,\22U\22:1,\22W\22:8}", cpu = "znver4", evaluations = 28 : i64, evaluator = "jit", fingerprint = "c3d6857e80a8affe3c8e6613f04d4e8d", function = "layer", host = "vector-bytes=32,vector-registers=16,l1=32768,l2=1048576,l3=33554432,threads=1", isa = "x86-64-v3", llvm = "22.1.8", outcome = "default", parts = "a68d90c7 00942013 0dcbe2bb 1495b30d 775daba2 2d66cfa9 59447a1b", pipeline = 10 : i64, speedup = 1.000000e+00 : f64, speedup_over_plain = 31.447941150866196 : f64, structure = "b44a81642c2a2a8e0a6749237920a9ce"}} {
    transform.include @tuned.layer.303b88e3.schedule_layer_1 failures(propagate) (%arg0) : (!transform.any_op) -> ()
    transform.include @tuned.layer.303b88e3.schedule_layer failures(propagate) (%arg0) : (!transform.any_op) -> ()
    transform.yield 
  }
  transform.named_sequence @tuned.layer.303b88e3.schedule_layer(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} attributes {sym_name = "layer"} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["linalg.matmul"]} in %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.merge_handles %1, %0 : !transform.any_op
    %3:2 = transform.split_handle %2 {overflow_result = 1 : i64} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %4 = transform.baco.restructure %3#0 [#baco.loop_permute<order = [2, 1, 3], statement = 0>, #baco.loop_vectorize<statement = 0, loop = 1, width = 16>, #baco.loop_unroll<statement = 0, loop = 2, factor = 6>, #baco.loop_unroll<statement = 0, loop = 3, factor = 2>, #baco.loop_copy<statement = 0, loop = 2, reference = 2, width = 0>, #baco.loop_prefetch<statement = 0, loop = 1, ahead = 0>] : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  transform.named_sequence @tuned.layer.303b88e3.schedule_layer_1(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} attributes {sym_name = "layer"} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["linalg.generic"]} in %0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.baco.restructure %1 [#baco.loop_unroll<statement = 0, loop = 1, factor = 1>, #baco.loop_vectorize<statement = 0, loop = 2, width = 8>] : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
  transform.named_sequence @tuned.blur.fde1a755(%arg0: !transform.any_op {transform.readonly}) attributes {baco.entry = {baco = "0.1.0", cpu = "znver4", evaluations = 27 : i64, evaluator = "jit", fingerprint = "7ddb302e88d5a7689a7a4c65cb986ce0", function = "blur", host = "vector-bytes=32,vector-registers=16,l1=32768,l2=1048576,l3=33554432,threads=1", isa = "x86-64-v3", llvm = "22.1.8", outcome = "plain", parts = "a68d90c7 c1176bd6 71885d03 97d5534f b9d44e2e 5659a7a1 9675ea9c", pipeline = 10 : i64, speedup = 1.4099270169403129 : f64, speedup_interval = array<f64: 1.3247079037800689, 1.557344785170159>, speedup_over_plain = 1.000000e+00 : f64, structure = "8b3618dbc8f54d83980db52735383e41"}} {
    transform.yield 
  }
  transform.named_sequence @tuned.energy.6f43ada7(%arg0: !transform.any_op {transform.readonly}) attributes {baco.entry = {baco = "0.1.0", configuration = "{\22width\22:16,\22unroll\22:64}", cpu = "znver4", evaluations = 15 : i64, evaluator = "jit", fingerprint = "79349980c1a00fcfc805670d9dd099d1", function = "energy", host = "vector-bytes=32,vector-registers=16,l1=32768,l2=1048576,l3=33554432,threads=1", isa = "x86-64-v3", llvm = "22.1.8", outcome = "tuned", parts = "a68d90c7 1499f445 ee256263 6c62272e 775daba2 8d02bb91 9e568530", pipeline = 10 : i64, schedule = "c339a587902610c19f13e910a91e6411", speedup = 5.9981739618695276 : f64, speedup_interval = array<f64: 5.7583725865728042, 6.2116140160347522>, speedup_over_plain = 22.168979504696839 : f64, structure = "d302adc470c6263e217ed1eff05d1ede"}} {
    %0 = transform.structured.match ops{["func.func"]} attributes {sym_name = "energy"} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["affine.for"]} in %0 : (!transform.any_op) -> !transform.any_op
    %2:2 = transform.split_handle %1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %3 = transform.baco.restructure %2#1 [#baco.loop_vectorize<statement = 0, loop = 2, width = 16>, #baco.loop_unroll<statement = 0, loop = 2, factor = 64>] : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
}
