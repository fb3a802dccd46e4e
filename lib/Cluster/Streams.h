//===- Streams.h - Streams, buckets and consumers ---------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes what tuners and workers share on the server. Only tuners do: workers
// have no rights for it.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CLUSTER_STREAMS_H
#define BACO_LIB_CLUSTER_STREAMS_H

#include "Nats.h"

namespace baco::cluster {

/// Makes the streams and buckets that aren't there yet.
Result<void> makeStreams(const Session &session);

/// Makes the consumer from which workers of a class get their tasks.
Result<void> makeTaskConsumer(const Session &session,
                              const std::string &machineClass);

/// The consumer's own messages of a study's results, from the first one on.
Result<NatsSubscription> subscribeToResults(const Session &session,
                                            const std::string &study);

/// Deletes all messages of a stream.
Result<void> purgeStream(const Session &session, const char *stream);

/// The last message whose subject matches; null if there is none.
Result<NatsMessage> lastMessage(const Session &session, const char *stream,
                                const std::string &subject);

/// Deletes the messages whose subject matches, one after another: when
/// nats-server (2.9.10) purges a subject, consumers of other subjects may skip
/// messages that they haven't delivered.
Result<void> deleteMessages(const Session &session, const char *stream,
                            const std::string &subject);
Result<void> deleteMessage(const Session &session, const char *stream,
                           uint64_t sequence);

} // namespace baco::cluster

#endif // BACO_LIB_CLUSTER_STREAMS_H
