//===- LiveReport.cpp - The report of a search at work --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GET /TOKEN/ is the page, /TOKEN/data its JSON, and /TOKEN/events a stream of
// server-sent events (HTML Living Standard, 9.2): `change` when the database
// has changed, `end` when the search is over.
//
//===----------------------------------------------------------------------===//

#include "baco/StudyReport/LiveReport.h"

#include "PageText.h"

#include "baco/Database/Journal.h"
#include "baco/StudyReport/WriteReport.h"

#ifdef BACO_HAS_HTTPLIB
#include <httplib.h>
#endif

#include <array>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <sys/random.h>
#include <thread>

using namespace baco;
using namespace baco::studyreport;

#ifndef BACO_HAS_HTTPLIB

struct LiveReport::Server {};

LiveReport::LiveReport(std::unique_ptr<Server> server)
    : server(std::move(server)) {}

LiveReport::~LiveReport() = default;

Result<std::unique_ptr<LiveReport>> LiveReport::start(const std::string &,
                                                      uint16_t) {
  return Error{ErrorCode::Unsupported,
               "this build has no server of pages: run scripts/setup.sh --all, "
               "and configure and build again"};
}

#else

/// Nobody else on the machine can guess it.
static std::string drawToken() {
  std::array<unsigned char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) !=
      static_cast<ssize_t>(bytes.size()))
    return {};
  std::string token;
  for (unsigned char byte : bytes)
    for (int shift : {4, 0})
      token += "0123456789abcdef"[byte >> shift & 15];
  return token;
}

/// What changes whenever a trial is stored: in the file, or in the log beside
/// it.
static std::string stampOf(const std::string &database) {
  std::string stamp;
  for (const char *ending : {"", "-wal"}) {
    std::error_code missing;
    std::filesystem::path path = database + ending;
    auto size = std::filesystem::file_size(path, missing);
    auto time = std::filesystem::last_write_time(path, missing);
    if (!missing)
      stamp += std::to_string(size) + " " +
               std::to_string(time.time_since_epoch().count()) + " ";
  }
  return stamp;
}

struct LiveReport::Server {
  std::string database, token;
  httplib::Server http;
  std::thread thread;

  std::mutex mutex;
  std::condition_variable changed;
  bool isEnding = false;
  /// Browsers that follow, and how many of them have fetched the last facts.
  int numFollowers = 0, numServed = 0;

  /// The facts so far. Models are left to the end: fitting them would take the
  /// time of a CPU from the search.
  Result<ReportFacts> gather(bool hasModels) const;
  bool hasEnded() {
    std::lock_guard lock(mutex);
    return isEnding;
  }
  bool follow(httplib::DataSink &sink);
  void route();
};

Result<ReportFacts> LiveReport::Server::gather(bool hasModels) const {
  auto journal = database::Journal::openReadOnly(database);
  if (!journal)
    return journal.error();
  auto infos = journal->studies();
  if (!infos)
    return infos.error();
  if (infos->empty())
    return Error{ErrorCode::NotFound, "no study has begun yet"};
  return gatherReport(*journal, database, *infos, hasModels);
}

/// Sends events until the search or the browser is gone.
bool LiveReport::Server::follow(httplib::DataSink &sink) {
  auto send = [&](const std::string &text) {
    return sink.is_writable() && sink.write(text.data(), text.size());
  };
  {
    std::lock_guard lock(mutex);
    ++numFollowers;
  }
  std::string seen = stampOf(database);
  constexpr auto step = std::chrono::seconds(1);
  bool isThere = send("retry: 1000\n\n");
  while (isThere) {
    {
      std::unique_lock lock(mutex);
      if (changed.wait_for(lock, step, [&] { return isEnding; }))
        break;
    }
    std::string now = stampOf(database);
    // A comment keeps the connection, and finds out that the browser is gone.
    isThere = send(now == seen ? ": \n\n" : "event: change\ndata: 0\n\n");
    seen = now;
  }
  if (isThere)
    send("event: end\ndata: 0\n\n");
  std::lock_guard lock(mutex);
  if (!isThere)
    --numFollowers;
  changed.notify_all();
  sink.done();
  return true;
}

static constexpr const char *waitingPage =
    "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\">"
    "<meta http-equiv=\"refresh\" content=\"1\"><title>baco</title>"
    "<link rel=\"icon\" href=\"data:,\">"
    "<p>No study has begun yet; this page looks again each second.</p>";

void LiveReport::Server::route() {
  http.set_pre_routing_handler(
      [](const httplib::Request &request, httplib::Response &response) {
        response.set_header("Cache-Control", "no-store");
        response.set_header("Referrer-Policy", "no-referrer");
        response.set_header("X-Content-Type-Options", "nosniff");
        // A name that someone points to this machine isn't ours.
        std::string host = request.get_header_value("Host");
        host = host.substr(0, host.rfind(':'));
        if (host == "127.0.0.1" || host == "localhost")
          return httplib::Server::HandlerResponse::Unhandled;
        response.status = 403;
        return httplib::Server::HandlerResponse::Handled;
      });
  http.Get("/" + token + "/", [this](const httplib::Request &,
                                     httplib::Response &response) {
    Result<ReportFacts> facts = gather(/*hasModels=*/false);
    Result<std::string> page =
        facts ? writeReportPage(*facts, /*isLive=*/true) : facts.error();
    response.set_content(page ? *page : waitingPage,
                         "text/html; charset=utf-8");
  });
  http.Get("/" + token + "/data", [this](const httplib::Request &,
                                         httplib::Response &response) {
    bool isLast = hasEnded();
    Result<ReportFacts> facts = gather(/*hasModels=*/isLast);
    if (facts) {
      response.set_content(toText(reportJson(*facts)), "application/json");
    } else {
      response.status = 503;
      response.set_content(facts.error().message, "text/plain");
    }
    std::lock_guard lock(mutex);
    numServed += isLast;
    changed.notify_all();
  });
  http.Get("/" + token + "/events",
           [this](const httplib::Request &, httplib::Response &response) {
             response.set_chunked_content_provider(
                 "text/event-stream", [this](size_t, httplib::DataSink &sink) {
                   return follow(sink);
                 });
           });
}

LiveReport::LiveReport(std::unique_ptr<Server> server)
    : server(std::move(server)) {}

Result<std::unique_ptr<LiveReport>>
LiveReport::start(const std::string &database, uint16_t port) {
  if (pageBeforeData.empty())
    return Error{ErrorCode::Unsupported,
                 "this build has no library of plots: run scripts/setup.sh "
                 "--all, and configure and build again"};
  auto server = std::make_unique<Server>();
  server->database = database;
  server->token = drawToken();
  if (server->token.empty())
    return Error{ErrorCode::IOError, "the system gives no random numbers"};
  server->route();
  int bound = port;
  if (port == 0)
    bound = server->http.bind_to_any_port("127.0.0.1");
  else if (!server->http.bind_to_port("127.0.0.1", port))
    bound = -1;
  if (bound < 0)
    return Error{ErrorCode::IOError,
                 "cannot listen at port " + std::to_string(port) +
                     " of this machine: choose another one"};
  std::unique_ptr<LiveReport> report(new LiveReport(std::move(server)));
  report->address = "http://127.0.0.1:" + std::to_string(bound) + "/" +
                    report->server->token + "/";
  report->server->thread = std::thread(
      [server = report->server.get()] { server->http.listen_after_bind(); });
  // To stop what doesn't run yet would wait for ever.
  while (!report->server->http.is_running())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return report;
}

LiveReport::~LiveReport() {
  {
    // A browser on a busy machine takes seconds; one that sleeps never answers.
    constexpr auto patience = std::chrono::seconds(10);
    std::unique_lock lock(server->mutex);
    server->isEnding = true;
    server->changed.notify_all();
    server->changed.wait_for(lock, patience, [&] {
      return server->numServed >= server->numFollowers;
    });
  }
  server->http.stop();
  server->thread.join();
}

#endif
