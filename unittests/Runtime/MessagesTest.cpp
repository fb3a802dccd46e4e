//===- MessagesTest.cpp - Tests of the messages ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Protocol/Messages.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace baco;
using namespace baco::runtime;

/// What arrives when `message` is sent.
template <typename T>
static T pass(const T &message) {
  Result<Message> decoded = decode(encode(message));
  EXPECT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(std::holds_alternative<T>(*decoded));
  return std::get<T>(*decoded);
}

static void expectEqual(const Outcome &a, const Outcome &b) {
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.timeNs, b.timeNs);
  EXPECT_EQ(a.spread, b.spread);
  EXPECT_EQ(a.numSamples, b.numSamples);
  EXPECT_EQ(a.compileNs, b.compileNs);
  EXPECT_EQ(a.runNs, b.runNs);
  EXPECT_EQ(a.message, b.message);
  EXPECT_EQ(a.narrowMiss, b.narrowMiss);
  EXPECT_EQ(a.resources, b.resources);
  EXPECT_EQ(a.packNs, b.packNs);
  EXPECT_EQ(a.usage, b.usage);
  EXPECT_EQ(a.costBeyondLimits, b.costBeyondLimits);
}

TEST(MessagesTest, SetUpArrivesWhole) {
  runtime::SetUp setUp;
  setUp.text = "module {\n\t\"quoted\" \\ \x01 }";
  setUp.options.limits = {1, 6, 2, 3, 4.5, 5};
  setUp.options.timing = {0.1, 0.2, 0.3, 7, 0.25, 1.5, Caches::Flushed};
  setUp.options.cpu = 3;
  setUp.options.inputSeed = 0xfedcba9876543210;
  setUp.options.tolerance = 2.5;
  runtime::SetUp got = pass(setUp);
  EXPECT_EQ(got.text, setUp.text);
  EXPECT_EQ(got.options.limits.setupTimeoutMs, 1);
  EXPECT_EQ(got.options.limits.plainTimeoutMs, 6);
  EXPECT_EQ(got.options.limits.compileTimeoutMs, 2);
  EXPECT_EQ(got.options.limits.runTimeoutMs, 3);
  EXPECT_EQ(got.options.limits.runTimeoutFactor, 4.5);
  EXPECT_EQ(got.options.limits.memoryLimitMiB, 5);
  EXPECT_EQ(got.options.timing.trialMs, 0.1);
  EXPECT_EQ(got.options.timing.comparisonMs, 0.2);
  EXPECT_EQ(got.options.timing.sliceMs, 0.3);
  EXPECT_EQ(got.options.timing.minSamples, 7);
  EXPECT_EQ(got.options.timing.precision, 0.25);
  EXPECT_EQ(got.options.timing.clearlyWorse, 1.5);
  EXPECT_EQ(got.options.timing.caches, Caches::Flushed);
  EXPECT_EQ(got.options.cpu, 3);
  EXPECT_EQ(got.options.inputSeed, 0xfedcba9876543210);
  EXPECT_EQ(got.options.tolerance, 2.5);
}

TEST(MessagesTest, ReadyArrivesWhole) {
  Ready ready;
  ready.signature.arguments = {{ElementType::F64, true, {2, 0}, true, false},
                               {ElementType::I1, false, {}, false}};
  ready.signature.reductionLength = 12;
  ready.signature.roundedTo = ElementType::BF16;
  ready.signature.hasJumps = true;
  ready.signature.areJumpsExact = false;
  ready.signature.isPiecewise = true;
  ready.signature.constants = {1.3, -7};
  ready.signature.takesAnyInteger = false;
  ready.signature.hasSafeScalars = false;
  ready.signature.variables = {"seed"};
  ready.signature.productBytes = 1e9;
  ready.signature.productOutput = 1;
  Argument &sparse = ready.signature.arguments.emplace_back(
      Argument{ElementType::F32, true, {4096, 4096}, false});
  sparse.isSparse = true;
  sparse.source = Source{Source::Kind::Tensor};
  sparse.source->file = "rmat(scale=12, degree=8)";
  sparse.source->hash = "12ab";
  ready.signature.arguments[1].values = {1, 0};
  ready.signature.arguments[1].isStructural = true;
  ready.signature.arguments[1].isGiven = true;
  ready.signature.function = "f";
  ready.signature.arguments[1].range = IntegerRange{0, 1};
  ready.signature.arguments[0].source =
      Source{Source::Kind::File, 1.5, 2.5, ~uint64_t{0}, "x.npy", "12ab"};
  ready.plain = {Status::Ok, 1.5, 0.25, 4, 2.5, 3.5, "m"};
  ready.cpu = 2;
  ready.restNs = 3e9;
  Ready got = pass(ready);
  EXPECT_EQ(got.restNs, 3e9);
  EXPECT_EQ(got.signature, ready.signature);
  expectEqual(got.plain, ready.plain);
  EXPECT_EQ(got.cpu, 2);
}

TEST(MessagesTest, CandidatesAndTheirOutcomesArriveWhole) {
  EXPECT_EQ(pass(Hello{7}).version, 7);
  Hello hello{.machine = {"znver5", "avx,avx2", "l1=1"}};
  EXPECT_EQ(pass(hello).machine, hello.machine);
  Waiting waiting = pass(Waiting{"process 7", 12345678901});
  EXPECT_EQ(waiting.holder, "process 7");
  EXPECT_EQ(waiting.waitedNs, 12345678901);
  pass(Complete{});
  Refusal refusal = pass(Refusal{"no", ErrorCode::OutOfMemory});
  EXPECT_EQ(refusal.message, "no");
  EXPECT_EQ(refusal.code, ErrorCode::OutOfMemory);
  Submit submit = pass(Submit{~uint64_t{0}, "{\"a\": 1}"});
  EXPECT_EQ(submit.trial, ~uint64_t{0});
  EXPECT_EQ(submit.configuration, "{\"a\": 1}");

  EXPECT_EQ(pass(Cancel{8}).trial, 8u);
  EXPECT_EQ(submit.limits, TrialLimits{});
  EXPECT_EQ(pass(Submit{1, "", {7, 8}}).limits, (TrialLimits{7, 8}));

  for (int i = 0; i < numStatuses; ++i) {
    Outcome outcome{static_cast<Status>(i), 0.1, 0, 1, 2, 3, "why", 4};
    if (i % 2 == 1)
      outcome.resources = {168, 32, 8192, 8};
    outcome.packNs = 7;
    outcome.usage = {0.5, 1.25};
    outcome.costBeyondLimits = 8;
    Evaluated got = pass(Evaluated{9, outcome, {{1, 2, 0.5, 0.9, 0.01}, {}}});
    EXPECT_EQ(got.trial, 9u);
    ASSERT_EQ(got.conditions.size(), 2u);
    EXPECT_EQ(got.conditions[0].referenceNs, 1);
    EXPECT_EQ(got.conditions[0].wallNs, 2);
    EXPECT_EQ(got.conditions[0].cpuNs, 0.5);
    EXPECT_EQ(got.conditions[0].clockFactor, 0.9);
    EXPECT_EQ(got.conditions[0].clockError, 0.01);
    EXPECT_EQ(got.conditions[1].clockFactor, 1);
    expectEqual(got.outcome, outcome);
  }

  EXPECT_EQ(pass(Submit{1, "", {}, 10.5}).baselineNs, 10.5);

  Compare compare = pass(Compare{{std::nullopt, "x", ""}, ~uint64_t(0)});
  EXPECT_EQ(compare.placementSeed, ~uint64_t(0));
  ASSERT_EQ(compare.configurations.size(), 3u);
  EXPECT_FALSE(compare.configurations[0]);
  EXPECT_EQ(compare.configurations[1], "x");
  EXPECT_EQ(compare.configurations[2], "");
  EXPECT_TRUE(pass(Compare{}).configurations.empty());

  Samples samples;
  samples.slicesNs = {{1, 2.5}, {}, {1e-300}};
  Compared compared = pass(Compared{{samples, Samples{}}});
  ASSERT_EQ(compared.candidates.size(), 2u);
  EXPECT_EQ(compared.candidates[0].slicesNs, samples.slicesNs);
}

TEST(MessagesTest, NaNAndForeignBytesSurvive) {
  Outcome outcome;
  outcome.timeNs = std::nan("");
  outcome.message = "a\xff\xfe"
                    "b";
  Outcome got = pass(Evaluated{1, outcome, {}}).outcome;
  EXPECT_TRUE(std::isnan(got.timeNs));
  EXPECT_EQ(got.message, "a\xef\xbf\xbd\xef\xbf\xbd"
                         "b");
}

TEST(MessagesTest, RefusesWhatIsNoMessage) {
  for (const char *text :
       {"", "{", "[]", "1", "null", R"({"kind": "hello"})",
        R"({"kind": "salute", "body": {}})", R"({"kind": 1, "body": {}})",
        R"({"kind": "hello", "body": {}})",
        R"({"kind": "hello", "body": {"version": "1"}})",
        R"({"kind": "submit", "body": {"trial": 1}})",
        "{\"kind\": \"evaluated\", \"body\": {\"trial\": 1, \"outcome\": "
        "{\"status\": \"odd\"}}}",
        R"({"kind": "hello", "body": {"version": 1}} x)"}) {
    Result<Message> decoded = decode(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_EQ(decoded.error().code, ErrorCode::Corrupt) << text;
  }
  // Nested too deep for a recursive parser.
  EXPECT_FALSE(decode(std::string(1000000, '[')));
}
