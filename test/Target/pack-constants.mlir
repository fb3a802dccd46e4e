// Copies of constant arguments are made before the first call: by the compiler
// where all calls pass constants, else by NAME_prepare.

// RUN: baco-opt %s --baco-pack-constants --split-input-file | FileCheck %s
// RUN: baco-opt %s --baco-pack-constants=packing=global --split-input-file \
// RUN: | FileCheck %s --check-prefix=GLOBAL
// RUN: baco-opt %s --baco-pack-constants --split-input-file --remarks-filter=constants 2>&1 >/dev/null \
// RUN: | FileCheck %s --check-prefixes=REMARK,WARNING
// RUN: not baco-opt %s --baco-lower-to-cpu=packing=heap --split-input-file 2>&1 \
// RUN: | FileCheck %s --check-prefix=VALUE
// VALUE: for the --packing option: Cannot find option named 'heap'!

// Columns 0 and 1, and 2 and 3, in buffers of 16 bytes, 64 bytes apart. The
// weights themselves are gone. The loop over @repeat doesn't matter for the
// contents.
// REMARK: pack-constants.mlir:{{.*}}: remark: [Passed] ConstantCopies | Category:constants | Function=kernel | bytes=128
// CHECK-DAG: memref.global "private" constant @kernel_packed : memref<128xi8> = dense_resource<kernel_fill> {alignment = 64 : i64}
// CHECK-DAG: memref.global "private" constant @kernel_packed_0 : memref<128xi8> = dense_resource<kernel_fill_1>
// CHECK-NOT: memref.global
// CHECK-LABEL: func.func private @kernel(
// CHECK-SAME:    %[[OUT:.*]]: memref<2x2xi32>, %[[COPIES:.*]]: memref<128xi8>) {
// CHECK:         scf.for %{{.*}} =
// CHECK-NEXT:      scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %[[TWO:.*]] {
// CHECK-NOT:         scf.for
// CHECK:             %[[NUMBER:.*]] = arith.divui %[[J]], %[[TWO]] : index
// CHECK:             %[[PLACE:.*]] = arith.muli %[[NUMBER]], %{{.*}} : index
// CHECK:             %[[PANEL:.*]] = memref.view %[[COPIES]][%[[PLACE]]][] : memref<128xi8> to memref<2x2xi32>
// CHECK-NEXT:        memref.copy %[[PANEL]], %[[OUT]]
// CHECK-NOT:       alloc
// CHECK-LABEL: func.func @network(
// CHECK-SAME:    %[[A:.*]]: memref<2x2xi32>, %[[B:.*]]: memref<2x2xi32>)
// CHECK-DAG:     %[[FIRST:.*]] = memref.get_global @kernel_packed : memref<128xi8>
// CHECK-DAG:     call @kernel(%[[A]], %[[FIRST]])
// CHECK-DAG:     %[[SECOND:.*]] = memref.get_global @kernel_packed_0 : memref<128xi8>
// CHECK-DAG:     call @kernel(%[[B]], %[[SECOND]])
// CHECK:       dialect_resources
// CHECK:         kernel_fill: "0x40000000
// CHECK-SAME:      01000000020000000500000006000000000000000000000000000000000000000000000000000000
// CHECK-SAME:      00000000000000000000000000000000000000000000000003000000040000000700000008000000

memref.global "private" constant @weights : memref<2x4xi32> = dense<[[1, 2, 3, 4], [5, 6, 7, 8]]>
memref.global "private" constant @others : memref<2x4xi32> = dense<9>

func.func private @kernel(%w: memref<2x4xi32> {baco.constant}, %out: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %panel = memref.alloc() {alignment = 64 : i64, baco.copy} : memref<2x2xi32>
  scf.for %repeat = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c2 {
      scf.for %i = %c0 to %c2 step %c1 {
        scf.for %k = %c0 to %c2 step %c1 {
          %column = arith.addi %j, %k : index
          %x = memref.load %w[%i, %column] : memref<2x4xi32>
          memref.store %x, %panel[%i, %k] : memref<2x2xi32>
        }
      }
      memref.copy %panel, %out : memref<2x2xi32> to memref<2x2xi32>
    }
  }
  memref.dealloc %panel : memref<2x2xi32>
  return
}

func.func @network(%a: memref<2x2xi32>, %b: memref<2x2xi32>) {
  %weights = memref.get_global @weights : memref<2x4xi32>
  call @kernel(%weights, %a) : (memref<2x4xi32>, memref<2x2xi32>) -> ()
  %others = memref.get_global @others : memref<2x4xi32>
  call @kernel(%others, %b) : (memref<2x4xi32>, memref<2x2xi32>) -> ()
  return
}

// -----

// A program that has the weights only when it runs calls three functions.
// CHECK-LABEL: func.func private @f_fill(
// CHECK-SAME:    %[[W:.*]]: memref<8xf32>, %[[ALL:.*]]: memref<256xi8>) {
// CHECK:         scf.for
// CHECK:           %[[PANEL:.*]] = memref.view %[[ALL]]
// CHECK:           scf.for
// CHECK:             %[[X:.*]] = memref.load %[[W]]
// CHECK-NEXT:        memref.store %[[X]], %[[PANEL]]
// CHECK-LABEL: func.func @f_prepare(
// CHECK-SAME:    %[[W:.*]]: memref<8xf32>) -> memref<256xi8> attributes {llvm.emit_c_interface} {
// CHECK-NEXT:    %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
// CHECK-NEXT:    call @f_fill(%[[W]], %[[ALL]])
// CHECK-NEXT:    return %[[ALL]]
// CHECK-LABEL: func.func @f_release(
// CHECK-NEXT:    memref.dealloc
// CHECK-LABEL: func.func @f_tuned(
// CHECK-SAME:    %{{.*}}: memref<8xf32>, %[[OUT:.*]]: memref<8xf32>, %[[ALL:.*]]: memref<256xi8>)
// CHECK-NOT:     alloc
// CHECK:         %[[PANEL:.*]] = memref.view %[[ALL]]
// CHECK-NOT:     alloc
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[W:.*]]: memref<8xf32>, %[[OUT:.*]]: memref<8xf32>)
// CHECK-NEXT:    %[[ALL:.*]] = memref.alloc()
// CHECK-NEXT:    call @f_fill(%[[W]], %[[ALL]])
// CHECK-NEXT:    call @f_tuned(%[[W]], %[[OUT]], %[[ALL]])
// CHECK-NEXT:    memref.dealloc %[[ALL]]

// GLOBAL: memref.global "private" @__baco_packed_f : memref<256xi8> = uninitialized {alignment = 64 : i64}
// GLOBAL-LABEL: func.func @__baco_prepare_f(
// GLOBAL-SAME:    %[[W:.*]]: memref<8xf32>, %{{.*}}: memref<8xf32>) attributes {llvm.emit_c_interface} {
// GLOBAL:         memref.get_global @__baco_packed_f
// GLOBAL:         memref.load %[[W]]
// GLOBAL-LABEL: func.func @f(
// GLOBAL-SAME:    %{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32>) {
// GLOBAL-NEXT:    %[[ALL:.*]] = memref.get_global @__baco_packed_f
// GLOBAL:         memref.view %[[ALL]]

func.func @f(%w: memref<8xf32> {baco.constant}, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %panel = memref.alloc() {baco.copy} : memref<2xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %first = arith.muli %i, %c2 : index
    scf.for %k = %c0 to %c2 step %c1 {
      %place = arith.addi %first, %k : index
      %x = memref.load %w[%place] : memref<8xf32>
      memref.store %x, %panel[%k] : memref<2xf32>
    }
    scf.for %k = %c0 to %c2 step %c1 {
      %place = arith.addi %first, %k : index
      %x = memref.load %panel[%k] : memref<2xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %out[%place] : memref<8xf32>
    }
  }
  memref.dealloc %panel : memref<2xf32>
  return
}

// -----

// Copies of other data, and what isn't a copy, stay: a buffer that depends on a
// scalar, one that is read before it is filled, and one that is filled from an
// argument that changes.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-3: memref.alloc
// CHECK-NOT:     memref.view

func.func @others(%w: memref<8xf32> {baco.constant}, %x: memref<8xf32>, %n: index, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() {baco.copy} : memref<1xf32>
  %b = memref.alloc() {baco.copy} : memref<1xf32>
  %c = memref.alloc() {baco.copy} : memref<1xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %place = arith.addi %n, %i : index
    %0 = memref.load %w[%place] : memref<8xf32>
    memref.store %0, %a[%c0] : memref<1xf32>
    %1 = memref.load %a[%c0] : memref<1xf32>
    memref.store %1, %out[] : memref<f32>
    %2 = memref.load %b[%c0] : memref<1xf32>
    memref.store %2, %out[] : memref<f32>
    %3 = memref.load %w[%i] : memref<8xf32>
    memref.store %3, %b[%c0] : memref<1xf32>
    %4 = memref.load %x[%i] : memref<8xf32>
    memref.store %4, %c[%c0] : memref<1xf32>
    %5 = memref.load %c[%c0] : memref<1xf32>
    memref.store %5, %out[] : memref<f32>
  }
  memref.dealloc %a : memref<1xf32>
  memref.dealloc %b : memref<1xf32>
  memref.dealloc %c : memref<1xf32>
  return
}

// -----

// The data of one call aren't known, so that each call copies.
// WARNING: pack-constants.mlir:[[#]]:1: warning: copies of constants are made in each call: their data aren't known to the compiler
// REMARK: [Missed] ConstantCopies | Category:constants | Function=g | bytes=64
// CHECK-LABEL: func.func private @g(
// CHECK:         memref.alloc

func.func private @g(%w: memref<1xf32> {baco.constant}, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {baco.copy} : memref<1xf32>
  %0 = memref.load %w[%c0] : memref<1xf32>
  memref.store %0, %a[%c0] : memref<1xf32>
  %1 = memref.load %a[%c0] : memref<1xf32>
  memref.store %1, %out[] : memref<f32>
  memref.dealloc %a : memref<1xf32>
  return
}

func.func @caller(%w: memref<1xf32>, %out: memref<f32>) {
  call @g(%w, %out) : (memref<1xf32>, memref<f32>) -> ()
  return
}

// -----

// A constant that the function itself reads.
// CHECK-NOT:   @weights
// CHECK:       memref.global "private" constant @own_packed : memref<128xi8> = dense_resource<own_fill>
// CHECK-NOT:   @weights
// CHECK-LABEL: func.func @own(
// CHECK-NEXT:    %[[COPIES:.*]] = memref.get_global @own_packed
// CHECK:         %[[PANEL:.*]] = memref.view %[[COPIES]]
// CHECK-NEXT:    memref.load %[[PANEL]]
// CHECK:         own_fill: "0x400000000A000000{{0+}}14000000{{0+}}"

memref.global "private" constant @weights : memref<2xi32> = dense<[10, 20]>

func.func @own(%out: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = memref.get_global @weights : memref<2xi32>
  %a = memref.alloc() {baco.copy} : memref<1xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    %0 = memref.load %w[%i] : memref<2xi32>
    memref.store %0, %a[%c0] : memref<1xi32>
    %1 = memref.load %a[%c0] : memref<1xi32>
    memref.store %1, %out[%i] : memref<2xi32>
  }
  memref.dealloc %a : memref<1xi32>
  return
}

// -----

// The data are elided: each call copies.
// WARNING: pack-constants.mlir:[[#]]:1: warning: copies of constants are made in each call: their data aren't known to the compiler
// CHECK-LABEL: func.func @elided(
// CHECK:         memref.alloc

memref.global "private" constant @missing : memref<1xi32> = dense_resource<__elided__>
func.func @elided(%out: memref<i32>) {
  %c0 = arith.constant 0 : index
  %w = memref.get_global @missing : memref<1xi32>
  %a = memref.alloc() {baco.copy} : memref<1xi32>
  %0 = memref.load %w[%c0] : memref<1xi32>
  memref.store %0, %a[%c0] : memref<1xi32>
  %1 = memref.load %a[%c0] : memref<1xi32>
  memref.store %1, %out[] : memref<i32>
  memref.dealloc %a : memref<1xi32>
  return
}

// -----

// Functions of the module call a public one with constants, and programs may call it, too: @product gets its three
// functions, and its callers in the module call the code of the schedule with copies that the compiler makes.
// CHECK-DAG:   memref.global "private" constant @product_buffers_packed : memref<64xi8> = dense_resource<product_buffers_fill>
// CHECK-DAG:   memref.global "private" constant @product_buffers_packed_0 : memref<64xi8> = dense_resource<product_buffers_fill_1>
// CHECK-LABEL: func.func private @product_buffers(
// CHECK-SAME:    %{{.*}}: memref<i32>, %[[COPIES:.*]]: memref<64xi8>) {
// CHECK-NOT:     alloc
// CHECK:         memref.view %[[COPIES]]
// CHECK-LABEL: func.func @product_prepare(
// CHECK-LABEL: func.func @product_tuned(
// CHECK-NOT:     alloc
// CHECK:         return
// CHECK-LABEL: func.func @product(
// CHECK:         call @product_tuned(
// CHECK-LABEL: func.func @first(
// CHECK:         %[[FIRST:.*]] = memref.get_global @product_buffers_packed :
// CHECK-NEXT:    call @product_buffers(%{{.*}}, %[[FIRST]])
// CHECK-LABEL: func.func @second(
// CHECK:         %[[SECOND:.*]] = memref.get_global @product_buffers_packed_0 :
// CHECK-NEXT:    call @product_buffers(%{{.*}}, %[[SECOND]])
// CHECK-LABEL: func.func @passes(
// CHECK-NEXT:    call @product(

memref.global "private" constant @seven : memref<1xi32> = dense<7>
memref.global "private" constant @eight : memref<1xi32> = dense<8>

func.func private @product_buffers(%w: memref<1xi32> {baco.constant}, %out: memref<i32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {baco.copy} : memref<1xi32>
  %0 = memref.load %w[%c0] : memref<1xi32>
  memref.store %0, %a[%c0] : memref<1xi32>
  %1 = memref.load %a[%c0] : memref<1xi32>
  memref.store %1, %out[] : memref<i32>
  memref.dealloc %a : memref<1xi32>
  return
}

func.func @product(%w: memref<1xi32> {baco.constant}, %out: memref<i32>) {
  call @product_buffers(%w, %out) : (memref<1xi32>, memref<i32>) -> ()
  return
}

func.func @first(%out: memref<i32>) {
  %w = memref.get_global @seven : memref<1xi32>
  call @product(%w, %out) : (memref<1xi32>, memref<i32>) -> ()
  return
}

func.func @second(%out: memref<i32>) {
  %w = memref.get_global @eight : memref<1xi32>
  call @product(%w, %out) : (memref<1xi32>, memref<i32>) -> ()
  return
}

func.func @passes(%w: memref<1xi32>, %out: memref<i32>) {
  call @product(%w, %out) : (memref<1xi32>, memref<i32>) -> ()
  return
}

// -----

// Nobody has promised that the argument of @product is constant: its calls copy, and those in the module don't.
// CHECK:       memref.global "private" constant @product_buffers_packed : memref<64xi8>
// CHECK-LABEL: func.func private @product_buffers(
// CHECK-SAME:    %{{.*}}: memref<i32>, %[[COPIES:.*]]: memref<64xi8>) {
// CHECK-LABEL: func.func private @product_buffers_0(
// CHECK-SAME:    %[[W:.*]]: memref<1xi32>, %{{.*}}: memref<i32>) {
// CHECK:         memref.alloc
// CHECK-LABEL: func.func @product(
// CHECK:         call @product_buffers_0(
// CHECK-LABEL: func.func @first(
// CHECK:         %[[FIRST:.*]] = memref.get_global @product_buffers_packed :
// CHECK-NEXT:    call @product_buffers(%{{.*}}, %[[FIRST]])

memref.global "private" constant @seven : memref<1xi32> = dense<7>

func.func private @product_buffers(%w: memref<1xi32> {baco.constant}, %out: memref<i32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() {baco.copy} : memref<1xi32>
  %0 = memref.load %w[%c0] : memref<1xi32>
  memref.store %0, %a[%c0] : memref<1xi32>
  %1 = memref.load %a[%c0] : memref<1xi32>
  memref.store %1, %out[] : memref<i32>
  memref.dealloc %a : memref<1xi32>
  return
}

func.func @product(%w: memref<1xi32>, %out: memref<i32>) {
  call @product_buffers(%w, %out) : (memref<1xi32>, memref<i32>) -> ()
  return
}

func.func @first(%out: memref<i32>) {
  %w = memref.get_global @seven : memref<1xi32>
  call @product(%w, %out) : (memref<1xi32>, memref<i32>) -> ()
  return
}
