// The GPU that a module is tuned for: chips of the table, with their variants.
// RUN: baco-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: module attributes {baco.gpu_target = #nvvm.target<chip = "sm_90a", features = "+ptx80">}
module attributes {baco.gpu_target = #nvvm.target<chip = "sm_90a", features = "+ptx80">} {}

// -----

// expected-error @below {{'baco.gpu_target': chip 'sm_61' is unknown; it can be sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_100, sm_103, sm_120, sm_121}}
module attributes {baco.gpu_target = #nvvm.target<chip = "sm_61">} {}

// -----

// expected-error @below {{'baco.gpu_target' must be a #nvvm.target or an #opencl.target of a module}}
module attributes {baco.gpu_target = "sm_90"} {}

// -----

// expected-error @below {{'baco.gpu_target' must be a #nvvm.target or an #opencl.target of a module}}
func.func private @f() attributes {baco.gpu_target = #nvvm.target<chip = "sm_90">}
