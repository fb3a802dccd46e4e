// --threads=N makes what is distributed knobs, as threads=N in --host does.
// RUN: baco-tune-driver %s --emit-space=%t.one
// RUN: FileCheck %s --input-file=%t.one --check-prefix=ONE
// RUN: baco-tune-driver %s --threads=2 --emit-space=%t.two
// RUN: FileCheck %s --input-file=%t.two --check-prefix=TWO
// RUN: baco-tune-driver %s --host=threads=2 --emit-space=- | diff %t.two -
// RUN: baco-tune-driver %s --host=threads=3 --threads=2 --emit-space=- | diff %t.two -
// RUN: baco-tune-driver %s --host=threads=2 --threads=1 --emit-space=- | diff %t.two -
// RUN: baco-opt %s --baco-annotate=threads=2 | FileCheck %s --check-prefix=RECIPE
// As many as there are, which may be one.
// RUN: baco-tune-driver %s --threads=0 --emit-space=- | FileCheck %s --check-prefix=ALL
// RUN: %exits 1 baco-tune-driver %s --threads=65 2>&1 | FileCheck %s --check-prefix=DRIVER
// RUN: not baco-opt %s --baco-autotune=threads=65 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not baco-opt %s --baco-annotate=threads=-1 2>&1 | FileCheck %s --check-prefix=ANNOTATE

// ONE-NOT: "PI"
// TWO: "PI"
// RECIPE: loop_parallelize
// ALL: "parameters"
// DRIVER: error: --threads: there may be 1 to 64 threads, or 0 for all CPUs, but not 65
// PASS: error: threads: there may be 1 to 64 threads, or 0 for all CPUs, but not 65
// ANNOTATE: error: threads: there may be 1 to 64 threads, or 0 for all CPUs, but not -1

func.func @product(%a: memref<256x256xf32>, %b: memref<256x256xf32>, %c: memref<256x256xf32>) {
  linalg.matmul ins(%a, %b : memref<256x256xf32>, memref<256x256xf32>)
                outs(%c : memref<256x256xf32>)
  return
}
