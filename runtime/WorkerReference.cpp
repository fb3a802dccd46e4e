//===- WorkerReference.cpp - References from the plain kernel -------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkerAttempt.h"

#include "baco/Support/Complaint.h"
#include "baco/Verification/SpecialValues.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unistd.h>

using namespace baco;
using namespace baco::runtime;

/// The error if the machine has too little memory for the kernel.
static Error tooLarge(const Signature &signature) {
  size_t total = 0, largest = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    size_t bytes = signature.arguments[i].byteSize();
    total += bytes;
    if (bytes > signature.arguments[largest].byteSize())
      largest = i;
  }
  return {ErrorCode::InvalidArgument,
          "too little memory to run the kernel: its arguments take " +
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

/// The error if the result of argument `i` can't be told from its initial
/// contents.
static Error unverifiable(const Signature &signature, size_t i,
                          double tolerance) {
  return {ErrorCode::InvalidArgument,
          "argument " + std::to_string(i) +
              " cannot be verified: its initial contents are within the "
              "tolerance of its result, because sums of " +
              std::to_string(signature.reductionLength) + " terms in " +
              std::string(elementTypeName(signature.arguments[i].type)) +
              " may differ that much; use smaller shapes or a wider type" +
              (tolerance > 1 ? ", or a lower tolerance" : "")};
}

/// The error if argument `i` has none, whatever the inputs are.
static Error noNumbers(const Signature &signature, size_t i) {
  std::string message =
      "argument " + std::to_string(i) +
      " cannot be verified: the kernel computes NaN or infinities for all its "
      "elements";
  std::string integers;
  for (size_t k = 0; k < signature.arguments.size(); ++k)
    if (const auto &values = signature.arguments[k].values; !values.empty())
      integers += (integers.empty() ? ", with " : ", ") +
                  std::to_string(values.front()) + " for argument " +
                  std::to_string(k);
  message += integers;
  for (size_t k = 0; k < signature.arguments.size(); ++k) {
    const Argument &argument = signature.arguments[k];
    if (!isFloat(argument.type) || !argument.isRead || argument.source)
      continue;
    message += "; say for which inputs it is defined, such as --arg=" +
               signature.function + ":" + std::to_string(k) + "=uniform(1,2)";
    return {ErrorCode::InvalidArgument, message};
  }
  return {ErrorCode::InvalidArgument,
          message + "; give other inputs, or mend the kernel"};
}

static constexpr const char *plainKernel =
    "the plain kernel, which computes the reference, ";

/// The error if the plain kernel makes such an access.
static Error leavesBounds(const std::string &access) {
  return {ErrorCode::InvalidArgument,
          plainKernel + ("leaves its bounds: " + access) +
              "; mend the bounds of its loops, its indices, or the type of the "
              "memory, or give other values of indices by --arg"};
}

/// The error if the plain kernel fails on the inputs of a check.
Error Worker::plainFailed(const Outcome &plain, size_t check) {
  bool mayLeaveBounds = (plain.status == Status::Crashed && !hasTrapped) ||
                        plain.status == Status::WrongResult;
  if (std::string access = mayLeaveBounds ? findBadAccess(check) : "";
      !access.empty())
    return leavesBounds(access);
  return {plain.status == Status::TimedOut      ? ErrorCode::TimedOut
          : plain.status == Status::OutOfMemory ? ErrorCode::OutOfMemory
          : plain.status == Status::Lost        ? ErrorCode::IOError
                                                : ErrorCode::InvalidArgument,
          plainKernel + ("failed (" + std::string(statusName(plain.status))) +
              "): " + plain.message};
}

/// The error if roundings alone may change the results.
static Error illConditioned() {
  return {ErrorCode::InvalidArgument,
          "the outputs cannot be verified: the plain kernel is "
          "ill-conditioned, so that other roundings change most digits of its "
          "outputs; use smaller shapes or a wider type"};
}

Result<Outcome> Worker::makeReference(int64_t deadline) {
  setupDeadlineNs = deadline;
  return attempt([&] {
    need(openDevice());
    if (compiler.isStatic())
      return runPlain(Job::Plain);
    // Allocating alone may succeed, and filling then take the machine down.
    if (!fitsMachine(signature) || !outputs.allocate(outputBytes))
      fail(tooLarge(signature));
    need(loadSources(signature));
    if (!signature.hasSafeScalars)
      findScalars();
    checkSources();
    if (device) {
      hasLocalOrder = true;
      return makeChecks(/*mayDefer=*/false);
    }
    // Without any tolerance the plain kernel's own roundings count: fused
    // multiply-adds need not be where they are in another order.
    hasLocalOrder = options.tolerance > 0;
    auto make = [&] { return makeChecks(/*mayDefer=*/true); };
    return orAsWritten(attempt(make), /*mayDefer=*/true);
  });
}

Result<Outcome> Worker::completeReference(int64_t deadline) {
  setupDeadlineNs = deadline;
  isComplete = true;
  checks.resize(1);
  return attempt([&] {
    auto make = [&] { return makeFurtherChecks(); };
    return orAsWritten(attempt(make), /*mayDefer=*/false);
  });
}

/// Returns `made`, the outcome in the order of the reference; if that has
/// failed, makes the checks again with the plain kernel as written.
Outcome Worker::orAsWritten(Result<Outcome> made, bool mayDefer) {
  if (made || !hasLocalOrder || made.error().code == ErrorCode::TimedOut)
    return need(std::move(made));
  hasLocalOrder = false;
  isPositive = false;
  isDominant = false;
  plainObjects.clear();
  return makeChecks(mayDefer);
}

/// Makes all checks, or, if it `mayDefer` the rest of slow kernels, the first
/// one. The outcome is that of the plain kernel as it was written.
Outcome Worker::makeChecks(bool mayDefer) {
  // Each further check takes as long at least.
  constexpr double slowReferenceNs = 100e6;
  makeFirstCheck();
  std::vector<size_t> stored =
      changedBytes(signature, checks[0].reference, checks[0].inputs);
  storedBytes = std::reduce(stored.begin(), stored.end());
  productBytes = signature.productBytes;
  if (int64_t i = signature.productOutput; i >= 0 && productBytes > 0)
    productBytes *= static_cast<double>(stored[i]) /
                    static_cast<double>(signature.arguments[i].byteSize());
  // Not for slow kernels, which are timed by this execution.
  if (referenceNs < slowKernelNs / 4)
    checks[0].call.addresses = Addresses::Pages;
  checkEffect();
  isComplete = !mayDefer || referenceNs <= slowReferenceNs;
  if (isComplete)
    return makeFurtherChecks();
  repeatFirstCheck();
  plainNs = referenceNs;
  Outcome later;
  later.status = Status::Cancelled;
  later.timeNs = std::numeric_limits<double>::quiet_NaN();
  return later;
}

/// Makes the checks after the first, and measures the plain kernel as it was
/// written.
Outcome Worker::makeFurtherChecks() {
  makeSpecialCheck();
  makeSecondCheck();
  makeTimedCheck();
  makeCheapChecks();
  makeWideChecks();
  makeEntryCheck();
  makeScalarChecks();
  return measurePlain();
}

/// Whether the reference takes so long that the plain kernel as it was written,
/// which is rarely faster, would take too long.
bool Worker::isReferenceSlow() const {
  return hasLocalOrder &&
         2 * referenceNs >
             1e6 * static_cast<double>(options.limits.plainTimeoutMs);
}

/// Checks the plain kernel as it was written, and times it. A time-out isn't an
/// Error.
Outcome Worker::measurePlain() {
  if (device)
    return measurePlainOnDevice();
  if (isReferenceSlow()) {
    plainNs = referenceNs;
    Outcome unknown;
    unknown.status = Status::TimedOut;
    unknown.runNs = referenceNs;
    return unknown;
  }
  Outcome plain = runPlain(Job::Plain);
  if (plain.status == Status::Ok)
    plainNs = plain.timeNs;
  else if (plain.status == Status::TimedOut)
    // A lower bound of its time is enough for the limits of candidates.
    plainNs = plain.runNs;
  else
    fail(plainFailed(plain, 0));
  return plain;
}

/// Whether `check` tells its outputs from what they hold before, by `margin`
/// times their tolerances.
bool Worker::isUseful(const Check &check, double margin) const {
  return isFinite(signature, check.reference, check.inputs) &&
         !findUnverifiable(signature, check.reference, check.inputs,
                           margin * options.tolerance);
}

/// Makes the first check with inputs of this kind.
Worker::Attempt Worker::tryFirstInputs(InputKind kind, bool positive) {
  isPositive = positive;
  checks.assign(1, {});
  checks[0].inputs = generateInputs(signature, options.inputSeed, kind);
  if (positive)
    makeAbsolute(signature, checks[0].inputs);
  if (Outcome plain = runPlain(Job::Reference); plain.status != Status::Ok)
    fail(plainFailed(plain, 0));
  Attempt attempt{kind, positive};
  attempt.isTight = compiler.needsErrorBound()
                        ? makeErrorBound(0)
                        : makeConditioning(0) == Conditioning::Good;
  attempt.check = std::move(checks[0]);
  return attempt;
}

/// Tries inputs until some are as wanted, which come last then.
bool Worker::tryAllInputs(std::vector<Attempt> &attempts) {
  Attempt grid = tryFirstInputs(InputKind::Grid, false);
  // With a tolerance near the size of the results a comparison shows little.
  constexpr double wantedMargin = 10;
  bool isWanted = isUseful(grid.check, wantedMargin), isTight = grid.isTight;
  attempts.push_back(std::move(grid));
  if (isWanted && isTight)
    return true;
  if (!isTight) {
    auto tryDominant = [&] {
      return tryFirstInputs(InputKind::Dominant, false);
    };
    Result<Attempt> dominant = attempt(tryDominant);
    if (!dominant && dominant.error().code == ErrorCode::TimedOut)
      fail(dominant.error());
    if (dominant) {
      attempts.push_back(std::move(*dominant));
      if (attempts.back().isTight && isUseful(attempts.back().check, 1))
        return true;
    }
  }
  // On positive inputs roots and logarithms are defined, divisors that are sums
  // aren't near 0, and long sums are so large that no rounding makes up for a
  // part of them.
  Result<Attempt> positive =
      attempt([&] { return tryFirstInputs(InputKind::DenseGrid, true); });
  if (!positive)
    return false;
  attempts.push_back(std::move(*positive));
  return (attempts.back().isTight || !isWanted) &&
         isUseful(attempts.back().check, 1);
}

/// Makes these the inputs of the first check.
void Worker::accept(Attempt &attempt) {
  isPositive = attempt.isPositive;
  isDominant = attempt.kind == InputKind::Dominant;
  checks.clear();
  checks.push_back(std::move(attempt.check));
}

void Worker::makeFirstCheck() {
  std::vector<Attempt> attempts;
  Result<bool> tried =
      tryIncreasing(attempt([&] { return tryAllInputs(attempts); }), attempts);
  if (!tried && hasTrapped)
    tried = tryOtherIntegers(attempts);
  if (need(tried)) {
    accept(attempts.back());
    return;
  }
  bool hasNumbers = std::ranges::any_of(attempts, [&](const Attempt &attempt) {
    return finiteShare(signature, attempt.check.reference) > 0;
  });
  if (!hasNumbers && tryOtherFloats())
    return;
  // Tolerances from observed rounding errors are better than none.
  Conditioning gridConditioning = Conditioning::Good;
  std::optional<size_t> poor;
  for (size_t i = 0; i < attempts.size(); ++i) {
    accept(attempts[i]);
    Conditioning conditioning = makeConditioning(0);
    if (i == 0)
      gridConditioning = conditioning;
    if (isUseful(checks[0], 1)) {
      if (conditioning == Conditioning::Good)
        return;
      if (conditioning == Conditioning::Poor && !poor)
        poor = i;
    }
    attempts[i].check = std::move(checks[0]);
  }
  accept(attempts[poor.value_or(0)]);
  if (!poor && gridConditioning == Conditioning::None)
    fail(illConditioned());
  if (auto argument = findUnverifiable(signature, checks[0].reference,
                                       checks[0].inputs, options.tolerance)) {
    if (hasNumbers)
      fail(unverifiable(signature, *argument, options.tolerance));
    // Reads outside of arguments give NaN.
    std::string access = findBadAccess(0);
    fail(access.empty() ? noNumbers(signature, *argument)
                        : leavesBounds(access));
  }
}

/// The candidates for inputs of the second check, the hardest ones first. Not
/// every kernel is defined for all of them.
std::vector<InputKind> Worker::secondKinds(bool hasNumbers) const {
  InputKind grid = isPositive ? InputKind::DenseGrid : InputKind::Grid;
  if (isDominant)
    return {InputKind::Dominant};
  // If a sum decides a branch, its last bit may, so that only exact sums agree.
  // If the reference has no numbers, other inputs show no more.
  if (!takesAllDigits() || !hasNumbers)
    return {grid};
  // Few attempts where each takes seconds.
  if (referenceNs > slowKernelNs)
    return {InputKind::Edge, grid};
  return {InputKind::Edge, InputKind::Moderate, InputKind::Rough, grid};
}

/// Makes the reference of a check, and its tolerances. Without a value if the
/// plain kernel fails, or gives no numbers where the first check has some, or
/// if nothing is left to verify. An error if it `mustWork` and writes where it
/// may not.
std::optional<Conditioning>
Worker::makeFurtherCheck(size_t index, bool hasNumbers, bool mustWork) {
  Outcome plain = runPlain(Job::Reference, index);
  // It made an illegal write.
  if (plain.status == Status::WrongResult && mustWork)
    fail(plainFailed(plain, index));
  auto isUsable = [&] {
    const Check &check = checks[index];
    return (!hasNumbers ||
            isFinite(signature, check.reference, check.inputs)) &&
           !findUnverifiable(signature, check.reference, check.inputs,
                             options.tolerance);
  };
  if (plain.status != Status::Ok || !isUsable())
    return std::optional<Conditioning>();
  bool areTight = true;
  if (compiler.needsErrorBound()) {
    areTight = makeErrorBound(index);
    if (areTight)
      return std::optional(Conditioning::Good);
  }
  Conditioning conditioning = makeConditioning(index, areTight);
  bool isKnown = conditioning != Conditioning::None && isUsable();
  return isKnown ? std::optional(conditioning) : std::nullopt;
}

/// The second check without its inputs.
static Check startSecondCheck() {
  Check second;
  second.name = "in the second check";
  second.isRepeated = true;
  second.call = {Addresses::Least, Filling::HugeNegative,
                 Filling::HugeNegative};
  return second;
}

/// Adds a second check on the inputs of the first one.
void Worker::repeatFirstCheck() {
  Check second = startSecondCheck();
  second.inputs = checks[0].inputs;
  second.reference = checks[0].reference;
  checks.push_back(std::move(second));
}

/// The same inputs would hide what depends on earlier ones, and grids what is
/// less precise than it should be.
void Worker::makeSecondCheck() {
  size_t index = checks.size();
  // The format of the plain kernel may hold the given entries only.
  for (EntryPlaces places : {EntryPlaces::Uneven, EntryPlaces::Given}) {
    if (places == EntryPlaces::Uneven && !hasSparse(signature))
      continue;
    checks.resize(index);
    if (trySecondCheck(places))
      return;
  }
  repeatFirstCheck();
}

/// Makes the second check with the hardest inputs that the kernel takes. False
/// if it takes none.
bool Worker::trySecondCheck(EntryPlaces places) {
  bool hasNumbers = isFinite(signature, checks[0].reference, checks[0].inputs);
  size_t index = checks.size();
  Check second = startSecondCheck();
  std::optional<Check> poor;
  for (InputKind kind : secondKinds(hasNumbers)) {
    checks.resize(index);
    second.inputs = generateInputs(signature, ~options.inputSeed, kind,
                                   Poison::Huge, places);
    if (isPositive)
      makeAbsolute(signature, second.inputs);
    else if (kind == InputKind::Edge || kind == InputKind::Moderate)
      addRareValues(signature, second.inputs, options.inputSeed);
    checks.push_back(second);
    std::optional<Conditioning> made =
        makeFurtherCheck(index, hasNumbers, /*mustWork=*/true);
    if (made == Conditioning::Good)
      return true;
    if (made == Conditioning::Poor && !poor)
      poor = checks[index];
  }
  checks.resize(index);
  if (poor)
    checks.push_back(std::move(*poor));
  return poor.has_value();
}
