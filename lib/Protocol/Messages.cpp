//===- Messages.cpp - Messages between worker and tuner -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Messages.h"

#include "baco/Support/Json.h"

using json = baco::CheckedJson;

// The conversions that nlohmann::json finds by argument-dependent lookup, with
// one key for each field.

namespace baco {

NLOHMANN_JSON_SERIALIZE_ENUM(ErrorCode,
                             {{ErrorCode::InvalidArgument, "invalid-argument"},
                              {ErrorCode::EmptySpace, "empty-space"},
                              {ErrorCode::NotFound, "not-found"},
                              {ErrorCode::IOError, "io-error"},
                              {ErrorCode::Corrupt, "corrupt"},
                              {ErrorCode::Unsupported, "unsupported"},
                              {ErrorCode::TimedOut, "timed-out"},
                              {ErrorCode::OutOfMemory, "out-of-memory"}})

// NOLINTBEGIN(readability-identifier-naming): names that the library calls.
BACO_JSON_FIELDS(KernelResources, registers, spillBytes, sharedBytes,
                 stackBytes)

BACO_JSON_FIELDS(TimeShares, computing, moving, elsewhere)
BACO_JSON_FIELDS(Metric, name, value)
BACO_JSON_NAMES(Status, statusName, parseStatus)
BACO_JSON_FIELDS(Outcome, status, timeNs, spread, numSamples, compileNs, runNs,
                 message, narrowMiss, resources, packNs, metrics, usage,
                 costBeyondLimits)

namespace runtime {

BACO_JSON_NAMES(ElementType, elementTypeName, parseElementType)
BACO_JSON_FIELDS(IntegerRange, least, greatest, isUniform)
NLOHMANN_JSON_SERIALIZE_ENUM(Source::Kind,
                             {{Source::Kind::Uniform, "uniform"},
                              {Source::Kind::Normal, "normal"},
                              {Source::Kind::File, "file"},
                              {Source::Kind::Increasing, "increasing"},
                              {Source::Kind::Tensor, "tensor"}})
// Contents stay with the worker.
BACO_JSON_FIELDS(Source, kind, first, second, seed, file, hash)

BACO_JSON_FIELDS(Argument, type, isMemRef, shape, isOutput, isRead, alignment,
                 range, values, isStructural, isGiven, isDifferenced, source,
                 isSparse, isConstant)
BACO_JSON_FIELDS(Signature, arguments, function, reductionLength, roundedTo,
                 hasJumps, areJumpsExact, isPiecewise, constants,
                 takesAnyInteger, takesNaN, takesInfinity, mayOverflow,
                 hasSafeScalars, variables, productBytes, productOutput)
BACO_JSON_FIELDS(Limits, setupTimeoutMs, plainTimeoutMs, compileTimeoutMs,
                 runTimeoutMs, runTimeoutFactor, memoryLimitMiB)
BACO_JSON_NAMES(Caches, cachesName, parseCaches)
BACO_JSON_FIELDS(Timing, trialMs, comparisonMs, sliceMs, minSamples, precision,
                 clearlyWorse, caches)
BACO_JSON_FIELDS(MeasureOptions, limits, timing, cpu, inputSeed, tolerance)
BACO_JSON_FIELDS(TrialLimits, compileMs, executionMs)
BACO_JSON_FIELDS(Conditions, referenceNs, wallNs, cpuNs, clockFactor,
                 clockError)
BACO_JSON_FIELDS(MachineRates, flopsPerS, byteOpsPerS, bytesPerS, threads)
BACO_JSON_FIELDS(Samples, outcome, slicesNs, conditions, rates, listing, shares)
BACO_JSON_FIELDS(MachineDescription, cpu, features, host)

static void to_json(json &j, const Hello &hello) {
  j = {{"version", hello.version}, {"machine", hello.machine}};
}

static void from_json(const json &j, Hello &hello) {
  hello.version = j.at("version").get<int>();
  if (hello.version == protocolVersion)
    hello.machine = j.at("machine").get<MachineDescription>();
}

BACO_JSON_FIELDS(SetUp, text, options)
BACO_JSON_FIELDS(Ready, signature, plain, cpu, compileSlots, referenceNs,
                 restNs, device)
BACO_JSON_FIELDS(Refusal, message, code)
BACO_JSON_FIELDS(Submit, trial, configuration, limits, baselineNs)
BACO_JSON_FIELDS(Cancel, trial)
BACO_JSON_FIELDS(Evaluated, trial, outcome, conditions)
BACO_JSON_FIELDS(Compare, configurations, placementSeed)
BACO_JSON_FIELDS(Compared, candidates)
BACO_JSON_FIELDS(Waiting, holder, waitedNs)

static void to_json(json &j, const Complete &) { j = json::object(); }
static void from_json(const json &, Complete &) {}
// NOLINTEND(readability-identifier-naming)

/// The kinds of messages, in the order of Message's alternatives.
static constexpr const char *kinds[] = {
    "hello",     "setup",   "ready",    "refusal", "submit",  "cancel",
    "evaluated", "compare", "compared", "waiting", "complete"};
static_assert(std::size(kinds) == std::variant_size_v<Message>);

template <size_t index = 0>
static Message parseBody(size_t kind, const json &body) {
  if constexpr (index + 1 < std::variant_size_v<Message>)
    if (kind != index)
      return parseBody<index + 1>(kind, body);
  return body.get<std::variant_alternative_t<index, Message>>();
}

std::string encode(const Message &message) {
  json body = std::visit([](const auto &m) { return json(m); }, message);
  json whole = {{"kind", kinds[message.index()]}, {"body", std::move(body)}};
  // The output of candidates is part of messages and need not be UTF-8.
  return printCheckedJson(whole);
}

Result<Message> decode(std::string_view text) {
  try {
    json whole = parseCheckedJson(text);
    std::string kind = whole.at("kind").get<std::string>();
    for (size_t i = 0; i < std::size(kinds); ++i)
      if (kinds[i] == kind)
        return parseBody(i, whole.at("body"));
    return {ErrorCode::Corrupt, "a message of the unknown kind '" + kind + "'"};
  } catch (const json::exception &e) {
    return {ErrorCode::Corrupt, std::string("not a message: ") + e.what()};
  }
}

} // namespace runtime
} // namespace baco
