//===- Passes.td - Passes of baco --------------------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes: thin, the work is done in the libraries below.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMS_PASSES_TD
#define BACO_TRANSFORMS_PASSES_TD

include "baco/Driver/TuneOptions.td"
include "mlir/Pass/PassBase.td"

def LowerFrontEndsPass : Pass<"baco-lower-front-ends", "::mlir::ModuleOp"> {
  let summary = "Make linalg on tensors of what front ends write";
  let description = [{
    Runs upstream's conversions of TOSA, elementwise ops on tensors, `linalg.pack`
    and `linalg.unpack` on the functions that have such ops, and cleans up those
    functions. A function that can't be lowered stays as it is, with a remark.
    Loads of `ml_program` globals that never change become constants, and
    constants whose data are elided (`dense_resource<__elided__>`) get made-up
    data, which are the same in every run. Affine loops on tensors become loops
    of `scf`, and what is in a nested module moves to its place, unless names
    collide. Other modules aren't changed.

    baco-tune-driver and `--baco-autotune` do this first. Schedules of such
    modules are for what this pass makes of them.
  }];
}

def AnnotatePass : Pass<"baco-annotate", "::mlir::ModuleOp"> {
  let summary = "Write a recipe on every op that baco knows how to schedule";
  let description = [{
    Gives each op of a known kind a `baco.recipe` with knobs and constraints
    that are derived from its shape and from the machine, and can be edited. An
    op that has a recipe keeps it. An op that baco cannot schedule is left as it
    is, with a remark that says why.

    Linalg ops on static memrefs and loop nests without linalg ops get loop
    commands (docs/LoopPlans.md): products a register tile, blocks, and copies of
    these. Ops that only set or copy elements, or that are no contractions and
    have fewer than 1024 iterations, are left alone.

    Ops on static tensors get the same recipes after a first step `bufferize`.

    With `target=nvvm`, linalg ops on static memrefs get recipes for NVIDIA GPUs
    instead (docs/Gpu.md), whatever the host is.

    Example: `linalg.batch_matmul` on `memref<512x32x32xf32>` gets a loop over
    the batch, a register tile, and prefetches of the next product.
  }];
  let dependentDialects = [
    "::baco::BacoDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
  let options = [
    Host, Threads, PlanTimeout, Worker, Groups,
    Option<"target", "target", "std::string", "\"cpu\"",
           "What to write recipes for, in the syntax of the option `target` of baco-tune-driver; without a chip, for that of baco.gpu_target, or else an sm_90">,
  ];
}

def ChannelsLastPass : Pass<"baco-channels-last", "::mlir::ModuleOp"> {
  let summary = "Give convolutional networks channels-last images";
  let description = [{
    Rewrites channels-first convolutions on tensors (`linalg.conv_2d_nchw_fchw`
    for example, or a `linalg.generic` that does the same) and what is between
    them to compute on transposed tensors: poolings, paddings, elementwise ops,
    reductions, slices and reshapes. Arguments and results of functions keep
    their types, and are transposed once. With `layout=auto`, a function is
    rewritten only if its convolutions have at least 1000 operations for each
    element that is transposed in an execution; with `layout=tensor-cores`, only
    convolutions are that a GPU's tensor cores can do then, and 50 operations are
    enough. docs/Intake.md has the rules.

    baco-tune-driver and `--baco-autotune` do this first for CPUs and NVIDIA's
    GPUs, unless the module has a schedule. `--baco-transpose-constants` then removes the
    transpositions of constant filters.

    Example: a `linalg.conv_2d_nchw_fchw` between two others becomes a
    `linalg.conv_2d_nhwc_hwcf`, and nothing is transposed beside it.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [Entry, Layout];
}

def WinogradPass : Pass<"baco-winograd", "::mlir::ModuleOp"> {
  let summary = "Compute 3x3 convolutions with fewer products";
  let description = [{
    Computes channels-last 3x3 convolutions on tensors with steps of 1 and a
    constant filter by Winograd's algorithm, where that is estimated to take at
    most 0.8 of the time: tiles of the image are transformed, multiplied by the
    transformed filter, and the products transformed to tiles of 2x2 or 4x4
    results. Shapes are static, elements f32 or f64. Results have other
    roundings; docs/Intake.md has their errors.

    baco-tune-driver and `--baco-autotune` do this first for CPUs if their
    option `winograd` says so, unless the module has a schedule. With `measure`
    the shapes to rewrite, and their tiles, are chosen by their times.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [
    Entry,
    Option<"tile", "tile", "std::string", "\"4\"",
           "The largest extent of a tile of results, 2 or 4, or that for each "
           "shape, as in 1x56x56x64x64xf32:4">,
    Option<"isForced", "forced", "bool", "false",
           "Rewrite also what isn't estimated to be faster, with that tile">,
  ];
}

def PointwiseConvolutionsPass : Pass<"baco-pointwise-convolutions", "::mlir::ModuleOp"> {
  let summary = "Make matrix products of 1x1 convolutions";
  let description = [{
    Gives convolutions whose window is one element, with steps of 1, one iterator
    for all places of the image: they are products of two matrices then, whose
    tiles don't end with the image's lines. The operands are reshaped, which
    moves no data, and the elementwise ops that follow have the same form. Shapes
    are static; memrefs have no gaps; of several images, channels are last.
    Results that are padded stay as they are, because they are computed in place,
    and so do sums of integers.

    baco-tune-driver and `--baco-autotune` do this first for CPUs, unless the
    module has a schedule.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
  let options = [Entry];
}

def PadResultsPass : Pass<"baco-pad-results", "::mlir::ModuleOp"> {
  let summary = "Compute results inside of the borders that paddings add";
  let description = [{
    Replaces a `tensor.pad` with a constant of a structured op's result by fills
    of the border, and a `tensor.insert_slice` of the result behind the op.
    Bufferization then lets the op write into the padded tensor, which upstream
    fills as a whole before it copies the result. Other users read a part of the
    padded tensor. Shapes are static, and all users structured ops or paddings.

    baco-tune-driver and `--baco-autotune` do this first for CPUs, unless the
    module has a schedule; the border is then a part of the op's kernel.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
  let options = [Entry];
}

def TransposeConstantsPass : Pass<"baco-transpose-constants", "::mlir::ModuleOp"> {
  let summary = "Transpose constants instead of what is computed with them";
  let description = [{
    Replaces transpositions of constant tensors by constants. A sum that reads a
    constant more than once, across the order of its result, reads a transposed
    constant instead: the weights of a dense layer or a convolution, as
    `arith.constant` or as `memref.global`. Data in resources are transposed,
    too. Ops with recipes, and constants of more than 256 MB, stay as they are.

    baco-tune-driver and `--baco-autotune` do this first for CPUs, unless the
    module has a schedule.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect"];
}

def AllowTF32Pass : Pass<"baco-allow-tf32"> {
  let summary = "Let tensor cores round f32 to tf32 in products of matrices";
  let description = [{
    Gives each `linalg` op that is a product of matrices of f32, or of a batch of
    them, with sums in f32 the attribute `baco.tf32`, as the option `tf32` of
    baco-tune-driver and `--baco-autotune` does. Recipes and schedules for NVIDIA
    GPUs may then multiply on tensor cores, which round operands to tf32.
  }];
  let dependentDialects = ["::baco::BacoDialect"];
}

def DecomposeForGpuPass : Pass<"baco-decompose-for-gpu", "::mlir::ModuleOp"> {
  let summary = "Make linalg ops of what becomes kernels on a GPU";
  let description = [{
    Bufferizes modules that have tensors, function boundaries included, as
    `--baco-bufferize-tensors` does, unless an op on tensors has a recipe. Then
    replaces each `linalg.softmax` on memrefs of static shape by six linalg ops
    and two buffers for rows, each `memref.copy` of static shape by a
    `linalg.copy`, stores outside of loops of a constant or an argument by a
    `linalg.fill`, and loops by a `linalg.generic` for each statement, so that
    `--baco-annotate=target=nvvm` can write recipes on them. Loops need constant
    bounds, subscripts that are sums of iterators, and statements that don't
    need the same loop, or only as a loop around launches. Iterators of one kind
    that run over neighbors in memory in all operands, as those of an addition of
    matrices, become one, and all come in the order of the result's dimensions,
    reductions last. Elementwise ops become a part of the op that needs what they
    write, if nothing else does, and if it reads each element once. Convolutions of
    1 x 1 with steps of 1, of one image or with channels last, become products of
    matrices. Quantised convolutions and products whose zero points are constants
    0 become those without; where that of the weights is 0, and the other one a
    constant that 64 or more results for each sum of weights share, it is
    subtracted from the results, times these sums. Ops whose result is one
    element get an iterator of extent 1, unless they are reductions of one
    iterator by an operation that is atomic on GPUs. Functions that have ops
    with recipes stay.

    baco-tune-driver and `--baco-autotune` do this for GPUs, unless the module
    has a schedule.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect"];
}

def OutlineKernelsPass : Pass<"baco-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Make functions of what can be tuned in whole programs";
  let description = [{
    Looks into each function that can't be run alone: because it prints, calls
    external functions (as clocks), takes no arguments, or returns memory of
    dynamic shape. Each group of linalg ops or loop nests in it that follow each
    other and use each other's results moves to a private function, which is
    called in its place and can be tuned alone. Shapes that constants tell
    become static before that. docs/Intake.md has the rules.

    Example: of a `main` that allocates, fills, multiplies and prints, the
    `linalg.matmul` becomes `@main_matmul`.
  }];
  let dependentDialects = ["::baco::BacoDialect", "::mlir::func::FuncDialect"];
  let options = [Entry];
}

def SpecializeShapesPass : Pass<"baco-specialize-shapes", "::mlir::ModuleOp"> {
  let summary = "Give functions on dynamic shapes versions for known shapes";
  let description = [{
    A function with ops to tune whose memref or tensor arguments have dynamic
    shapes gets a private version for each shape that is known: from the option
    `shape`, or from calls in the module, through constants, allocations, casts
    and other functions. The version has static types. The function compares
    extents (and strides, where its type leaves them open) and calls the version
    that suits its arguments; for others, and where memory that the version
    writes is that of another argument, it runs the code that it had. Extents
    that linalg ops of the function determine need not be given. A function of
    static shape gets a version, too, if a call in the module passes memory
    twice that it writes.

    The function gets `baco.no_tune`. One whose shapes nobody says is left as it
    is, with a remark that says which option to give.

    Example: `--baco-specialize-shapes="shape=f:0=512x64,1=64x64;0=32x64"` makes
    two versions of `@f`, whose third argument's extents follow from the product
    that it is the result of. `f:0=512?x64,1=64x64` makes one whose number of
    rows stays dynamic, and is 512 in trials (`baco.extents`); its linalg ops
    become loops.
  }];
  let options = [Shape];
}

def ExpandRecipesPass : Pass<"baco-expand-recipes", "::mlir::ModuleOp"> {
  let summary = "Turn recipes into a transform schedule with knobs";
  let description = [{
    Replaces the `baco.recipe` attributes of the module by named sequences of
    transform ops. `transform.tune.knob` stands for each knob. The attributes
    `baco.constraints` and `baco.bind` express what upstream has no op for.
  }];
  let dependentDialects = [
    "::baco::BacoDialect", "::mlir::smt::SMTDialect",
    "::mlir::transform::TransformDialect"
  ];
}

def ExtractSpacePass : Pass<"baco-extract-space", "::mlir::ModuleOp"> {
  let summary = "Print the search space of a schedule as JSON";
  let description = [{
    Collects knobs, alternatives and constraints of the schedule in the module
    and prints the space, each constraint with its reason and location. The
    module is not changed.
  }];
  let options = [
    Option<"output", "output", "std::string", "\"-\"",
           "File to write; `-` is the standard output">,
    Option<"sequence", "sequence", "std::string", "\"__transform_main\"",
           "The named sequence that the schedule starts with">,
    Option<"ignoreAdvisory", "ignore-advisory", "bool", "false",
           "Omit advisory constraints">,
    Option<"explain", "explain", "std::string", "\"\"",
           "Instead of the space, write whether its knobs may have the values "
           "`KNOB=VALUE,...`, and if not, why">,
  ];
}

def ConcretizePass : Pass<"baco-concretize", "::mlir::ModuleOp"> {
  let summary = "Resolve the choices of a schedule";
  let description = [{
    Replaces knobs and alternatives by the given values. The result has no
    attributes of baco except target options and loop commands. It runs with
    upstream's `--transform-interpreter`, in a stock `mlir-opt` unless it has
    `transform.baco` ops.

    Example: `--baco-concretize='configuration={"MC": 64, "order": [1, 0]}'`.
    Parameters that are not given take their default. Values that violate a
    constraint which isn't advisory are an error.
  }];
  let options = [
    Option<"configuration", "configuration", "std::string", "\"\"",
           "Values of the parameters, a JSON object">,
    Option<"sequence", "sequence", "std::string", "\"__transform_main\"",
           "The named sequence that the schedule starts with">,
  ];
}

def FingerprintPass : Pass<"baco-fingerprint", "::mlir::ModuleOp"> {
  let summary = "Say of each function whether it is the one that was tuned";
  let description = [{
    Sets `baco.fingerprint` on each function with a body: 32 digits that depend
    on its code and that of the functions that it uses, but not on names of
    values and functions, locations, or the order of functions. Tuned libraries
    know functions by it (docs/Apply.md).
  }];
  let dependentDialects = ["::baco::BacoDialect"];
}

def ApplyPass : Pass<"baco-apply", "::mlir::ModuleOp"> {
  let summary = "Apply the schedules that tuned libraries have for the kernels";
  let description = [{
    Takes in the module as the tuner does, looks up each kernel by its
    fingerprint, and applies the schedule of its entry: the functions then have
    the bodies of the tuned module. Nothing is searched, planned or measured,
    and no process is started. A library is what baco-tune-driver writes as
    `NAME.library.mlir`, or its database (docs/Apply.md).

    An entry is used if its function is unchanged, if it was made by the same
    versions of baco and LLVM, and on this machine or on one with the same
    instruction set, caches and threads.

    Example: `--baco-apply="library=mine.mlir,project.mlir mode=warn"`.
  }];
  let dependentDialects = [
    "::baco::BacoDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::transform::TransformDialect"
  ];
  let options = [
    Option<"library", "library", "std::string", "\"\"",
           "Files of tuned libraries, separated by commas; the first one that "
           "has a valid entry is used">,
    Option<"database", "db", "std::string", "\"\"",
           "A database of baco-tune-driver, which is asked after the libraries">,
    Option<"mode", "mode", "std::string", "\"frozen\"",
           "What to do about a kernel without a valid entry: `frozen` fails, "
           "`warn` leaves it as it is">,
    Option<"targetCpu", "target-cpu", "std::string", "\"\"",
           "The CPU to apply for, as LLVM names it; empty: this one">,
    Option<"explains", "explain", "bool", "false",
           "Say at each kernel which entries the libraries have, which is "
           "used, and what would have made the others fit">,
    Host, Threads, Target, Entry, Shape, Layout, Winograd, SharedLibs,
    Interface,
  ];
}

def AutotunePass : Pass<"baco-autotune", "::mlir::ModuleOp"> {
  let summary = "Tune the kernels of the module and apply the best schedules";
  let description = [{
    For each kernel: finds or reads the schedule, extracts its space, searches
    it by compiling and running candidates in worker processes, and applies the
    best configuration. A remark at the function reports the speed-up. A kernel
    whose plain lowering is certainly faster than the best schedule stays as it
    is. The result is plain IR. Kernels share the budget; kernels that differ
    only in names are tuned once. If a kernel can't be tuned, the others still
    are, and the pass fails at the end. The options are those of
    baco-tune-driver; quote values that contain spaces.
  }];
  let dependentDialects = [
    "::baco::BacoDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::smt::SMTDialect", "::mlir::transform::TransformDialect"
  ];
  let options = !instances<TuneOption>();
}

#endif // BACO_TRANSFORMS_PASSES_TD
