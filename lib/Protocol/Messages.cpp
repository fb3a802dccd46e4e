//===- Messages.cpp - Messages between worker and tuner -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Messages.h"

#include "baco/Support/CheckedJson.h"

#include <limits>

using json = baco::CheckedJson;

// The conversions that nlohmann::json finds by argument-dependent lookup, with
// one key for each field.

namespace baco {

// JSON has no NaN: it is written as null.
static double numberFrom(const json &value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                         : value.get<double>();
}

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

static void to_json(json &j, const Outcome &o) {
  j = {{"status", statusName(o.status)},
       {"time_ns", o.timeNs},
       {"spread", o.spread},
       {"num_samples", o.numSamples},
       {"compile_ns", o.compileNs},
       {"run_ns", o.runNs},
       {"message", o.message},
       {"narrow_miss", o.narrowMiss},
       {"pack_ns", o.packNs}};
  if (o.resources)
    j["resources"] = *o.resources;
  for (const Metric &metric : o.metrics)
    j["metrics"].push_back({metric.name, metric.value});
}

static void from_json(const json &j, Outcome &o) {
  std::optional<Status> status = parseStatus(j.at("status").get<std::string>());
  if (!status)
    throw json::other_error::create(501, "unknown status", &j);
  o = {*status,
       numberFrom(j.at("time_ns")),
       numberFrom(j.at("spread")),
       j.at("num_samples").get<int>(),
       numberFrom(j.at("compile_ns")),
       numberFrom(j.at("run_ns")),
       j.at("message").get<std::string>(),
       numberFrom(j.at("narrow_miss"))};
  if (j.contains("resources"))
    o.resources = j.at("resources").get<KernelResources>();
  o.packNs = numberFrom(j.at("pack_ns"));
  if (j.contains("metrics"))
    for (const json &metric : j.at("metrics"))
      o.metrics.push_back(
          {metric.at(0).get<std::string>(), numberFrom(metric.at(1))});
}

namespace runtime {

static void to_json(json &j, ElementType type) { j = elementTypeName(type); }

BACO_JSON_FIELDS(IntegerRange, least, greatest, isUniform)
NLOHMANN_JSON_SERIALIZE_ENUM(Source::Kind,
                             {{Source::Kind::Uniform, "uniform"},
                              {Source::Kind::Normal, "normal"},
                              {Source::Kind::File, "file"},
                              {Source::Kind::Increasing, "increasing"},
                              {Source::Kind::Tensor, "tensor"}})
// Contents stay with the worker.
BACO_JSON_FIELDS(Source, kind, first, second, seed, file, hash)

static void to_json(json &j, const Argument &a) {
  j = {{"type", elementTypeName(a.type)},
       {"memref", a.isMemRef},
       {"shape", a.shape},
       {"output", a.isOutput},
       {"read", a.isRead},
       {"alignment", a.alignment},
       {"values", a.values},
       {"structural", a.isStructural},
       {"given", a.isGiven},
       {"differenced", a.isDifferenced},
       {"sparse", a.isSparse},
       {"constant", a.isConstant}};
  if (a.range)
    j["range"] = *a.range;
  if (a.source)
    j["source"] = *a.source;
}

static void from_json(const json &j, ElementType &type) {
  std::optional<ElementType> parsed = parseElementType(j.get<std::string>());
  if (!parsed)
    throw json::other_error::create(501, "unknown element type", &j);
  type = *parsed;
}

static void from_json(const json &j, Argument &a) {
  a = {j.at("type").get<ElementType>(),
       j.at("memref").get<bool>(),
       j.at("shape").get<std::vector<int64_t>>(),
       j.at("output").get<bool>(),
       j.at("read").get<bool>(),
       j.at("alignment").get<int64_t>(),
       {},
       j.at("values").get<std::vector<int64_t>>(),
       j.at("structural").get<bool>(),
       j.at("given").get<bool>(),
       j.at("differenced").get<bool>()};
  a.isSparse = j.at("sparse").get<bool>();
  a.isConstant = j.at("constant").get<bool>();
  if (j.contains("range"))
    a.range = j.at("range").get<IntegerRange>();
  if (j.contains("source"))
    a.source = j.at("source").get<Source>();
}

BACO_JSON_FIELDS(Signature, arguments, function, reductionLength, roundedTo,
                 hasJumps, areJumpsExact, isPiecewise, constants,
                 takesAnyInteger, takesNaN, takesInfinity, mayOverflow,
                 hasSafeScalars, variables, productBytes, productOutput)
BACO_JSON_FIELDS(Limits, setupTimeoutMs, plainTimeoutMs, compileTimeoutMs,
                 runTimeoutMs, runTimeoutFactor, memoryLimitMiB)
static void to_json(json &j, const Caches &caches) { j = cachesName(caches); }

static void from_json(const json &j, Caches &caches) {
  std::optional<Caches> parsed = parseCaches(j.get<std::string>());
  if (!parsed)
    throw json::other_error::create(501, "unknown state of the caches", &j);
  caches = *parsed;
}

BACO_JSON_FIELDS(Timing, trialMs, comparisonMs, sliceMs, minSamples, precision,
                 clearlyWorse, caches)
BACO_JSON_FIELDS(MeasureOptions, limits, timing, cpu, inputSeed, tolerance)
static void to_json(json &j, const TrialLimits &l) {
  j = json::object();
  if (l.compileMs)
    j["compileMs"] = *l.compileMs;
  if (l.executionMs)
    j["executionMs"] = *l.executionMs;
}

static void from_json(const json &j, TrialLimits &l) {
  auto read = [&](const char *key, std::optional<int64_t> &limit) {
    if (j.contains(key))
      limit = j.at(key).get<int64_t>();
  };
  read("compileMs", l.compileMs);
  read("executionMs", l.executionMs);
}

BACO_JSON_FIELDS(Conditions, referenceNs, wallNs, cpuNs, clockFactor,
                 clockError)
BACO_JSON_FIELDS(MachineRates, flopsPerS, bytesPerS, threads)
BACO_JSON_FIELDS(Samples, outcome, slicesNs, conditions, rates, listing)
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
BACO_JSON_FIELDS(Compared, candidates)
BACO_JSON_FIELDS(Waiting, holder, waitedNs)

static void to_json(json &j, const Complete &) { j = json::object(); }
static void from_json(const json &, Complete &) {}

static void to_json(json &j, const Compare &c) {
  json configurations = json::array();
  for (const std::optional<std::string> &configuration : c.configurations)
    configurations.push_back(configuration ? json(*configuration) : json());
  j = {{"configurations", std::move(configurations)},
       {"placementSeed", c.placementSeed}};
}

static void from_json(const json &j, Compare &c) {
  for (const json &configuration : j.at("configurations"))
    c.configurations.push_back(
        configuration.is_null()
            ? std::nullopt
            : std::optional(configuration.get<std::string>()));
  c.placementSeed = j.at("placementSeed").get<uint64_t>();
}
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
  return whole.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Message> decode(std::string_view text) {
  try {
    json whole = json::parse(text);
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
