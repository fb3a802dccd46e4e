//===- DefaultFirst.h - Begin with the default ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tuner compares results with the default configuration, which therefore must
// be measured with every technique; if it fails, another one takes its place.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SEARCH_DEFAULTFIRST_H
#define BACO_SEARCH_DEFAULTFIRST_H

#include "baco/Search/Optimizer.h"

#include <set>
#include <string_view>

namespace baco::search {

/// The configurations to try, in order, if the space's default fails: all
/// numbers half-way to their smallest values, by index, then all at their
/// smallest values, where constraints allow it. For automatic schedules these
/// are smaller tiles, and vectors as short as they get, which is simpler code.
std::vector<Configuration> simplerDefaults(const Space &space);

/// The prefix of states of trials that DefaultFirst suggests because the
/// default has failed.
inline constexpr std::string_view fallbackPrefix = "fallback:";

/// Was this trial to replace the default?
inline bool isFallback(std::string_view state) {
  return state.starts_with(fallbackPrefix);
}

/// Suggests the space's default as trial 0, then what the technique suggests.
/// If the default is infeasible, simplerDefaults come next, until one of them
/// is feasible. When the technique suggests one of these, it is told the
/// outcome (or, if that isn't known yet, that the trial is cancelled) and asked
/// once more. A technique that begins with the default itself goes through
/// unchanged as long as that is feasible.
class DefaultFirst final : public Optimizer {
public:
  /// `technique` searches `space` and was neither asked nor told.
  DefaultFirst(const Space &space, std::unique_ptr<Optimizer> technique);

  Result<std::optional<Suggestion>> ask() override;
  Result<void> tell(uint64_t trial, const Observation &observation) override;
  Result<void> cancel(uint64_t trial) override;
  std::vector<uint64_t> unwanted() const override;
  Result<void> restore(const std::vector<PastTrial> &trials) override;

private:
  /// The default, or what replaces it.
  struct Ours {
    Configuration configuration;
    /// The trial that it is; nothing before.
    std::optional<uint64_t> trial = {};
    /// Its outcome; nothing if that isn't known, or it was cancelled.
    std::optional<Observation> seen = {};
    bool isDone = false;
  };
  /// The origin of a trial: its number in `ours` or in the technique.
  struct Source {
    bool isOurs = false;
    uint64_t number = 0;
  };

  std::optional<size_t> findOurs(const Configuration &configuration) const;
  std::optional<size_t> nextOfOurs() const;
  Suggestion suggestOurs(size_t index);
  Suggestion pass(Suggestion suggestion, const std::string &prefix);
  Result<std::optional<Suggestion>> askTechnique();
  Result<void> answer(uint64_t inner, const Ours &known);
  Result<Ours *> findPending(uint64_t trial);
  std::optional<size_t> readOurs(const Suggestion &suggestion);

  std::unique_ptr<Optimizer> technique;
  /// The default first.
  std::vector<Ours> ours;
  /// The source of each trial.
  std::vector<Source> sources;
  /// The technique's suggestions.
  std::set<Configuration> asked;
  /// Whether some trial was suggested by us and not by the technique.
  bool hasOwnTrials = false;
  /// The technique's first suggestion, until it is passed on.
  std::optional<Suggestion> first;
};

} // namespace baco::search

#endif // BACO_SEARCH_DEFAULTFIRST_H
