//===- PlanMessages.h - Messages of plan servers ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frames between a tuner and a worker that plans nests for it. The tuner sends
// modules, then questions about nests in them; each question has one answer.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_CANDIDATECOMPILER_PLANMESSAGES_H
#define BACO_CANDIDATECOMPILER_PLANMESSAGES_H

#include "baco/Support/Result.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baco::target {

/// The argument that makes baco-worker plan nests.
inline constexpr char planArgument[] = "--plan";

/// The first byte of a frame. Module and Copy precede a module in MLIR
/// bytecode: the tuned one, or a bufferized copy of one of its functions.
/// Question precedes a question.
enum class PlanFrame : char { Module = 'M', Copy = 'C', Question = 'Q' };

struct PlanQuestion {
  enum class Kind {
    PlanNest,
    PlanInnermostLoops,
    CountRowFusionGroup,
    PlanRowFusion
  };
  Kind kind = Kind::PlanNest;
  /// HostInfo::str().
  std::string host;
  /// Is it about the copy?
  bool isInCopy = false;
  /// A function of the module.
  std::string function;
  /// Numbers of ops in a walk over the function that visits what is around an
  /// op before it.
  llvm::SmallVector<uint64_t> ops;
};

struct PlanAnswer {
  /// Why there is no plan; empty if there is one.
  std::string error;
  /// The plan as an attribute, if one was asked for.
  std::string recipe;
  /// The length of the group, if that was asked for.
  uint64_t count = 0;
  /// Remarks that were made: locations as attributes, and texts.
  std::vector<std::pair<std::string, std::string>> remarks;
};

/// As JSON objects.
std::string encode(const PlanQuestion &question);
std::string encode(const PlanAnswer &answer);

/// The inverse. Corrupt if it isn't one.
Result<PlanQuestion> decodePlanQuestion(std::string_view text);
Result<PlanAnswer> decodePlanAnswer(std::string_view text);

/// Answers questions about plans that come by runtime::workerSocket until the
/// tuner closes it. Dies with the thread that started this process. Returns
/// false if something else than questions comes.
bool servePlans();

} // namespace baco::target

#endif // BACO_CANDIDATECOMPILER_PLANMESSAGES_H
