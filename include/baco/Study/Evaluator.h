//===- Evaluator.h - Where outcomes come from -------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one interface behind which candidates are evaluated: by compiling and
// running them (jit), by looking them up (replay), ...
//
//===----------------------------------------------------------------------===//

#ifndef BACO_STUDY_EVALUATOR_H
#define BACO_STUDY_EVALUATOR_H

#include "baco/Space/Space.h"
#include "baco/Support/Outcome.h"

namespace baco::study {

class Evaluator {
public:
  virtual ~Evaluator();

  /// Takes a candidate and returns at once; evaluation goes on in the
  /// background where the evaluator can. Errors are those of the environment
  /// (no worker could be started), not of the candidate.
  virtual Result<void> submit(uint64_t trial,
                              const Configuration &configuration) = 0;

  /// Waits for a submitted candidate, once. A candidate that fails is an
  /// outcome. An evaluator whose candidates take long should return soon, with
  /// `Lost` or an error, when the user asks to stop: after a stop request the
  /// study ignores either, and the candidate stays pending.
  virtual Result<Outcome> wait(uint64_t trial) = 0;

  /// Cancels a submitted candidate, which is then not waited for: its
  /// evaluation isn't begun, or is stopped where possible.
  virtual void cancel(uint64_t trial) = 0;

  /// Records the outcome of a trial of an earlier run of the study.
  virtual void recall(const Outcome &) {}

  /// Part of the study's key: outcomes of evaluators with different
  /// fingerprints are not comparable.
  virtual std::string fingerprint() const = 0;
};

} // namespace baco::study

#endif // BACO_STUDY_EVALUATOR_H
