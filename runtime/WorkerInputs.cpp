//===- WorkerInputs.cpp - Inputs for which a kernel is defined ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If the plain kernel divides an integer by zero, or computes no number, other
// ranges of its inputs are tried. Ranges that help stay in the signature, for
// all later checks.
//
//===----------------------------------------------------------------------===//

#include "WorkerAttempt.h"

#include "baco/Support/Complaint.h"

#include <algorithm>
#include <utility>

using namespace baco;
using namespace baco::runtime;

/// The range from which an argument of integers is drawn; `number` is the
/// number of memrefs of integers before it, and `greatest` is the greatest
/// value of its type. The ranges of different arguments are apart, so that
/// their differences aren't 0.
using IntegerRanges = IntegerRange (*)(int64_t number, int64_t greatest);

/// Four small integers.
static IntegerRange smallApart(int64_t number, int64_t) {
  return {8 * number + 1, 8 * number + 4};
}
/// The largest odd integers of eight bits: as dividends or shifted, they aren't
/// 0.
static IntegerRange largeApart(int64_t number, int64_t) {
  return {127 - 2 * number, 127 - 2 * number};
}
/// Powers of 3: neither the sum nor the difference of any of them is 0, nor are
/// they themselves modulo a power of 2.
static IntegerRange powersOfThree(int64_t number, int64_t greatest) {
  int64_t power = 1;
  for (int64_t i = 0; i < number && power <= greatest / 3; ++i)
    power *= 3;
  return {power, power};
}

/// Sets the ranges of memrefs of integers in `signature` for which nobody has
/// said what they hold. Floats, which may become integers, are at least 1 if
/// `changesFloats`.
static void setRanges(Signature &signature, IntegerRanges ranges,
                      bool changesFloats) {
  int64_t number = 0;
  for (Argument &argument : signature.arguments) {
    if (!argument.isMemRef || argument.hasGivenElements() ||
        argument.type == ElementType::I1)
      continue;
    if (isFloat(argument.type)) {
      if (changesFloats && !argument.isSparse)
        argument.source = Source{Source::Kind::Uniform, 2, 9};
      continue;
    }
    IntegerRange all = argument.range.value_or(rangeOf(argument.type));
    IntegerRange wanted = ranges(number++, rangeOf(argument.type).greatest);
    int64_t least = std::clamp(wanted.least, all.least, all.greatest);
    argument.range = {least, std::clamp(wanted.greatest, least, all.greatest)};
  }
}

/// Tries all inputs of the first check again with increasing elements where
/// differences of them are divisors, if `tried` says that others are no good.
/// The better inputs stay.
Result<bool> Worker::tryIncreasing(Result<bool> tried,
                                   std::vector<Attempt> &attempts) {
  bool isDifferenced =
      std::ranges::any_of(signature.arguments, [](const Argument &argument) {
        return argument.isDifferenced && !argument.source;
      });
  if (!isDifferenced || (tried && *tried))
    return tried;
  Signature before = signature;
  for (Argument &argument : signature.arguments)
    if (argument.isDifferenced && !argument.source)
      argument.source = Source{Source::Kind::Increasing};
  bool hadTrapped = std::exchange(hasTrapped, false);
  std::vector<Attempt> others;
  Result<bool> increasing = attempt([&] { return tryAllInputs(others); });
  bool isBetter =
      increasing && (*increasing || !tried ||
                     (!isFinite(signature, attempts[0].check.reference,
                                attempts[0].check.inputs) &&
                      isFinite(signature, others[0].check.reference,
                               others[0].check.inputs)));
  if (isBetter) {
    attempts = std::move(others);
    return increasing;
  }
  signature = std::move(before);
  hasTrapped = hadTrapped;
  return tried;
}

/// Tries all inputs of the first check with other integers, until no division
/// traps.
bool Worker::tryOtherIntegers(std::vector<Attempt> &attempts) {
  Signature before = signature;
  for (bool changesFloats : {false, true})
    for (IntegerRanges ranges : {smallApart, largeApart, powersOfThree}) {
      signature = before;
      setRanges(signature, ranges, changesFloats);
      attempts.clear();
      hasTrapped = false;
      Result<bool> tried = attempt([&] { return tryAllInputs(attempts); });
      if (tried || !hasTrapped)
        return need(tried);
    }
  signature = std::move(before);
  std::string option;
  for (size_t i = 0; i < signature.arguments.size() && option.empty(); ++i)
    if (signature.arguments[i].isMemRef &&
        !isFloat(signature.arguments[i].type))
      option = "; say for which integers it is defined, such as --arg=" +
               signature.function + ":" + std::to_string(i) + "=1..9";
  fail({ErrorCode::InvalidArgument, "the plain kernel divides an integer by "
                                    "zero on all inputs that were tried" +
                                        option});
}

/// Makes the first check with larger floats, for which logarithms of logarithms
/// are defined. False if that gives no numbers either.
bool Worker::tryOtherFloats() {
  constexpr std::pair<double, double> ranges[] = {{3, 4}, {16, 32}};
  Signature before = signature;
  for (auto [least, greatest] : ranges) {
    for (size_t i = 0; i < signature.arguments.size(); ++i)
      if (isFloat(signature.arguments[i].type) && !before.arguments[i].source)
        signature.arguments[i].source =
            Source{Source::Kind::Uniform, least, greatest};
    Result<Attempt> tried =
        attempt([&] { return tryFirstInputs(InputKind::Grid, false); });
    if (!tried && tried.error().code == ErrorCode::TimedOut)
      fail(tried.error());
    if (!tried)
      continue;
    accept(*tried);
    if (makeConditioning(0) != Conditioning::None && isUseful(checks[0], 1))
      return true;
  }
  signature = std::move(before);
  return false;
}
