//===- WorkerScalars.cpp - Sizes and flags that kernels are run with ------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds by runs the values of integer scalars that can't be derived from the
// IR: first the largest safe values, then others for verification.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include "baco/Protocol/Clock.h"
#include "baco/Support/Complaint.h"

#include <algorithm>
#include <ranges>
#include <utility>

using namespace baco;
using namespace baco::runtime;

/// `2 for argument 0 and 3 for argument 1`, of structural scalars.
static std::string describeValues(const Signature &signature) {
  std::string text;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.isStructural || argument.values.empty())
      continue;
    text += (text.empty() ? "" : " and ") +
            std::to_string(argument.values.front()) + " for argument " +
            std::to_string(i);
  }
  return text;
}

/// How the user gives other values; `isKnown`: those that the signature has.
static std::string describeOption(const Signature &signature,
                                  bool isKnown = false) {
  std::string text;
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    if (const Argument &argument = signature.arguments[i];
        argument.isStructural)
      text += (text.empty() ? "" : ",") + std::to_string(i) + "=" +
              (isKnown ? std::to_string(argument.values.front()) : "VALUE");
  return "--arg=" + signature.function + ":" + text;
}

/// The access with which the plain kernel leaves its bounds on the inputs of a
/// check; empty if it isn't known to.
std::string Worker::findBadAccess(size_t check) {
  // The access of a long kernel isn't named if its checks take longer.
  constexpr int64_t longestNs = 5'000'000'000;
  int64_t deadlineNs = std::exchange(
      setupDeadlineNs, std::min(nowNs() + longestNs, setupDeadlineNs));
  abortText.clear();
  Result<Outcome> outcome =
      attempt([&] { return runPlain(Job::Checked, check); });
  setupDeadlineNs = deadlineNs;
  return outcome && outcome->status == Status::Crashed ? abortText : "";
}

/// Searches values at which a run of this kind gets to its end. False if none
/// is found.
bool Worker::searchScalars(Job::Kind kind, int64_t limit) {
  // The limit on all runs together.
  constexpr int64_t longestNs = 5'000'000'000;
  int64_t endNs = std::min(nowNs() + longestNs, setupDeadlineNs);
  // Known values are only a starting point.
  Signature searched = signature;
  for (Argument &argument : searched.arguments)
    if (argument.isStructural)
      argument.values.resize(argument.isGiven ? 1 : 0);
  bool found = chooseScalars(
      searched,
      [&](const ScalarValues &values) {
        if (nowNs() > endNs)
          return false;
        for (size_t i = 0; i < values.size(); ++i)
          if (isIntegerScalar(signature.arguments[i]))
            setScalar(signature.arguments[i], values[i], checks[0].inputs[i]);
        return runPlain(kind).status == Status::Ok;
      },
      limit);
  if (found)
    signature = std::move(searched);
  return found;
}

void Worker::findScalars() {
  checks.assign(1, {});
  checks[0].inputs = generateInputs(signature, options.inputSeed);
  // Only strides need values above all extents.
  int64_t limit = unboundedScalar;
  for (const Argument &argument : signature.arguments)
    limit = std::max(limit, 2 * argument.numElements());
  bool found = searchScalars(Job::Checked, std::min(limit, largestSearched));
  bool hasValues =
      std::ranges::none_of(signature.arguments, [](const Argument &argument) {
        return argument.isStructural &&
               (argument.values.empty() || argument.isGiven);
      });
  if (found || hasValues)
    return;
  // Without checks of accesses the pages around the arguments have to do, and
  // so have small values.
  constexpr int64_t small = 4;
  if (!searchScalars(Job::Reference, small))
    fail(refuseScalars(std::min(limit, largestSearched)));
}

/// The error if the kernel can't run with the scalars that the user has given,
/// or without any; it proposes values up to `limit`.
Error Worker::refuseScalars(int64_t limit) {
  bool isGiven = std::ranges::any_of(signature.arguments, &Argument::isGiven);
  for (Argument &argument : signature.arguments)
    if (argument.isStructural && argument.values.empty())
      argument.values = {1};
  std::string tried = describeValues(signature);
  checks[0].inputs = generateInputs(signature, options.inputSeed);
  std::string access = findBadAccess(0);
  std::string where = access.empty() ? "" : ": " + access;
  bool isFound = false;
  if (isGiven) {
    for (Argument &argument : signature.arguments)
      argument.isGiven &= !argument.isStructural;
    Result<bool> found =
        attempt([&] { return searchScalars(Job::Checked, limit); });
    isFound = found && *found;
  }
  std::string message =
      "the kernel " +
      std::string(access.empty() ? "leaves its bounds or doesn't end"
                                 : "leaves its bounds") +
      " with " + tried + where + "; ";
  if (isFound)
    return {ErrorCode::InvalidArgument,
            message + "the largest value that is known to be good is that of " +
                describeOption(signature, /*isKnown=*/true)};
  if (isGiven || !access.empty())
    return {ErrorCode::InvalidArgument,
            message + "no other value was found to be good either, so that the "
                      "bounds in the file may be wrong: mend those of its "
                      "loops, its indices, or the type of the memory"};
  std::string names;
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    if (signature.arguments[i].isStructural)
      names += (names.empty() ? "" : ", ") + std::to_string(i);
  return {
      ErrorCode::InvalidArgument,
      "no values were found for the integer arguments (" + names +
          ") with which the kernel stays in bounds and ends; give them by " +
          describeOption(signature)};
}

/// Refuses integers that the user has given and that take the kernel out of
/// bounds, as far as accesses can be checked.
void Worker::checkSources() {
  std::string names, option;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.hasGivenElements() || isFloat(argument.type))
      continue;
    names += (names.empty() ? "" : " and ") + std::string("argument ") +
             std::to_string(i);
    if (!argument.source->file.empty())
      names += " ('" + argument.source->file + "')";
    option += (option.empty() ? "" : ",") + std::to_string(i) + "=...";
  }
  if (names.empty())
    return;
  checks.assign(1, {});
  checks[0].inputs = generateInputs(signature, options.inputSeed);
  std::string access = findBadAccess(0);
  if (access.empty())
    return;
  fail({ErrorCode::InvalidArgument,
        "the kernel leaves its bounds with the elements of " + names + ": " +
            access + "; give others by --arg=" + signature.function + ":" +
            option});
}

/// Refuses values of scalars with which the kernel does nothing.
void Worker::checkEffect() {
  const Check &first = checks[0];
  bool isUnchanged = std::ranges::all_of(
      std::views::iota(size_t{0}, signature.arguments.size()), [&](size_t i) {
        const std::vector<std::byte> &inputs = first.inputs[i];
        return !signature.arguments[i].isOutput ||
               std::equal(inputs.begin(), inputs.end(),
                          first.reference.expected.begin() +
                              OutputLayout(signature).offset(i));
      });
  if (std::string values = describeValues(signature);
      isUnchanged && !values.empty())
    fail({ErrorCode::InvalidArgument, "the kernel changes no output with " +
                                          values + "; give other values by " +
                                          describeOption(signature)});
}

/// Verifies with other values of scalars, too, one at a time.
void Worker::makeScalarChecks() {
  // If each check takes seconds, two checks must suffice.
  if (referenceNs > slowKernelNs) {
    for (Argument &argument : signature.arguments)
      argument.values.resize(std::min<size_t>(argument.values.size(), 1));
    return;
  }
  bool hasNumbers = isFinite(signature, checks[0].reference, checks[0].inputs);
  // The first ones tell most.
  constexpr double longestNs = 4e6;
  size_t most = std::max(4.0, std::min(longestNs / referenceNs, 100.0));
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    Argument &argument = signature.arguments[i];
    argument.values.resize(std::min(argument.values.size(), most));
    for (size_t v = 1; v < argument.values.size();) {
      size_t index = checks.size();
      Check &check = checks.emplace_back();
      check.name = "with " + std::to_string(argument.values[v]) +
                   " for argument " + std::to_string(i);
      check.inputs = checks[0].inputs;
      setScalar(argument, argument.values[v], check.inputs[i]);
      std::optional<Conditioning> made =
          makeFurtherCheck(index, hasNumbers, /*mustWork=*/false);
      if (made) {
        ++v;
        continue;
      }
      // The kernel isn't defined for it.
      checks.pop_back();
      argument.values.erase(argument.values.begin() + v);
    }
  }
}
