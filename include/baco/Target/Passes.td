//===- Passes.td - Passes that lower kernels ---------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowerings that have options. The others are pipelines (Pipelines.h).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_PASSES_TD
#define BACO_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerSparsePass : Pass<"baco-lower-sparse", "::mlir::ModuleOp"> {
  let summary = "Lower ops on sparse tensors to loops on buffers";
  let description = [{
    Runs upstream's sparsifier, without its run-time library, on modules that
    have tensors with a `#sparse_tensor.encoding`. Tensors become memrefs,
    results further arguments.

    A function that takes such a tensor takes its buffers instead, memrefs of
    rank 1: for each level its positions and its coordinates, as far as the
    level stores them, and behind all levels the values. Those are what
    `sparse::pack` makes. An `index` for each dynamic extent follows. Calls pass
    them on. `sparse_tensor.convert`, of a dense tensor, too, becomes code. A
    function may return what it has converted: it returns the buffers, which its
    caller frees. docs/Sparse.md says which formats there are.

    What the sparsifier does is chosen by attributes of each function:
    `baco.sparse_vl`, `baco.sparse_simd32`, `baco.sparse_parallel`... Its order
    of loops is that of the iterators if the `linalg.generic` has `sorted =
    true`; it is an error if these don't visit the levels from the outermost on.
    With blocks (`floordiv`), the order is upstream's. It is an error, too, if
    iterations of a parallel loop may write the same element.

    Then vectors are summed in any order, and a fill becomes part of the loop
    that follows where each iteration has its own slice.

    Example:

    ```mlir
    #CSR = #sparse_tensor.encoding<{
      map = (i, j) -> (i : dense, j : compressed), posWidth = 32, crdWidth = 16
    }>
    func.func @f(%a: tensor<8x9xf64, #CSR>, %x: tensor<9xf64>,
                 %y: tensor<8xf64>) -> tensor<8xf64>
        attributes {baco.sparse_vl = 8}
    ```

    takes `memref<?xi32>`, `memref<?xi16>`, `memref<?xf64>`, `memref<9xf64>`,
    `memref<8xf64>` and, for the result, another `memref<8xf64>`.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::sparse_tensor::SparseTensorDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"distinctArguments", "distinct-arguments", "bool", "true",
           "Say that the memory of different arguments doesn't overlap">,
  ];
}

def LowerToNvvmPass : Pass<"baco-lower-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Lower `gpu.launch` ops to PTX for NVIDIA GPUs";
  let description = [{
    Outlines each `gpu.launch` as a kernel, lowers it, and replaces its
    `gpu.module` by a `gpu.binary` with the text of its PTX, which LLVM's back
    end writes: this needs neither a GPU nor CUDA. The host's code keeps
    `gpu.launch_func`. Linalg, vector, scf, affine, arith and memref ops are
    lowered in kernels.

    A kernel takes a memref as a bare pointer. Pointers to memory of different
    function arguments and allocations are taken not to alias, as everywhere in
    baco, and to be aligned as `argument-alignment` says; the driver's
    allocations are aligned to 256 bytes.

    What needs CUDA's libdevice, such as `math.exp`, is an error.

    With `format=llvm` the `gpu.binary` has the LLVM IR from which the back end
    would have written the PTX, for `baco-emulate-kernels`.

    Example: `--baco-lower-to-nvvm='chip=sm_80 features=+ptx75'`.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::nvgpu::NVGPUDialect",
    "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect",
    "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90\"",
           "Compute architecture, as LLVM names it">,
    Option<"features", "features", "std::string", "\"\"",
           "Features of the back end, for example a version of PTX: `+ptx80`; "
           "the least that the chip needs if empty">,
    Option<"optLevel", "opt-level", "unsigned", "3",
           "Optimization level of LLVM, 0 to 3">,
    Option<"argumentAlignment", "argument-alignment", "unsigned", "16",
           "Alignment of memrefs that kernels take, in bytes, a power of two">,
    Option<"format", "format", "std::string", "\"ptx\"",
           "What to make of kernels: `ptx`, or `llvm`, LLVM's bitcode">,
  ];
}

def LowerToOpenClPass : Pass<"baco-lower-to-opencl", "::mlir::ModuleOp"> {
  let summary = "Lower `gpu.launch` ops to OpenCL C";
  let description = [{
    Outlines each `gpu.launch` as a kernel, and replaces its `gpu.module` by a
    `gpu.binary` with the text of a program in OpenCL C 1.2. The host's code keeps
    `gpu.launch_func`. Linalg, vector, scf, affine, arith, math and memref ops can
    be in kernels; an error names the first op that can't be written, such as those
    of warps and tensor cores, `cp.async`, `bf16`, or a type that the device lacks.

    A kernel takes a memref as a buffer and a distance in bytes from its beginning
    (`__global uchar *`, `ulong`), and a scalar as a `ulong` that has its bits.
    Pointers to memory of different function arguments and allocations are taken
    not to alias.

    The device is `baco.gpu_target`, an `#opencl.target`, of the module; without it,
    one that has the types `half` and `double`.

    `baco-export-kernels` writes the text to a file.
  }];
  let dependentDialects = [
    "::baco::OpenClDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def ExportKernelsPass : Pass<"baco-export-kernels", "::mlir::ModuleOp"> {
  let summary = "Write the PTX of kernels, and how they are launched, to files";
  let description = [{
    Writes for each `gpu.launch_func` of a kernel that `baco-lower-to-nvvm` has
    lowered `FOLDER/NAME.ptx`, and a line in `FOLDER/NAME.list`:

    ```
    NAME NAME.ptx KERNEL GX GY GZ BX BY BZ SHARED ARGUMENTS
    ```

    with grid, block, bytes of dynamic shared memory, all constants, and for
    each argument of the kernel which argument of the function it is (`2,0,1`).
    The module is not changed. This is what `baco-bench-gpu` reads.
  }];
  let options = [
    Option<"folder", "folder", "std::string", "\".\"",
           "Folder to write to, which must exist">,
    Option<"name", "name", "std::string", "\"\"",
           "Name of the files; that of the kernel if empty. With several "
           "launches, `_` and their number follow">,
  ];
}

def EmulateKernelsPass : Pass<"baco-emulate-kernels", "::mlir::ModuleOp"> {
  let summary = "Run kernels for GPUs on the CPU, to see whether they are right";
  let description = [{
    Runs each function that launches kernels, which `baco-lower-to-nvvm` has
    lowered with `format=llvm`, in baco's emulator: one thread of a GPU after
    another, in several orders, on generated inputs. It is an error if a thread
    accesses memory out of bounds, at an address that isn't aligned or before
    anything was written there; if two threads access the same byte, one of them
    writes, and no barrier is between; if not all threads of a block reach the
    same barrier, or of a warp the same operation; if a kernel doesn't end; or
    if the results are wrong. These are compared with those of the function of
    the same name in the file `reference`, or, without one, of another order.

    The module is not changed. How long it takes says nothing about a GPU.

    Example:

    ```
    baco-opt kernel.mlir --baco-expand-recipes --baco-concretize
      --transform-interpreter --baco-lower-to-nvvm=format=llvm
      --baco-emulate-kernels=reference=kernel.mlir
    ```
  }];
  let dependentDialects = [
    "::baco::BacoDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"
  ];
  let options = [
    Option<"reference", "reference", "std::string", "\"\"",
           "File with the unscheduled functions, whose results are expected">,
    Option<"seed", "seed", "uint64_t", "1", "Seed of inputs and orders">,
    Option<"orders", "orders", "unsigned", "1",
           "How many drawn orders there are beside forward and reverse">,
  ];
}

def StaticCostPass : Pass<"baco-static-cost", "::mlir::ModuleOp"> {
  let summary = "Say what kernels for GPUs cost, by a model";
  let description = [{
    Emits a remark for each `gpu.launch_func` of a kernel that
    `baco-lower-to-nvvm` has lowered with `format=llvm`: its cost in cycles by
    the model of docs/Gpu.md, and what that is made of. This is what the tuner
    minimizes with `--evaluator=static`. It ranks kernels; it is not a time.

    It is an error if no GPU of this kind can run a kernel, or if the number of
    iterations of a loop isn't static. The module is not changed.

    Example:

    ```
    baco-opt kernel.mlir --baco-expand-recipes --baco-concretize
      --transform-interpreter --baco-lower-to-nvvm=format=llvm
      --baco-static-cost=chip=sm_90
    ```
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90\"",
           "Compute architecture, one of those in docs/Gpu.md">,
  ];
}

//===----------------------------------------------------------------------===//
// Parts of baco-lower-to-cpu
//===----------------------------------------------------------------------===//

def BufferizeTensorsPass
    : Pass<"baco-bufferize-tensors", "::mlir::ModuleOp"> {
  let summary = "Bufferize modules that have tensors";
  let description = [{
    Bufferizes a module in which an op yields a tensor, function boundaries
    included, and frees what it allocates. All others stay as they are.
  }];
}

def ForwardCopiesPass : Pass<"baco-forward-copies"> {
  let summary = "Let ops with several results write into the buffer of the whole";
  let description = [{
    Upstream's bufferization puts just the first of several results that are
    inserted into one tensor where they belong: each of the others gets a buffer
    of its own and a `memref.copy`. Such a buffer, which a linalg op with several
    outputs writes and a copy reads, becomes the `memref.subview` that it is
    copied to, if this is a static part of an allocation of which nothing else
    accesses the same part between op and copy. To be run between bufferization
    and deallocation.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def PrepareForCPUPass : Pass<"baco-prepare-for-cpu", "::mlir::ModuleOp"> {
  let summary = "Request C interfaces, expand softmaxes and strided copies";
  let description = [{
    Public functions get a C interface. Softmaxes on memrefs become the linalg
    ops that they stand for, which upstream does only on tensors, and copies of
    strided memrefs linalg ops: upstream lowers those to calls of `memrefCopy`,
    which would need a run-time library beside the kernel.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def HoistParallelBuffersPass
    : Pass<"baco-hoist-parallel-buffers", "::mlir::func::FuncOp"> {
  let summary = "Allocate the large buffers of parallel iterations around them";
  let description = [{
    Each iteration has a part of one block, which `baco-plan-workspace` can give
    a place. Buffers of less than 64 KiB stay in the loop, as do all if the number
    of iterations isn't known, or if they would take more than 32 MiB.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

def ParallelToOpenMPPass
    : Pass<"baco-parallel-to-openmp", "::mlir::ModuleOp"> {
  let summary = "Make parallel loops without reductions OpenMP regions";
  let description = [{
    The team of the worker runs the regions, or any OpenMP library. Parallel
    reductions have no counterpart there: a module with such a loop stays as it
    is, and later passes make all of its loops sequential ones.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::omp::OpenMPDialect"
  ];
}

def VectorMathPass : Pass<"baco-vector-math", "::mlir::ModuleOp"> {
  let summary = "Replace functions of vectors by polynomials";
  let description = [{
    Functions of f32 vectors become polynomials with errors of less than 6 units
    in the last place, and of less than 2 for the exponential function. Others
    become one call of the C library for each lane: other types, functions for
    which upstream's polynomials are worse, and scalars, whose results are what
    vectors are compared with.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def DotProductsPass : Pass<"baco-dot-products", "::mlir::ModuleOp"> {
  let summary = "Add several narrow products by one instruction";
  let description = [{
    In functions with the target option `dot_products = 1` or 2, sums of products of a
    vector and a scalar, as loop commands write them where a reduction is
    unrolled, become instructions of AVX-512's VNNI, which add several products
    to a lane of `i32`: `vpdpbusd` four of `i8`, signed or unsigned, also of a
    scalar minus a constant; and `vpdpwssd` two of signed `i16`. Results are the
    same bits. If both bytes are signed, or both unsigned, the scalar's sign bit
    is flipped, and 128 times the vectors are subtracted, once for all rows.

    So do sums of at least three products of two vectors of `i8`, as those of a
    depthwise convolution whose window is unrolled: four places of the window at
    a time, those together that windows beside each other share. One of the two
    factors must be signed, and a zero point be a constant within a byte.

    Vectors of zeros take the place of products that a sum lacks to fill an
    instruction. Groups of four rows of constant bytes
    are copied (`baco.copy`) in the order that the instruction takes them.

    Vectors must be whole registers of 128, 256 or 512 bits.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def TileProductsPass : Pass<"baco-tile-products", "::mlir::ModuleOp"> {
  let summary = "Multiply tiles of bytes by AMX";
  let description = [{
    In functions with the target option `dot_products = 2`, loops whose results
    are sums of products of bytes, as loop commands write them where rows are
    unrolled and columns are vectors, become loops over AMX's tiles: `tdpbssd`
    and its like for other signs. Results are the same bits.

    A loop must have a constant number of steps, unrolled by a multiple of 4, at
    least four rows, which lie at equal distances for the rows of a tile, and
    whole vectors of 16 columns: at most so many that their tiles of sums, those
    of rows and one of columns are the CPU's eight. Steps that don't fill tiles
    stay in the loop.

    Groups of four steps of constant bytes are copied as by `baco-dot-products`.
    Others are interleaved in front of the outermost loop in which they are the
    same.

    The module asks Linux for permission to use tiles in a constructor.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def PlanWorkspacePass : Pass<"baco-plan-workspace", "::mlir::ModuleOp"> {
  let summary = "Give all temporaries of a function places in one block";
  let description = [{
    Temporaries are allocations of static size that are freed in the block that
    allocates them, outside of parallel loops. Two that are never in use at the
    same time may share memory. Those of at most 1 KiB go on the stack, up to 16
    KiB in each function. The workspaces of functions that are called are parts
    of their callers'.

    With `argument`, each public function takes its workspace as a further
    argument behind all others, `memref<Nxi8>`, aligned to 64 bytes, and the
    constant `NAME_workspace_bytes` (`extern const int64_t` in C) says N. With
    `global` the module has the memory, so that no two calls of a function may
    overlap in time. A function whose address is taken keeps its interface. A
    recursive function keeps its allocations.

    `--remarks-filter=workspace` says for each function how many bytes its
    temporaries take, those of functions that it calls included, how many its
    workspace takes, and how many are on the stack.
  }];
  let options = [Option<
    "workspace", "workspace", "::baco::target::Workspace",
    "::baco::target::Workspace::Alloc",
    "Where the memory of a public function's temporaries comes from",
    "::baco::target::workspaceValues()">];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect"
  ];
}

def PackConstantsPass : Pass<"baco-pack-constants", "::mlir::ModuleOp"> {
  let summary = "Copy constant arguments to panels before the first call";
  let description = [{
    A function whose argument is `baco.constant`, and that copies parts of it to
    buffers (`baco.copy`) in loops, gets memory with a buffer for each
    iteration. Where it is private and all calls pass constants, that is a
    constant of the module, which the compiler computes. A public function F
    stays, and three others come beside it:

    * `F_prepare` takes the arguments that are copied, in order, and returns the
      copies, a `memref<Nxi8>`;
    * `F_tuned` takes the arguments of F and then the copies;
    * `F_release` frees them.

    With `global` F has copies in a buffer of the module, which
    `__baco_prepare_F`, a function of the same type, is to fill first.

    Copies that take more than twice the memory of the arguments are still made
    in each call. `--remarks-filter=constants` says for each function how many
    bytes its copies take, and whether they are made before.
  }];
  let options = [Option<
    "packing", "packing", "::baco::target::ConstantPacking",
    "::baco::target::ConstantPacking::Caller",
    "Who owns the copies of a public function's constant arguments",
    "::baco::target::constantPackingValues()">];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def StoreConstantsPass : Pass<"baco-store-constants", "::mlir::ModuleOp"> {
  let summary = "Write the data of large constants to a file";
  let description = [{
    Constants of at least `min-bytes` bytes become symbols of the object file
    that the assembler fills with parts of `file` (`.incbin`): LLVM neither
    prints nor reads them. The name is used as it is given when the module is
    compiled, from the folder where that happens. Without a file nothing is
    done. Constants all of whose elements are equal stay.
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"",
           "The file, which is written">,
    Option<"minBytes", "min-bytes", "int64_t", /*default=*/"4096",
           "The least size of such a constant">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def AlignStackPass : Pass<"baco-align-stack", "::mlir::ModuleOp"> {
  let summary = "Let functions with vectors align their stack";
  let description = [{
    Functions of the LLVM dialect with vectors of more than 16 bytes get LLVM's
    attribute `stackrealign`. Without it, LLVM knows only when it assigns
    registers that a vector has to be spilled, and then can't align the stack
    any more: whether vectors on the stack cross cache lines depends on the
    caller's stack, and with it the kernel's time.
  }];
}

def KeepCallsPass : Pass<"baco-keep-calls", "::mlir::ModuleOp"> {
  let summary = "Let programs call their kernels";
  let description = [{
    Functions of the LLVM dialect with loops, their own or those of functions
    that they call, get the attribute `no_inline` where a function calls several
    of them outside of its own loops, as a program calls its kernels. Inlined,
    they are one function of hundreds of loops, for which LLVM takes minutes
    instead of seconds, and whose loops aren't compiled as they were measured.
  }];
}

def ExtremaPass : Pass<"baco-extrema", "::mlir::func::FuncOp"> {
  let summary = "Lower maxima and minima of floats";
  let description = [{
    Reduces a vector of floats by maximum or minimum in halves, where LLVM would
    use a chain of scalars, and lowers `arith.maxnumf`, `arith.maximumf` and
    their like to LLVM's intrinsics without regard for the signs of zeros:
    upstream's expansion takes up to twice the instructions.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def RoundToIntegersPass
    : Pass<"baco-round-to-integers", "::mlir::func::FuncOp"> {
  let summary = "Round and convert floats by one instruction";
  let description = [{
    `math.roundeven` of `f32` that `arith.fptosi` or `arith.fptoui` converts to an
    integer of 32 bits or fewer becomes `llvm.lrint`, which rounds by the mode of
    the machine: to the nearest, as long as no program changes it.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect"
  ];
}

def NarrowToBF16Pass : Pass<"baco-narrow-to-bf16", "::mlir::func::FuncOp"> {
  let summary = "Round f64 to bf16 without calls";
  let description = [{
    `__truncdfbf2`, one call for each lane, isn't in every library. The
    machine's mode decides about denormals, as for f32.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect"
  ];
}

//===----------------------------------------------------------------------===//
// Reference outputs
//===----------------------------------------------------------------------===//

def LocalityInterchangePass
    : Pass<"baco-locality-interchange", "::mlir::ModuleOp"> {
  let summary = "Put loops that walk along memory innermost";
  let description = [{
    The order in which the reference outputs of a kernel are computed, where
    dependences allow it.
  }];
}

#endif // BACO_TARGET_PASSES_TD
