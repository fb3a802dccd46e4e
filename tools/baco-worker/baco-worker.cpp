//===- baco-worker.cpp - Runs candidates ----------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The worker process: joins the measuring side of the harness with the
// compiler of lib/Target, or plans nests. Started by the tuner, or by a command
// that connects it to one, or by hand as a worker of a cluster.
//
//===----------------------------------------------------------------------===//

#include "ClusterWorker.h"

#include "baco/CandidateCompiler/ModuleCompiler.h"
#include "baco/CandidateCompiler/PlanMessages.h"
#include "baco/Protocol/Relay.h"
#include "baco/Runtime/Serve.h"
#include "baco/Target/CPU/MachineCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace baco;

static constexpr const char *usage =
    R"(usage: baco-worker --nats=URL[,URL...] [options]

A worker of a cluster: evaluates candidates of tuners that use the same server of
NATS. SIGTERM lets it finish what it has; docs/Cluster.md tells more. (Without
--nats a tuner starts this program itself.)

  --nats=URL             nats://HOST:PORT
  --nats-tls=FOLDER      ca.pem, cert.pem and key.pem, for mutual TLS
  --slots=N              candidates evaluated at a time; each slot has an equal share
                         of the CPUs, and measures on one of them (1)
  --id=NAME              letters, digits, - and _; unique (HOST-PID)
  --allow-command=PROGRAM
                         runs commands of 'baco tune' that begin with PROGRAM, as it
                         is written; may be repeated (no commands are run)
  --cache=FOLDER         for kernels and folders of candidates
                         ($XDG_CACHE_HOME/baco-worker, or ~/.cache/baco-worker)
  --cache-size=MIB       of the kernels there (1024)
  --target-cpu=CPU, --host=KEY=VALUE,...
                         what candidates are compiled for (this machine)
)";

static int complain(const llvm::Twine &message) {
  llvm::errs() << "baco-worker: error: " << message << "\n";
  return 1;
}

static std::string defaultCache() {
  const char *cache = std::getenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  std::string folder = cache && *cache ? cache
                       : home && *home ? std::string(home) + "/.cache"
                                       : std::string("/tmp");
  return folder + "/baco-worker";
}

/// Reads an option of a cluster's worker. Returns what is wrong with it; empty
/// if nothing is.
static std::string readOption(llvm::StringRef argument,
                              tool::ClusterLine &line) {
  auto [name, value] = argument.split('=');
  std::string command;
  std::string *text =
      llvm::StringSwitch<std::string *>(name)
          .Case("--nats", &line.server.url)
          .Case("--nats-tls", &line.server.tls)
          .Case("--cache", &line.cache)
          .Case("--id", &line.id)
          .Case("--allow-command", &line.allowedCommands.emplace_back())
          .Default(nullptr);
  if (name != "--allow-command")
    line.allowedCommands.pop_back();
  uint64_t *number = llvm::StringSwitch<uint64_t *>(name)
                         .Case("--slots", &line.slots)
                         .Case("--cache-size", &line.cacheMiB)
                         .Default(nullptr);
  if ((!text && !number) || value.empty())
    return ("unknown option '" + argument + "'; see baco-worker --help").str();
  if (text)
    *text = value.str();
  if (!command.empty())
    line.allowedCommands.push_back(command);
  constexpr uint64_t most = 1 << 20;
  if (number &&
      (value.getAsInteger(10, *number) || *number < 1 || *number > most))
    return (name + " must be a whole number from 1 to " + llvm::Twine(most) +
            ", but is '" + value + "'")
        .str();
  if (text == &line.id &&
      (value.size() > 64 || !llvm::all_of(value, [](char c) {
         return llvm::isAlnum(c) || c == '-' || c == '_';
       })))
    return "--id must be up to 64 letters, digits, - and _";
  return "";
}

int main(int argc, char **argv) {
  target::enableDebugOutput();
  std::string cpu, host;
  bool plans = false;
  tool::ClusterLine line;
  line.cache = defaultCache();
  for (llvm::StringRef argument : llvm::ArrayRef(argv, argc).drop_front()) {
    if (argument == target::planArgument)
      plans = true;
    else if (argument.consume_front("--target-cpu="))
      cpu = argument.str();
    else if (argument.consume_front("--host="))
      host = argument.str();
    else if (argument == "--help") {
      llvm::outs() << usage;
      return 0;
    } else if (std::string mistake = readOption(argument, line);
               !mistake.empty()) {
      return complain(mistake);
    }
  }
  llvm::Expected<runtime::MachineDescription> machine =
      target::describeMachine(cpu, host);
  if (!machine)
    return complain((cpu.empty() ? "--host: " : "--target-cpu, --host: ") +
                    toString(machine.takeError()));
  if (!line.server.url.empty())
    return tool::workForCluster(line, *machine);
  if (!runtime::hasWorkerSocket()) {
    if (plans || !runtime::isOnStandard())
      return complain("no connection to a tuner, which starts this program; "
                      "run baco-tune-driver instead");
    Result<std::optional<int>> split = runtime::splitRelay();
    if (!split)
      return complain(split.error().message);
    if (*split)
      return **split;
  }
  if (plans)
    return target::servePlans() ? 0 : 1;
  target::ModuleCompiler compiler;
  compiler.setCpu(cpu);
  return runtime::serve(compiler, {.machine = std::move(*machine)}) ? 0 : 1;
}
