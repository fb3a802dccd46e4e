// Chains of ops whose nests take turns row by row: with sizes that no vector
// divides, every candidate computes what the plain lowering does.
// RUN: rm -rf %t
// RUN: baco-tune-driver %s --budget=24 --output-dir=%t %quick --verbose | FileCheck %s
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS-DAG: "ahead":2{{.*}}"status":"ok"
// Nor is the search bound to take turns.
// TRIALS-DAG: "rows":0{{.*}}"status":"ok"

// CHECK: softmax: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: layernorm: {{[1-9][0-9]*}} evaluations{{$}}
// CHECK: two_chains: {{[1-9][0-9]*}} evaluations{{$}}

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#element = affine_map<(i) -> (i)>

func.func @softmax(%A: memref<33x41xf32>, %B: memref<33x41xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %largest = memref.alloc() : memref<33xf32>
  %sum = memref.alloc() : memref<33xf32>
  linalg.fill ins(%least : f32) outs(%largest : memref<33xf32>)
  linalg.generic {indexing_maps = [#both, #row],
                  iterator_types = ["parallel", "reduction"]}
    ins(%A : memref<33x41xf32>) outs(%largest : memref<33xf32>) {
  ^bb0(%a: f32, %m: f32):
    %r = arith.maxnumf %a, %m : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%A, %largest : memref<33x41xf32>, memref<33xf32>)
    outs(%B : memref<33x41xf32>) {
  ^bb0(%a: f32, %m: f32, %b: f32):
    %d = arith.subf %a, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  linalg.fill ins(%zero : f32) outs(%sum : memref<33xf32>)
  linalg.generic {indexing_maps = [#both, #row],
                  iterator_types = ["parallel", "reduction"]}
    ins(%B : memref<33x41xf32>) outs(%sum : memref<33xf32>) {
  ^bb0(%b: f32, %s: f32):
    %r = arith.addf %b, %s : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#row, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%sum : memref<33xf32>) outs(%B : memref<33x41xf32>) {
  ^bb0(%s: f32, %b: f32):
    %q = arith.divf %b, %s : f32
    linalg.yield %q : f32
  }
  memref.dealloc %largest : memref<33xf32>
  memref.dealloc %sum : memref<33xf32>
  return
}

func.func @layernorm(%A: memref<37x64xf64>, %scale: memref<64xf64>,
                  %shift: memref<64xf64>, %B: memref<37x64xf64>) {
  %zero = arith.constant 0.0 : f64
  %length = arith.constant 64.0 : f64
  %epsilon = arith.constant 1.0e-5 : f64
  %mean = memref.alloc() : memref<37xf64>
  %factor = memref.alloc() : memref<37xf64>
  linalg.fill ins(%zero : f64) outs(%mean : memref<37xf64>)
  linalg.generic {indexing_maps = [#both, #row],
                  iterator_types = ["parallel", "reduction"]}
    ins(%A : memref<37x64xf64>) outs(%mean : memref<37xf64>) {
  ^bb0(%a: f64, %s: f64):
    %r = arith.addf %a, %s : f64
    linalg.yield %r : f64
  }
  linalg.generic {indexing_maps = [#element], iterator_types = ["parallel"]}
    outs(%mean : memref<37xf64>) {
  ^bb0(%s: f64):
    %r = arith.divf %s, %length : f64
    linalg.yield %r : f64
  }
  linalg.fill ins(%zero : f64) outs(%factor : memref<37xf64>)
  linalg.generic {indexing_maps = [#both, #row, #row],
                  iterator_types = ["parallel", "reduction"]}
    ins(%A, %mean : memref<37x64xf64>, memref<37xf64>)
    outs(%factor : memref<37xf64>) {
  ^bb0(%a: f64, %m: f64, %s: f64):
    %d = arith.subf %a, %m : f64
    %q = arith.mulf %d, %d : f64
    %r = arith.addf %q, %s : f64
    linalg.yield %r : f64
  }
  linalg.generic {indexing_maps = [#element], iterator_types = ["parallel"]}
    outs(%factor : memref<37xf64>) {
  ^bb0(%s: f64):
    %v = arith.divf %s, %length : f64
    %e = arith.addf %v, %epsilon : f64
    %r = math.rsqrt %e : f64
    linalg.yield %r : f64
  }
  linalg.generic {indexing_maps = [#both, #row, #row, #column, #column, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%A, %mean, %factor, %scale, %shift
        : memref<37x64xf64>, memref<37xf64>, memref<37xf64>,
          memref<64xf64>, memref<64xf64>)
    outs(%B : memref<37x64xf64>) {
  ^bb0(%a: f64, %m: f64, %f: f64, %g: f64, %h: f64, %b: f64):
    %d = arith.subf %a, %m : f64
    %n = arith.mulf %d, %f : f64
    %s = arith.mulf %n, %g : f64
    %r = arith.addf %s, %h : f64
    linalg.yield %r : f64
  }
  memref.dealloc %mean : memref<37xf64>
  memref.dealloc %factor : memref<37xf64>
  return
}

// The second chain needs all rows of the first; both are found in one function.
func.func @two_chains(%A: memref<30x50xf32>, %B: memref<30x50xf32>,
                      %C: memref<50x30xf32>, %D: memref<50x30xf32>) {
  %t = memref.alloc() : memref<30x50xf32>
  linalg.exp ins(%A : memref<30x50xf32>) outs(%t : memref<30x50xf32>)
  linalg.add ins(%A, %t : memref<30x50xf32>, memref<30x50xf32>)
             outs(%B : memref<30x50xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #both],
                  iterator_types = ["parallel", "parallel"]}
    ins(%B : memref<30x50xf32>) outs(%C : memref<50x30xf32>) {
  ^bb0(%b: f32, %c: f32):
    %r = arith.mulf %b, %b : f32
    linalg.yield %r : f32
  }
  linalg.mul ins(%C, %C : memref<50x30xf32>, memref<50x30xf32>)
             outs(%D : memref<50x30xf32>)
  linalg.sub ins(%D, %C : memref<50x30xf32>, memref<50x30xf32>)
             outs(%D : memref<50x30xf32>)
  memref.dealloc %t : memref<30x50xf32>
  return
}
