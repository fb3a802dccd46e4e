// An argument can have the contents of a file of numpy.save: in all checks, and
// as a part of the study.
// RUN: rm -rf %t && mkdir -p %t/sub
// RUN: %python %S/Inputs/write-npy.py %t/same.npy '<i4' 200 'range(200)'
// RUN: %python %S/Inputs/write-npy.py %t/sub/x.npy '<i4' 200 'range(200)'
// RUN: %python %S/Inputs/write-npy.py %t/turned.npy '<i4' 200 'range(199, -1, -1)'

// What assumes that elements are copied in order is right with one file, and
// wrong with the other one.
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t/1 %quick \
// RUN:   --arg=gather:order=@%t/same.npy 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAME --input-file=%t/1/input-files.trials.jsonl
// RUN: baco-tune-driver %s --optimizer=exhaustive --output-dir=%t/2 %quick \
// RUN:   --arg=gather:1=@%t/turned.npy
// RUN: FileCheck %s --check-prefix=TURNED --input-file=%t/2/input-files.trials.jsonl
// RUN: not grep -r 'baco.input' %t/2/input-files.tuned.mlir

// CHECK: gather: 2 evaluations
// CHECK: {{^}} {{ *}}timed with the contents of same.npy for argument 1{{$}}
// SAME: "deed":0},"status":"ok"
// SAME-NEXT: "deed":1},"status":"ok"
// TURNED: "deed":0},"status":"ok"
// TURNED-NEXT: "deed":1},"status":"wrong-result",{{.*}}argument 2 differs

// The same contents are the same study, wherever they are; others aren't.
// RUN: cd %t/sub && baco-tune-driver %s --optimizer=exhaustive \
// RUN:   --output-dir=%t/1 %quick --arg=gather:1=@x.npy
// RUN: baco study list %t/1/input-files.baco.db | count 2
// RUN: cp %t/turned.npy %t/sub/x.npy
// RUN: cd %t/sub && baco-tune-driver %s --optimizer=exhaustive \
// RUN:   --output-dir=%t/1 %quick --arg=gather:1=@x.npy
// RUN: baco study list %t/1/input-files.baco.db | count 3

// In the file, names are relative to it.
// RUN: sed 's|memref<200xi32> //|memref<200xi32> {baco.input = {file = "turned.npy", hash = "other"}} //|' \
// RUN:   %s > %t/attribute.mlir
// RUN: cd %t/sub && baco-tune-driver %t/attribute.mlir \
// RUN:   --optimizer=exhaustive --output-dir=%t/3 %quick
// RUN: FileCheck %s --check-prefix=TURNED --input-file=%t/3/attribute.trials.jsonl
func.func @gather(%from: memref<200xf64>,
                  %order: memref<200xi32> // indices
                  , %to: memref<200xf64>) {
  affine.for %i = 0 to 200 {
    %0 = affine.load %order[%i] : memref<200xi32>
    %at = arith.index_cast %0 : i32 to index
    %1 = memref.load %from[%at] : memref<200xf64>
    affine.store %1, %to[%i] : memref<200xf64>
  }
  return
}

func.func private @in_order(%from: memref<200xf64>, %to: memref<200xf64>) {
  affine.for %i = 0 to 200 {
    %0 = affine.load %from[%i] : memref<200xf64>
    affine.store %0, %to[%i] : memref<200xf64>
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %kernel = transform.structured.match ops{["func.func"]}
        attributes{sym_name = "gather"} in %root
        : (!transform.any_op) -> !transform.any_op
    %op = transform.structured.match ops{["affine.for"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %load = transform.structured.match ops{["memref.load"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %store = transform.structured.match ops{["affine.store"]} in %kernel
        : (!transform.any_op) -> !transform.any_op
    %from = transform.get_operand %load[0]
        : (!transform.any_op) -> !transform.any_value
    %to = transform.get_operand %store[1]
        : (!transform.any_op) -> !transform.any_value
    %both = transform.merge_handles %from, %to : !transform.any_value
    transform.tune.alternatives<"deed"> {
    }, {
      transform.func.cast_and_call @in_order(%both) after %op
          : (!transform.any_op, !transform.any_value) -> !transform.any_op
    }
    transform.yield
  }
}
