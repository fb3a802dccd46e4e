// Entries are measured anew; a check reads the times, without a clock, and
// fails at what has become slower than its entry says.
// RUN: rm -rf %t && mkdir %t
// RUN: %tune %s --output-dir=%t
// RUN: baco-tune-driver %s --remeasure=%t/kernel-remeasure.library.mlir --trial-time=2 --final-time=10 \
// RUN:   --output-dir=%t/new > %t/log
// RUN: FileCheck %s --input-file=%t/log --check-prefix=LOG
// LOG:      product: {{[12]}} evaluation
// LOG:      speed-up
// LOG:      wrote {{.*}}kernel-remeasure.times.json
// LOG-NOT:  wrote
// RUN: FileCheck %s --input-file=%t/new/kernel-remeasure.times.json --check-prefix=JSON
// JSON:      "version": 1,
// JSON:      "cpu": "{{.+}}",
// JSON:      "function": "product",
// JSON-NEXT: "fingerprint": "{{[0-9a-f]+}}",
// JSON-NEXT: "outcome": "{{tuned|default|plain}}",
// JSON:      "time_ns": {{[0-9.]+}},
// JSON:      "speedup": {{[0-9.]+}},

// A plain lowering that takes too long has no time.
// RUN: sed 's/64x64/384x384/g' %s > %t/long.mlir
// RUN: %tune %t/long.mlir --plain-timeout=1 --output-dir=%t
// RUN: baco-tune-driver %t/long.mlir --remeasure=%t/long.library.mlir --plain-timeout=1 --final-time=10 \
// RUN:   --output-dir=%t/new | FileCheck %s --check-prefix=LONG
// RUN: FileCheck %s --input-file=%t/new/long.times.json --check-prefix=LONG-JSON --implicit-check-not=plain
// LONG:      product: {{[12]}} evaluation
// LONG-NEXT: {{^ *}}default
// LONG:      the time of the plain lowering is unknown
// LONG-JSON: "time_ns": {{[0-9.]+}},

// What was measured on this loaded machine proves nothing: the numbers below
// are written by hand.
// RUN: sed -E 's/speedup_over_plain(_interval)? = (array<[^>]*>|[^,]*), //g; s/, pipeline/, speedup_over_plain = 4.0 : f64, speedup_over_plain_interval = array<f64: 3.9, 4.1>, pipeline/' \
// RUN:   %t/kernel-remeasure.library.mlir > %t/lock.mlir
// RUN: %python %S/Inputs/set-ratio.py %t/new/kernel-remeasure.times.json 3.8 3.7 3.95 > %t/same.json
// RUN: baco-tune-driver %s --apply=%t/lock.mlir --check-times=%t/same.json --output-dir=%t \
// RUN:   | FileCheck %s --check-prefix=SAME
// SAME: 0 have no entry
// RUN: %python %S/Inputs/set-ratio.py %t/new/kernel-remeasure.times.json 3.5 3.4 3.8 > %t/slow.json
// RUN: %exits 1 baco-tune-driver %s --apply=%t/lock.mlir --check-times=%t/slow.json --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SLOW --implicit-check-not=wrote
// SLOW: kernel-remeasure.mlir:[[#@LINE+20]]:1: error: 'product' has become slower: measured anew it is 3.50x over plain (3.40x to 3.80x), and its entry says 4.00x over plain (3.90x to 4.10x); tune it again
// RUN: %python %S/Inputs/set-ratio.py %t/new/kernel-remeasure.times.json 0.5 0.4 0.6 > %t/loss.json
// RUN: %exits 1 baco-tune-driver %s --apply=%t/kernel-remeasure.library.mlir --check-times=%t/loss.json --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOSS
// LOSS: error: 'product' {{is slower than plain|has become slower}}: measured anew it is 0.50x over plain

// Times of other code, or of another machine, say nothing of the entry.
// RUN: sed 's/"pipeline": /"pipeline": 9/' %t/new/kernel-remeasure.times.json > %t/old.json
// RUN: %exits 1 baco-tune-driver %s --apply=%t/lock.mlir --check-times=%t/old.json --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OLD
// OLD: error: 'product' has an entry of baco {{.*}}, and {{.*}}old.json has times of baco {{.*}}; run --remeasure again
// RUN: sed 's/l1=[0-9]*/l1=4096/' %t/new/kernel-remeasure.times.json > %t/machine.json
// RUN: %exits 1 baco-tune-driver %s --apply=%t/lock.mlir --check-times=%t/machine.json --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MACHINE
// MACHINE: error: 'product' has an entry for {{.*}}, and {{.*}}machine.json has times of {{.*}}l1=4096{{.*}}; run --remeasure again there
// RUN: sed 's/"product"/"other"/' %t/new/kernel-remeasure.times.json > %t/other.json
// RUN: %exits 1 baco-tune-driver %s --apply=%t/lock.mlir --check-times=%t/other.json --output-dir=%t/none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// OTHER: error: 'product' has no times in {{.*}}other.json; run --remeasure again

func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %B : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
