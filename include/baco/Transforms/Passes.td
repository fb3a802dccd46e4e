//===- Passes.td - Passes of baco --------------------------*- tablegen -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes: thin, the work is done in lib/Schedule and lib/Driver.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMS_PASSES_TD
#define BACO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AnnotatePass : Pass<"baco-annotate", "::mlir::ModuleOp"> {
  let summary = "Write a recipe on every op that baco knows how to schedule";
  let description = [{
    Gives each op of a known kind a `baco.recipe` with knobs and constraints
    that are derived from its shape and from the machine, so that one can read
    it, edit it and go on. An op that has a recipe keeps it. An op that baco
    cannot schedule gets a remark that says why, and is left as it was.

    Contractions over one iterator on static memrefs, of floats or integers,
    get a two-level blocking with packed panels and a register tile; those
    whose operands fit the cache of level 1, the register tile only. The operand
    that has the last index of the output must be contiguous along it. Tiles
    that do not divide an extent cut the op in parts (`remainders` of
    `#baco.tile`).

    Every other linalg op on static memrefs (convolutions, reductions,
    element-wise ops, products that sum over several iterators or have a
    transposed operand) and loop nests without linalg ops get loop commands
    (docs/LoopPlans.md). Ops that only set or copy elements, or have fewer than
    1024 iterations, are left alone.

    Ops on static tensors get the same behind a `bufferize`, which puts their
    function into memory first.

    Example: `linalg.batch_matmul` on `memref<512x32x32xf32>` gets a loop over
    the batch and a register tile.
  }];
  let dependentDialects = [
    "::baco::BacoDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
  let options = [
    Option<"host", "host", "std::string", "\"\"",
           "The machine to schedule for, `KEY=VALUE,...` with the keys "
           "vector-bytes, vector-registers, l1, l2, l3 (sizes in bytes) and "
           "threads, the most that a kernel may have; what is not given is "
           "read from this machine, but for threads, which is then 1">,
    Option<"planTimeout", "plan-timeout", "int64_t", "30000",
           "Wall time for planning one kernel in milliseconds, in a process of "
           "its own; what isn't planned until then is left as it is; 0 for no "
           "limit">,
    Option<"worker", "worker", "std::string", "\"\"",
           "The worker program, which plans loop nests; empty: $BACO_WORKER, or "
           "baco-worker beside this tool">,
  ];
}

def ExpandRecipesPass : Pass<"baco-expand-recipes", "::mlir::ModuleOp"> {
  let summary = "Turn recipes into a transform schedule with knobs";
  let description = [{
    Replaces the `baco.recipe` attributes of the module by named sequences:
    plain transform IR, in which `transform.tune.knob` stands for each knob, and
    `baco.constraints` and `baco.bind` for what upstream has no op for.
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
           "Leave the advisory constraints out">,
    Option<"explain", "explain", "std::string", "\"\"",
           "Instead of the space, write whether its knobs may have these values, "
           "`KNOB=VALUE,...`, and if not, why">,
  ];
}

def ConcretizePass : Pass<"baco-concretize", "::mlir::ModuleOp"> {
  let summary = "Resolve the choices of a schedule";
  let description = [{
    Replaces knobs and alternatives by the given values. The result holds
    nothing of baco and runs with upstream's `--transform-interpreter`.

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

def AutotunePass : Pass<"baco-autotune", "::mlir::ModuleOp"> {
  let summary = "Tune the kernels of the module and apply the best schedules";
  let description = [{
    For each kernel: finds or reads the schedule, extracts its space, searches
    it by compiling and running candidates in worker processes, and applies the
    best configuration. A remark at the function says what was gained. The
    result is plain IR. Kernels share the budget, and those that are the same but
    for names are tuned once. A kernel that can't be tuned doesn't keep the
    others from it, but the pass fails in the end.
  }];
  let dependentDialects = [
    "::baco::BacoDialect", "::mlir::affine::AffineDialect",
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::smt::SMTDialect", "::mlir::transform::TransformDialect"
  ];
  let options = [
    Option<"budget", "budget", "unsigned", "60",
           "Number of candidates to evaluate, at least 1; several kernels share "
           "them by the time that they take. Unless it is given: 60 per kernel, "
           "with `stop` no limit">,
    Option<"stop", "stop", "std::string", "\"\"",
           "Condition after which the search ends, such as "
           "cost(NANOSECONDS)||duration(10min), see docs/Library.md; without "
           "blanks, or in quotes">,
    Option<"timeLimit", "time-limit", "double", "0",
           "Wall time in seconds, planning included, after which no candidate "
           "is started but each kernel's default; several kernels share it; 0 "
           "for no limit">,
    Option<"planTimeout", "plan-timeout", "int64_t", "30000",
           "Wall time for planning one kernel in milliseconds, in a process of "
           "its own; what isn't planned until then is left as it is; 0 for no "
           "limit">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of the search">,
    Option<"optimizer", "optimizer", "std::string", "\"baco\"",
           "Search technique: baco, forest, random, annealing, pro and others, see docs/Rivals.md">,
    Option<"evaluator", "evaluator", "std::string", "\"jit\"",
           "Where times come from: jit, or replay:FILE">,
    Option<"entry", "entry", "std::string", "\"\"",
           "The function to run, if the schedule's kernel is ambiguous">,
    Option<"schedule", "schedule", "std::string", "\"\"",
           "File with the schedule, if it isn't in the module">,
    Option<"host", "host", "std::string", "\"\"",
           "The machine to schedule for, see baco-annotate">,
    Option<"cpu", "cpu", "int", "-1",
           "Number of the CPU that candidates run on, -1 for the last one "
           "available">,
    Option<"ignoreAdvisory", "ignore-advisory", "bool", "false",
           "Search beyond the advisory constraints, too">,
    Option<"db", "db", "std::string", "\"\"",
           "Journal of the trials (SQLite); tuning resumes from it. Empty: "
           "trials are not kept">,
    Option<"worker", "worker", "std::string", "\"\"",
           "The worker program; empty: $BACO_WORKER, or baco-worker beside "
           "this tool">,
    Option<"tolerance", "tolerance", "double", "1",
           "How much floats may differ from the plain lowering's, as a multiple "
           "of what roundings do in any order; 0: not at all">,
    Option<"trialTime", "trial-time", "double", "50",
           "For how long a candidate is timed during the search, in "
           "milliseconds">,
    Option<"finalTime", "final-time", "double", "160",
           "For how long each of the best candidates, the default and the plain "
           "lowering are timed at the end, in milliseconds">,
    Option<"caches", "caches", "std::string", "\"hot\"",
           "What the caches hold when a candidate is timed: hot (what its last "
           "execution left) or flushed (nothing of its arguments)">,
  ];
}

#endif // BACO_TRANSFORMS_PASSES_TD
