//===- SimulatedProcess.cpp - Tuners and workers of tests -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `work KEY=VALUE...` and `tune KEY=VALUE...` are processes of their own, which
// tests kill.
//
//===----------------------------------------------------------------------===//

#include "SimulatedStudy.h"

#include "baco/Support/ParseNumber.h"

#include <csignal>
#include <iostream>
#include <map>

using namespace baco;
using namespace baco::cluster;
using namespace baco::cluster::test;

static std::atomic<bool> ends = false;

/// An option; the number 0 or an empty text if it isn't given.
using Options = std::map<std::string, std::string>;

static uint64_t numberOf(Options &options, const std::string &name) {
  return parseNumber<uint64_t>(options[name]).value_or(0);
}

static ServerOptions serverOf(Options &options) {
  ServerOptions server;
  server.url = options["url"];
  server.tls = options["tls"];
  if (uint64_t ackWaitMs = numberOf(options, "ack-wait"))
    server.ackWaitMs = static_cast<int64_t>(ackWaitMs);
  return server;
}

/// In a line, as two threads may print.
static void say(const std::string &text) { std::cerr << text + "\n"; }

static Result<void> work(Options &options) {
  SimulatedWorker worker;
  worker.server = serverOf(options);
  worker.id = options["id"];
  worker.slots = std::max<uint64_t>(1, numberOf(options, "slots"));
  worker.delayMs = numberOf(options, "delay");
  worker.depth = std::max<uint64_t>(1, numberOf(options, "depth"));
  worker.folder = options["folder"];
  worker.drain = &ends;
  worker.log = say;
  return workSimulated(worker);
}

static Result<void> tune(Options &options) {
  SimulatedStudy study;
  study.server = serverOf(options);
  study.database = options["db"];
  study.optimizer = options["optimizer"];
  study.budget = numberOf(options, "budget");
  study.inFlight = numberOf(options, "in-flight");
  study.seed = numberOf(options, "seed");
  study.queue.announce = say;
  auto tuned = tuneSimulated(study);
  if (!tuned)
    return tuned.error();
  if (tuned->result.failure)
    return *tuned->result.failure;
  return {};
}

int main(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGTERM, [](int) { ends = true; });
  Options options;
  for (int i = 2; i < argc; ++i) {
    std::string word = argv[i];
    size_t end = std::min(word.find('='), word.size() - 1);
    options[word.substr(0, end)] = word.substr(end + 1);
  }
  Result<void> done = argc > 1 && std::string(argv[1]) == "work"
                          ? work(options)
                          : tune(options);
  if (done)
    return 0;
  say("error: " + done.error().message);
  return 1;
}
