// Errors in --arg, one line each; exit code 1.
// RUN: %exits 1 baco-tune-driver %s --arg=update 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: arg: 'update' is not of the form FUNCTION:N=VALUE, such as f:0=512
// RUN: %exits 1 baco-tune-driver %s --arg= 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --arg: write FUNCTION:N=VALUE, such as f:0=512
// RUN: %exits 1 baco-tune-driver %s --arg=none:0=1 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: arg: no function '@none' with a body: there are '@update'; write update:
// RUN: %exits 1 baco-tune-driver %s --arg=update:9=1 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: arg: function '@update' has no argument '9': write a number from 0 to 2, or one of the names 'n', 'x', 'order'
// RUN: %exits 1 baco-tune-driver %s --arg=update:n=1.5 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: error: arg: argument n of '@update' can't be '1.5': the value must be an integer
// RUN: %exits 1 baco-tune-driver %s --arg=update:n=9..2 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %exits 1 baco-tune-driver %s --arg=update:n=99999999999999999999 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: error: arg: argument n of '@update' can't be '99999999999999999999': the value must be an integer
// RUN: %exits 1 baco-tune-driver %s --arg="update:order=uniform(1,2" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %exits 1 baco-tune-driver %s --arg="update:order=uniform(1,2,)" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %exits 1 baco-tune-driver %s --arg="update:order=uniform(1,nan)" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %exits 1 baco-tune-driver %s --arg="update:order=uniform(1,2,seed=1,seed=2)" 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: error: arg: argument {{n|order}} of '@update' can't be '{{.*}}': write a number, a range such as 0..99, a distribution such as uniform(0, 99), normal(0, 1) or below(100), or @FILE
// RUN: %exits 1 baco-tune-driver %s --arg=update:n=3000000000 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: arg: argument n of '@update' can't be '3000000000': the value does not fit into 'i32'
// RUN: %exits 1 baco-tune-driver %s --arg=update:x=1 2>&1 | FileCheck %s --check-prefix=FLOAT
// FLOAT: error: arg: argument x of '@update' can't be '1': one value is for a scalar; write a distribution of the elements
// RUN: %exits 1 baco-tune-driver %s --arg="update:x=below(9)" 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: error: arg: argument x of '@update' can't be 'below(9)': 'below' is for integers; write {uniform = [LEAST, GREATEST]}
// RUN: %exits 1 baco-tune-driver %s --arg="update:x=uniform(2, 1)" 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error: arg: argument x of '@update' can't be 'uniform(2, 1)': the range is empty
// RUN: %exits 1 baco-tune-driver %s --arg="update:x=normal(0)" 2>&1 | FileCheck %s --check-prefix=NORMAL
// RUN: %exits 1 baco-tune-driver %s --arg="update:x=normal(0,-1)" 2>&1 | FileCheck %s --check-prefix=NORMAL
// NORMAL: error: arg: argument x of '@update' can't be 'normal(0{{(,-1)?}})': 'normal' must be [MEAN, DEVIATION], two finite numbers, the second one at least 0
// RUN: %exits 1 baco-tune-driver %s --arg="update:x=poisson(1,2)" 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: arg: argument x of '@update' can't be 'poisson(1,2)': the dictionary must have one of 'uniform', 'normal', 'below' and 'file', and may have a 'seed', which a file doesn't
// RUN: %exits 1 baco-tune-driver %s --arg="update:n=below(9)" 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: arg: argument n of '@update' can't be 'below(9)': an integer that is passed by value has a value or a range
// RUN: %exits 1 baco-tune-driver %s --arg=update:order=1 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: error: arg: argument order of '@update' can't be '1': one value is for a scalar; write the range of the elements

// Values with which nothing is executed, or too much.
// RUN: %exits 1 baco-tune-driver %s --arg=update:0=0 --output-dir=%t %quick 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: %exits 1 baco-tune-driver %s --arg=update:0=-7 --output-dir=%t %quick 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: the kernel changes no output with {{0|-7}} for argument 0; give other values by --arg=update:0=VALUE
// RUN: %exits 1 baco-tune-driver %s --arg=update:0=201 --output-dir=%t %quick 2>&1 | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: error: the kernel leaves its bounds with 201 for argument 0: {{.*}}argument-text-errors.mlir:{{[0-9]+}}:10: 'memref.load' in memref<200xf64> at [200]; the largest value that is known to be good is that of --arg=update:0=200
func.func @update(%n: i32, %x: memref<200xf64>, %order: memref<200xi32>) {
  %end = arith.index_cast %n : i32 to index
  affine.for %i = 0 to %end {
    %0 = affine.load %x[%i] : memref<200xf64>
    %1 = arith.addf %0, %0 : f64
    affine.store %1, %x[%i] : memref<200xf64>
  }
  affine.for %i = 0 to %end {
    %0 = affine.load %order[%i] : memref<200xi32>
    %1 = arith.addi %0, %0 : i32
    affine.store %1, %order[%i] : memref<200xi32>
  }
  return
}
