// Before several kernels are tuned, a plan says which. --top and --share leave
// out those that take little of the time, which stay as they are.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=3 --output-dir=%t %compared 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: baco-tune-driver %s --budget=3 --output-dir=%t %compared --top=1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ONE --implicit-check-not="{{^(small|middle)}}"
// RUN: FileCheck %s --check-prefix=TUNED --input-file=%t/plan.tuned.mlir
// RUN: baco-tune-driver %s --budget=3 --output-dir=%t %compared --share=98% 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWO --implicit-check-not="{{^small}}"
// RUN: baco-opt %s --baco-autotune="budget=3 top=1 trial-time=2 final-time=10" \
// RUN:   2>&1 | FileCheck %s --check-prefix=PASS --implicit-check-not="tuned 'small'"
// RUN: %exits 1 baco-tune-driver %s --share=200% 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %exits 1 baco-tune-driver %s --share=most 2>&1 | FileCheck %s --check-prefix=ERROR

// ALL:      plan: 3 of 3 different kernels (4 functions), about {{[0-9.]+}} s
// ALL-NEXT:   large    {{[0-9.]+}} % of the time (estimate), in 2 functions, 6 calls{{$}}
// ALL-NEXT:   middle   {{ *[0-9.]+}} % of the time (estimate), 1 call{{$}}
// ALL-NEXT:   small    {{ *[0-9.]+}} % of the time (estimate), 1 call{{$}}
// ALL:      small (1 of 3)  measuring
// ALL:      large (2 of 3)  measuring
// ALL:      middle (3 of 3)  measuring
// ALL:      {{final (comparison|measurement)}}
// After it a table says what came of it; --verbose has the details.
// ALL:      kernel calls plain default tuned over plain over default kept
// ALL-NEXT: small      1 {{.*}}x
// ALL-NEXT: large      3 {{.*}}x
// ALL-NEXT: twin       3 {{.*}}x as large{{$}}
// ALL-NEXT: middle     1 {{.*}}x
// ALL-NEXT: total        {{.*}}x
// ALL-NEXT: {{[0-9]+}} evaluations in {{.*}} s: set-up {{.*}} s, trials {{.*}} s, finals {{.*}} s{{$}}
// ALL-NOT:  over the default
// ALL:      wrote

// ONE:      plan: 1 of 3 different kernels (4 functions)
// ONE-NEXT:   large {{.*}}, 6 calls{{$}}
// ONE-NEXT:   middle {{.*}}, stays as it is{{$}}
// ONE-NEXT:   small {{.*}}, stays as it is{{$}}
// ONE-NEXT: large  measuring
// One kernel has no table.
// ONE:      large: 3 evaluations
// ONE:      twin: the same kernel as large
// TUNED-LABEL: func.func @small
// TUNED:         linalg.matmul
// TUNED-LABEL: func.func @large
// TUNED-NOT:     linalg.matmul
// TUNED-LABEL: func.func @middle
// TUNED:         linalg.matmul

// TWO:      plan: 2 of 3 different kernels
// TWO:      large (1 of 2)  measuring
// TWO:      middle (2 of 2)  measuring

// PASS: remark: tuned 'large'
// ERROR: error: share must be a percentage above 0 and up to 100, but is '{{200%|most}}'
func.func @small(%A: memref<16x16xf32>, %C: memref<16x16xf32>) {
  linalg.matmul ins(%A, %A : memref<16x16xf32>, memref<16x16xf32>) outs(%C : memref<16x16xf32>)
  return
}
func.func @large(%A: memref<128x128xf32>, %C: memref<128x128xf32>) {
  linalg.matmul ins(%A, %A : memref<128x128xf32>, memref<128x128xf32>) outs(%C : memref<128x128xf32>)
  return
}
func.func @twin(%A: memref<128x128xf32>, %C: memref<128x128xf32>) {
  linalg.matmul ins(%A, %A : memref<128x128xf32>, memref<128x128xf32>) outs(%C : memref<128x128xf32>)
  return
}
func.func @middle(%A: memref<64x64xf32>, %C: memref<64x64xf32>) {
  linalg.matmul ins(%A, %A : memref<64x64xf32>, memref<64x64xf32>) outs(%C : memref<64x64xf32>)
  return
}
func.func @repeats(%A: memref<128x128xf32>, %C: memref<128x128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @twin(%A, %C) : (memref<128x128xf32>, memref<128x128xf32>) -> ()
    func.call @large(%A, %C) : (memref<128x128xf32>, memref<128x128xf32>) -> ()
  }
  return
}
