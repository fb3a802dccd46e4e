// What OpenCL C or a device has no word for is an error at its place.
// RUN: baco-opt %s --split-input-file --verify-diagnostics \
// RUN:   --baco-lower-to-opencl

// expected-error@below {{baco-lower-to-opencl: there is no 'gpu.launch' to lower; map loops to blocks and threads before}}
module {
  func.func @noLaunch() { return }
}

// -----

func.func @shuffle(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %v = memref.load %x[%t] : memref<64xf32>
    // expected-error@below {{'gpu.shuffle' in a kernel can't be written in OpenCL C: OpenCL C 1.2 has no operations of a warp; use shared memory and barriers}}
    %w, %valid = gpu.shuffle xor %v, %one, %width : f32
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @asyncCopy(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1)
      workgroup(%tile : memref<64xf32, #gpu.address_space<workgroup>>) {
    // expected-error@below {{'nvgpu.device_async_copy' in a kernel can't be written in OpenCL C}}
    %0 = nvgpu.device_async_copy %x[%t], %tile[%t], 4 : memref<64xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

func.func @tensorCores(%x: memref<2x2xf32>, %a: vector<4x2xf16>, %b: vector<2x2xf16>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b0, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %c0 = arith.constant 0 : index
    %p = arith.constant dense<1.0> : vector<4x2xf16>
    %q = arith.constant dense<1.0> : vector<2x2xf16>
    %c = vector.load %x[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
    // expected-error@below {{'nvgpu.mma.sync' in a kernel can't be written in OpenCL C: replace it by loops, arithmetic, loads and stores}}
    %d = nvgpu.mma.sync (%p, %q, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    vector.store %d, %x[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @bf16(%x: memref<64xbf16>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error@below {{'gpu.func' in a kernel can't be written in OpenCL C, which has no type for 'bf16'}}
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%t] : memref<64xbf16>
    %w = arith.extf %v : bf16 to f32
    memref.store %w, %y[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

module attributes {baco.gpu_target = #opencl.target<"small", threads = 256, items = [256, 256, 64], local_bytes = 32768, units = 4, half = false, doubles = false>} {
  func.func @half(%y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
        threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
      %v = memref.load %y[%t] : memref<64xf32>
      // expected-error@below {{'arith.truncf' in a kernel can't be written in OpenCL C: the device 'small' has no f16 (cl_khr_fp16)}}
      %w = arith.truncf %v : f32 to f16
      %u = arith.extf %w : f16 to f32
      memref.store %u, %y[%t] : memref<64xf32>
      gpu.terminator
    }
    return
  }
}

// -----

module attributes {baco.gpu_target = #opencl.target<"small", threads = 256, items = [256, 256, 64], local_bytes = 32768, units = 4, half = true, doubles = false>} {
  func.func @double(%y: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
        threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
      %v = memref.load %y[%t] : memref<64xf32>
      // expected-error@below {{'arith.extf' in a kernel can't be written in OpenCL C: the device 'small' has no f64 (cl_khr_fp64)}}
      %w = arith.extf %v : f32 to f64
      %x = math.sqrt %w : f64
      %u = arith.truncf %x : f64 to f32
      memref.store %u, %y[%t] : memref<64xf32>
      gpu.terminator
    }
    return
  }
}

// -----

func.func @wideAtomic(%s: memref<f64>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %one = arith.constant 1.0 : f64
    // expected-error@below {{'memref.atomic_rmw' in a kernel can't be written in OpenCL C: OpenCL C 1.2 has atomic operations on 32 bits of global and local memory only}}
    %0 = memref.atomic_rmw addf %one, %s[] : (f64, memref<f64>) -> f64
    gpu.terminator
  }
  return
}

// -----

func.func @strides(%x: memref<64xf32, strided<[?]>>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    // expected-error@below {{'memref.load' in a kernel can't be written in OpenCL C: the distances between elements aren't constant}}
    %v = memref.load %x[%t] : memref<64xf32, strided<[?]>>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @offset(%x: memref<64xf32, strided<[1], offset: ?>>, %y: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error@below {{'gpu.func' in a kernel can't be written in OpenCL C: argument 0 begins at an offset that isn't known}}
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%t] : memref<64xf32, strided<[1], offset: ?>>
    memref.store %v, %y[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @position(%y: memref<64xf32>, %i: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = vector.load %y[%t] : memref<64xf32>, vector<4xf32>
    // expected-error@below {{'vector.extract' in a kernel can't be written in OpenCL C: the position of an element isn't constant}}
    %w = vector.extract %v[%i] : f32 from vector<4xf32>
    memref.store %w, %y[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @alloc(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    // expected-error@below {{'memref.alloc' in a kernel can't be written in OpenCL C: a kernel allocates memory; allocate it before the launch}}
    %m = memref.alloc() : memref<64xf32>
    %v = memref.load %m[%t] : memref<64xf32>
    memref.store %v, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func private @host(f32)
func.func @call(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%t] : memref<64xf32>
    // expected-error@below {{'func.call' in a kernel can't be written in OpenCL C: replace it by loops, arithmetic, loads and stores}}
    func.call @host(%v) : (f32) -> ()
    gpu.terminator
  }
  return
}

// -----

func.func @"a.b"(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  // expected-error@below {{'gpu.func' in a kernel can't be written in OpenCL C: the name 'a.b_kernel' has other characters than letters, digits and _; rename the function}}
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%t] : memref<64xf32>
    %w = math.sqrt %v : f32
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}
