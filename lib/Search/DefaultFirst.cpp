//===- DefaultFirst.cpp - Begin with the default --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trial's state has one more letter than the technique's own, in front: `0`
// for our trial 0; `-` for most others. `t` or `c`: before this suggestion the
// technique suggested the default, and that was told or cancelled; the length
// of that suggestion's state, a colon, and that state come before the state.
//
//===----------------------------------------------------------------------===//

#include "baco/Search/DefaultFirst.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace baco;
using namespace baco::search;

static constexpr std::string_view ownState = "0";

DefaultFirst::DefaultFirst(Space space, std::unique_ptr<Optimizer> technique)
    : space(std::move(space)), technique(std::move(technique)),
      defaultConfiguration(
          this->space.toConfiguration(this->space.defaultPoint())) {}

Result<std::optional<Suggestion>> DefaultFirst::ask() {
  if (mode == Mode::Own)
    return askTechnique();
  Result<std::optional<Suggestion>> suggestion = technique->ask();
  if (mode == Mode::Through || !suggestion || !*suggestion)
    return suggestion;
  if (isDefault((*suggestion)->configuration)) {
    mode = Mode::Through;
    return suggestion;
  }
  mode = Mode::Own;
  first = std::move(*suggestion);
  isDefaultPending = true;
  return std::optional(
      Suggestion{0, defaultConfiguration, std::string(ownState)});
}

/// Tells the technique what became of its trial `inner`, the default.
Result<void> DefaultFirst::answerDefault(uint64_t inner) {
  return ofDefault ? technique->tell(inner, *ofDefault)
                   : technique->cancel(inner);
}

Result<std::optional<Suggestion>> DefaultFirst::askTechnique() {
  std::string prefix = "-";
  while (true) {
    Result<std::optional<Suggestion>> asked =
        first ? std::exchange(first, std::nullopt) : technique->ask();
    if (!asked || !*asked)
      return asked;
    Suggestion &suggestion = **asked;
    if (!isDefault(suggestion.configuration)) {
      innerNumbers.push_back(suggestion.trial);
      suggestion.trial = innerNumbers.size();
      suggestion.state = prefix + suggestion.state;
      return asked;
    }
    prefix = (ofDefault ? "t" : "c") + std::to_string(suggestion.state.size()) +
             ":" + suggestion.state;
    if (Result<void> answered = answerDefault(suggestion.trial); !answered)
      return answered.error();
  }
}

Result<void> DefaultFirst::tell(uint64_t trial,
                                const Observation &observation) {
  if (mode != Mode::Own)
    return technique->tell(trial, observation);
  if (trial > 0 && trial <= innerNumbers.size())
    return technique->tell(innerNumbers[trial - 1], observation);
  bool isValid = !observation.feasible || std::isfinite(observation.objective);
  if (trial > 0 || !isDefaultPending || !isValid)
    return {ErrorCode::InvalidArgument,
            "trial " + std::to_string(trial) +
                (isValid ? " isn't pending"
                         : ": the objective of a feasible trial must be "
                           "finite")};
  isDefaultPending = false;
  ofDefault = observation;
  return {};
}

Result<void> DefaultFirst::cancel(uint64_t trial) {
  if (mode != Mode::Own)
    return technique->cancel(trial);
  if (trial > 0 && trial <= innerNumbers.size())
    return technique->cancel(innerNumbers[trial - 1]);
  if (trial > 0 || !isDefaultPending)
    return {ErrorCode::InvalidArgument,
            "trial " + std::to_string(trial) + " isn't pending"};
  isDefaultPending = false;
  return {};
}

std::vector<uint64_t> DefaultFirst::unwanted() const {
  std::vector<uint64_t> trials = technique->unwanted();
  if (mode != Mode::Own)
    return trials;
  // The technique's first trial may not have been passed on.
  std::vector<uint64_t> ours;
  for (size_t i = 0; i < innerNumbers.size(); ++i)
    if (std::find(trials.begin(), trials.end(), innerNumbers[i]) !=
        trials.end())
      ours.push_back(i + 1);
  return ours;
}

namespace {
/// A state of ours, taken apart.
struct ParsedState {
  /// '-', 't' or 'c'.
  char kind = 0;
  std::string_view ofDefault, rest;
};
} // namespace

static std::optional<ParsedState> parseState(std::string_view text) {
  if (text.empty())
    return std::nullopt;
  ParsedState state{text[0], {}, text.substr(1)};
  if (state.kind == '-')
    return state;
  size_t length = 0;
  const char *begin = state.rest.data(), *end = begin + state.rest.size();
  auto [colon, error] = std::from_chars(begin, end, length);
  if ((state.kind != 't' && state.kind != 'c') || error != std::errc() ||
      colon == end || *colon != ':' ||
      static_cast<size_t>(end - colon - 1) < length)
    return std::nullopt;
  state.ofDefault = {colon + 1, length};
  state.rest = {colon + 1 + length, end};
  return state;
}

Result<void> DefaultFirst::restore(const std::vector<PastTrial> &trials) {
  if (mode != Mode::Fresh)
    return {ErrorCode::InvalidArgument,
            "a search can only be restored before the first ask"};
  if (trials.empty())
    return {};
  const PastTrial &ours = trials.front();
  if (ours.suggestion.state != ownState ||
      !isDefault(ours.suggestion.configuration)) {
    Result<void> restored = technique->restore(trials);
    if (restored)
      mode = Mode::Through;
    return restored;
  }
  std::vector<PastTrial> inner;
  std::vector<uint64_t> numbers;
  for (size_t i = 1; i < trials.size(); ++i) {
    std::optional<ParsedState> state = parseState(trials[i].suggestion.state);
    bool wasTold = state && state->kind == 't';
    if (!state || (wasTold && (ours.isPending || !ours.observation)))
      return {ErrorCode::InvalidArgument, "trial " + std::to_string(i) +
                                              ": the state isn't one of a "
                                              "search that begins with the "
                                              "default"};
    if (state->kind != '-')
      inner.push_back(
          {{inner.size(), defaultConfiguration, std::string(state->ofDefault)},
           wasTold ? ours.observation : std::nullopt});
    numbers.push_back(inner.size());
    PastTrial &trial = inner.emplace_back(trials[i]);
    trial.suggestion.trial = numbers.back();
    trial.suggestion.state = state->rest;
  }
  if (Result<void> restored = technique->restore(inner); !restored)
    return restored;
  mode = Mode::Own;
  innerNumbers = std::move(numbers);
  isDefaultPending = ours.isPending;
  if (!ours.isPending)
    ofDefault = ours.observation;
  return {};
}
