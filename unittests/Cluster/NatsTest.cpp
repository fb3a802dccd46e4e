//===- NatsTest.cpp - Tests of rights -------------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mutual TLS with the configuration that examples/cluster has.
//
//===----------------------------------------------------------------------===//

#include "ClusterTesting.h"

#include <filesystem>
#include <fstream>

using namespace baco;
using namespace baco::cluster;
using namespace baco::cluster::test;

namespace {
class NatsTest : public ClusterTest {
protected:
  void SetUp() override {
    ClusterTest::SetUp();
    if (IsSkipped() || HasFatalFailure())
      return;
    makeAuthority("");
    for (const char *role : {"server", "tuner", "worker"})
      makeCertificate("", role);
    // Another authority says that somebody is a tuner.
    makeAuthority("other/");
    makeCertificate("other/", "tuner");
    std::filesystem::copy_file(
        folder / "ca.pem", folder / "other/tuner/ca.pem",
        std::filesystem::copy_options::overwrite_existing);
    std::string text = readAll(BACO_CLUSTER_CONFIGURATION);
    // Names of files there are relative to the current folder.
    for (const char *name : {"\"store\"", "\"ca.pem\"", "\"server/"})
      for (size_t at = text.find(name); at != std::string::npos;
           at = text.find(name))
        text.insert(at + 1, folder.path() + "/");
    server.emplace(LocalServer::withConfiguration(folder, text));
    ASSERT_TRUE(server->start()) << server->log();
  }

  ServerOptions as(const std::string &role) const {
    ServerOptions options = serverOptions();
    options.url.replace(0, 4, "tls");
    options.tls = folder / role;
    options.role = role;
    return options;
  }

  std::unique_ptr<Session> openAs(const std::string &role) const {
    auto session = Session::open(as(role));
    EXPECT_TRUE(session) << session.error().message;
    return session ? std::move(*session) : nullptr;
  }

private:
  void run(const std::string &command) const {
    EXPECT_EQ(std::system(("cd " + folder.path() + " && " + command +
                           " >>openssl.log 2>&1")
                              .c_str()),
              0)
        << readAll(folder / "openssl.log");
  }
  void makeAuthority(const std::string &place) const {
    std::filesystem::create_directories(folder / place);
    run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
        "-keyout " +
        place + "ca.key -out " + place + "ca.pem -days 2 -subj /CN=authority");
  }
  void makeCertificate(const std::string &place, const std::string &role) {
    std::string own = place + role;
    std::filesystem::create_directories(folder / own);
    std::ofstream(folder / "names")
        << "subjectAltName=DNS:localhost,IP:127.0.0.1\n";
    run("openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
        "-keyout " +
        own + "/key.pem -out request.pem -subj /CN=baco-" + role);
    run("openssl x509 -req -in request.pem -CA " + place + "ca.pem -CAkey " +
        place + "ca.key -CAcreateserial -days 2 -extfile names -out " + own +
        "/cert.pem");
    run("cp " + place + "ca.pem " + own);
  }
};
} // namespace

TEST_F(NatsTest, EachRoleHasTheRightsThatItNeeds) {
  std::atomic<bool> drains = false;
  SimulatedWorker worker;
  worker.server = as("worker");
  worker.drain = &drains;
  std::thread thread([&] {
    Result<void> worked = workSimulated(worker);
    EXPECT_TRUE(worked) << worked.error().message;
  });
  SimulatedStudy study = remoteStudy("db");
  study.server = as("tuner");
  auto tuned = tuneSimulated(study);
  EXPECT_TRUE(tuned) << tuned.error().message;
  EXPECT_EQ(trialsIn(study.database), localTrials(study));
  auto cluster = Cluster::connect(as("tuner"));
  ASSERT_TRUE(cluster) << cluster.error().message;
  auto status = (*cluster)->status();
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->machines.size(), 1u);
  EXPECT_TRUE((*cluster)->drain("worker"));
  thread.join();
  EXPECT_EQ(server->log().find("ermissions Violation"), std::string::npos)
      << server->log();
}

TEST_F(NatsTest, StrangersAreRefusedInALine) {
  ServerOptions none = serverOptions();
  ServerOptions bare = none;
  bare.url.replace(0, 4, "tls");
  ServerOptions other = as("other/tuner");
  ServerOptions distrusts = as("tuner");
  std::filesystem::create_directories(folder / "distrusts");
  for (const char *file : {"cert.pem", "key.pem"})
    std::filesystem::copy_file(folder / ("tuner/" + std::string(file)),
                               folder / ("distrusts/" + std::string(file)));
  std::filesystem::copy_file(folder / "other/ca.pem",
                             folder / "distrusts/ca.pem");
  distrusts.tls = folder / "distrusts";
  ServerOptions elsewhere = as("tuner");
  // No name of its certificate.
  elsewhere.url =
      "tls://127.0.0.2:" + server->url().substr(server->url().rfind(':') + 1);
  for (const ServerOptions &options : {none, bare, other, distrusts}) {
    auto cluster = Cluster::connect(options);
    ASSERT_FALSE(cluster) << options.url << " " << options.tls;
    const std::string &message = cluster.error().message;
    EXPECT_EQ(cluster.error().code, ErrorCode::IOError);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_TRUE(message.starts_with("--nats: no connection to ")) << message;
  }
}

TEST_F(NatsTest, AWorkerMayNotDoWhatTunersDo) {
  std::unique_ptr<Session> tuner = openAs("tuner"), worker = openAs("worker");
  ASSERT_TRUE(tuner && worker);
  ASSERT_TRUE(makeStreams(*tuner));
  ASSERT_TRUE(makeTaskConsumer(*tuner, "simulated"));
  natsConnection *own = worker->connection.get();
  jsCtx *js = worker->js.get();
  const std::string task = "baco.task.simulated.0123456789abcdef.t0",
                    result = "baco.result.0123456789abcdef.t0";
  jsPubOptions patience;
  jsPubOptions_Init(&patience);
  patience.MaxWait = 100;
  jsErrCode code = static_cast<jsErrCode>(0);
  auto publishes = [&](const std::string &subject) {
    return js_Publish(nullptr, js, subject.c_str(), "x", 1, &patience, &code) ==
           NATS_OK;
  };
  EXPECT_TRUE(publishes(result));
  EXPECT_FALSE(publishes(task));
  EXPECT_FALSE(publishes("$KV.baco-payloads.0123456789abcdef"));
  EXPECT_FALSE(publishes("$KV.baco-drain.other"));
  EXPECT_FALSE(publishes("$JS.API.STREAM.PURGE.baco-tasks"));
  EXPECT_FALSE(publishes("$JS.API.STREAM.DELETE.baco-results"));
  // Nor reads what others handed in, or what tuners are answered.
  jsOptions wait;
  jsOptions_Init(&wait);
  wait.Wait = 100;
  natsMsg *found = nullptr;
  EXPECT_NE(
      js_GetLastMsg(&found, js, resultStream, result.c_str(), &wait, &code),
      NATS_OK);
  for (const char *subject : {"baco.result.>", "_INBOX_baco_tuner.>", ">"}) {
    natsSubscription *made = nullptr;
    natsConnection_SubscribeSync(&made, own, subject);
    NatsSubscription subscription(made);
    natsConnection_Flush(own);
    jsPubAck *ack = nullptr;
    EXPECT_EQ(
        js_Publish(&ack, tuner->js.get(), task.c_str(), "x", 1, nullptr, &code),
        NATS_OK);
    jsPubAck_Destroy(ack);
    EXPECT_TRUE(publishes(result));
    natsMsg *seen = nullptr;
    EXPECT_NE(natsSubscription_NextMsg(&seen, made, 100), NATS_OK) << subject;
    natsMsg_Destroy(seen);
  }
}
