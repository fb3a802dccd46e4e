// Two products on tensors and what lies between them, run as a whole. Weights
// stay in the range in which they were.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=6 --seed=1 --output-dir=%t %compared 2>%t.err \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=QUIET --input-file=%t.err
// RUN: %python -c "import functools, json, operator, sys; p, = json.load(open(sys.argv[1]))['programs']; \
// RUN:   times = [k['calls'] * k['time_ns'] for k in p['kernels']]; \
// RUN:   between = functools.reduce(operator.sub, times, p['best_time_ns']); \
// RUN:   assert max(0, between) == p['between_kernels_ns'], p" \
// RUN:   %t/program-finals-run.summary.json
// RUN: baco-opt %s --baco-autotune="budget=6 trial-time=2 final-time=10" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PASS

// CHECK:      {{^}}main: the whole program, in
// CHECK-NEXT: plain
// CHECK:      {{^}}time by kernel
// CHECK-NEXT: {{^}}first 1
// CHECK-NEXT: {{^}}second 3
// CHECK-NEXT: {{^}}between kernels
// QUIET-NOT: isn't compared
// QUIET-NOT: warning
// PASS: remark: 'main' as a whole takes {{.*}}over plain{{.*}} of it lie between kernels

func.func private @first(%A: tensor<128x128xf32>, %B: tensor<128x128xf32>)
    -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>)
    -> tensor<128x128xf32>
  %C = linalg.matmul
    ins(%A, %B : tensor<128x128xf32>, tensor<128x128xf32>)
    outs(%init : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %C : tensor<128x128xf32>
}
func.func private @second(%A: tensor<128x128xf32>, %B: tensor<128x32xf32>)
    -> tensor<128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x32xf32>)
    -> tensor<128x32xf32>
  %C = linalg.matmul
    ins(%A, %B : tensor<128x128xf32>, tensor<128x32xf32>)
    outs(%init : tensor<128x32xf32>) -> tensor<128x32xf32>
  return %C : tensor<128x32xf32>
}
func.func @main(%A: tensor<128x128xf32>, %D: tensor<128x32xf32>)
    -> tensor<128x32xf32> attributes {baco.no_tune} {
  %weights = arith.constant dense_resource<__elided__> : tensor<128x128xf32>
  %product = call @first(%A, %weights)
    : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
  %empty = tensor.empty() : tensor<128x128xf32>
  %sum = linalg.add
    ins(%product, %A : tensor<128x128xf32>, tensor<128x128xf32>)
    outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %x = call @second(%sum, %D)
    : (tensor<128x128xf32>, tensor<128x32xf32>) -> tensor<128x32xf32>
  %y = call @second(%sum, %x)
    : (tensor<128x128xf32>, tensor<128x32xf32>) -> tensor<128x32xf32>
  %result = call @second(%sum, %y)
    : (tensor<128x128xf32>, tensor<128x32xf32>) -> tensor<128x32xf32>
  return %result : tensor<128x32xf32>
}
