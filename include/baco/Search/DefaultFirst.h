//===- DefaultFirst.h - Begin with the default ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tuner compares what it finds with the default configuration, so that must
// be measured whatever the technique.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_DEFAULTFIRST_H
#define BACO_SEARCH_DEFAULTFIRST_H

#include "baco/Search/Optimizer.h"

namespace baco::search {

/// Suggests the space's default as trial 0, then what the technique suggests.
/// When that comes to the default, it is told what became of it (or, where this
/// isn't known yet, that the trial is cancelled) and asked once more. A
/// technique that begins with the default itself goes through unchanged.
class DefaultFirst final : public Optimizer {
public:
  /// `technique` searches `space` and was neither asked nor told.
  DefaultFirst(Space space, std::unique_ptr<Optimizer> technique);

  Result<std::optional<Suggestion>> ask() override;
  Result<void> tell(uint64_t trial, const Observation &observation) override;
  Result<void> cancel(uint64_t trial) override;
  std::vector<uint64_t> unwanted() const override;
  Result<void> restore(const std::vector<PastTrial> &trials) override;

private:
  Result<std::optional<Suggestion>> askTechnique();
  Result<void> answerDefault(uint64_t inner);
  bool isDefault(const Configuration &configuration) const {
    return configuration == defaultConfiguration;
  }

  Space space;
  std::unique_ptr<Optimizer> technique;
  Configuration defaultConfiguration;

  enum class Mode {
    /// Nothing was asked for.
    Fresh,
    /// The technique begins with the default itself.
    Through,
    /// Trial 0 is ours.
    Own,
  };
  Mode mode = Mode::Fresh;
  /// What the technique suggested when it was asked first, in mode Own, until
  /// that is passed on.
  std::optional<Suggestion> first;
  /// In mode Own: what became of the default; whether it still runs.
  std::optional<Observation> ofDefault;
  bool isDefaultPending = false;
  /// In mode Own: the technique's number of each trial from 1 on, at its number
  /// less one.
  std::vector<uint64_t> innerNumbers;
};

} // namespace baco::search

#endif // BACO_SEARCH_DEFAULTFIRST_H
