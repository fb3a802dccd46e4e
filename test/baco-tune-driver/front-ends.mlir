// A kernel of TOSA and linalg ops with elided weights and a global that it
// changes is tuned as it stands. The command in the schedule's head makes the
// tuned module of the file.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --interface=buffers --budget=3 --seed=1 --output-dir=%t %quick 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t/front-ends.schedule.mlir --check-prefix=SCHEDULE
// RUN: baco-opt %s --baco-lower-front-ends \
// RUN:   --transform-preload-library=transform-library-paths=%t/front-ends.schedule.mlir \
// RUN:   --transform-interpreter -o %t/replayed.mlir 2> /dev/null
// RUN: baco-opt %t/front-ends.tuned.mlir -o %t/tuned.mlir
// RUN: diff %t/tuned.mlir %t/replayed.mlir
// RUN: baco-opt %s --baco-autotune="budget=2 trial-time=2 final-time=10" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PASS
// RUN: baco-opt %t/front-ends.tuned.mlir --baco-lower-to-cpu \
// RUN:   | %stock-mlir-translate --mlir-to-llvmir -o /dev/null

// CHECK: {{/front-ends.mlir}}: remark: the elided data of 1 constant were made up, with a fixed seed; to keep your data, apply the schedule to the file with all data
// CHECK: {{/front-ends.mlir}}: remark: lowered 3 tosa ops to linalg
// CHECK: layer: 3 evaluations
// CHECK-NOT: failed
// CHECK: speed-up

// SCHEDULE: {{^}}//   baco-opt front-ends.mlir \
// SCHEDULE-NEXT: {{^}}//     --baco-lower-front-ends \

// PASS: remark: lowered 3 tosa ops to linalg
// PASS: remark: tuned 'layer' in 2 evaluations
// PASS-NOT: tosa

ml_program.global private mutable @count(3 : i64) : i64
ml_program.global private mutable @runs(dense<0.0> : tensor<32x80xf32>) : tensor<32x80xf32>

func.func @layer(%a: tensor<1x32x64xf32>) -> tensor<32x80xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w = arith.constant dense_resource<__elided__> : tensor<1x64x80xf32>
  %0 = tosa.matmul %a, %w, %zero, %zero : (tensor<1x32x64xf32>, tensor<1x64x80xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x32x80xf32>
  %1 = tosa.sigmoid %0 : (tensor<1x32x80xf32>) -> tensor<1x32x80xf32>
  %shape = tosa.const_shape {values = dense<[32, 80]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %2 = tosa.reshape %1, %shape : (tensor<1x32x80xf32>, !tosa.shape<2>) -> tensor<32x80xf32>
  %before = ml_program.global_load @runs : tensor<32x80xf32>
  %sum = linalg.add ins(%2, %before : tensor<32x80xf32>, tensor<32x80xf32>) outs(%before : tensor<32x80xf32>) -> tensor<32x80xf32>
  ml_program.global_store @runs = %sum : tensor<32x80xf32>
  %count = ml_program.global_load @count : i64
  %one = arith.constant 1 : i64
  %next = arith.addi %count, %one : i64
  ml_program.global_store @count = %next : i64
  return %sum : tensor<32x80xf32>
}
