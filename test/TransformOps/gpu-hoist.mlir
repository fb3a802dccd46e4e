// A loop carries what it reads from a buffer and writes back. It begins with what its thread
// has stored there, unless another one may have stored something since.
// RUN: baco-opt %s --transform-interpreter | FileCheck %s

#shared = #gpu.address_space<workgroup>
#next = affine_map<(d) -> (d + 1)>
module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @sum(
  // CHECK:      %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : vector<1xf32>
  // CHECK-NOT:  vector.transfer_write
  // CHECK:      %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
  // CHECK:      vector.transfer_write %[[SUM]], %{{.*}} memref<64xf32, #gpu.address_space<workgroup>>
  // CHECK-NEXT: gpu.barrier
  func.func @sum(%in: memref<64xf32>, %out: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
               workgroup(%buffer : memref<64xf32, #shared>) {
      %padding = arith.constant 0.0 : f32
      %zero = arith.constant dense<0.0> : vector<1xf32>
      vector.transfer_write %zero, %buffer[%tx] {in_bounds = [true]} : vector<1xf32>, memref<64xf32, #shared>
      scf.for %i = %c0 to %c64 step %c1 {
        gpu.barrier
        %x = vector.transfer_read %in[%i], %padding {in_bounds = [true]} : memref<64xf32>, vector<1xf32>
        %s = vector.transfer_read %buffer[%tx], %padding {in_bounds = [true]} : memref<64xf32, #shared>, vector<1xf32>
        %t = arith.addf %s, %x : vector<1xf32>
        vector.transfer_write %t, %buffer[%tx] {in_bounds = [true]} : vector<1xf32>, memref<64xf32, #shared>
      }
      gpu.barrier
      %r = vector.transfer_read %buffer[%c0], %padding {in_bounds = [true]} : memref<64xf32, #shared>, vector<1xf32>
      vector.transfer_write %r, %out[%tx] {in_bounds = [true]} : vector<1xf32>, memref<64xf32>
      gpu.terminator
    }
    return
  }

  // The neighbor has stored another value.
  // CHECK-LABEL: func.func @neighbor(
  // CHECK:      gpu.barrier
  // CHECK:      gpu.barrier
  // CHECK-NEXT: %[[READ:.*]] = vector.transfer_read %[[BUFFER:.*]][%{{.*}} : memref<72xf32, #gpu.address_space<workgroup>>
  // CHECK-NEXT: vector.transfer_write %[[READ]], %arg1
  func.func @neighbor(%in: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
               workgroup(%buffer : memref<72xf32, #shared>) {
      %padding = arith.constant 0.0 : f32
      %zero = arith.constant dense<0.0> : vector<1xf32>
      %next = affine.apply #next(%tx)
      vector.transfer_write %zero, %buffer[%tx] {in_bounds = [true]} : vector<1xf32>, memref<72xf32, #shared>
      gpu.barrier
      %x = vector.transfer_read %in[%tx], %padding {in_bounds = [true]} : memref<64xf32>, vector<1xf32>
      vector.transfer_write %x, %buffer[%next] {in_bounds = [true]} : vector<1xf32>, memref<72xf32, #shared>
      gpu.barrier
      %r = vector.transfer_read %buffer[%tx], %padding {in_bounds = [true]} : memref<72xf32, #shared>, vector<1xf32>
      vector.transfer_write %r, %out[%tx] {in_bounds = [true]} : vector<1xf32>, memref<64xf32>
      gpu.terminator
    }
    return
  }

  // The neighbor reads the first value before there is another one.
  // CHECK-LABEL: func.func @read_between(
  // CHECK:      vector.transfer_write {{.*}} memref<72xf32, #gpu.address_space<workgroup>>
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: vector.transfer_read
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: vector.transfer_write
  func.func @read_between(%in: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
               workgroup(%buffer : memref<72xf32, #shared>) {
      %padding = arith.constant 0.0 : f32
      %zero = arith.constant dense<0.0> : vector<1xf32>
      %next = affine.apply #next(%tx)
      %x = vector.transfer_read %in[%tx], %padding {in_bounds = [true]} : memref<64xf32>, vector<1xf32>
      vector.transfer_write %x, %buffer[%tx] {in_bounds = [true]} : vector<1xf32>, memref<72xf32, #shared>
      gpu.barrier
      %r = vector.transfer_read %buffer[%next], %padding {in_bounds = [true]} : memref<72xf32, #shared>, vector<1xf32>
      gpu.barrier
      vector.transfer_write %zero, %buffer[%tx] {in_bounds = [true]} : vector<1xf32>, memref<72xf32, #shared>
      vector.transfer_write %r, %out[%tx] {in_bounds = [true]} : vector<1xf32>, memref<64xf32>
      gpu.terminator
    }
    return
  }

  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %hoisted = transform.baco.gpu_hoist %functions : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
