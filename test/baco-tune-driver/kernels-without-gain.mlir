// Of several kernels, those whose last 25 candidates have gained less than 1 % get no more; the same
// command has nothing left to do, and a larger budget goes on from there.
// RUN: rm -rf %t && mkdir %t
// DEFINE: %{budget} =
// DEFINE: %{tune} = baco-tune-driver %s --target=nvvm:sm_90 --evaluator=static --optimizer=random --seed=1 --output-dir=%t %{budget}
// RUN: %{tune} > %t/first.txt
// RUN: FileCheck %s --input-file=%t/first.txt
// RUN: FileCheck %s --check-prefix=LAST --input-file=%t/kernels-without-gain.turn.trials.jsonl
// CHECK:      {{^}}{{[5-9][0-9]}} evaluations in
// CHECK-NEXT: turn, back: stopped by speedup(1.01, 25); --budget=N goes on
// LAST:     "trial":25,
// LAST-NOT: "trial":45,

// RUN: %{tune} | sed -n 's/ evaluations in.*//p' > %t/again.txt
// RUN: sed -n 's/ evaluations in.*//p' %t/first.txt | diff - %t/again.txt
// REDEFINE: %{budget} = --budget=64
// RUN: %{tune} | FileCheck %s --check-prefix=MORE
// MORE:     {{^}}64 evaluations in
// MORE-NOT: stopped by

// A kernel alone gets all 60.
// REDEFINE: %{budget} = --entry=turn --output-dir=%t/one
// RUN: %{tune} | FileCheck %s --check-prefix=ONE
// ONE:     turn: 60 evaluations
// ONE-NOT: stopped by

func.func @turn(%a: memref<64x32xf32>, %b: memref<32x64xf32>) {
  linalg.transpose ins(%a : memref<64x32xf32>) outs(%b : memref<32x64xf32>) permutation = [1, 0]
  return
}
func.func @back(%a: memref<96x64xf32>, %b: memref<64x96xf32>) {
  linalg.transpose ins(%a : memref<96x64xf32>) outs(%b : memref<64x96xf32>) permutation = [1, 0]
  return
}
