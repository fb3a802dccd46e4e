//===- BacoDialect.td - The baco dialect -------------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect itself. It has attributes only: what can be chosen (domains,
// knobs), what must hold (constraints), and how a person or the annotator asks
// for a schedule (recipes).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_BACODIALECT_TD
#define BACO_IR_BACODIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def BacoDialect : Dialect {
  let name = "baco";
  let cppNamespace = "::baco";
  let summary = "choices, constraints and recipes for schedules to be tuned";
  let description = [{
    Attributes that turn a transform-dialect schedule into a search space, and
    recipes that turn an op into a schedule.

    These discardable attributes carry them:

    | attribute | on | value |
    |---|---|---|
    | `baco.recipe` | a payload op | `#baco.recipe`, expanded by `--baco-expand-recipes` |
    | `baco.constraints` | `transform.named_sequence` | array of `#baco.constraint` over the knobs of the sequence |
    | `baco.bind` | a transform op | dictionary from the name of an attribute of the op to what sets it: the name of a knob, a list of integers and such names, or `#baco.reorder` |
    | `baco.default` | `transform.tune.knob`, `transform.tune.alternatives` | the value, or the number of the region, while nothing better is known |
    | `baco.weights` | `transform.tune.knob` | `array<f64>`, an expert's weight for each value |
    | `baco.extent` | `transform.tune.knob` | i64, the trip count of the loop that the value is a tile of: a search in another shape learns from shares of it, too |
    | `baco.target_options` | a function, `transform.named_sequence` | dictionary: how LLVM compiles it, see below |
    | `baco.no_tune` | a function | unit: it is no kernel, and automatic annotation leaves its ops as they are, because its parts were outlined (`--baco-outline-kernels`) or it has versions (`--baco-specialize-shapes`) |
    | `baco.input` | an argument of a function | what it is when the function is timed, see below |
    | `baco.constant` | an argument of a function, a memref or a tensor that it only reads | unit: all calls of a program pass the same data, so that copies of them are made once, before the first call ([User guide](../UserGuide.md#constant-operands)) |
    | `baco.copy` | `memref.alloc` | unit: the buffer holds copies; in each block that fills it, ops that fill it come before those that read it, and write all that these read |
    | `baco.extents` | an argument of a function, a memref | `array<i64>`, the extents that it has when the function is timed: dynamic ones that are equal are one extent ([versions](../Intake.md#extents-that-stay-dynamic)) |
    | `baco.gpu_target` | a module | `#nvvm.target`: the GPU that its kernels are tuned for, whose limits recipes know |
    | `baco.fingerprint` | a function | text: tells whether the function is the one that was tuned ([Apply](../Apply.md)) |
    | `baco.entry` | a `transform.named_sequence` of a tuned library | a dictionary: the function that the schedule is of, and the evidence for it ([Apply](../Apply.md)) |
    | `baco.tf32` | a linalg op | unit: operands of f32 may be rounded to tf32, which has 11 digits, so that tensor cores can multiply them; results are compared accordingly |
    | `baco.stages` | a `linalg.copy` | i64: the target, a `memref.subview`, is one of so many buffers, which its first offset chooses; `transform.baco.gpu_promote` sets it, and `transform.baco.gpu_copy` reads it |
    | `baco.sparse_vl`, `baco.sparse_simd32`, `baco.sparse_parallel` | a function on sparse tensors | what upstream's sparsifier does when `--baco-lower-sparse` runs it: i64, the length of vectors (0: none); unit: 32 bits for vectors of addresses; `"none"`, `"dense-outer-loop"` or `"any-storage-outer-loop"`, which outermost loops are parallel |

    `baco.input` is one of these ([which is for what](../Intake.md#values-of-arguments)):

    | value | for | the argument |
    |---|---|---|
    | `512`, `2.5 : f64` | scalars | has this value |
    | `#baco.integer<0 to 99>` | integers | has these values, preferably small ones |
    | `{uniform = [0.5, 2.0], seed = 1}` | memrefs, tensors, floats | has numbers from the first to the second one, integers both included |
    | `{normal = [0.0, 1.0], seed = 1}` | memrefs, tensors, floats | has numbers of this mean and deviation; integers are rounded |
    | `{below = 100, seed = 1}` | memrefs and tensors of integers | has indices below this extent |
    | `{file = "x.npy"}` | memrefs, tensors | has the contents of a file that `numpy.save` has written, next to the MLIR file |
    | `{tensor = "x.mtx"}` | sparse tensors | has the entries of a file next to the MLIR file, or of a generator such as `"rmat(scale=12, degree=8)"` |

    The attributes are optional: schedules with upstream's `transform.tune.knob` tune, too.

    Knobs whose names start with `llvm.` are target options, which control how
    LLVM compiles the kernel. `--baco-concretize` collects their values in
    `baco.target_options` on the entry sequence of the schedule. When baco
    applies the schedule, it copies them to the kernel's function, where its
    code generation reads them. Stock tools ignore them and may generate other
    code than what was measured.

    | option | values | meaning |
    |---|---|---|
    | `opt_level` | 0 to 3, `"auto"` | LLVM's optimization pipeline: 0 is a cheap clean-up only; `"auto"` (the default) is 0 where MLIR has vectorized everything, else 3 |
    | `codegen_level` | 0 to 3 | effort of instruction selection, scheduling and register allocation (default: 2 after a clean-up only, else 3) |
    | `prefer_vector_width` | 128, 256, 512 | longest vectors in bits; longer vectors of the schedule are split |
    | `unroll_threshold` | 0 to 100000 | largest size of an unrolled loop, in LLVM's units of cost |
    | `interleave_count` | 1, 2, 4, 8, 16 | interleaved iterations of each innermost loop that LLVM vectorizes |
    | `dot_products` | 0, 1, 2 | 1: sums of products of `i8` or `i16` use AVX-512's VNNI, which the CPU must have (pass `baco-dot-products`); 2: products of `i8` use AMX, too (pass `baco-tile-products`); plans for such CPUs say so |
  }];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr llvm::StringLiteral kRecipe = "baco.recipe";
    static constexpr llvm::StringLiteral kConstraints = "baco.constraints";
    static constexpr llvm::StringLiteral kBind = "baco.bind";
    static constexpr llvm::StringLiteral kDefault = "baco.default";
    static constexpr llvm::StringLiteral kWeights = "baco.weights";
    static constexpr llvm::StringLiteral kExtent = "baco.extent";
    static constexpr llvm::StringLiteral kTargetOptions = "baco.target_options";
    static constexpr llvm::StringLiteral kNoTune = "baco.no_tune";
    /// The spelling of older versions.
    static constexpr llvm::StringLiteral kKeep = "baco.keep";
    static constexpr llvm::StringLiteral kInput = "baco.input";
    /// An integer attribute of a memref argument: callers promise that it
    /// begins at a multiple of so many bytes.
    static constexpr llvm::StringLiteral kAlignment = "baco.alignment";
    static constexpr llvm::StringLiteral kTF32 = "baco.tf32";
    static constexpr llvm::StringLiteral kEntry = "baco.entry";
    static constexpr llvm::StringLiteral kFingerprint = "baco.fingerprint";
    static constexpr llvm::StringLiteral kStages = "baco.stages";
    /// Lets an op be found again in a copy of its module, by a number or as the
    /// only one; it is set and removed again.
    static constexpr llvm::StringLiteral kMark = "baco.mark";

    void registerAttributes();
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

class Baco_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<BacoDialect, name, traits> {
  let mnemonic = attrMnemonic;
}

#endif // BACO_IR_BACODIALECT_TD
