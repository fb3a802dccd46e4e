// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{options} =
// DEFINE: %{apply} = not baco-opt %t/kernel.mlir --baco-apply="%{options}" 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not baco-opt %t/kernel.mlir --baco-apply 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: library: name a file, such as kernel.library.mlir
// REDEFINE: %{options} = library=x mode=melted
// RUN: %{apply} --check-prefix=MODE
// MODE: error: mode must be frozen, warn or tune, but is 'melted'
// REDEFINE: %{options} = library=%t/nothing.mlir
// RUN: %{apply} --check-prefix=FILE
// FILE: error: library: cannot open input file '{{.*}}nothing.mlir': No such file or directory
// REDEFINE: %{options} = library=%t/kernel.mlir
// RUN: %{apply} --check-prefix=NOLIBRARY
// NOLIBRARY: kernel.mlir{{.*}} error: not a tuned library: no transform.named_sequence has a 'baco.entry'
// Of files without an extension that says what they are meant to be.
// RUN: touch %t/empty.db && echo "SQLite for" > %t/short.db
// REDEFINE: %{options} = library=%t/empty.db
// RUN: %{apply} --check-prefix=NEITHER
// REDEFINE: %{options} = library=%t/short.db
// RUN: %{apply} --check-prefix=NEITHER
// NEITHER: {{^.*}}.db:1:1: error: neither a database nor a tuned library{{$}}
// REDEFINE: %{options} = library=%t/fields.mlir
// RUN: %{apply} --check-prefix=FIELDS
// FIELDS: fields.mlir:2:3: error: 'baco.entry' of '@f': 'outcome' must be "tuned", "default", "plain" or "untuned"
// RUN: sed 's/outcome = "best"/pipeline = "best"/; s/function = "f"/function = "f", outcome = "tuned"/' %t/fields.mlir > %t/pipeline.mlir
// REDEFINE: %{options} = library=%t/pipeline.mlir
// RUN: %{apply} --check-prefix=PIPELINE
// PIPELINE: error: {{.*}}'baco.entry' of '@f': 'pipeline' must be an integer
// RUN: sed 's/fingerprint = "0"/fingerprint = 1/' %t/fields.mlir > %t/function.mlir
// REDEFINE: %{options} = library=%t/function.mlir
// RUN: %{apply} --check-prefix=FUNCTION
// FUNCTION: error: {{.*}}'baco.entry' of '@f': 'fingerprint' must be a string
// RUN: sed 's/outcome = "best"/outcome = "tuned", shapes = "0=8x8,1"/' %t/fields.mlir > %t/shapes.mlir
// REDEFINE: %{options} = library=%t/shapes.mlir
// RUN: %{apply} --check-prefix=SHAPES
// SHAPES: error: {{.*}}'baco.entry' of '@f': 'shapes': '1' is not of the form N=EXTENTS, such as 0=512x64
// RUN: sed 's/shapes = "0=8x8,1"/shapes = "0=8x"/' %t/shapes.mlir > %t/extents.mlir
// REDEFINE: %{options} = library=%t/extents.mlir
// RUN: %{apply} --check-prefix=EXTENTS
// EXTENTS: error: {{.*}}'baco.entry' of '@f': 'shapes': extent '' in '8x' must be ?, or an integer from 1 to 2147483647 that may end with ?
// REDEFINE: %{options} = library=%t/kernel.mlir target-cpu=z80
// RUN: %{apply} --check-prefix=CPU
// CPU: error: target-cpu: LLVM knows no CPU 'z80'
// RUN: not baco-tune-driver %t/kernel.mlir --apply= 2>&1 | FileCheck %s --check-prefix=DRIVER
// DRIVER: error: --apply: library: name a file
// RUN: not baco-tune-driver %t/kernel.mlir --target-cpu=znver4 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: --apply-mode, --target-cpu and --check-times: give --apply, too

// A name with a line break makes no second line.
// RUN: baco-tune-driver %t/kernel.mlir --evaluator=static --budget=1 --output-dir=%t/out
// RUN: sed 's/@f(/@"f\\0Aerror: g"(/; s/32x/16x/g' %t/kernel.mlir > %t/break.mlir
// RUN: not baco-opt %t/break.mlir --baco-apply=library=%t/out/kernel.library.mlir 2>&1 | FileCheck %s --check-prefix=BREAK
// BREAK: error: no entry for 'f\0Aerror: g': that of 'f' in

// RUN: not baco-opt %t/attributes.mlir --split-input-file 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// ATTRIBUTE: 'baco.fingerprint' must be a string on a function; --baco-fingerprint sets it
// ATTRIBUTE: 'baco.entry' must be a dictionary on a transform.named_sequence

//--- kernel.mlir
func.func @f(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) {
  linalg.matmul ins(%A, %B : memref<32x32xf32>, memref<32x32xf32>) outs(%C : memref<32x32xf32>)
  return
}
//--- fields.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%m: !transform.any_op) attributes {baco.entry = {function = "f", fingerprint = "0", outcome = "best"}} {
    transform.yield
  }
}
//--- attributes.mlir
func.func private @f() attributes {baco.fingerprint = 1}
// -----
func.func private @f() attributes {baco.entry = {}}
