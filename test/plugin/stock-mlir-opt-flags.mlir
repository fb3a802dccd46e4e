// All passes of the plugin are flags of a stock mlir-opt, in any order with its
// own.
// DEFINE: %{opt} = %stock-mlir-opt --load-dialect-plugin=%baco-plugin %s
// DEFINE: %{host} = host=vector-bytes=64,vector-registers=32
// RUN: %{opt} --baco-annotate=%{host} | FileCheck %s --check-prefix=ANNOTATE
// RUN: %{opt} --baco-annotate=%{host} --baco-expand-recipes \
// RUN:   '--baco-concretize=configuration={"MR": 4, "NR": 16}' --symbol-dce \
// RUN:   | FileCheck %s --check-prefix=CONCRETE
// RUN: %{opt} --baco-annotate=%{host} --baco-expand-recipes \
// RUN:   --baco-extract-space=output=%t.json -o /dev/null
// RUN: FileCheck %s --check-prefix=SPACE --input-file=%t.json
// RUN: %{opt} --canonicalize --baco-autotune="budget=1 seed=1" --cse --lower-affine \
// RUN:   --convert-vector-to-scf --convert-scf-to-cf | FileCheck %s --check-prefix=TUNED
// RUN: %{opt} --baco-lower-to-cpu | FileCheck %s --check-prefix=LOWERED
// RUN: %{opt} --convert-linalg-to-loops | FileCheck %s --check-prefix=LOOPS
// RUN: not %{opt} --cse --pass-pipeline='builtin.module(canonicalize)' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BOTH
// RUN: not %{opt} --pass-pipeline='builtin.module(canonicalize)' --cse 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BOTH

// ANNOTATE: linalg.matmul {baco.recipe
// CONCRETE: transform.named_sequence
// CONCRETE: #baco.loop_vectorize<statement = 0, loop = 1, width = 16>
// SPACE:    "name": "NR"
// TUNED:    func.func @tiny
// TUNED:    cf.cond_br
// LOWERED:  llvm.func @tiny
// LOOPS:    scf.for
// BOTH:     '-pass-pipeline' option can't be used with individual pass options
func.func @tiny(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  return
}
