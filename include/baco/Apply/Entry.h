//===- Entry.h - Library entry of a function --------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry of a tuned library: the key of its function, the tuning result, and
// the evidence for it. Stored as the attribute `baco.entry` of the named
// sequence that is the schedule.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_APPLY_ENTRY_H
#define BACO_APPLY_ENTRY_H

#include "baco/Apply/Machine.h"
#include "baco/Frontend/RequestedShapes.h"
#include "baco/Support/Kept.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace baco::apply {

/// The key of a function in libraries.
struct FunctionKey {
  std::string name;
  /// See baco::fingerprint.
  std::string fingerprint;
  /// A hash of the names of its ops, and of the loops and accesses of linalg
  /// ops: a function with the same one and another fingerprint may be an edited
  /// one, or the same kernel in another shape.
  std::string structure;
  /// A hash of the schedule that is written by hand for it: see hashSchedule.
  std::string schedule = {};
  /// See baco::Fingerprint.
  std::string parts = {};
  std::vector<std::string> used = {};

  /// With the hash of what is written for it: see hashSchedule.
  static FunctionKey of(mlir::func::FuncOp function,
                        mlir::ModuleOp schedule = {});
};

/// The 32 digits of a hash of the schedule that is written by hand for
/// `function`: of `schedule`, if it isn't null, with the attributes of
/// functions that it may match, or else of the recipes in it; empty if it has
/// none. Locations and names of functions have no effect.
std::string hashSchedule(mlir::func::FuncOp function, mlir::ModuleOp schedule);

/// Whether a function might be tuned, as far as can be told without planning.
bool mayBeKernel(mlir::func::FuncOp function);

/// The field with the kind of matcher by which a stock mlir-opt finds the
/// function: `structure` or `fingerprint`; absent if there is none.
inline constexpr llvm::StringLiteral kStock = "stock";

/// The versions of the tools that made an entry.
struct Versions {
  std::string baco, llvm;
  /// See pipelineVersion.
  int64_t pipeline = 0;

  static Versions current();
  bool operator==(const Versions &) const = default;
  std::string str() const;
};

/// To be raised whenever a schedule, or what comes before and after it, makes
/// other code than before, within one version of baco: .ci/check-pipeline
/// --update does so.
inline constexpr int64_t pipelineVersion = 10;

/// Whether a ratio of times can be one: positive and finite.
bool isRatio(double ratio);

/// Whether these are the ends of an interval of such ratios.
bool isRatioInterval(double least, double most);

struct Entry {
  FunctionKey key;
  /// The code that the tuned module uses; nullopt: the function isn't a kernel,
  /// or wasn't chosen for tuning.
  std::optional<Kept> kept;
  /// Whether the key is of the function as written in the file, because a
  /// schedule by hand applies to that form; else of the prepared function.
  bool isAsWritten = false;
  /// The shapes for which this dynamic function has versions, which have their
  /// own entries.
  std::vector<frontend::RequestedShape> shapes;
  /// Whether a stock mlir-opt can apply the schedule. Such a schedule applies
  /// to the function, not to a module with that function.
  bool isStock = false;
  Machine machine;
  Versions versions;

  struct Evidence {
    /// `jit`, `static` or `replay`; empty if nothing was searched.
    std::string evaluator;
    uint64_t evaluations = 0;
    /// A JSON object; empty without a schedule.
    std::string configuration;
    /// A JSON object with the extents that knobs are tiles of, as far as known;
    /// empty if none is.
    std::string extents;
    /// How many times faster than the default schedule and the plain lowering,
    /// and the confidence intervals.
    std::optional<double> speedup, speedupOverPlain;
    std::optional<std::pair<double, double>> interval, intervalOverPlain;
  } evidence;

  /// For `baco.entry`.
  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
  /// The reverse. An error names the field.
  static llvm::Expected<Entry> read(mlir::Attribute attribute);
};

} // namespace baco::apply

#endif // BACO_APPLY_ENTRY_H
