//===- ClusterCommand.cpp - baco cluster ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

#include "CommandGroup.h"

#include "baco/Cluster/StatusText.h"
#include "baco/Support/ExitCode.h"

using namespace baco;
using namespace baco::tool;
using cluster::Cluster;

static constexpr const char *usage =
    R"(usage: baco cluster COMMAND --nats=URL [options]

The workers that baco-worker --nats has started, and their tasks.

commands:
  status         workers, their classes, queues, and what was refused last
                   --format=text|json
  drain WORKER   lets a worker finish what it has and leave
  drain --all    all of them
  purge          deletes all tasks, results and kernels; tuners at work fail

options:
  --nats=URL,...       nats://HOST:PORT
  --nats-tls=FOLDER    ca.pem, cert.pem and key.pem, for mutual TLS
)";

static std::unique_ptr<Cluster> connect(const Arguments &arguments) {
  return need(
      Cluster::connect({arguments.get("nats"), arguments.get("nats-tls")}));
}

static int showStatus(const Arguments &arguments) {
  static constexpr std::string_view formats[] = {"text", "json"};
  std::string format = arguments.oneOf("format", formats);
  std::unique_ptr<Cluster> connected = connect(arguments);
  cluster::ClusterStatus status = need(connected->status());
  print(format == "json" ? cluster::writeStatusJson(status)
                         : cluster::writeStatus(status));
  return allDone;
}

static int drain(const Arguments &arguments) {
  size_t numWorkers = arguments.positional().size();
  if (numWorkers + arguments.has("all") != 1)
    return misuse("cluster", "'drain' needs the name of one worker, or --all");
  std::unique_ptr<Cluster> connected = connect(arguments);
  std::string id =
      numWorkers == 1 ? std::string(arguments.positional().front()) : "";
  need(connected->drain(id));
  return allDone;
}

static int purge(const Arguments &arguments) {
  std::unique_ptr<Cluster> connected = connect(arguments);
  need(connected->purge());
  return allDone;
}

int tool::runClusterCommand(std::span<const std::string_view> words) {
  const Command commands[] = {
      {"status", showStatus, "nats= nats-tls= format=", 0},
      {"drain", drain, "nats= nats-tls= all", std::nullopt},
      {"purge", purge, "nats= nats-tls=", 0}};
  return runCommand({"cluster", usage, commands}, words);
}
