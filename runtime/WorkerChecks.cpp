//===- WorkerChecks.cpp - Checks beside the first two ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks after the first: one for all kernels except the slowest, and more
// where executions are short. A check for which the plain kernel gives no
// reference is left out.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include "baco/Verification/SpecialValues.h"

#include <algorithm>
#include <bit>
#include <limits>

using namespace baco;
using namespace baco::runtime;

/// Runs the plain kernel on the inputs of the last check, if it has any, and
/// removes it if that gives no reference. Whether the check stays.
bool Worker::finishCheck(bool keepsMagnitude, bool isFiniteOnly) {
  size_t index = checks.size() - 1;
  bool isGood = false;
  if (!checks[index].inputs.empty() && keepsMagnitude) {
    isGood =
        runPlain(Job::Reference, index, keepsMagnitude).status == Status::Ok;
    // Finite results are as well conditioned as before.
    checks[index].reference.spread = checks[0].reference.spread;
  } else if (!checks[index].inputs.empty()) {
    isGood =
        makeFurtherCheck(index, isFiniteOnly, /*mustWork=*/false).has_value();
  }
  if (!isGood)
    checks.pop_back();
  return isGood;
}

/// The same for inputs whose sizes differ so much that neither absolute values
/// nor neighbors say how precise results are: their roundings do.
bool Worker::finishWideCheck() {
  size_t index = checks.size() - 1;
  Outcome plain = runPlain(Job::Reference, index, /*keepsMagnitude=*/true);
  Reference &reference = checks[index].reference;
  bool isGood = plain.status == Status::Ok &&
                isFinite(signature, reference, checks[index].inputs);
  if (isGood) {
    reference.magnitude = reference.expected;
    Conditioning conditioning = makeConditioning(index);
    // Without a spread, branches depend on roundings.
    isGood = conditioning != Conditioning::None &&
             (!compiler.needsPerturbed() || options.tolerance == 0 ||
              !checks[index].reference.spread.empty());
  }
  if (!isGood)
    checks.pop_back();
  return isGood;
}

/// Whether sums may overflow in a check. With a tolerance above 1, a candidate
/// may compute in a shorter type, and overflow where the original doesn't.
bool Worker::mayOverflow() const {
  return signature.takesInfinity && signature.mayOverflow &&
         options.tolerance <= 1;
}

/// Whether arguments are filled in some milliseconds.
bool Worker::areArgumentsSmall() const {
  constexpr double cheapBytes = 64 << 20;
  double bytes = 0;
  for (const Argument &argument : signature.arguments)
    bytes += static_cast<double>(argument.byteSize());
  return bytes <= cheapBytes;
}

/// On inputs that differ from the first check's in few elements, for code that
/// remembers what it has been called on. If the kernel takes them, these
/// elements are NaN or infinite.
void Worker::makeSpecialCheck() {
  // This check would cost each candidate another execution.
  if (referenceNs > slowKernelNs)
    return;
  uint64_t seed = options.inputSeed + 1;
  NonFinite kinds = {signature.takesNaN, signature.takesInfinity, !isPositive,
                     mayOverflow()};
  // Finite results have the same terms as before.
  auto tryKinds = [&](const char *name) {
    Check &check = checks.emplace_back();
    check.name = name;
    check.call = {Addresses::Ends, Filling::NotANumber, Filling::Huge};
    check.inputs = checks[0].inputs;
    check.reference.magnitude = checks[0].reference.magnitude;
    if ((!kinds.hasNaN && !kinds.hasInfinity) ||
        !addNonFinite(signature, check.inputs, seed, kinds))
      check.inputs.clear();
    return finishCheck(/*keepsMagnitude=*/true, /*isFiniteOnly=*/false);
  };
  if (tryKinds("with NaN or infinities among the inputs")) {
    // A single NaN may have hidden other differences.
    constexpr double minShare = 0.5;
    if (finiteShare(signature, checks.back().reference) >= minShare)
      return;
    kinds.isInLargestOnly = true;
    tryKinds("with NaN or infinities in one input");
    return;
  }
  checks.emplace_back();
  Check &other = checks.back();
  other.call = {Addresses::Ends, Filling::Huge, Filling::Huge};
  other.inputs = checks[0].inputs;
  other.name = "with a few other inputs";
  if (!changeFew(signature, other.inputs, seed))
    other.inputs.clear();
  finishCheck(false, true);
}

/// With a single entry in each sparse argument, which most loops never reach.
void Worker::makeEntryCheck() {
  if (!hasSparse(signature) || referenceNs > slowKernelNs)
    return;
  Check &check = checks.emplace_back();
  check.name = "with a single entry in sparse arguments";
  check.call = {Addresses::Powers, Filling::Huge, Filling::NotANumber};
  check.inputs =
      generateInputs(signature, options.inputSeed + 4, InputKind::DenseGrid,
                     Poison::NotANumber, EntryPlaces::Single);
  if (isPositive)
    makeAbsolute(signature, check.inputs);
  finishCheck(/*keepsMagnitude=*/false, /*isFiniteOnly=*/true);
}

/// If executions are short, and arguments are filled in some milliseconds,
/// there is a separate check for each kind of error.
void Worker::makeCheapChecks() {
  constexpr double cheapNs = 2e6;
  if (referenceNs > cheapNs || !areArgumentsSmall() ||
      !isFinite(signature, checks[0].reference, checks[0].inputs))
    return;
  auto add = [&](const char *name, CallSetting call) -> Check & {
    Check &check = checks.emplace_back();
    check.name = name;
    check.call = call;
    check.inputs = checks[0].inputs;
    check.reference.magnitude = checks[0].reference.magnitude;
    return check;
  };
  uint64_t seed = options.inputSeed + 2;
  if (signature.takesInfinity && signature.takesNaN) {
    // A NaN may have hidden the effect of infinities.
    Check &infinite =
        add("with infinities among the inputs",
            {Addresses::Powers, Filling::NotANumber, Filling::NotANumber});
    if (!addNonFinite(signature, infinite.inputs, seed,
                      {false, true, !isPositive, mayOverflow()}))
      infinite.inputs.clear();
    finishCheck(true, false);
  }
  InputKind kind = isDominant   ? InputKind::Dominant
                   : isPositive ? InputKind::DenseGrid
                                : InputKind::Grid;
  for (bool hasLargest : {true, false}) {
    if (hasLargest && !mayOverflow())
      continue;
    Check &rare = add("with rare values among the inputs",
                      {Addresses::Least, Filling::Zeros, Filling::Zeros});
    rare.inputs = generateInputs(signature, seed, kind, Poison::Huge);
    if (isPositive)
      makeAbsolute(signature, rare.inputs);
    else if (!isDominant)
      addRareValues(signature, rare.inputs, seed);
    if (hasLargest)
      addLargest(signature, rare.inputs, seed);
    if (finishCheck(false, true))
      break;
  }
  Check &fresh = add("with other contents of memory",
                     {Addresses::Powers, Filling::Huge, Filling::Huge});
  fresh.inputs = generateInputs(signature, seed + 1, kind);
  if (isPositive)
    makeAbsolute(signature, fresh.inputs);
  finishCheck(false, true);
}

/// Adds a check of so many executions in the state of timed ones. Whether it
/// stays.
bool Worker::addTimedCheck(int executions, bool hasNumbers) {
  Check &check = checks.emplace_back();
  check.name = "where it is executed as it is while it is timed";
  check.timedExecutions = executions;
  // If it subtracts or divides, for example to make orthogonal columns
  // orthogonal again, only rounding errors may remain.
  check.restoresOutputs = compiler.needsErrorBound() || isPositive;
  check.inputs = generateInputs(signature, options.inputSeed + 3,
                                isDominant   ? InputKind::Dominant
                                : isPositive ? InputKind::DenseGrid
                                             : InputKind::Grid);
  if (isPositive)
    makeAbsolute(signature, check.inputs);
  return finishCheck(/*keepsMagnitude=*/false, hasNumbers);
}

/// In the state of timed executions, for code that does less in them than in
/// checks. It finds neither their stack nor their time between calls, but
/// inputs that it doesn't know and outputs that it has changed little.
void Worker::makeTimedCheck() {
  constexpr double fastNs = 20e6, longestNs = 2e6;
  constexpr int most = 64;
  if (device || referenceNs > slowKernelNs)
    return;
  // The elements that have changed last follow from the number of executions,
  // which must not follow from small differences of a time.
  int wanted = std::bit_floor(static_cast<unsigned>(
      std::clamp(longestNs / referenceNs, referenceNs > fastNs ? 1.0 : 2.0,
                 static_cast<double>(most))));
  bool hasNumbers = isFinite(signature, checks[0].reference, checks[0].inputs);
  // Values may grow without bounds in a kernel that works on its own outputs.
  for (int executions : {wanted, 2, 1}) {
    if (executions > wanted)
      continue;
    bool made = addTimedCheck(executions, hasNumbers);
    // In later rounds of a comparison it takes the place of the second check,
    // which shows no more of the same code.
    if (made)
      for (Check &each : checks)
        each.isRepeated = &each == &checks.back();
    // A candidate that looks at some elements may have seen what changed last,
    // but not in two numbers of executions.
    if (made && executions > 2)
      addTimedCheck(executions / 2 + 1, hasNumbers);
    if (made || executions == 1)
      break;
  }
}

/// With numbers of all sizes for kernels that are other functions of some of
/// them than of others; and for maxima and minima, with another place that
/// decides in each of some checks.
void Worker::makeWideChecks() {
  constexpr double longestNs = 50e6, passesNs = 4e6;
  bool hasFunctions = compiler.needsPerturbed() && !compiler.needsErrorBound();
  bool reduces = signature.reductionLength > 1;
  if (!(signature.isPiecewise || (hasFunctions && !reduces)) ||
      !takesAllDigits() || isDominant || hasSparse(signature) ||
      referenceNs > longestNs || !areArgumentsSmall() ||
      !isFinite(signature, checks[0].reference, checks[0].inputs))
    return;
  // Most functions are finite on some of these.
  static constexpr double largest = std::numeric_limits<double>::max();
  static constexpr Sizes sizes[] = {
      {0, largest},  {0x1p-40, 0x1p40}, {0x1p-24, 4096}, {0x1p-24, 600},
      {0x1p-24, 80}, {0x1p-24, 16},     {0x1p-24, 1},    {0.25, 4}};
  int64_t elements = 1;
  for (const Argument &argument : signature.arguments)
    elements = std::max(elements, argument.numElements());
  constexpr int64_t wantedElements = 4096;
  int64_t wanted = reduces ? 32 : wantedElements / elements,
          passes = std::clamp<int64_t>(
              std::min<double>(wanted, passesNs / referenceNs), 1, 32);
  InputKind kind = isPositive ? InputKind::DenseGrid : InputKind::Rough;
  const Sizes *size = std::begin(sizes);
  for (int64_t pass = 0; pass < passes;) {
    Check &check = checks.emplace_back();
    check.name = reduces ? "where other elements decide"
                         : "with numbers of all sizes among the inputs";
    uint64_t seed = options.inputSeed + 5 + pass;
    check.inputs = generateInputs(signature, seed, kind, Poison::Huge);
    if (reduces)
      addSpikes(signature, check.inputs, options.inputSeed, {pass, passes});
    else
      addWide(signature, check.inputs, seed, *size);
    if (isPositive)
      makeAbsolute(signature, check.inputs);
    if (reduces ? finishCheck(false, true) : finishWideCheck())
      ++pass;
    else if (reduces || ++size == std::end(sizes))
      break;
  }
}
