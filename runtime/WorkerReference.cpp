//===- WorkerReference.cpp - What the plain kernel gives ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include <algorithm>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

/// That the machine hasn't the memory to run the kernel.
static Error tooLarge(const Signature &signature) {
  size_t total = 0, largest = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    size_t bytes = signature.arguments[i].byteSize();
    total += bytes;
    if (bytes > signature.arguments[largest].byteSize())
      largest = i;
  }
  return {ErrorCode::InvalidArgument,
          "there is no memory to run the kernel: its arguments take " +
              std::to_string(total) + " bytes, of which argument " +
              std::to_string(largest) + " takes " +
              std::to_string(signature.arguments[largest].byteSize()) +
              ", and measuring takes several times as much; use smaller "
              "shapes, or a machine with more memory"};
}

/// Whether the machine has as many bytes as both inputs and one set of
/// operands.
static bool fitsMachine(const Signature &signature) {
  double needed = 0;
  for (const Argument &argument : signature.arguments)
    needed += 3.0 * static_cast<double>(argument.byteSize());
  return needed <= static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                       static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// That argument `i` has no result that one could tell from its initial
/// contents.
static Error unverifiable(const Signature &signature, size_t i,
                          double tolerance) {
  return {ErrorCode::InvalidArgument,
          "argument " + std::to_string(i) +
              " cannot be verified: what it holds before the kernel runs "
              "passes for its result, as sums of " +
              std::to_string(signature.reductionLength) + " terms in " +
              std::string(elementTypeName(signature.arguments[i].type)) +
              " may differ that much; use smaller shapes or a wider type" +
              (tolerance > 1 ? ", or a lower tolerance" : "")};
}

/// That the plain kernel gives no reference.
static Error plainFailed(const Outcome &plain) {
  return {plain.status == Status::TimedOut      ? ErrorCode::TimedOut
          : plain.status == Status::OutOfMemory ? ErrorCode::OutOfMemory
          : plain.status == Status::Lost        ? ErrorCode::IOError
                                                : ErrorCode::InvalidArgument,
          "the plain kernel, which gives the reference, failed (" +
              std::string(statusName(plain.status)) + "): " + plain.message};
}

Result<Outcome> Worker::makeReference(int64_t deadline) {
  setupDeadlineNs = deadline;
  // Allocating alone may succeed, and filling then take the machine down.
  if (!fitsMachine(signature) || !outputs.allocate(outputBytes))
    return tooLarge(signature);
  // Without any tolerance the plain kernel's own roundings count: fused
  // multiply-adds need not be where they are in another order.
  hasCheapOrder = options.tolerance > 0;
  if (hasCheapOrder) {
    Result<void> made = makeChecks();
    if (!made && made.error().code == ErrorCode::TimedOut)
      return made.error();
    if (made) {
      Result<Outcome> plain = measurePlain();
      if (plain)
        return plain;
    }
    // Whoever is to blame: the plain kernel has the last word.
    hasCheapOrder = false;
    isPositive = false;
    isDominant = false;
    referenceObject.clear();
  }
  if (Result<void> made = makeChecks(); !made)
    return made.error();
  return measurePlain();
}

Result<void> Worker::makeChecks() {
  if (Result<void> made = makeFirstCheck(); !made)
    return made;
  return makeSecondCheck();
}

/// Checks the plain kernel as it was written, and times it. What doesn't end in
/// time is no Error.
Result<Outcome> Worker::measurePlain() {
  Result<Outcome> plain = runPlain(Job::Plain);
  if (!plain)
    return plain;
  if (plain->status == Status::Ok)
    plainNs = plain->timeNs;
  else if (plain->status == Status::TimedOut)
    // It takes longer than that: enough for the limits of candidates.
    plainNs = plain->runNs;
  else
    return plainFailed(*plain);
  return plain;
}

/// Whether sums of absolute values are other numbers than the results, and
/// tolerances depend on them.
bool Worker::needsAbsoluteRun() const {
  return !isPositive &&
         std::any_of(signature.arguments.begin(), signature.arguments.end(),
                     [](const Argument &argument) {
                       return argument.isOutput && isFloat(argument.type);
                     });
}

/// Gives a check whose reference has been made the magnitudes of the majorant.
/// False, with the magnitudes as they were, if it has none that are tight.
Result<bool> Worker::makeMajorant(size_t index) {
  Check &check = checks[index];
  std::vector<std::byte> magnitude = check.reference.magnitude;
  Result<Outcome> majorant = runPlain(Job::Majorant, index);
  if (!majorant)
    return majorant.error();
  if (majorant->status == Status::Ok &&
      areMagnitudesTight(signature, check.reference, check.inputs))
    return true;
  check.reference.magnitude = std::move(magnitude);
  return false;
}

/// Makes the first check with inputs of this kind. False if tolerances would
/// mean little, as terms cancel again and again.
Result<bool> Worker::tryFirstInputs(InputKind kind) {
  checks[0].inputs = generateInputs(signature, options.inputSeed, kind);
  if (isPositive)
    makeAbsolute(signature, checks[0].inputs);
  Result<Outcome> plain = runPlain(Job::Reference);
  if (!plain)
    return plain.error();
  if (plain->status != Status::Ok)
    return plainFailed(*plain);
  return compiler.needsMajorant() ? makeMajorant(0) : true;
}

Result<void> Worker::makeFirstCheck() {
  checks.assign(1, {});
  Check &first = checks[0];
  auto isUseful = [&](double tolerance) {
    return isFinite(signature, first.reference, first.inputs) &&
           !findUnverifiable(signature, first.reference, first.inputs,
                             tolerance);
  };
  Result<bool> isTight = tryFirstInputs(InputKind::Grid);
  if (!isTight)
    return isTight.error();
  // A tolerance near the size of the results shows little.
  constexpr double wantedMargin = 10;
  bool isWanted = isUseful(wantedMargin * options.tolerance);
  if (isWanted && *isTight)
    return {};
  Check signedCheck = std::move(first);
  if (!*isTight) {
    Result<bool> isDominantTight = tryFirstInputs(InputKind::Dominant);
    if (!isDominantTight && isDominantTight.error().code == ErrorCode::TimedOut)
      return isDominantTight.error();
    isDominant =
        isDominantTight && *isDominantTight && isUseful(options.tolerance);
    if (isDominant)
      return {};
  }
  // On positive inputs roots and logarithms are defined, divisors that are sums
  // aren't near 0, and long sums are so large that no rounding makes up for a
  // part of them.
  isPositive = true;
  Result<bool> isPositiveTight = tryFirstInputs(InputKind::DenseGrid);
  isPositive = isPositiveTight && (*isPositiveTight || !isWanted) &&
               isUseful(options.tolerance);
  if (isPositive)
    return {};
  first = std::move(signedCheck);
  if (auto argument = findUnverifiable(signature, first.reference, first.inputs,
                                       options.tolerance))
    return unverifiable(signature, *argument, options.tolerance);
  return {};
}

/// The same inputs would hide what depends on earlier ones, and grids what is
/// less precise than it should be. Not every kernel is defined for everything.
Result<void> Worker::makeSecondCheck() {
  std::vector<InputKind> kinds;
  // Where a sum decides, the last bit does: only exact sums are the same then.
  if (!signature.hasJumps)
    kinds = {InputKind::Edge, InputKind::Moderate, InputKind::Rough};
  // Few attempts where each takes seconds.
  if (!signature.hasJumps && referenceNs > slowKernelNs)
    kinds = {InputKind::Edge};
  InputKind grid = isPositive ? InputKind::DenseGrid : InputKind::Grid;
  kinds.push_back(grid);
  if (isDominant)
    kinds = {InputKind::Dominant};
  // Where NaNs are compared by their places, others would tell no more.
  bool hasNumbers = isFinite(signature, checks[0].reference, checks[0].inputs);
  if (!hasNumbers)
    kinds = {grid};
  size_t index = checks.size();
  Check &last = checks.emplace_back();
  last.name = "in the second check";
  for (InputKind kind : kinds) {
    last.inputs =
        generateInputs(signature, ~options.inputSeed, kind, Poison::Huge);
    if (isPositive)
      makeAbsolute(signature, last.inputs);
    Result<Outcome> plain = runPlain(Job::Reference, index);
    if (!plain)
      return plain.error();
    if (plain->status == Status::WrongResult)
      return plainFailed(*plain);
    if (plain->status == Status::Ok && compiler.needsMajorant())
      if (Result<bool> made = makeMajorant(index); !made)
        return made.error();
    if (plain->status == Status::Ok &&
        (!hasNumbers || isFinite(signature, last.reference, last.inputs)) &&
        !findUnverifiable(signature, last.reference, last.inputs,
                          options.tolerance))
      return {};
  }
  last.inputs = checks[0].inputs;
  last.reference = checks[0].reference;
  return {};
}

/// Runs the plain kernel on the inputs of a check, and sets its reference
/// unless `kind` is Plain, which passes checks from that one on. What somebody
/// else killed is run again.
Result<Outcome> Worker::runPlain(Job::Kind kind, size_t check) {
  constexpr int maxAttempts = 3;
  Result<Outcome> plain = runPlainOnce(kind, check);
  for (int i = 1; i < maxAttempts && plain && plain->status == Status::Lost;
       ++i)
    plain = runPlainOnce(kind, check);
  return plain;
}

Result<Outcome> Worker::runPlainOnce(Job::Kind kind, size_t check) {
  Job &job = jobs.emplace_front();
  job.kind = kind;
  job.contenders.emplace_back();
  job.contenders.back().check = check;
  while (!job.isDone())
    if (Result<void> stepped = step(); !stepped)
      return stepped.error();
  Samples &samples = job.contenders.front().samples;
  Outcome plain = std::move(samples.outcome);
  if (kind == Job::Plain && !samples.conditions.empty())
    clock.setBaseline(samples.conditions.front().referenceNs);
  endLease();
  jobs.pop_front();
  return plain;
}
