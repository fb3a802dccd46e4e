//===- Streams.cpp - Streams, buckets and consumers -----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Streams.h"

#include "baco/Support/Complaint.h"

using namespace baco;
using namespace baco::cluster;

static constexpr int64_t second = 1000000000;
/// How long results and payloads of a tuner that is gone are kept.
static constexpr int64_t keptFor = 3 * 24 * 3600 * second;

static void makeStream(const Session &session, const char *name,
                       const char *subject, jsRetentionPolicy retention) {
  jsStreamConfig config;
  jsStreamConfig_Init(&config);
  config.Name = name;
  config.Subjects = &subject;
  config.SubjectsLen = 1;
  config.Retention = retention;
  config.Storage = js_FileStorage;
  config.Duplicates = 3600 * second;
  config.MaxMsgSize = static_cast<int32_t>(maxTaskBytes) + 4096;
  config.MaxAge = keptFor;
  // A full store refuses what is new instead of forgetting what is old.
  config.Discard = js_DiscardNew;
  jsErrCode code = static_cast<jsErrCode>(0);
  natsStatus status =
      js_AddStream(nullptr, session.js.get(), &config, nullptr, &code);
  // Another version of baco, or the server's owner, has made it otherwise.
  if (code != JSStreamNameExistErr)
    needOk(status, "--nats: stream " + std::string(name));
}

static void makeBucket(const Session &session, const char *name, int64_t ttl,
                       bool inMemory) {
  if (session.bucket(name))
    return;
  kvConfig config;
  kvConfig_Init(&config);
  config.Bucket = name;
  config.TTL = ttl;
  config.History = 1;
  config.StorageType = inMemory ? js_MemoryStorage : js_FileStorage;
  kvStore *made = nullptr;
  natsStatus status = js_CreateKeyValue(&made, session.js.get(), &config);
  Bucket owner(made);
  // Another tuner may have made it meanwhile.
  if (status != NATS_OK && !session.bucket(name))
    fail(natsError(status, "--nats: bucket " + std::string(name)));
}

Result<void> cluster::makeStreams(const Session &session) {
  return attempt([&] {
    makeStream(session, taskStream, "baco.task.>", js_WorkQueuePolicy);
    makeStream(session, resultStream, "baco.result.>", js_LimitsPolicy);
    makeBucket(session, payloadBucket, keptFor, /*inMemory=*/false);
    for (const char *name : {machineBucket, studyBucket})
      makeBucket(session, name, aliveForMs * 1000000, /*inMemory=*/true);
    makeBucket(session, drainBucket, 3600 * second, /*inMemory=*/true);
  });
}

Result<void> cluster::makeTaskConsumer(const Session &session,
                                       const std::string &machineClass) {
  std::string filter = "baco.task." + machineClass + ".>";
  jsConsumerConfig config;
  jsConsumerConfig_Init(&config);
  config.Durable = machineClass.c_str();
  config.FilterSubject = filter.c_str();
  config.AckPolicy = js_AckExplicit;
  config.AckWait = session.ackWaitMs * 1000000;
  // The worker that gets it once too often gives it up, see maxDeliveries.
  config.MaxDeliver = -1;
  config.MaxAckPending = 65536;
  // Each idle slot of each worker waits.
  config.MaxWaiting = 65536;
  jsErrCode code = static_cast<jsErrCode>(0);
  natsStatus status = js_AddConsumer(nullptr, session.js.get(), taskStream,
                                     &config, nullptr, &code);
  if (status == NATS_OK || code == JSConsumerNameExistErr)
    return {};
  return natsError(status, "--nats: consumer " + machineClass);
}

Result<NatsSubscription> cluster::subscribeToResults(const Session &session,
                                                     const std::string &study) {
  jsErrCode code = static_cast<jsErrCode>(0);
  // One of an earlier run has passed on what that run has lost.
  js_DeleteConsumer(session.js.get(), resultStream, study.c_str(), nullptr,
                    &code);
  std::string filter = "baco.result." + study + ".*";
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = resultStream;
  options.ManualAck = true;
  options.Config.Durable = study.c_str();
  options.Config.DeliverPolicy = js_DeliverAll;
  options.Config.AckPolicy = js_AckExplicit;
  options.Config.AckWait = 30 * second;
  options.Config.MaxAckPending = 65536;
  natsSubscription *made = nullptr;
  natsStatus status = js_SubscribeSync(&made, session.js.get(), filter.c_str(),
                                       nullptr, &options, &code);
  NatsSubscription subscription(made);
  if (status != NATS_OK)
    return natsError(status, "--nats: results");
  natsSubscription_SetPendingLimits(made, -1, -1);
  return subscription;
}

Result<void> cluster::purgeStream(const Session &session, const char *stream) {
  jsErrCode code = static_cast<jsErrCode>(0);
  natsStatus status = js_PurgeStream(session.js.get(), stream, nullptr, &code);
  if (status == NATS_OK || status == NATS_NOT_FOUND)
    return {};
  return natsError(status, "--nats: stream " + std::string(stream));
}

Result<NatsMessage> cluster::lastMessage(const Session &session,
                                         const char *stream,
                                         const std::string &subject) {
  natsMsg *found = nullptr;
  jsErrCode code = static_cast<jsErrCode>(0);
  natsStatus status = js_GetLastMsg(&found, session.js.get(), stream,
                                    subject.c_str(), nullptr, &code);
  NatsMessage message(found);
  if (status == NATS_NOT_FOUND || code == JSNoMessageFoundErr)
    return NatsMessage();
  if (status != NATS_OK)
    return natsError(status, "--nats: stream " + std::string(stream));
  return message;
}

Result<void> cluster::deleteMessages(const Session &session, const char *stream,
                                     const std::string &subject) {
  for (uint64_t last = 0;;) {
    Result<NatsMessage> message = lastMessage(session, stream, subject);
    if (!message)
      return message.error();
    if (!*message)
      return {};
    uint64_t sequence = natsMsg_GetSequence(message->get());
    Result<void> deleted = deleteMessage(session, stream, sequence);
    // It may be gone by itself, but only once.
    if (!deleted && sequence == last)
      return deleted;
    last = sequence;
  }
}

Result<void> cluster::deleteMessage(const Session &session, const char *stream,
                                    uint64_t sequence) {
  jsErrCode code = static_cast<jsErrCode>(0);
  natsStatus status =
      js_DeleteMsg(session.js.get(), stream, sequence, nullptr, &code);
  if (status == NATS_OK || status == NATS_NOT_FOUND)
    return {};
  return natsError(status, "--nats: stream " + std::string(stream));
}
