// Values that the options of the pass don't have.
// RUN: not baco-opt %s --baco-autotune="budget=0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BUDGET
// RUN: not baco-opt %s --baco-autotune="optimizer=best" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not baco-opt %s --baco-autotune="evaluator=replay:%t.absent" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REPLAY
// RUN: not baco-opt %s --baco-autotune="schedule=%t.absent" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SCHEDULE
// RUN: not baco-opt %s --baco-autotune="entry=other" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ENTRY
// RUN: not baco-opt %s --baco-autotune="host=cores=4" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HOST
// RUN: not baco-opt %s --baco-autotune="tolerance=-1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TOLERANCE
// RUN: not baco-opt %s --baco-autotune="worker=/bin/true" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WORKER
// RUN: not baco-opt %s --baco-autotune="db=/dev/null/x" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DATABASE
// RUN: not baco-opt %s --baco-autotune="stop=cost(" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STOP
// RUN: not baco-opt %s --baco-autotune="time-limit=-1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TIME
// RUN: not baco-opt %s --baco-autotune="caches=warm" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CACHES
// RUN: not baco-opt %s --baco-autotune="trial-time=0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TRIAL
// RUN: not baco-opt %s --baco-autotune="final-time=-1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FINAL
// RUN: not baco-opt %s --baco-autotune="cpu=100000" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CPU
// RUN: not baco-opt %s --baco-autotune="in-flight=0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FLIGHT
// RUN: not baco-opt %s --baco-autotune="memory-limit=0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MEMORY
// RUN: not baco-opt %s --baco-autotune="setup-timeout=0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SETUP
// RUN: not baco-opt %s --baco-autotune="run-timeout=-1" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RUN-TIMEOUT

// BUDGET:    autotune-options-errors.mlir:61:1: error: the budget must be at least 1 evaluation
// OPTIMIZER: autotune-options-errors.mlir:61:1: error: unknown search technique 'best'
// REPLAY:    autotune-options-errors.mlir:61:1: error: cannot read '{{.*}}.absent': No such file or directory
// SCHEDULE:  error: schedule: cannot open input file '{{.*}}.absent': No such file or directory
// ENTRY:     error: no function '@other' to run: there are '@
// HOST:      error: host: unknown key 'cores'
// TOLERANCE: autotune-options-errors.mlir:61:1: error: the tolerance must be 0 to 1e9 times the rounding error bound
// WORKER:    autotune-options-errors.mlir:61:1: error: worker '/bin/true' exited with code 0 while it was set up
// DATABASE:  autotune-options-errors.mlir:61:1: error: cannot make database '/dev/null/x': Not a directory
// STOP:      autotune-options-errors.mlir:61:1: error: stop condition: in 'cost(', column 6: expected a number
// TIME:      autotune-options-errors.mlir:61:1: error: the time limit must be a number of seconds, or 0 for none
// CACHES:    error: caches must be hot or flushed, but is 'warm'
// TRIAL:     autotune-options-errors.mlir:61:1: error: the time of a trial must be positive
// FINAL:     autotune-options-errors.mlir:61:1: error: the time of the final comparison must be 0, or positive
// FLIGHT:    autotune-options-errors.mlir:61:1: error: the number of candidates in flight must be 1 to 1024, but is 0
// MEMORY:    autotune-options-errors.mlir:61:1: error: the memory limit must be 1 to
// SETUP:     autotune-options-errors.mlir:61:1: error: the set-up time-out must be positive
// RUN-TIMEOUT: autotune-options-errors.mlir:61:1: error: the run time-out must be positive
// CPU:       autotune-options-errors.mlir:61:1: error: CPU 100000 cannot be measured

func.func @tiny(%A: memref<32x32xf32>, %B: memref<32x32xf32>,
                %C: memref<32x32xf32>) {
  linalg.matmul {baco.recipe = #baco.recipe<[#baco.tile<sizes = [#baco.knob<"MR", #baco.ordinal<[2, 4]>>, 0, 0]>]>}
                ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>)
                outs(%C : memref<32x32xf32>)
  return
}
