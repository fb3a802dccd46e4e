// Errors of measuring a library anew, and of checking its times.
// RUN: rm -rf %t && mkdir %t
// RUN: %tune %s --output-dir=%t
// RUN: echo '{"version": 1}' > %t/short.json
// RUN: %exits 1 baco-tune-driver %s --apply=%t/entry-times-json-errors.library.mlir --check-times=%t/short.json --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHORT
// SHORT: error: --check-times: '{{.*}}short.json' is no file of --remeasure: missing value at times.baco
// RUN: echo 'times' > %t/text.json
// RUN: %exits 1 baco-tune-driver %s --apply=%t/entry-times-json-errors.library.mlir --check-times=%t/text.json --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TEXT
// TEXT: error: --check-times: '{{.*}}text.json' is no file of --remeasure:
// RUN: %exits 1 baco-tune-driver %s --apply=%t/entry-times-json-errors.library.mlir --check-times=%t/absent.json --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: --check-times: {{.*}}absent.json
// RUN: %exits 1 baco-tune-driver %s --check-times=%t/short.json 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: --apply-mode, --target-cpu and --check-times: give --apply, too
// RUN: %exits 1 baco-tune-driver %s --remeasure=a.mlir --apply=a.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: --remeasure: leave --apply out
// RUN: %exits 1 baco-tune-driver %s --remeasure=a.mlir --evaluator=static 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: error: --remeasure: it measures by running: leave --evaluator out

// A stale entry isn't measured.
// RUN: sed 's/xf32/xf64/g' %s > %t/changed.mlir
// RUN: %exits 1 baco-tune-driver %t/changed.mlir --remeasure=%t/entry-times-json-errors.library.mlir --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STALE --implicit-check-not=wrote
// STALE: changed.mlir:[[#@LINE+13]]:1: error: the entry of 'product' {{.*}} is stale: the function has changed since it was tuned: its signature, its types; tune it again

// Nor is one whose schedule isn't what its knobs make, such as an edited one.
// RUN: sed -E 's/outcome = "plain"/outcome = "default"/; s/configuration = "[^"]*", //; s/, pipeline/, configuration = "{}", pipeline/' \
// RUN:   %t/entry-times-json-errors.library.mlir > %t/edited.mlir
// RUN: %exits 1 baco-tune-driver %s --remeasure=%t/edited.mlir --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EDITED
// EDITED: entry-times-json-errors.mlir:[[#@LINE+6]]:1: error: 'product' has an entry whose knobs make other code here than its schedule: give the options that it was tuned with, or tune it again

// RUN: baco-tune-driver --help | FileCheck %s --check-prefix=HELP
// HELP: --check-times=<file>
// HELP: --remeasure=<file,...>

func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
