//===- MessagesTest.cpp - Tests of a cluster's messages -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExampleMessages.h"

#include "baco/Support/Random.h"

#include <cmath>

#include <gtest/gtest.h>

using namespace baco;
using namespace baco::cluster;
using namespace baco::cluster::test;

TEST(ClusterMessagesTest, TrialsSurvive) {
  Result<Task> read = decodeTask(encode(makeTrial()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->token(), "t12");
  EXPECT_EQ(read->study, "0123456789abcdef");
  EXPECT_EQ(read->attempt, 1u);
  EXPECT_EQ(read->payload, "00112233445566778899aabbccddeeff");
  EXPECT_EQ(read->submit.configuration, R"({"tile":4})");
  EXPECT_EQ(read->submit.limits.compileMs, 100);
  EXPECT_EQ(read->submit.limits.executionMs, std::nullopt);
  EXPECT_EQ(read->submit.baselineNs, 2.5);
}

TEST(ClusterMessagesTest, FinalsSurvive) {
  Result<Task> read = decodeTask(encode(makeFinals()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->token(), "r12");
  ASSERT_EQ(read->rounds.finalists.size(), 2u);
  EXPECT_EQ(read->rounds.finalists[0].configuration, R"({"tile":4})");
  EXPECT_TRUE(read->rounds.finalists[0].mayLeave);
  EXPECT_EQ(read->rounds.finalists[1].configuration, std::nullopt);
  EXPECT_EQ(read->rounds.options.longestMs, 1000);
  EXPECT_EQ(read->rounds.options.seed, 7u);
  EXPECT_EQ(read->rounds.options.defender, 1u);
}

TEST(ClusterMessagesTest, ResultsSurvive) {
  Result<TaskResult> read = decodeResult(encode(makeResult()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->token, "t12");
  EXPECT_EQ(read->worker, "host-1");
  EXPECT_EQ(read->plainNs, 100);
  const auto *evaluated = std::get_if<runtime::Evaluated>(&read->answer);
  ASSERT_TRUE(evaluated);
  EXPECT_EQ(evaluated->outcome.timeNs, 5);
  EXPECT_EQ(evaluated->outcome.metrics,
            (std::vector<Metric>{{"time", 5}, {"size", 40}}));
  EXPECT_NE(evaluated->outcome.message.find("is no UTF-8"), std::string::npos);

  TaskResult refusal = makeResult();
  refusal.answer = runtime::Refusal{"no", ErrorCode::TimedOut};
  refusal.cut = measure::Cut::Slow;
  read = decodeResult(encode(refusal));
  ASSERT_TRUE(read);
  EXPECT_EQ(std::get<runtime::Refusal>(read->answer).code, ErrorCode::TimedOut);
  EXPECT_EQ(read->cut, measure::Cut::Slow);
}

TEST(ClusterMessagesTest, MachinesSurvive) {
  Result<Machine> read = decodeMachine(encode(makeMachine()));
  ASSERT_TRUE(read) << read.error().message;
  Machine expected = makeMachine();
  EXPECT_EQ(read->id, expected.id);
  EXPECT_EQ(read->machineClass, expected.machineClass);
  EXPECT_EQ(read->description, expected.description);
  EXPECT_EQ(read->slots, 4u);
  EXPECT_EQ(read->refused, "a payload");
  EXPECT_EQ(read->trouble, "a full store");
  EXPECT_TRUE(read->isDraining);
  EXPECT_EQ(read->seenMs, 1234);
}

TEST(ClusterMessagesTest, ClassesTellMachinesApart) {
  runtime::MachineDescription machine = makeMachine().description;
  std::string name = classOf(machine, "22.1.8");
  EXPECT_TRUE(name.starts_with("znver4-")) << name;
  EXPECT_EQ(classOf(machine, "22.1.8"), name);
  EXPECT_NE(classOf(machine, "22.1.9"), name);
  machine.features += ",+amx";
  EXPECT_NE(classOf(machine, "22.1.8"), name);
  // What a subject of NATS could not have.
  machine.cpu = "a.b *>";
  EXPECT_TRUE(classOf(machine, "22").starts_with("a_b___-"));
}

TEST(ClusterMessagesTest, OtherVersionsAreUnsupported) {
  std::string text = encode(makeTrial());
  size_t at = text.find("\"version\":1");
  ASSERT_NE(at, std::string::npos);
  text[at + 10] = '7';
  Result<Task> read = decodeTask(text);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(read.error().message, "a task of version 7 of the cluster, not 1");
}

/// Replaces `from`, which the text has, by `to`.
static std::string with(std::string text, const std::string &from,
                        const std::string &to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in " << text;
  return text.replace(at, from.size(), to);
}

TEST(ClusterMessagesTest, OddMessagesAreCorrupt) {
  std::string task = encode(makeTrial()), finals = encode(makeFinals());
  for (const std::string &text :
       {std::string(), std::string("[]"), std::string("{}"),
        with(task, "0123456789abcdef", "0123456789abcde"),
        with(task, "0123456789abcdef", "0123456789abcde>"),
        with(task, "0123456789abcdef", "0123456789ABCDEF"),
        with(task, "\"trial\"", "\"flight\""),
        with(task, "\"number\":12", "\"number\":-12"),
        with(task, "\"number\":12", "\"number\":1.5"),
        with(task, "00112233445566778899aabbccddeeff", "../../../etc/passwd"),
        with(task, "\"submit\":{", "\"submit\":[{"),
        with(finals, "\"defender\":1", "\"defender\":2"),
        with(finals, "\"longestMs\":1000.0", "\"longestMs\":-1"),
        std::string(maxTaskBytes + 1, ' ')}) {
    Result<Task> read = decodeTask(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::Corrupt) << read.error().message;
  }
  std::string result = encode(makeResult());
  for (const std::string &text :
       {with(result, "\"t12\"", "\"x12\""), with(result, "\"t12\"", "\"t1.2\""),
        with(result, "host-1", "host.1"),
        with(result, "\"evaluated\"", "\"hello\""),
        with(result, "\"plainNs\":100.0", "\"plainNs\":null")}) {
    Result<TaskResult> read = decodeResult(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::Corrupt) << read.error().message;
  }
  EXPECT_FALSE(decodeMachine(with(encode(makeMachine()), "host-1", "a b")));
  EXPECT_FALSE(decodePayload(R"({"version":1,"kind":"shell"})"));
}

// Bytes are changed, left out and doubled at random: nothing but errors.
TEST(ClusterMessagesTest, DamagedMessagesAreErrors) {
  Random random(0, 0);
  const std::string texts[] = {encode(makeTrial()), encode(makeFinals()),
                               encode(makeResult()), encode(makeMachine()),
                               encode(Payload{Payload::Kind::Table, "{}", ""})};
  uint64_t numRefused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = texts[random.next() % std::size(texts)];
    for (uint64_t n = random.next() % 4; n-- > 0;) {
      size_t at = random.next() % text.size();
      size_t length = random.next() % 8;
      switch (random.next() % 3) {
      case 0:
        text[at] = static_cast<char>(random.next());
        break;
      case 1:
        text.erase(at, length);
        break;
      default:
        text.insert(at, text.substr(random.next() % text.size(), length));
      }
    }
    if (Result<Task> task = decodeTask(text))
      EXPECT_TRUE(decodeTask(encode(*task))) << text;
    else
      ++numRefused;
    if (Result<TaskResult> result = decodeResult(text))
      EXPECT_TRUE(decodeResult(encode(*result))) << text;
    if (Result<Machine> machine = decodeMachine(text))
      EXPECT_TRUE(decodeMachine(encode(*machine))) << text;
    (void)static_cast<bool>(decodePayload(text));
  }
  EXPECT_GT(numRefused, 10000u);
}
