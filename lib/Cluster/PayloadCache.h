//===- PayloadCache.h - Payloads on a worker's disk -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Payloads are loaded from the server once, and kept in files up to a total
// size: those that were used last.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_CLUSTER_PAYLOADCACHE_H
#define BACO_LIB_CLUSTER_PAYLOADCACHE_H

#include "Nats.h"

#include <mutex>

namespace baco::cluster {

class PayloadCache {
public:
  /// No folder: nothing is kept.
  PayloadCache(std::string folder, uint64_t maxBytes)
      : folder(std::move(folder)), maxBytes(maxBytes) {}

  /// Errors as loadPayload, and of decodePayload. May be called from several
  /// threads.
  Result<Payload> load(kvStore *bucket, const std::string &hash);

private:
  std::optional<std::string> read(const std::string &hash) const;
  void keep(const std::string &hash, const std::string &text) const;

  std::string folder;
  uint64_t maxBytes;
  std::mutex mutex;
};

} // namespace baco::cluster

#endif // BACO_LIB_CLUSTER_PAYLOADCACHE_H
