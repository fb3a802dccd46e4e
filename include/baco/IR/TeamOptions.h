//===- TeamOptions.h - How threads share parallel loops ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of functions that choose how their parallel loops run, dense
// or sparse: schedules leave them, and the lowering reads them.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_IR_TEAMOPTIONS_H
#define BACO_IR_TEAMOPTIONS_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/Error.h"

namespace baco {

/// How many threads run a parallel loop at most: i64, 0 for all.
inline constexpr llvm::StringLiteral kTeamThreads = "baco.team_threads";
/// How they share its iterations: "static", "dynamic" or "guided".
inline constexpr llvm::StringLiteral kTeamSchedule = "baco.team_schedule";
/// How many they take at once: i64; 0 for equal parts if static, else for one.
inline constexpr llvm::StringLiteral kTeamChunk = "baco.team_chunk";

struct TeamOptions {
  enum class Schedule { Static, Dynamic, Guided };
  /// As many as a team of the worker has at most (runtime::maxTeamSize).
  static constexpr int64_t maxThreads = 64;
  static constexpr int64_t largestChunk = int64_t(1) << 30;

  int64_t threads = 0;
  Schedule schedule = Schedule::Static;
  int64_t chunk = 0;

  /// Reads the attributes of `function`. The error names what is wrong and what
  /// is possible.
  static llvm::Expected<TeamOptions> read(mlir::Operation *function);
};

/// Whether `name` is one of these attributes.
bool isTeamOption(llvm::StringRef name);

/// Sets `number` to the attribute `name` of `op`, if it has that: an i64 from 0
/// to `largest`.
llvm::Error readNumber(mlir::Operation *op, llvm::StringRef name,
                       int64_t largest, int64_t &number);

} // namespace baco

#endif // BACO_IR_TEAMOPTIONS_H
