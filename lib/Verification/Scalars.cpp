//===- Scalars.cpp - The values of integer arguments ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Doubling, then bisection.
//
//===----------------------------------------------------------------------===//

#include "baco/Verification/Scalars.h"

#include <algorithm>

using namespace baco;
using namespace baco::runtime;

bool runtime::isIntegerScalar(const Argument &argument) {
  return !argument.isMemRef && !isFloat(argument.type);
}

/// The largest value that `argument` may have.
static int64_t greatestOf(const Argument &argument) {
  int64_t greatest = rangeOf(argument.type).greatest;
  return argument.range ? std::min(greatest, argument.range->greatest)
                        : greatest;
}

/// The least value that is tried for `argument`, which may be negative.
static int64_t leastOf(const Argument &argument) {
  return argument.range ? argument.range->least : rangeOf(argument.type).least;
}

ScalarValues runtime::timedValues(const Signature &signature) {
  ScalarValues values;
  for (const Argument &argument : signature.arguments) {
    if (!argument.values.empty())
      values.push_back(argument.values.front());
    else
      values.push_back(
          isFloat(argument.type)
              ? 0
              : std::max(std::min(datumScalar, greatestOf(argument)),
                         leastOf(argument)));
  }
  return values;
}

namespace {
class ScalarSearch {
public:
  ScalarSearch(const Signature &signature, const MayRun &mayRun, int64_t limit);

  /// Finds values at which the kernel may run; false if there are none.
  bool start();
  /// Raises all scalars together, then each of them.
  void raise();
  /// Sets scalars without a bound to `unboundedScalar`.
  void lowerUnbounded();
  bool mayBe(size_t argument, int64_t value) const;

  ScalarValues values;

private:
  int64_t limitOf(size_t argument) const {
    return std::min(limit, greatestOf(signature.arguments[argument]));
  }
  ScalarValues with(const std::vector<size_t> &arguments, int64_t value) const;
  void raise(const std::vector<size_t> &arguments);

  const Signature &signature;
  const MayRun &mayRun;
  int64_t limit;
  std::vector<size_t> searched;
};
} // namespace

ScalarSearch::ScalarSearch(const Signature &signature, const MayRun &mayRun,
                           int64_t limit)
    : values(timedValues(signature)), signature(signature), mayRun(mayRun),
      limit(limit) {
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (isIntegerScalar(argument) && argument.isStructural &&
        argument.values.empty())
      searched.push_back(i);
  }
}

bool ScalarSearch::mayBe(size_t argument, int64_t value) const {
  const std::optional<IntegerRange> &range =
      signature.arguments[argument].range;
  if (range && (value < range->least || value > range->greatest))
    return false;
  // Scalars that are only numbers can't cause accesses out of bounds.
  if (!signature.arguments[argument].isStructural)
    return true;
  ScalarValues changed = values;
  changed[argument] = value;
  return mayRun(changed);
}

/// `values` with these arguments set to `value`, or to the nearest value that
/// they may have.
ScalarValues ScalarSearch::with(const std::vector<size_t> &arguments,
                                int64_t value) const {
  ScalarValues changed = values;
  for (size_t argument : arguments)
    changed[argument] = std::max(std::min(value, limitOf(argument)),
                                 leastOf(signature.arguments[argument]));
  return changed;
}

bool ScalarSearch::start() {
  if (searched.empty())
    return std::ranges::none_of(signature.arguments, &Argument::isGiven) ||
           mayRun(values);
  // Small sizes first. 0 suits a flag, or an index into a single element;
  // larger values may be safe where one scalar is subtracted from another.
  for (int64_t value : {1, 0, 2, 3, 4, 8}) {
    values = with(searched, value);
    if (mayRun(values))
      return true;
  }
  return false;
}

void ScalarSearch::raise(const std::vector<size_t> &arguments) {
  int64_t good = values[arguments.front()], bad = limit + 1;
  for (size_t argument : arguments)
    good = std::max(good, values[argument]);
  for (int64_t next = std::max<int64_t>(1, 2 * good); next < bad;) {
    if (!mayRun(with(arguments, next))) {
      bad = next;
      break;
    }
    good = next;
    next = good < limit ? std::min(2 * good, limit) : bad;
  }
  while (good + 1 < bad) {
    int64_t middle = good + (bad - good) / 2;
    (mayRun(with(arguments, middle)) ? good : bad) = middle;
  }
  values = with(arguments, good);
}

void ScalarSearch::raise() {
  if (!searched.empty())
    raise(searched);
  for (size_t argument : searched)
    if (values[argument] < limitOf(argument))
      raise(std::vector<size_t>{argument});
}

void ScalarSearch::lowerUnbounded() {
  ScalarValues raised = values;
  for (size_t argument : searched)
    if (values[argument] == limit &&
        greatestOf(signature.arguments[argument]) > limit)
      values[argument] = unboundedScalar;
  // Some subtract one from another.
  if (values != raised && !mayRun(values))
    values = raised;
}

/// The values other than `timed` with which a scalar is verified.
static std::vector<int64_t> furtherValues(const Argument &argument,
                                          int64_t timed) {
  std::vector<int64_t> further;
  auto add = [&](int64_t value) {
    IntegerRange all = rangeOf(argument.type);
    if (value != timed && value >= all.least && value <= all.greatest &&
        std::ranges::find(further, value) == further.end())
      further.push_back(value);
  };
  // An odd size leaves a remainder for tiles of any usual size.
  if (timed > 2)
    add((timed / 2) | 1);
  add(1);
  add(0);
  if (!argument.isStructural) {
    add(-1);
    return further;
  }
  // All remainders of the usual vectors and tiles, and all parts of the range:
  // one near the middle of each eighth of it. 5 and 8 have no common divisor.
  constexpr int64_t parts = 8;
  std::vector<int64_t> others = {2, 3};
  for (int64_t part = 0; part < parts; ++part) {
    constexpr int64_t halves = 2 * parts;
    int64_t half = 2 * part + 1,
            middle = timed / halves * half + timed % halves * half / halves,
            value = middle / parts * parts + (5 * part + 4) % parts;
    others.push_back(value < timed ? value : value - parts);
  }
  for (int64_t value : others)
    if (value >= 0 && value < timed)
      add(value);
  return further;
}

bool runtime::chooseScalars(Signature &signature, const MayRun &mayRun,
                            int64_t limit) {
  ScalarSearch search(signature, mayRun, limit);
  if (!search.start())
    return false;
  search.raise();
  search.lowerUnbounded();
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    Argument &argument = signature.arguments[i];
    if (!isIntegerScalar(argument) ||
        (!argument.values.empty() && !argument.isGiven))
      continue;
    std::vector<int64_t> chosen = {search.values[i]};
    for (int64_t value : furtherValues(argument, chosen.front()))
      if (search.mayBe(i, value))
        chosen.push_back(value);
    argument.values = std::move(chosen);
  }
  return true;
}
