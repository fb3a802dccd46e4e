//===- WorkerTolerances.cpp - Tolerances for roundings --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs of the plain kernel for the tolerances of a check: on absolute values,
// as a majorant, and with other roundings.
//
//===----------------------------------------------------------------------===//

#include "baco/Runtime/Worker.h"

#include "baco/Support/Complaint.h"

#include <algorithm>

using namespace baco;
using namespace baco::runtime;

/// Whether sums of absolute values are other numbers than the results, and
/// tolerances depend on them.
bool Worker::needsAbsoluteRun() const {
  auto hasFloats = [](const Argument &argument) {
    return argument.isOutput && isFloat(argument.type);
  };
  auto maybeNegative = [](const Argument &argument) {
    return argument.hasGivenElements() && isFloat(argument.type);
  };
  return (!isPositive ||
          std::ranges::any_of(signature.arguments, maybeNegative)) &&
         std::ranges::any_of(signature.arguments, hasFloats);
}

/// Gives a check whose reference has been made the magnitudes of the majorant.
/// False, with the magnitudes as they were, if it has none that are tight.
bool Worker::makeErrorBound(size_t index) {
  Check &check = checks[index];
  std::vector<std::byte> magnitude = check.reference.magnitude;
  Outcome majorant = runPlain(Job::Majorant, index);
  if (majorant.status == Status::Ok &&
      areMagnitudesTight(signature, check.reference, check.inputs))
    return true;
  check.reference.magnitude = std::move(magnitude);
  return false;
}

/// Measures the effect of other roundings on the outputs of a check whose
/// reference has been made.
void Worker::makeSpread(size_t index) {
  // The first one on the same inputs, the others near them, for other
  // directions. Few where each takes long, or near the inputs there is another
  // branch.
  constexpr double fastNs = 100e6, quickNs = 1e6;
  bool isNarrow = signature.hasJumps && takesAllDigits();
  // A difference of large sums moves by whole units of these, or not at all: a
  // third of the samples don't move, and three may all be such.
  int samples = referenceNs > fastNs || isNarrow ? 1
                : referenceNs > quickNs          ? 3
                                                 : 8;
  // A process for each sample would take longer than all executions; but large
  // inputs are there only once.
  int batch = areArgumentsSmall() ? samples : 1;
  for (int begin = 0; begin < samples; begin += batch)
    if (!addSamples(index, begin, batch))
      return;
}

/// Adds samples `begin` to `begin + count` to the spread of a check. False if
/// one of them fails.
bool Worker::addSamples(size_t index, int begin, int count) {
  size_t first = checks.size();
  for (int sample = begin; sample < begin + count; ++sample) {
    Check &near = checks.emplace_back();
    near.inputs = checks[index].inputs;
    near.timedExecutions = checks[index].timedExecutions;
    near.restoresOutputs = checks[index].restoresOutputs;
    if (sample > 0)
      perturb(signature, options.inputSeed + sample, near.inputs);
  }
  Outcome outcome = runPlain(Job::Perturbed, first);
  for (size_t i = first; i < checks.size(); ++i)
    if (const Reference &near = checks[i].reference; !near.expected.empty())
      addSpread(signature, near.expected.data(), checks[index].reference);
  checks.resize(first);
  return outcome.status == Status::Ok;
}

/// Makes a spread if `compiler` says that it is needed, or if magnitudes say
/// nothing: where they aren't tight, or not finite. Says how much it leaves to
/// verify.
Conditioning Worker::makeConditioning(size_t index, bool areTight) {
  // Without a tolerance, outputs must equal the plain kernel's.
  bool isNeeded = !areTight || compiler.needsPerturbed() ||
                  !areMagnitudesFinite(signature, checks[index].reference);
  if (!isNeeded || options.tolerance == 0 || referenceNs > slowKernelNs)
    return Conditioning::Good;
  makeSpread(index);
  Check &check = checks[index];
  Conditioning conditioning = conditioningOf(signature, check.reference,
                                             check.inputs, options.tolerance);
  // If a rounding decides a branch, the spread is that of other branches; exact
  // inputs have none. Values that an earlier execution has rounded aren't exact
  // any more.
  if (signature.hasJumps && conditioning != Conditioning::Good &&
      check.timedExecutions <= 1) {
    check.reference.spread.clear();
    return Conditioning::Good;
  }
  return conditioning;
}

/// Runs the plain kernel on the inputs of a check, and sets its reference
/// unless `kind` is Plain, which passes checks from that one on. Perturbed sets
/// the references of all from that one on. A run that was killed from outside
/// is repeated.
Outcome Worker::runPlain(Job::Kind kind, size_t check, bool keepsMagnitude) {
  constexpr int maxAttempts = 3;
  Outcome plain = runPlainOnce(kind, check, keepsMagnitude);
  for (int i = 1; i < maxAttempts && plain.status == Status::Lost; ++i)
    plain = runPlainOnce(kind, check, keepsMagnitude);
  return plain;
}

Outcome Worker::runPlainOnce(Job::Kind kind, size_t check,
                             bool keepsMagnitude) {
  Job &job = jobs.emplace_front();
  job.kind = kind;
  job.keepsMagnitude = keepsMagnitude;
  job.contenders.emplace_back();
  job.contenders.back().check = check;
  while (!job.isDone())
    need(step());
  Samples &samples = job.contenders.front().samples;
  Outcome plain = std::move(samples.outcome);
  // Times of trials may be there already.
  if (kind == Job::Plain && !samples.conditions.empty() &&
      clock.baseline() == 0)
    clock.setBaseline(samples.conditions.front().referenceNs);
  endLease();
  jobs.pop_front();
  return plain;
}
