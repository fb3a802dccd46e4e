//===- NatsQueueTest.cpp - Tests of queues of tasks -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What others publish, a server that goes away, and a store that is full.
//
//===----------------------------------------------------------------------===//

#include "Cluster/Requests.h"
#include "ClusterTesting.h"

#include "baco/Format/SpaceFormat.h"

using namespace baco;
using namespace baco::cluster;
using namespace baco::cluster::test;

namespace {
class NatsQueueTest : public ClusterTest {
protected:
  std::unique_ptr<Session> openSession() const {
    auto session = Session::open(serverOptions());
    EXPECT_TRUE(session) << session.error().message;
    return session ? std::move(*session) : nullptr;
  }

  std::unique_ptr<TaskQueue> openQueue(Cluster &cluster) const {
    auto queue = cluster.openQueue({Payload::Kind::Table,
                                    *writeSpace(simulatedSpace(), false),
                                    simulatedTable()},
                                   /*llvm=*/"", {});
    EXPECT_TRUE(queue) << queue.error().message;
    return queue ? std::move(*queue) : nullptr;
  }
};
} // namespace

static Task trialTask(uint64_t trial) {
  Task task;
  task.number = trial;
  task.submit.trial = trial;
  task.submit.configuration =
      R"({"a":)" + std::to_string(trial % 8) + R"(,"b":1,"c":2})";
  return task;
}

static void publish(const Session &session, const std::string &subject,
                    const std::string &text) {
  EXPECT_EQ(natsConnection_Publish(session.connection.get(), subject.c_str(),
                                   text.data(), static_cast<int>(text.size())),
            NATS_OK);
}

/// Repeats results, with worse ones around them.
static void repeat(natsConnection *connection, natsSubscription *,
                   natsMsg *message, void *) {
  NatsMessage owner(message);
  std::string text(natsMsg_GetData(message),
                   static_cast<size_t>(natsMsg_GetDataLength(message)));
  // Each is repeated once: it isn't the first of its kind any more.
  if (text.find("again") != std::string::npos ||
      text.find("\"version\"") == std::string::npos)
    return;
  auto say = [&](const std::string &other) {
    natsConnection_Publish(connection, natsMsg_GetSubject(message),
                           other.data(), static_cast<int>(other.size()));
  };
  Result<TaskResult> result = decodeResult(text);
  if (!result || result->worker == "again")
    return;
  say("{}");
  say("\xff\xfe not JSON");
  result->worker = "again";
  say(encode(*result));
  result->attempt += 7;
  say(encode(*result));
  result->token = "t99999";
  say(encode(*result));
}

TEST_F(NatsQueueTest, WhatOthersPublishIsIgnored) {
  startServer();
  startWorker("one", /*delayMs=*/5, /*slots=*/2);
  std::unique_ptr<Session> session = openSession();
  ASSERT_TRUE(session);
  natsSubscription *made = nullptr;
  ASSERT_EQ(natsConnection_Subscribe(&made, session->connection.get(),
                                     "baco.result.>", repeat, nullptr),
            NATS_OK);
  NatsSubscription subscription(made);
  // Tasks that aren't any, or have no payload, are in front of others.
  publish(*session, "baco.task.simulated.0123456789abcdef.t0", "garbage");
  publish(*session, "baco.task.simulated.0123456789abcdef.t1", "");
  Task task = trialTask(2);
  task.study = "0123456789abcdef";
  task.payload = "0123456789abcdef0123456789abcdef";
  publish(*session, "baco.task.simulated.0123456789abcdef.t2", encode(task));
  SimulatedStudy study = remoteStudy("db");
  EXPECT_EQ(startTuner(study).wait(), 0);
  EXPECT_EQ(trialsIn(study.database), localTrials(study));
  EXPECT_EQ(evaluations("end").size(), study.budget);
  // Each is a line of its log.
  EXPECT_NE(readAll(folder / "tuner.log").find("ignored not a result"),
            std::string::npos);
  std::string log = readAll(folder / "worker.log");
  EXPECT_NE(log.find("refused: not a task"), std::string::npos);
  EXPECT_NE(log.find("refused: payload"), std::string::npos);
}

TEST_F(NatsQueueTest, ResultsOfCancelledTasksAreIgnored) {
  startServer();
  startWorker("one", /*delayMs=*/50);
  auto cluster = Cluster::connect(serverOptions());
  ASSERT_TRUE(cluster);
  std::unique_ptr<TaskQueue> queue = openQueue(**cluster);
  ASSERT_TRUE(queue);
  for (uint64_t trial = 0; trial < 8; ++trial)
    ASSERT_TRUE(queue->submit(trialTask(trial)));
  EXPECT_FALSE(queue->submit(trialTask(3)));
  // The first has begun, the last one is not even on the server.
  waitUntil([&] { return !evaluations("begin").empty(); });
  for (uint64_t trial : {0, 2, 7})
    queue->cancel(tokenOf(trial));
  for (uint64_t trial : {1, 3, 4, 5, 6}) {
    auto evaluated = waitForTrial(*queue, trial, nullptr);
    ASSERT_TRUE(evaluated) << evaluated.error().message;
    EXPECT_NE(evaluated->outcome.status, Status::Lost)
        << evaluated->outcome.message;
  }
  EXPECT_FALSE(waitForTrial(*queue, 0, nullptr));
  EXPECT_EQ(evaluations("end one 2").size(), 0u);
  EXPECT_EQ(evaluations("end one 7").size(), 0u);
}

TEST_F(NatsQueueTest, AResultOfAnotherKindIsALoss) {
  startServer();
  std::unique_ptr<Session> session = openSession();
  ASSERT_TRUE(session);
  startWorker("one", /*delayMs=*/2000);
  auto cluster = Cluster::connect(serverOptions());
  ASSERT_TRUE(cluster);
  std::unique_ptr<TaskQueue> queue = openQueue(**cluster);
  ASSERT_TRUE(queue);
  const std::string study = "00112233445566aa";
  ASSERT_TRUE(queue->identify(study));
  ASSERT_TRUE(queue->submit(trialTask(0)));
  TaskResult result;
  result.study = study;
  result.token = "t0";
  result.worker = "odd";
  result.answer = runtime::Ready();
  publish(*session, "baco.result." + study + ".t0", encode(result));
  auto evaluated = waitForTrial(*queue, 0, nullptr);
  ASSERT_TRUE(evaluated) << evaluated.error().message;
  EXPECT_EQ(evaluated->outcome.status, Status::Lost);
  EXPECT_EQ(evaluated->outcome.message,
            "worker odd sent a message out of turn");
}

TEST_F(NatsQueueTest, AnEarlierRunsSecondAttemptCounts) {
  startServer();
  std::unique_ptr<Session> session = openSession();
  ASSERT_TRUE(session);
  startWorker("one", /*delayMs=*/100);
  auto cluster = Cluster::connect(serverOptions());
  ASSERT_TRUE(cluster);
  const std::string study = "00112233445566aa";
  std::unique_ptr<TaskQueue> queue = openQueue(**cluster);
  ASSERT_TRUE(queue);
  // A tuner that died left them: trial 0 and 1 were lost once.
  Payload payload = {Payload::Kind::Table, *writeSpace(simulatedSpace(), false),
                     simulatedTable()};
  for (uint64_t trial : {0, 1, 2}) {
    Task task = trialTask(trial);
    task.study = study;
    task.attempt = trial < 2 ? 1 : 0;
    auto bucket = session->bucket(payloadBucket);
    ASSERT_TRUE(bucket);
    task.payload = *storePayload(*session, bucket->get(), encode(payload));
    publish(*session, "baco.task.simulated." + study + "." + task.token(),
            encode(task));
  }
  ASSERT_TRUE(queue->identify(study));
  for (uint64_t trial : {0, 1, 2, 3})
    ASSERT_TRUE(queue->submit(trialTask(trial)));
  for (uint64_t trial : {0, 1, 2, 3}) {
    auto evaluated = waitForTrial(*queue, trial, nullptr);
    ASSERT_TRUE(evaluated) << evaluated.error().message;
    EXPECT_NE(evaluated->outcome.status, Status::Lost);
  }
  EXPECT_EQ(evaluations("end").size(), 4u);
}

TEST_F(NatsQueueTest, AServerThatIsStartedAgainHasLostNothing) {
  startServer();
  startWorker("one", /*delayMs=*/50, /*slots=*/2);
  SimulatedStudy study = remoteStudy("db");
  study.budget = 80;
  // A tuner with tasks of an earlier run asks the server for more.
  ChildProcess &earlier = startTuner(study);
  waitUntil([&] { return evaluations("end").size() >= 10; });
  earlier.kill();
  ChildProcess &tuner = startTuner(study);
  waitUntil([&] { return evaluations("end").size() >= 20; });
  server->kill();
  usleep(300000);
  ASSERT_TRUE(server->start()) << server->log();
  // What the server had in memory, a tuner makes again.
  std::unique_ptr<Session> session = openSession();
  ASSERT_TRUE(session);
  waitUntil([&] {
    Result<Bucket> machines = session->bucket(machineBucket);
    if (!machines)
      return false;
    auto entries = entriesOf(machines->get());
    return entries && !entries->empty();
  });
  EXPECT_EQ(tuner.wait(), 0);
  EXPECT_EQ(trialsIn(study.database), localTrials(study));
}

TEST_F(NatsQueueTest, APurgedTaskIsQueuedAgain) {
  startServer();
  auto cluster = Cluster::connect(serverOptions());
  std::unique_ptr<Session> session = openSession();
  ASSERT_TRUE(cluster && session);
  ChildProcess &worker = startWorker("one", /*delayMs=*/0);
  std::unique_ptr<TaskQueue> queue = openQueue(**cluster);
  ASSERT_TRUE(queue);
  worker.signal(SIGSTOP);
  ASSERT_TRUE(queue->submit(trialTask(0)));
  ASSERT_TRUE(purgeStream(*session, taskStream));
  worker.signal(SIGCONT);
  auto evaluated = waitForTrial(*queue, 0, nullptr);
  ASSERT_TRUE(evaluated) << evaluated.error().message;
  EXPECT_NE(evaluated->outcome.status, Status::Lost);
}

TEST_F(NatsQueueTest, AFullStoreIsSaidAndGoesOnWithSpace) {
  startServer("max_file: 100K");
  std::unique_ptr<Session> session = openSession();
  ASSERT_TRUE(session);
  // Results of another study.
  const std::string junk(10000, 'x');
  for (int i = 0; i < 7; ++i)
    publish(*session, "baco.result.0123456789abcdef.t" + std::to_string(i),
            junk);
  startWorker("one", /*delayMs=*/2, /*slots=*/2);
  SimulatedStudy study = remoteStudy("db");
  study.budget = 100;
  ChildProcess &tuner = startTuner(study);
  waitUntil([&] {
    return readAll(folder / "tuner.log").find("trying again") !=
               std::string::npos ||
           !tuner.isRunning();
  });
  EXPECT_TRUE(tuner.isRunning());
  ASSERT_TRUE(
      deleteMessages(*session, resultStream, "baco.result.0123456789abcdef.*"));
  EXPECT_EQ(tuner.wait(), 0);
  EXPECT_EQ(trialsIn(study.database), localTrials(study));
  EXPECT_EQ(evaluations("end").size(), study.budget);
}
