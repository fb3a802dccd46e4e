// Where ranges don't show which values stay in bounds, runs do; and a kernel of
// which nothing is executed is refused.
// RUN: rm -rf %t
// RUN: not baco-tune-driver %s --budget=4 --output-dir=%t %quick --verbose 2>&1 \
// RUN:   | FileCheck %s

// CHECK-DAG: error: {{.*}}the kernel changes no output with 64 for argument 0; give other values by --arg=
// CHECK-DAG: triangle: {{[1-9][0-9]*}} evaluation{{s?$}}
// CHECK-DAG: timed with 64 for argument 0, verified with 33, 1, 0, {{.*}}too
// CHECK-DAG: gather: {{[1-9][0-9]*}} evaluation{{s?$}}
// CHECK-DAG: timed with 9 for argument 0, verified with 5, 1, 0, {{.*}}too

// i - j isn't negative.
func.func @triangle(%n: index, %a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      affine.for %k = 0 to 64 {
        %x = affine.load %a[%i - %j, %k] : memref<64x64xf32>
        %y = affine.load %c[%i, %k] : memref<64x64xf32>
        %z = arith.addf %x, %y : f32
        affine.store %z, %c[%i, %k] : memref<64x64xf32>
      }
    }
  }
  return
}

// The indices are 0 to 3.
func.func @gather(%n: index, %p: memref<9xindex>, %a: memref<4x64xf32>,
                  %c: memref<9x64xf32>) {
  affine.for %i = 0 to %n {
    affine.for %k = 0 to 64 {
      %j = affine.load %p[%i] : memref<9xindex>
      %x = memref.load %a[%j, %k] : memref<4x64xf32>
      affine.store %x, %c[%i, %k] : memref<9x64xf32>
    }
  }
  return
}

func.func @nothing(%n: index, %a: memref<64x64xf32>) {
  %x = arith.constant 1.0 : f32
  affine.for %i = 64 to %n {
    affine.for %j = 0 to 64 {
      affine.store %x, %a[%i, %j] : memref<64x64xf32>
    }
  }
  return
}
