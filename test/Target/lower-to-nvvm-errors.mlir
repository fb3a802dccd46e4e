// RUN: baco-opt %s --baco-lower-to-nvvm --split-input-file --verify-diagnostics
// RUN: not baco-opt %s --baco-lower-to-nvvm=chip=sm_91 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHIP
// RUN: not baco-opt %s --baco-lower-to-nvvm=chip= 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY
// RUN: not baco-opt %s --baco-lower-to-nvvm=features=ptx80 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIGN
// RUN: not baco-opt %s --baco-lower-to-nvvm=features=+ptx80,+ptx1 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FEATURE
// RUN: not baco-opt %s --baco-lower-to-nvvm=opt-level=4 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEVEL
// RUN: not baco-opt %s --baco-lower-to-nvvm=argument-alignment=12 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALIGNMENT

// CHIP: error: baco-lower-to-nvvm: chip 'sm_91' is unknown to LLVM; give one such as 'sm_90'
// EMPTY: error: baco-lower-to-nvvm: chip '' is unknown to LLVM
// SIGN: error: baco-lower-to-nvvm: feature 'ptx80' is unknown to LLVM; give one such as '+ptx80'
// FEATURE: error: baco-lower-to-nvvm: feature '+ptx1' is unknown to LLVM
// LEVEL: error: baco-lower-to-nvvm: 'opt-level' must be 0 to 3
// ALIGNMENT: error: baco-lower-to-nvvm: 'argument-alignment' must be a power of two

// expected-error@below {{baco-lower-to-nvvm: there is no 'gpu.launch' to lower; map loops to blocks and threads before}}
module {
  func.func @noLaunch() { return }
}

// -----

func.func @sin(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%t] : memref<64xf32>
    // expected-error@below {{'math.atan' of 'f32' in a kernel: there is no instruction and no polynomial for it; write the function by arithmetic, or by others such as 'math.exp' of f32}}
    %w = math.atan %v : f32
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @alloc(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    // expected-error@below {{a kernel allocates memory; allocate it before the launch}}
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
    // expected-error@below {{a kernel calls 'host', which has no code}}
    func.call @host(%v) : (f32) -> ()
    gpu.terminator
  }
  return
}

// -----

func.func @softmax(%x: memref<4x64xf32>, %y: memref<4x64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    // expected-error@below {{'linalg.softmax' in a kernel can't be lowered to PTX; replace it by loops, arithmetic, loads and stores}}
    linalg.softmax dimension(1) ins(%x : memref<4x64xf32>)
                                outs(%y : memref<4x64xf32>)
    gpu.terminator
  }
  return
}

// -----

func.func @foreignIntrinsic(%x: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
      threads(%t, %ty, %tz) in (%nt = %c1, %nty = %c1, %ntz = %c1) {
    %v = memref.load %x[%t] : memref<64xf32>
    // expected-error@below {{'llvm.call_intrinsic' is LLVM's intrinsic 'llvm.amdgcn.rcp.f32', which nvptx64 doesn't have; replace it by ops of arith, math or vector}}
    %w = llvm.call_intrinsic "llvm.amdgcn.rcp.f32"(%v) : (f32) -> f32
    memref.store %w, %x[%t] : memref<64xf32>
    gpu.terminator
  }
  return
}
