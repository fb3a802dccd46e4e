//===- Nats.cpp - Owners of libnats' objects ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nats.h"

#include "baco/Support/Complaint.h"
#include "baco/Support/ContentHash.h"
#include "baco/Support/ParseNumber.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>

using namespace baco;
using namespace baco::cluster;

int64_t cluster::nowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// What the server has said last that this process has no right for. It comes
/// apart from the answer, which doesn't come.
static std::mutex refusalMutex;
static std::string lastRefusal;

/// Keeps libnats from printing what it does about by itself.
static void noteError(natsConnection *connection, natsSubscription *,
                      natsStatus status, void *) {
  const char *text = nullptr;
  if (status != NATS_NOT_PERMITTED ||
      natsConnection_GetLastError(connection, &text) != status || !text)
    return;
  std::lock_guard lock(refusalMutex);
  lastRefusal = text;
}

Error cluster::natsError(natsStatus status, const std::string &what) {
  natsStatus last = NATS_OK;
  const char *found = nats_GetLastError(&last);
  std::string text = found && last == status ? found : "";
  // It begins with the place in libnats: `(conn.c:2088): `.
  if (size_t end = text.find("): "); text.starts_with('(') && end < text.size())
    text.erase(0, end + 3);
  if (status == NATS_TIMEOUT) {
    std::lock_guard lock(refusalMutex);
    text = lastRefusal;
  }
  return {ErrorCode::IOError,
          what + ": " + (text.empty() ? natsStatus_GetText(status) : text)};
}

void cluster::needOk(natsStatus status, const std::string &what) {
  if (status != NATS_OK)
    fail(natsError(status, what));
}

[[noreturn]] static void wrong(const std::string &what) {
  fail({ErrorCode::InvalidArgument, what});
}

/// Secrets on a command line are seen by all users of the machine.
static void checkOptions(const ServerOptions &options) {
  if (options.url.empty())
    wrong("--nats: there is no server; give nats://HOST:PORT");
  if (options.url.find('@') != std::string::npos)
    wrong("--nats: the address has a user or password, which other "
          "users of this machine can see; give a certificate with "
          "--nats-tls");
  if (options.tls.empty())
    return;
  for (const char *name : {"ca.pem", "cert.pem", "key.pem"})
    if (!std::filesystem::is_regular_file(options.tls + "/" + name))
      wrong("--nats-tls: '" + options.tls + "' has no file " + name);
}

static natsStatus setOptions(natsOptions *made, const ServerOptions &options) {
  std::vector<std::string> urls;
  for (size_t begin = 0; begin <= options.url.size();) {
    size_t end = std::min(options.url.find(',', begin), options.url.size());
    urls.push_back(options.url.substr(begin, end - begin));
    begin = end + 1;
  }
  std::vector<const char *> servers;
  for (const std::string &url : urls)
    servers.push_back(url.c_str());
  natsStatus status = natsOptions_SetServers(made, servers.data(),
                                             static_cast<int>(servers.size()));
  auto set = [&](auto function, auto... arguments) {
    if (status == NATS_OK)
      status = function(made, arguments...);
  };
  set(natsOptions_SetName, ("baco-" + options.role).c_str());
  set(natsOptions_SetCustomInboxPrefix,
      ("_INBOX_baco_" + options.role).c_str());
  set(natsOptions_SetTimeout, int64_t{5000});
  set(natsOptions_SetMaxReconnect, -1);
  set(natsOptions_SetReconnectWait, int64_t{250});
  set(natsOptions_SetPingInterval, int64_t{10000});
  set(natsOptions_SetErrorHandler, noteError, nullptr);
  if (options.tls.empty())
    return status;
  set(natsOptions_SetSecure, true);
  set(natsOptions_LoadCATrustedCertificates, (options.tls + "/ca.pem").c_str());
  set(natsOptions_LoadCertificatesChain, (options.tls + "/cert.pem").c_str(),
      (options.tls + "/key.pem").c_str());
  return status;
}

Result<std::unique_ptr<Session>> Session::open(const ServerOptions &options) {
  if (Result<void> valid = attempt([&] { checkOptions(options); }); !valid)
    return valid.error();
  natsOptions *made = nullptr;
  natsStatus status = natsOptions_Create(&made);
  NatsOptions owner(made);
  if (status == NATS_OK)
    status = setOptions(made, options);
  if (status != NATS_OK) {
    Error error = natsError(status, "--nats, --nats-tls");
    error.code = ErrorCode::InvalidArgument;
    return error;
  }
  auto session = std::make_unique<Session>();
  session->url = options.url;
  session->ackWaitMs = options.ackWaitMs;
  natsConnection *connection = nullptr;
  status = natsConnection_Connect(&connection, made);
  session->connection.reset(connection);
  if (status != NATS_OK) {
    Error error = natsError(status, "--nats: no connection to " + options.url);
    error.message += "; start nats-server there with JetStream, or mend the "
                     "address or the certificate (docs/Cluster.md)";
    return error;
  }
  jsOptions settings;
  jsOptions_Init(&settings);
  // What was on its way when a server went down is asked for again.
  settings.Wait = 2000;
  jsCtx *js = nullptr;
  status = natsConnection_JetStream(&js, connection, &settings);
  session->js.reset(js);
  if (status != NATS_OK)
    return natsError(status, "--nats: JetStream of " + options.url);
  return session;
}

Session::~Session() {
  js.reset();
  if (connection)
    natsConnection_Close(connection.get());
}

Result<Bucket> Session::bucket(const char *name) const {
  kvStore *made = nullptr;
  natsStatus status = js_KeyValue(&made, js.get(), name);
  if (status != NATS_OK)
    return natsError(status, "--nats: bucket " + std::string(name));
  return Bucket(made);
}

Result<std::vector<std::pair<std::string, std::string>>>
cluster::entriesOf(kvStore *bucket) {
  kvWatchOptions options;
  kvWatchOptions_Init(&options);
  options.IgnoreDeletes = true;
  kvWatcher *made = nullptr;
  natsStatus status = kvStore_WatchAll(&made, bucket, &options);
  std::unique_ptr<kvWatcher, Destroy<kvWatcher_Destroy>> watcher(made);
  std::vector<std::pair<std::string, std::string>> entries;
  while (status == NATS_OK) {
    kvEntry *next = nullptr;
    status = kvWatcher_Next(&next, made, 5000);
    Entry entry(next);
    if (status == NATS_OK && !entry)
      return entries; // these are all
    if (status == NATS_OK)
      entries.emplace_back(
          kvEntry_Key(next),
          std::string(static_cast<const char *>(kvEntry_Value(next)),
                      static_cast<size_t>(kvEntry_ValueLen(next))));
  }
  return natsError(status,
                   std::string("--nats: bucket ") + kvStore_Bucket(bucket));
}

/// nullptr if there is none.
static Entry entryOf(kvStore *bucket, const std::string &key) {
  kvEntry *found = nullptr;
  natsStatus status = kvStore_Get(&found, bucket, key.c_str());
  if (status == NATS_NOT_FOUND)
    return Entry();
  needOk(status, std::string("--nats: bucket ") + kvStore_Bucket(bucket));
  return Entry(found);
}

Result<uint64_t> cluster::revisionOf(kvStore *bucket, const std::string &key) {
  return attempt([&] {
    Entry entry = entryOf(bucket, key);
    return entry ? kvEntry_Revision(entry.get()) : 0;
  });
}

Result<std::optional<std::string>> cluster::valueOf(kvStore *bucket,
                                                    const std::string &key) {
  return attempt([&]() -> std::optional<std::string> {
    Entry entry = entryOf(bucket, key);
    if (!entry)
      return std::nullopt;
    return std::string(static_cast<const char *>(kvEntry_Value(entry.get())),
                       static_cast<size_t>(kvEntry_ValueLen(entry.get())));
  });
}

static std::string hashOf(const std::string &text) {
  ContentHash hash;
  hash.add(text);
  return hash.digits();
}

Result<std::string> cluster::storePayload(const Session &session,
                                          kvStore *bucket,
                                          const std::string &text) {
  if (text.size() > maxPayloadBytes)
    return {ErrorCode::InvalidArgument,
            "the kernel and its inputs have " + std::to_string(text.size()) +
                " bytes, but workers of a cluster take " +
                std::to_string(maxPayloadBytes)};
  std::string hash = hashOf(text);
  return attempt([&] {
    Entry known = entryOf(bucket, hash);
    // It expires after some days; renew what another study has left.
    constexpr int64_t freshNs = int64_t{24} * 3600 * 1000000000;
    if (known && kvEntry_Created(known.get()) > nowMs() * 1000000 - freshNs)
      return hash;
    // The server's limit is on the message, with its headers.
    auto most = static_cast<size_t>(
        std::max<int64_t>(
            natsConnection_GetMaxPayload(session.connection.get()), 8192) -
        4096);
    size_t chunk = std::min(most, size_t{1} << 19);
    size_t count = 0;
    auto put = [&](const std::string &key, std::string_view data) {
      uint64_t revision = 0;
      needOk(kvStore_Put(&revision, bucket, key.c_str(), data.data(),
                         static_cast<int>(data.size())),
             "--nats: the server doesn't keep a payload of " +
                 std::to_string(text.size()) + " bytes");
    };
    for (size_t begin = 0; begin < text.size(); begin += chunk, ++count)
      put(hash + "." + std::to_string(count),
          std::string_view(text).substr(begin, chunk));
    // Last: whoever finds it finds all chunks.
    put(hash, std::to_string(count));
    return hash;
  });
}

Result<std::string> cluster::loadPayload(kvStore *bucket,
                                         const std::string &hash) {
  return attempt([&] {
    auto valueAt = [&](const std::string &key) {
      std::optional<std::string> value = need(valueOf(bucket, key));
      if (!value)
        fail({ErrorCode::NotFound, "payload " + hash + " isn't there"});
      return *value;
    };
    auto count = parseNumber<uint64_t>(valueAt(hash));
    if (!count)
      fail({ErrorCode::NotFound, "payload " + hash + " isn't there"});
    std::string text;
    for (uint64_t i = 0; i < *count && text.size() <= maxPayloadBytes; ++i)
      text += valueAt(hash + "." + std::to_string(i));
    if (hashOf(text) != hash)
      fail({ErrorCode::Corrupt, "payload " + hash + " has other contents"});
    return text;
  });
}
