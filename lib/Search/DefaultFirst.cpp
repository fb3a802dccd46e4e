//===- DefaultFirst.cpp - Begin with the default --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// States of suggestions: our own trials have the states `0` (the default),
// `fallback:1`, .... A suggestion of the technique keeps the technique's state;
// if one of our trials came before it, `-` and that state follow a list of the
// suggestions that repeated our trials. Each of these is `t` or `c` (the
// technique was told the outcome, or that the trial is cancelled), the number
// of our trial, a comma, the length of the suggestion's state, a colon and that
// state.
//
//===----------------------------------------------------------------------===//

#include "baco/Search/DefaultFirst.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace baco;
using namespace baco::search;

static constexpr std::string_view defaultState = "0";

std::vector<Configuration> baco::search::simplerDefaults(const Space &space) {
  Configuration start = space.toConfiguration(space.defaultPoint());
  std::vector<Configuration> simpler = {start};
  for (uint64_t divisor : {2, 0}) {
    Configuration wanted;
    for (size_t k = 0; k < start.size(); ++k) {
      const Parameter &parameter = space.parameters()[k];
      bool isCounted = parameter.isNumeric() && parameter.size() > 0;
      std::optional<uint64_t> index =
          isCounted ? parameter.indexOf(start[k]) : std::nullopt;
      wanted.push_back(index ? parameter.value(divisor ? *index / divisor : 0)
                             : start[k]);
    }
    Result<Point> point = space.toPoint(wanted);
    if (!point)
      continue;
    Configuration found = space.toConfiguration(space.nearest(*point));
    if (std::find(simpler.begin(), simpler.end(), found) == simpler.end())
      simpler.push_back(std::move(found));
  }
  simpler.erase(simpler.begin());
  return simpler;
}

DefaultFirst::DefaultFirst(const Space &space,
                           std::unique_ptr<Optimizer> technique)
    : technique(std::move(technique)) {
  ours.push_back(
      {.configuration = space.toConfiguration(space.defaultPoint())});
  for (Configuration &configuration : simplerDefaults(space))
    ours.push_back({.configuration = std::move(configuration)});
}

std::optional<size_t>
DefaultFirst::findOurs(const Configuration &configuration) const {
  for (size_t i = 0; i < ours.size(); ++i)
    if (ours[i].trial && ours[i].configuration == configuration)
      return i;
  return std::nullopt;
}

/// The next of our configurations to try: the first untried one, if all before
/// it have failed.
std::optional<size_t> DefaultFirst::nextOfOurs() const {
  for (size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].trial) {
      if (!ours[i].seen || ours[i].seen->feasible)
        return std::nullopt;
      continue;
    }
    // Suggestions of the technique aren't repeated.
    if (!asked.contains(ours[i].configuration))
      return i;
  }
  return std::nullopt;
}

Suggestion DefaultFirst::suggestOurs(size_t index) {
  ours[index].trial = sources.size();
  sources.push_back({true, index});
  hasOwnTrials = true;
  return {sources.size() - 1, ours[index].configuration,
          index == 0 ? std::string(defaultState)
                     : std::string(fallbackPrefix) + std::to_string(index)};
}

/// Passes on what the technique has suggested.
Suggestion DefaultFirst::pass(Suggestion suggestion,
                              const std::string &prefix) {
  sources.push_back({false, suggestion.trial});
  asked.insert(suggestion.configuration);
  suggestion.trial = sources.size() - 1;
  if (hasOwnTrials)
    suggestion.state = prefix + "-" + suggestion.state;
  return suggestion;
}

Result<std::optional<Suggestion>> DefaultFirst::ask() {
  if (sources.empty()) {
    Result<std::optional<Suggestion>> suggestion = technique->ask();
    if (!suggestion || !*suggestion)
      return suggestion;
    if ((*suggestion)->configuration == ours[0].configuration) {
      ours[0].trial = 0;
      return std::optional(pass(std::move(**suggestion), ""));
    }
    first = std::move(*suggestion);
    return std::optional(suggestOurs(0));
  }
  if (std::optional<size_t> next = nextOfOurs())
    return std::optional(suggestOurs(*next));
  return askTechnique();
}

/// Tells the technique what became of its trial `inner`, which is one of ours.
Result<void> DefaultFirst::answer(uint64_t inner, const Ours &known) {
  return known.seen ? technique->tell(inner, *known.seen)
                    : technique->cancel(inner);
}

Result<std::optional<Suggestion>> DefaultFirst::askTechnique() {
  std::string prefix;
  while (true) {
    Result<std::optional<Suggestion>> suggested =
        first ? std::exchange(first, std::nullopt) : technique->ask();
    if (!suggested || !*suggested)
      return suggested;
    Suggestion &suggestion = **suggested;
    std::optional<size_t> known = findOurs(suggestion.configuration);
    if (!known)
      return std::optional(pass(std::move(suggestion), prefix));
    prefix += (ours[*known].seen ? "t" : "c") + std::to_string(*known) + "," +
              std::to_string(suggestion.state.size()) + ":" + suggestion.state;
    if (Result<void> done = answer(suggestion.trial, ours[*known]); !done)
      return done.error();
  }
}

/// Our trial whose outcome is pending; else an error.
Result<DefaultFirst::Ours *> DefaultFirst::findPending(uint64_t trial) {
  for (Ours &one : ours)
    if (one.trial == trial && !one.isDone)
      return &one;
  return {ErrorCode::InvalidArgument,
          "trial " + std::to_string(trial) + " isn't pending"};
}

Result<void> DefaultFirst::tell(uint64_t trial,
                                const Observation &observation) {
  bool isPassed = trial < sources.size() && !sources[trial].isOurs;
  if (isPassed)
    if (Result<void> told = technique->tell(sources[trial].number, observation);
        !told || ours[0].trial != trial)
      return told;
  if (observation.feasible && !std::isfinite(observation.objective))
    return {ErrorCode::InvalidArgument,
            "trial " + std::to_string(trial) +
                ": the objective of a feasible trial must be finite"};
  Result<Ours *> pending = findPending(trial);
  if (!pending)
    return pending.error();
  (*pending)->isDone = true;
  (*pending)->seen = observation;
  return {};
}

Result<void> DefaultFirst::cancel(uint64_t trial) {
  bool isPassed = trial < sources.size() && !sources[trial].isOurs;
  if (isPassed)
    if (Result<void> cancelled = technique->cancel(sources[trial].number);
        !cancelled || ours[0].trial != trial)
      return cancelled;
  Result<Ours *> pending = findPending(trial);
  if (!pending)
    return pending.error();
  (*pending)->isDone = true;
  return {};
}

std::vector<uint64_t> DefaultFirst::unwanted() const {
  std::vector<uint64_t> trials = technique->unwanted();
  // The technique's first trial may not have been passed on.
  std::vector<uint64_t> result;
  for (size_t i = 0; i < sources.size(); ++i)
    if (!sources[i].isOurs && std::find(trials.begin(), trials.end(),
                                        sources[i].number) != trials.end())
      result.push_back(i);
  return result;
}

//===----------------------------------------------------------------------===//
// Resuming
//===----------------------------------------------------------------------===//

namespace {
/// A suggestion that was answered by us.
struct Answered {
  size_t ours = 0;
  bool wasTold = false;
  std::string_view state;
};

/// The state of a suggestion that was passed on, taken apart.
struct ParsedState {
  std::vector<Answered> answered;
  std::string_view rest;
};
} // namespace

/// Takes a number and the character behind it off the front of `text`.
static std::optional<size_t> takeNumber(std::string_view &text, char end) {
  size_t number = 0;
  auto [at, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || at == text.data() + text.size() || *at != end)
    return std::nullopt;
  text.remove_prefix(at - text.data() + 1);
  return number;
}

static std::optional<ParsedState> parseState(std::string_view text,
                                             size_t numOurs) {
  ParsedState state;
  while (!text.empty() && text[0] != '-') {
    char kind = text[0];
    text.remove_prefix(1);
    std::optional<size_t> index = takeNumber(text, ',');
    std::optional<size_t> length = takeNumber(text, ':');
    if ((kind != 't' && kind != 'c') || !index || !length ||
        *index >= numOurs || *length > text.size())
      return std::nullopt;
    state.answered.push_back({*index, kind == 't', text.substr(0, *length)});
    text.remove_prefix(*length);
  }
  if (text.empty())
    return std::nullopt;
  state.rest = text.substr(1);
  return state;
}

/// Which of our trials this is.
std::optional<size_t> DefaultFirst::readOurs(const Suggestion &suggestion) {
  std::string_view state = suggestion.state;
  std::optional<size_t> index;
  if (state == defaultState && suggestion.trial == 0)
    index = 0;
  else if (isFallback(state))
    for (size_t i = 1; i < ours.size(); ++i)
      if (state.substr(fallbackPrefix.size()) == std::to_string(i))
        index = i;
  if (!index || ours[*index].trial ||
      ours[*index].configuration != suggestion.configuration)
    return std::nullopt;
  return index;
}

Result<void> DefaultFirst::restore(const std::vector<PastTrial> &trials) {
  if (!sources.empty())
    return {ErrorCode::InvalidArgument,
            "a search can only be restored before the first ask"};
  std::vector<PastTrial> inner;
  for (const PastTrial &trial : trials) {
    size_t number = sources.size();
    auto note = [&](Ours &one) {
      one.trial = number;
      one.isDone = !trial.isPending;
      if (!trial.isPending)
        one.seen = trial.observation;
    };
    if (std::optional<size_t> index = readOurs(trial.suggestion)) {
      note(ours[*index]);
      sources.push_back({true, *index});
      hasOwnTrials = true;
      continue;
    }
    std::optional<ParsedState> state = ParsedState{{}, trial.suggestion.state};
    if (hasOwnTrials)
      state = parseState(trial.suggestion.state, ours.size());
    bool isRight = state.has_value();
    for (size_t i = 0; isRight && i < state->answered.size(); ++i) {
      const Answered &one = state->answered[i];
      const Ours &known = ours[one.ours];
      isRight = known.trial && (!one.wasTold || known.seen);
      inner.push_back(
          {{inner.size(), known.configuration, std::string(one.state)},
           one.wasTold ? known.seen : std::nullopt});
    }
    if (!isRight)
      return {ErrorCode::InvalidArgument,
              "trial " + std::to_string(number) +
                  ": the state doesn't belong to a search that begins with the "
                  "default"};
    if (number == 0 && trial.suggestion.configuration == ours[0].configuration)
      note(ours[0]);
    asked.insert(trial.suggestion.configuration);
    sources.push_back({false, inner.size()});
    PastTrial &passed = inner.emplace_back(trial);
    passed.suggestion.trial = sources.back().number;
    passed.suggestion.state = state->rest;
  }
  if (inner.empty())
    return {};
  return technique->restore(inner);
}
