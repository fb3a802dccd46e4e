// Kernels of which a rounding in the midst may change the results by far more
// than its own size: what each of their candidates computes is right all the
// same, on inputs on which the kernel is well conditioned, or within what other
// roundings were seen to do.
// RUN: rm -rf %t
// RUN: not baco-tune-driver %s --budget=16 --output-dir=%t %quick --verbose \
// RUN:   >%t.out 2>%t.err
// RUN: FileCheck %s --input-file=%t.out
// RUN: FileCheck %s --check-prefix=ERROR --input-file=%t.err
// RUN: cat %t/*.trials.jsonl | FileCheck %s --check-prefix=TRIALS \
// RUN:   --implicit-check-not='"status":"{{([^o]|o[^k])}}'

// TRIALS: "status":"ok"

// CHECK: durbin: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @durbin(%r: memref<40xf64>, %y: memref<40xf64>) {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %z = memref.alloc() : memref<40xf64>
  %beta = memref.alloc() : memref<f64>
  %alpha = memref.alloc() : memref<f64>
  %sum = memref.alloc() : memref<f64>
  %r0 = affine.load %r[0] : memref<40xf64>
  %n0 = arith.negf %r0 : f64
  affine.store %n0, %y[0] : memref<40xf64>
  affine.store %one, %beta[] : memref<f64>
  affine.store %n0, %alpha[] : memref<f64>
  affine.for %k = 1 to 40 {
    %a = affine.load %alpha[] : memref<f64>
    %b = affine.load %beta[] : memref<f64>
    %aa = arith.mulf %a, %a : f64
    %c = arith.subf %one, %aa : f64
    %b1 = arith.mulf %c, %b : f64
    affine.store %b1, %beta[] : memref<f64>
    affine.store %zero, %sum[] : memref<f64>
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %ri = affine.load %r[%k - %i - 1] : memref<40xf64>
      %yi = affine.load %y[%i] : memref<40xf64>
      %p = arith.mulf %ri, %yi : f64
      %s = affine.load %sum[] : memref<f64>
      %s1 = arith.addf %s, %p : f64
      affine.store %s1, %sum[] : memref<f64>
    }
    %rk = affine.load %r[%k] : memref<40xf64>
    %s = affine.load %sum[] : memref<f64>
    %t = arith.addf %rk, %s : f64
    %nt = arith.negf %t : f64
    %b2 = affine.load %beta[] : memref<f64>
    %a1 = arith.divf %nt, %b2 : f64
    affine.store %a1, %alpha[] : memref<f64>
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %a2 = affine.load %alpha[] : memref<f64>
      %yi = affine.load %y[%i] : memref<40xf64>
      %yk = affine.load %y[%k - %i - 1] : memref<40xf64>
      %p = arith.mulf %a2, %yk : f64
      %q = arith.addf %yi, %p : f64
      affine.store %q, %z[%i] : memref<40xf64>
    }
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %zi = affine.load %z[%i] : memref<40xf64>
      affine.store %zi, %y[%i] : memref<40xf64>
    }
    %a3 = affine.load %alpha[] : memref<f64>
    affine.store %a3, %y[%k] : memref<40xf64>
  }
  memref.dealloc %z : memref<40xf64>
  memref.dealloc %beta : memref<f64>
  memref.dealloc %alpha : memref<f64>
  memref.dealloc %sum : memref<f64>
  return
}

// CHECK: gramschmidt: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @gramschmidt(%A: memref<30x24xf64>, %R: memref<24x24xf64>, %Q: memref<30x24xf64>) {

  %zero = arith.constant 0.0 : f64
  %nrm = memref.alloc() : memref<f64>
  affine.for %k = 0 to 24 {
    affine.store %zero, %nrm[] : memref<f64>
    affine.for %i = 0 to 30 {
      %x = affine.load %A[%i, %k] : memref<30x24xf64>
      %p = arith.mulf %x, %x : f64
      %s = affine.load %nrm[] : memref<f64>
      %t = arith.addf %s, %p : f64
      affine.store %t, %nrm[] : memref<f64>
    }
    %s = affine.load %nrm[] : memref<f64>
    %q = math.sqrt %s : f64
    affine.store %q, %R[%k, %k] : memref<24x24xf64>
    affine.for %i = 0 to 30 {
      %x = affine.load %A[%i, %k] : memref<30x24xf64>
      %d = affine.load %R[%k, %k] : memref<24x24xf64>
      %y = arith.divf %x, %d : f64
      affine.store %y, %Q[%i, %k] : memref<30x24xf64>
    }
    affine.for %j = affine_map<(k) -> (k + 1)>(%k) to 24 {
      affine.store %zero, %R[%k, %j] : memref<24x24xf64>
      affine.for %i = 0 to 30 {
        %x = affine.load %Q[%i, %k] : memref<30x24xf64>
        %y = affine.load %A[%i, %j] : memref<30x24xf64>
        %p = arith.mulf %x, %y : f64
        %z = affine.load %R[%k, %j] : memref<24x24xf64>
        %t = arith.addf %z, %p : f64
        affine.store %t, %R[%k, %j] : memref<24x24xf64>
      }
      affine.for %i = 0 to 30 {
        %x = affine.load %Q[%i, %k] : memref<30x24xf64>
        %y = affine.load %R[%k, %j] : memref<24x24xf64>
        %p = arith.mulf %x, %y : f64
        %z = affine.load %A[%i, %j] : memref<30x24xf64>
        %t = arith.subf %z, %p : f64
        affine.store %t, %A[%i, %j] : memref<30x24xf64>
      }
    }
  }
  memref.dealloc %nrm : memref<f64>
  return
}

// CHECK: deriche: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @deriche(%in: memref<24x32xf32>, %out: memref<24x32xf32>, %y1: memref<24x32xf32>, %y2: memref<24x32xf32>) {

  %a1 = arith.constant 0.2 : f32
  %a2 = arith.constant -0.1 : f32
  %a3 = arith.constant 0.15 : f32
  %a4 = arith.constant -0.12 : f32
  %b1 = arith.constant 1.4 : f32
  %b2 = arith.constant -0.5 : f32
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 32 iter_args(%ym1 = %z, %ym2 = %z, %xm1 = %z) -> (f32, f32, f32) {
      %x = affine.load %in[%i, %j] : memref<24x32xf32>
      %p = arith.mulf %a1, %x : f32
      %q = arith.mulf %a2, %xm1 : f32
      %r = arith.mulf %b1, %ym1 : f32
      %s = arith.mulf %b2, %ym2 : f32
      %t0 = arith.addf %p, %q : f32
      %t1 = arith.addf %t0, %r : f32
      %t2 = arith.addf %t1, %s : f32
      affine.store %t2, %y1[%i, %j] : memref<24x32xf32>
      affine.yield %t2, %ym1, %x : f32, f32, f32
    }
  }
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 32 iter_args(%yp1 = %z, %yp2 = %z, %xp1 = %z, %xp2 = %z) -> (f32, f32, f32, f32) {
      %p = arith.mulf %a3, %xp1 : f32
      %q = arith.mulf %a4, %xp2 : f32
      %r = arith.mulf %b1, %yp1 : f32
      %s = arith.mulf %b2, %yp2 : f32
      %t0 = arith.addf %p, %q : f32
      %t1 = arith.addf %t0, %r : f32
      %t2 = arith.addf %t1, %s : f32
      affine.store %t2, %y2[%i, 31 - %j] : memref<24x32xf32>
      %x = affine.load %in[%i, 31 - %j] : memref<24x32xf32>
      affine.yield %t2, %yp1, %x, %xp1 : f32, f32, f32, f32
    }
  }
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 32 {
      %p = affine.load %y1[%i, %j] : memref<24x32xf32>
      %q = affine.load %y2[%i, %j] : memref<24x32xf32>
      %s = arith.addf %p, %q : f32
      affine.store %s, %out[%i, %j] : memref<24x32xf32>
    }
  }
  return
}

// CHECK: adi: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @adi(%u: memref<24x24xf64>, %v: memref<24x24xf64>, %p: memref<24x24xf64>, %q: memref<24x24xf64>) {

  %a = arith.constant -0.5 : f64
  %b = arith.constant 2.0 : f64
  %c = arith.constant -0.5 : f64
  %d = arith.constant -0.25 : f64
  %e = arith.constant 1.5 : f64
  %f = arith.constant -0.25 : f64
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 23 {
      affine.store %one, %v[0, %i] : memref<24x24xf64>
      affine.store %zero, %p[%i, 0] : memref<24x24xf64>
      %v0 = affine.load %v[0, %i] : memref<24x24xf64>
      affine.store %v0, %q[%i, 0] : memref<24x24xf64>
      affine.for %j = 1 to 23 {
        %p1 = affine.load %p[%i, %j - 1] : memref<24x24xf64>
        %ap = arith.mulf %a, %p1 : f64
        %den = arith.addf %ap, %b : f64
        %nc = arith.negf %c : f64
        %pn = arith.divf %nc, %den : f64
        affine.store %pn, %p[%i, %j] : memref<24x24xf64>
        %um = affine.load %u[%j, %i - 1] : memref<24x24xf64>
        %u0 = affine.load %u[%j, %i + 0] : memref<24x24xf64>
        %up = affine.load %u[%j, %i + 1] : memref<24x24xf64>
        %dm = arith.mulf %d, %um : f64
        %e0 = arith.mulf %e, %u0 : f64
        %fp = arith.mulf %f, %up : f64
        %s0 = arith.subf %e0, %dm : f64
        %s1 = arith.subf %s0, %fp : f64
        %q1 = affine.load %q[%i, %j - 1] : memref<24x24xf64>
        %aq = arith.mulf %a, %q1 : f64
        %s2 = arith.subf %s1, %aq : f64
        %qn = arith.divf %s2, %den : f64
        affine.store %qn, %q[%i, %j] : memref<24x24xf64>
      }
      affine.store %one, %v[23, %i] : memref<24x24xf64>
      affine.for %jj = 1 to 23 {
        %pj = affine.load %p[%i, 23 - %jj] : memref<24x24xf64>
        %vj = affine.load %v[24 - %jj, %i] : memref<24x24xf64>
        %qj = affine.load %q[%i, 23 - %jj] : memref<24x24xf64>
        %x = arith.mulf %pj, %vj : f64
        %y = arith.addf %x, %qj : f64
        affine.store %y, %v[23 - %jj, %i] : memref<24x24xf64>
      }
    }
    affine.for %i = 1 to 23 {
      affine.store %one, %u[%i, 0] : memref<24x24xf64>
      affine.store %zero, %p[%i, 0] : memref<24x24xf64>
      %v0 = affine.load %u[%i, 0] : memref<24x24xf64>
      affine.store %v0, %q[%i, 0] : memref<24x24xf64>
      affine.for %j = 1 to 23 {
        %p1 = affine.load %p[%i, %j - 1] : memref<24x24xf64>
        %ap = arith.mulf %a, %p1 : f64
        %den = arith.addf %ap, %b : f64
        %nc = arith.negf %c : f64
        %pn = arith.divf %nc, %den : f64
        affine.store %pn, %p[%i, %j] : memref<24x24xf64>
        %um = affine.load %v[%i - 1, %j] : memref<24x24xf64>
        %u0 = affine.load %v[%i + 0, %j] : memref<24x24xf64>
        %up = affine.load %v[%i + 1, %j] : memref<24x24xf64>
        %dm = arith.mulf %d, %um : f64
        %e0 = arith.mulf %e, %u0 : f64
        %fp = arith.mulf %f, %up : f64
        %s0 = arith.subf %e0, %dm : f64
        %s1 = arith.subf %s0, %fp : f64
        %q1 = affine.load %q[%i, %j - 1] : memref<24x24xf64>
        %aq = arith.mulf %a, %q1 : f64
        %s2 = arith.subf %s1, %aq : f64
        %qn = arith.divf %s2, %den : f64
        affine.store %qn, %q[%i, %j] : memref<24x24xf64>
      }
      affine.store %one, %u[%i, 23] : memref<24x24xf64>
      affine.for %jj = 1 to 23 {
        %pj = affine.load %p[%i, 23 - %jj] : memref<24x24xf64>
        %vj = affine.load %u[%i, 24 - %jj] : memref<24x24xf64>
        %qj = affine.load %q[%i, 23 - %jj] : memref<24x24xf64>
        %x = arith.mulf %pj, %vj : f64
        %y = arith.addf %x, %qj : f64
        affine.store %y, %u[%i, 23 - %jj] : memref<24x24xf64>
      }
    }
  }
  return
}

// CHECK: correlation: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @correlation(%data: memref<30x24xf64>, %corr: memref<24x24xf64>, %mean: memref<24xf64>, %std: memref<24xf64>) {

  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %eps = arith.constant 0.1 : f64
  %fn = arith.constant 30.0 : f64
  %rt = math.sqrt %fn : f64
  affine.for %j = 0 to 24 {
    affine.store %zero, %mean[%j] : memref<24xf64>
    affine.for %i = 0 to 30 {
      %x = affine.load %data[%i, %j] : memref<30x24xf64>
      %s = affine.load %mean[%j] : memref<24xf64>
      %t = arith.addf %s, %x : f64
      affine.store %t, %mean[%j] : memref<24xf64>
    }
    %s = affine.load %mean[%j] : memref<24xf64>
    %q = arith.divf %s, %fn : f64
    affine.store %q, %mean[%j] : memref<24xf64>
  }
  affine.for %j = 0 to 24 {
    affine.store %zero, %std[%j] : memref<24xf64>
    affine.for %i = 0 to 30 {
      %x = affine.load %data[%i, %j] : memref<30x24xf64>
      %mu = affine.load %mean[%j] : memref<24xf64>
      %d = arith.subf %x, %mu : f64
      %p = arith.mulf %d, %d : f64
      %s = affine.load %std[%j] : memref<24xf64>
      %t = arith.addf %s, %p : f64
      affine.store %t, %std[%j] : memref<24xf64>
    }
    %s = affine.load %std[%j] : memref<24xf64>
    %q = arith.divf %s, %fn : f64
    %sq = math.sqrt %q : f64
    %le = arith.cmpf ole, %sq, %eps : f64
    %w = arith.select %le, %one, %sq : f64
    affine.store %w, %std[%j] : memref<24xf64>
  }
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to 24 {
      %x = affine.load %data[%i, %j] : memref<30x24xf64>
      %mu = affine.load %mean[%j] : memref<24xf64>
      %sd = affine.load %std[%j] : memref<24xf64>
      %d = arith.subf %x, %mu : f64
      %e = arith.mulf %rt, %sd : f64
      %f = arith.divf %d, %e : f64
      affine.store %f, %data[%i, %j] : memref<30x24xf64>
    }
  }
  affine.for %i = 0 to 24 {
    affine.for %j = 0 to 24 {
      affine.store %zero, %corr[%i, %j] : memref<24x24xf64>
      affine.for %k = 0 to 30 {
        %x = affine.load %data[%k, %i] : memref<30x24xf64>
        %y = affine.load %data[%k, %j] : memref<30x24xf64>
        %p = arith.mulf %x, %y : f64
        %c = affine.load %corr[%i, %j] : memref<24x24xf64>
        %t = arith.addf %c, %p : f64
        affine.store %t, %corr[%i, %j] : memref<24x24xf64>
      }
    }
  }
  return
}

// CHECK: sin_exp: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @sin_exp(%a: memref<64x64xf32>, %b: memref<64x64xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<64x64xf32>) outs(%b : memref<64x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %e = math.exp %x : f32
    %s = math.sin %e : f32
    linalg.yield %s : f32
  }
  return
}

// CHECK: layernorm: {{[1-9][0-9]*}} evaluation{{s?$}}
func.func @layernorm(%a: memref<32x64xf32>, %b: memref<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %m = memref.alloc() : memref<32xf32>
  %v = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<32xf32>)
  linalg.fill ins(%zero : f32) outs(%v : memref<32xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : memref<32x64xf32>) outs(%m, %v : memref<32xf32>, memref<32xf32>) {
  ^bb0(%x: f32, %s: f32, %q: f32):
    %s1 = arith.addf %s, %x : f32
    %p = arith.mulf %x, %x : f32
    %q1 = arith.addf %q, %p : f32
    linalg.yield %s1, %q1 : f32, f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %m, %v : memref<32x64xf32>, memref<32xf32>, memref<32xf32>) outs(%b : memref<32x64xf32>) {
  ^bb0(%x: f32, %s: f32, %q: f32, %o: f32):
    %mu = arith.divf %s, %n : f32
    %e2 = arith.divf %q, %n : f32
    %mm = arith.mulf %mu, %mu : f32
    %var = arith.subf %e2, %mm : f32
    %ve = arith.addf %var, %eps : f32
    %r = math.rsqrt %ve : f32
    %d = arith.subf %x, %mu : f32
    %y = arith.mulf %d, %r : f32
    linalg.yield %y : f32
  }
  memref.dealloc %m : memref<32xf32>
  memref.dealloc %v : memref<32xf32>
  return
}

// Of 1 + x / 1000, the mean of the squares less the square of the mean is noise.
// ERROR: error: the outputs cannot be verified: the plain kernel is ill-conditioned, so that other roundings change most digits of its outputs
func.func @small_variance(%a: memref<32x64xf32>, %b: memref<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %tiny = arith.constant 1.0e-3 : f32
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<32xf32>
  %v = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<32xf32>)
  linalg.fill ins(%zero : f32) outs(%v : memref<32xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
    ins(%a : memref<32x64xf32>) outs(%m, %v : memref<32xf32>, memref<32xf32>) {
  ^bb0(%x0: f32, %s: f32, %q: f32):
    %xt = arith.mulf %x0, %tiny : f32
    %x = arith.addf %xt, %one : f32
    %s1 = arith.addf %s, %x : f32
    %p = arith.mulf %x, %x : f32
    %q1 = arith.addf %q, %p : f32
    linalg.yield %s1, %q1 : f32, f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%a, %m, %v : memref<32x64xf32>, memref<32xf32>, memref<32xf32>) outs(%b : memref<32x64xf32>) {
  ^bb0(%x0: f32, %s: f32, %q: f32, %o: f32):
    %xt = arith.mulf %x0, %tiny : f32
    %x = arith.addf %xt, %one : f32
    %mu = arith.divf %s, %n : f32
    %e2 = arith.divf %q, %n : f32
    %mm = arith.mulf %mu, %mu : f32
    %var = arith.subf %e2, %mm : f32
    %r = math.rsqrt %var : f32
    %d = arith.subf %x, %mu : f32
    %y = arith.mulf %d, %r : f32
    linalg.yield %y : f32
  }
  memref.dealloc %m : memref<32xf32>
  memref.dealloc %v : memref<32xf32>
  return
}
