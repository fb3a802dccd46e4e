//===- Nats.h - Owners of libnats' objects ----------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Owners of libnats' objects, its errors as ours, and the names that tuners and
// workers agree on:
//
//   stream  baco-tasks      baco.task.CLASS.STUDY.TOKEN   until they are done
//   stream  baco-results    baco.result.STUDY.TOKEN       for some days
//   bucket  baco-payloads   HASH.0, HASH.1, ...           for some days
//   bucket  baco-machines   ID                            while the worker
//   lives bucket  baco-studies    CLASS.STUDY                   while the tuner
//   lives bucket  baco-drain      ID                            until it is
//   withdrawn
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CLUSTER_NATS_H
#define BACO_LIB_CLUSTER_NATS_H

#include "baco/Cluster/Cluster.h"

#include <memory>

#include <nats/nats.h>

namespace baco::cluster {

/// Calls a function of libnats that frees an object.
template <auto destroy>
struct Destroy {
  template <typename T>
  void operator()(T *object) const {
    destroy(object);
  }
};

using NatsOptions = std::unique_ptr<natsOptions, Destroy<natsOptions_Destroy>>;
using NatsConnection =
    std::unique_ptr<natsConnection, Destroy<natsConnection_Destroy>>;
using NatsMessage = std::unique_ptr<natsMsg, Destroy<natsMsg_Destroy>>;
using NatsSubscription =
    std::unique_ptr<natsSubscription, Destroy<natsSubscription_Destroy>>;
using JetStream = std::unique_ptr<jsCtx, Destroy<jsCtx_Destroy>>;
using Bucket = std::unique_ptr<kvStore, Destroy<kvStore_Destroy>>;
using Entry = std::unique_ptr<kvEntry, Destroy<kvEntry_Destroy>>;

inline constexpr const char *taskStream = "baco-tasks";
inline constexpr const char *resultStream = "baco-results";
inline constexpr const char *payloadBucket = "baco-payloads";
inline constexpr const char *machineBucket = "baco-machines";
inline constexpr const char *studyBucket = "baco-studies";
inline constexpr const char *drainBucket = "baco-drain";

/// How often workers and tuners say that they live, and for how long that
/// holds.
inline constexpr int64_t aliveEveryMs = 2000;
inline constexpr int64_t aliveForMs = 15000;

/// A task that so many workers have died with is lost.
inline constexpr uint64_t maxDeliveries = 4;

/// The error for what libnats says about `what`.
Error natsError(natsStatus status, const std::string &what);

/// Ends what is under way (Complaint.h) with that error, if it is one.
void needOk(natsStatus status, const std::string &what);

/// A connection with JetStream. Reconnects for as long as it lives.
struct Session {
  NatsConnection connection;
  JetStream js;
  std::string url;
  int64_t ackWaitMs = 0;

  /// IOError if no server answers or it refuses; InvalidArgument if the options
  /// are wrong.
  static Result<std::unique_ptr<Session>> open(const ServerOptions &options);
  Session() = default;
  Session(const Session &) = delete;
  ~Session();

  /// Opens a bucket that a tuner has made.
  Result<Bucket> bucket(const char *name) const;
};

/// What has a value in a bucket, by key.
Result<std::vector<std::pair<std::string, std::string>>>
entriesOf(kvStore *bucket);

/// The value of a key; nullopt if there is none.
Result<std::optional<std::string>> valueOf(kvStore *bucket,
                                           const std::string &key);

/// A number that grows whenever the key gets a value; 0 if it has none.
Result<uint64_t> revisionOf(kvStore *bucket, const std::string &key);

/// Stores a payload in chunks that the server takes, unless it is there.
/// Returns its hash.
Result<std::string> storePayload(const Session &session, kvStore *bucket,
                                 const std::string &text);

/// Loads it, and checks the hash. NotFound if it isn't there (any more),
/// Corrupt if it has another hash.
Result<std::string> loadPayload(kvStore *bucket, const std::string &hash);

/// Milliseconds since 1970.
int64_t nowMs();

} // namespace baco::cluster

#endif // BACO_LIB_CLUSTER_NATS_H
