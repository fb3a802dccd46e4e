// RUN: baco-opt %s --baco-keep-calls | FileCheck %s
// RUN: baco-opt %s --baco-lower-to-cpu | %stock-mlir-translate --mlir-to-llvmir \
// RUN:   | FileCheck %s --check-prefix=LLVM

// A program calls kernels, twice the same one.
// CHECK: llvm.func @kernel({{.*}}) attributes {no_inline}
// LLVM: define void @kernel({{.*}}) #[[KEPT:[0-9]+]]
llvm.func @kernel(%n: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%n : i64)
^loop(%i: i64):
  %j = llvm.sub %i, %one : i64
  %more = llvm.icmp "sgt" %j, %one : i64
  llvm.cond_br %more, ^loop(%j : i64), ^end
^end:
  llvm.return
}

// CHECK: llvm.func @other({{.*}}) attributes {no_inline}
llvm.func @other(%n: i64) {
  llvm.br ^loop
^loop:
  llvm.br ^loop
}

// No loop: nothing to measure.
// CHECK: llvm.func @straight() {
llvm.func @straight() {
  llvm.return
}

// Inlining is worth most where a loop calls.
// CHECK: llvm.func @inner(%{{.*}}: i64) {
llvm.func @inner(%n: i64) {
  llvm.br ^loop
^loop:
  llvm.br ^loop
}

// CHECK: llvm.func @program(%{{.*}}: i64) {
llvm.func @program(%n: i64) {
  llvm.call @kernel(%n) : (i64) -> ()
  llvm.call @straight() : () -> ()
  llvm.call @other(%n) : (i64) -> ()
  llvm.call @kernel(%n) : (i64) -> ()
  llvm.call @inner(%n) : (i64) -> ()
  llvm.br ^loop
^loop:
  llvm.call @inner(%n) : (i64) -> ()
  llvm.br ^loop
}

// Kernels stand behind functions that pass their buffers on, and such a
// function has its only kernel inlined.
// CHECK: llvm.func @behind() {
llvm.func @behind() {
  llvm.br ^loop
^loop:
  llvm.br ^loop
}
// CHECK: llvm.func @wrapper() attributes {no_inline}
llvm.func @wrapper() {
  llvm.call @behind() : () -> ()
  llvm.return
}
// CHECK: llvm.func @caller(%{{.*}}: i64) {
llvm.func @caller(%n: i64) {
  llvm.call @wrapper() : () -> ()
  llvm.call @other(%n) : (i64) -> ()
  llvm.return
}

// CHECK: llvm.func @recursive() {
llvm.func @recursive() {
  llvm.call @recursive() : () -> ()
  llvm.call @straight() : () -> ()
  llvm.return
}

// Two that call each other have the loops of both.
// CHECK: llvm.func @first() attributes {no_inline}
llvm.func @first() {
  llvm.call @second() : () -> ()
  llvm.br ^loop
^loop:
  llvm.br ^loop
}
// CHECK: llvm.func @second() attributes {no_inline}
llvm.func @second() {
  llvm.call @first() : () -> ()
  llvm.return
}
// CHECK: llvm.func @both() {
llvm.func @both() {
  llvm.call @first() : () -> ()
  llvm.call @second() : () -> ()
  llvm.return
}

// The only one may belong to the function.
// CHECK: llvm.func @part(%{{.*}}: i64) {
llvm.func @part(%n: i64) {
  llvm.br ^loop
^loop:
  llvm.br ^loop
}
// CHECK: llvm.func @whole(%{{.*}}: i64) {
llvm.func @whole(%n: i64) {
  llvm.call @part(%n) : (i64) -> ()
  llvm.return
}

// LLVM: attributes #[[KEPT]] = {{.*}}noinline
