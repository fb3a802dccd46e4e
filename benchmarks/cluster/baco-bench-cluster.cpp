//===- baco-bench-cluster.cpp - Many workers ------------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How busy a tuner keeps many workers, how many workers a search has candidates
// for, and what a trial costs the server.
//
//===----------------------------------------------------------------------===//

#include "ComputedStudy.h"
#include "ResultFile.h"
#include "ServerFigures.h"

#include "Cluster/LocalServer.h"
#include "Cluster/Nats.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <list>
#include <unistd.h>

using namespace baco;
using namespace baco::bench;
using cluster::test::ChildProcess;
using cluster::test::LocalServer;
using cluster::test::TemporaryFolder;

static constexpr const char *usage = R"(usage: baco-bench-cluster [options]

Starts a server of NATS and simulated workers, and measures what a cluster costs
besides its candidates.

  --workers=N        slots of all simulated workers (200)
  --processes=N      processes that have them (8)
  --tasks=N          trials of a run (4000)
  --task-ms=N        milliseconds that a trial takes (500)
  --runs=N           (5)
  --trials=N         the most outcomes of the searches (2000)
  --payload-mib=N    size of the payload (64)
  --publications=N   (5000)
  --markdown=FILE    writes the tables to FILE, too
  --check            exits with 1 if less than 95 % of the workers' time is used
  --help             this text
)";

namespace {
struct Settings {
  uint64_t workers = 200, processes = 8, tasks = 4000, taskMs = 500, runs = 5,
           trials = 2000, payloadMiB = 64, publications = 5000;
  std::string markdown;
  bool check = false;
};

/// A server, and what counts its messages.
struct Server {
  TemporaryFolder folder;
  int monitorPort = LocalServer::freePort();
  LocalServer server = LocalServer::withConfiguration(
      folder,
      "max_payload: 2MB\nhttp: \"127.0.0.1:" + std::to_string(monitorPort) +
          "\"\njetstream {\n store_dir: \"" + (folder / "store") + "\"\n}\n");
  std::list<ChildProcess> workers;

  Server() {
    if (!server.start())
      fail("the server doesn't start: " + server.log());
    cluster::ServerOptions options;
    options.url = server.url();
    // Streams and buckets are made: workers need not wait for the first tuner.
    if (!take(cluster::Cluster::connect(options))->status())
      fail("the server has no JetStream");
  }
  /// `slots` slots in so many processes, which are this program.
  void startWorkers(uint64_t slots, uint64_t processes, uint64_t taskMs,
                    uint64_t depth) {
    for (uint64_t i = 0; i < processes; ++i) {
      uint64_t own = slots * (i + 1) / processes - slots * i / processes;
      workers.emplace_back(
          std::vector<std::string>{"/proc/self/exe", "work", server.url(),
                                   "w" + std::to_string(i), std::to_string(own),
                                   std::to_string(taskMs),
                                   std::to_string(depth)},
          folder / "worker.log");
    }
  }
  ServerFigures figures() const {
    return readFigures(monitorPort, server.id());
  }
};
} // namespace

static std::string format(const char *pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

static double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<size_t>(
      share * static_cast<double>(values.size() - 1) + 0.5)];
}

static void print(const ResultTable &table) {
  std::printf("%s\n\n", table.title.c_str());
  std::vector<size_t> widths;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    size_t width = table.columns[i].size();
    for (const auto &row : table.rows)
      width = std::max(width, row[i].size());
    widths.push_back(width);
  }
  auto printRow = [&](const std::vector<std::string> &row) {
    for (size_t i = 0; i < row.size(); ++i)
      std::printf("%-*s  ", static_cast<int>(widths[i]), row[i].c_str());
    std::printf("\n");
  };
  printRow(table.columns);
  for (const auto &row : table.rows)
    printRow(row);
  for (const std::string &note : table.notes)
    std::printf("* %s\n", note.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

/// The share of the workers' time that a study by `random` uses.
static ResultTable measureEfficiency(const Settings &settings, double &median,
                                     ServerFigures &perTrial) {
  Server server;
  server.startWorkers(settings.workers, settings.processes, settings.taskMs,
                      /*depth=*/1);
  auto run = [&](uint64_t trials) {
    return bench::runStudy({server.server.url(), trials,
                            std::min<uint64_t>(2 * settings.workers, 1024)});
  };
  // All workers have a runner then.
  run(settings.workers);
  std::vector<double> shares, seconds;
  ServerFigures before = server.figures();
  for (uint64_t i = 0; i < settings.runs; ++i) {
    seconds.push_back(run(settings.tasks));
    shares.push_back(static_cast<double>(settings.tasks * settings.taskMs) *
                     1e-3 /
                     (static_cast<double>(settings.workers) * seconds.back()));
  }
  ServerFigures after = server.figures();
  double trials = static_cast<double>(settings.tasks * settings.runs);
  perTrial = {(after.messagesIn - before.messagesIn) / trials,
              (after.messagesOut - before.messagesOut) / trials,
              (after.bytesIn - before.bytesIn) / trials,
              (after.bytesOut - before.bytesOut) / trials,
              (after.cpuSeconds - before.cpuSeconds) / trials,
              after.memoryMB};
  median = quantile(shares, 0.5);
  return {"How busy workers are",
          {"workers", "task", "tasks", "runs", "efficiency", "least", "most",
           "wall"},
          {{std::to_string(settings.workers),
            format("%g s", static_cast<double>(settings.taskMs) * 1e-3),
            std::to_string(settings.tasks), std::to_string(settings.runs),
            format("%.1f %%", 100 * median),
            format("%.1f %%", 100 * quantile(shares, 0)),
            format("%.1f %%", 100 * quantile(shares, 1)),
            format("%.2f s", quantile(seconds, 0.5))}},
          {"Efficiency is tasks * task / (workers * wall), the median of the "
           "runs. Server, workers (" +
           std::to_string(settings.processes) +
           " processes) and tuner share the CPUs; `random`, with the journal "
           "on disk."}};
}

/// The number of workers for which asking takes as long as a task.
static ResultTable measureSearches(const Settings &settings) {
  ResultTable table = {
      "How many workers a search has candidates for",
      {"optimizer", "in flight", "outcomes", "ask and tell", "tasks of 0.5 s",
       "tasks of 10 s"},
      {},
      {"Workers that are kept busy: as many as candidates are in flight, but "
       "no "
       "more than the task's time over that of an ask and a tell, which the "
       "tuner does one after another. The most of the outcomes are of random "
       "candidates."}};
  auto add = [&](const std::string &optimizer, uint64_t inFlight,
                 uint64_t told) {
    double ms = bench::measureSearch(optimizer, told, inFlight).ms;
    auto workers = [&](double taskMs) {
      return format("%.0f",
                    std::min(static_cast<double>(inFlight), taskMs / ms));
    };
    table.rows.push_back({optimizer, std::to_string(inFlight),
                          std::to_string(told), format("%.3g ms", ms),
                          workers(500), workers(10000)});
  };
  add("random", 1024, settings.trials);
  for (uint64_t inFlight : {8, 32, 128, 400, 1024})
    for (uint64_t told : {50, 200, 500, 1000, 2000})
      if (told <= settings.trials)
        add("baco", inFlight, told);
  return table;
}

/// The milliseconds that a trial of no time takes with so many in flight.
static double trialMs(uint64_t slots, uint64_t processes, uint64_t depth,
                      uint64_t inFlight, uint64_t trials, double &serverMs) {
  Server server;
  server.startWorkers(slots, processes, /*taskMs=*/0, depth);
  bench::runStudy({server.server.url(), slots, inFlight});
  double before = server.figures().cpuSeconds;
  double seconds = bench::runStudy({server.server.url(), trials, inFlight});
  serverMs = 1e3 * (server.figures().cpuSeconds - before) /
             static_cast<double>(trials);
  return 1e3 * seconds / static_cast<double>(trials);
}

static void measurePayload(const Settings &settings, ResultTable &table) {
  Server server;
  cluster::ServerOptions options;
  options.url = server.server.url();
  auto session = take(cluster::Session::open(options));
  auto bucket = take(session->bucket(cluster::payloadBucket));
  std::string payload(settings.payloadMiB << 20, ' ');
  for (size_t i = 0; i < payload.size(); ++i)
    payload[i] = static_cast<char>(i * i >> 7);
  double mib = static_cast<double>(settings.payloadMiB), start = now();
  std::string hash =
      take(cluster::storePayload(*session, bucket.get(), payload));
  double stored = now();
  take(cluster::loadPayload(bucket.get(), hash));
  double loaded = now();
  table.rows.push_back(
      {"storing a payload", format("%.0f MiB/s", mib / (stored - start))});
  table.rows.push_back(
      {"loading a payload", format("%.0f MiB/s", mib / (loaded - stored))});

  std::vector<double> micros;
  std::string text(400, 'x');
  for (uint64_t i = 0; i < settings.publications; ++i) {
    double begin = now();
    jsErrCode code = static_cast<jsErrCode>(0);
    std::string subject = "baco.result.0123456789abcdef.t" + std::to_string(i);
    if (js_Publish(nullptr, session->js.get(), subject.c_str(), text.data(),
                   static_cast<int>(text.size()), nullptr, &code) != NATS_OK)
      fail("the server takes no message");
    micros.push_back(1e6 * (now() - begin));
  }
  table.rows.push_back({"publishing 400 bytes, with the server's answer",
                        format("%.0f us (", quantile(micros, 0.5)) +
                            format("99 %%: %.0f us)", quantile(micros, 0.99))});
}

/// What workers cost that have nothing to do.
static void measureIdleWorkers(const Settings &settings, ResultTable &table) {
  Server server;
  constexpr uint64_t count = 20;
  server.startWorkers(count, count, /*taskMs=*/0, /*depth=*/1);
  // All of them are there.
  bench::runStudy({server.server.url(), 20 * count, 2 * count});
  auto seconds = static_cast<double>(std::min<uint64_t>(2 * settings.runs, 10));
  double start = now();
  ServerFigures before = server.figures();
  usleep(static_cast<useconds_t>(seconds * 1e6));
  ServerFigures after = server.figures();
  seconds = now() - start;
  table.rows.push_back(
      {"messages of an idle worker, to the server and from it",
       format("%.1f, ",
              (after.messagesIn - before.messagesIn) / seconds / count) +
           format("%.1f in a second",
                  (after.messagesOut - before.messagesOut) / seconds / count)});
  table.rows.push_back(
      {"CPU time of the server for 1000 idle workers",
       format("%.2f s in a second",
              1e3 * (after.cpuSeconds - before.cpuSeconds) / seconds / count)});
}

/// What many workers cost a tuner, which reads their descriptions every 2 s.
static void measureDescriptions(const Settings &settings, ResultTable &table) {
  Server server;
  cluster::ServerOptions options;
  options.url = server.server.url();
  std::vector<std::unique_ptr<cluster::Session>> sessions;
  constexpr int connections = 200;
  double before = server.figures().memoryMB;
  for (int i = 0; i < connections; ++i)
    sessions.push_back(take(cluster::Session::open(options)));
  table.rows.push_back(
      {"memory of the server for a connection",
       format("%.0f KB",
              1e3 * (server.figures().memoryMB - before) / connections)});
  auto bucket = take(sessions.front()->bucket(cluster::machineBucket));
  cluster::Machine machine;
  machine.host = "node-000.example.org";
  machine.machineClass = "znver4-01234567";
  machine.description = {"znver4", std::string(1000, '+'),
                         std::string(200, 'x')};
  machine.llvm = "22.1.8";
  size_t bytes = 0;
  for (uint64_t i = 0; i < settings.publications; ++i) {
    machine.id = "node-" + std::to_string(i);
    std::string text = cluster::encode(machine);
    bytes += text.size();
    uint64_t revision = 0;
    if (kvStore_PutString(&revision, bucket.get(), machine.id.c_str(),
                          text.c_str()) != NATS_OK)
      fail("the server takes no description");
  }
  double start = now();
  if (take(cluster::entriesOf(bucket.get())).size() != settings.publications)
    fail("not all descriptions are there");
  table.rows.push_back(
      {"reading the descriptions of " + std::to_string(settings.publications) +
           " workers",
       format("%.2f s, ", now() - start) +
           format("%.1f MB", static_cast<double>(bytes) * 1e-6)});
}

static ResultTable measureConstants(const Settings &settings,
                                    const ServerFigures &perTrial) {
  ResultTable table = {
      "What a trial costs the server", {"what", "measured"}, {}, {}};
  auto add = [&](const std::string &what, const std::string &value) {
    table.rows.push_back({what, value});
  };
  add("messages of a trial, to the server and from it",
      format("%.1f, ", perTrial.messagesIn) +
          format("%.1f", perTrial.messagesOut));
  add("bytes of a trial, to the server and from it",
      format("%.0f, ", perTrial.bytesIn) + format("%.0f", perTrial.bytesOut));
  add("CPU time of the server for 1000 trials",
      format("%.2f s", 1e3 * perTrial.cpuSeconds));
  add("memory of the server after " +
          std::to_string((settings.tasks * settings.runs + 500) / 1000) +
          " thousand trials",
      format("%.0f MB", perTrial.memoryMB));
  uint64_t trials = std::max<uint64_t>(20, settings.tasks);
  double serverMs = 0;
  double fast = trialMs(16, 4, 1, 64, trials, serverMs);
  add("tasks of 0 s, 16 workers, 64 in flight",
      format("%.0f trials/s; server ", 1e3 / fast) +
          format("%.2f s for 1000", serverMs));
  for (uint64_t depth : {1, 2})
    add("a trial of 0 s, one in flight, depth " + std::to_string(depth),
        format("%.2f ms", trialMs(1, 1, depth, 1,
                                  std::min<uint64_t>(trials, 500), serverMs)));
  measurePayload(settings, table);
  measureIdleWorkers(settings, table);
  measureDescriptions(settings, table);
  table.notes.push_back(
      "The first four are those of the runs of the first table; messages "
      "include that workers and the tuner live. Depth 2 is that of a worker "
      "that compiles one candidate while it measures another one.");
  return table;
}

static uint64_t readCount(std::string_view name, std::string_view value) {
  uint64_t number = 0;
  auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 1)
    fail("option '" + std::string(name) +
         "' must be a whole number of at least 1, but is '" +
         std::string(value) + "'");
  return number;
}

static Settings parseSettings(int argc, char **argv) {
  Settings settings;
  const std::pair<const char *, uint64_t *> numbers[] = {
      {"--workers", &settings.workers},
      {"--processes", &settings.processes},
      {"--tasks", &settings.tasks},
      {"--task-ms", &settings.taskMs},
      {"--runs", &settings.runs},
      {"--trials", &settings.trials},
      {"--payload-mib", &settings.payloadMiB},
      {"--publications", &settings.publications}};
  for (int i = 1; i < argc; ++i) {
    std::string_view word = argv[i];
    size_t equals = std::min(word.find('='), word.size());
    std::string_view name = word.substr(0, equals),
                     value = word.substr(std::min(equals + 1, word.size()));
    const auto *known = std::ranges::find(numbers, name, [](const auto &entry) {
      return std::string_view(entry.first);
    });
    if (known != std::end(numbers)) {
      *known->second = readCount(name, value);
    } else if (name == "--markdown") {
      settings.markdown = value;
    } else if (word == "--check") {
      settings.check = true;
    } else if (word == "--help") {
      std::fputs(usage, stdout);
      std::exit(0);
    } else {
      fail("there is no option '" + std::string(word) + "'; see --help");
    }
  }
  settings.processes = std::min(settings.processes, settings.workers);
  return settings;
}

int main(int argc, char **argv) {
  std::signal(SIGPIPE, SIG_IGN);
  if (argc == 7 && std::string_view(argv[1]) == "work") {
    bench::work({argv[2], argv[3], readCount("slots", argv[4]),
                 static_cast<uint64_t>(std::atoll(argv[5])),
                 readCount("depth", argv[6])});
    return 0;
  }
  Settings settings = parseSettings(argc, argv);
  if (Result<void> valid = checkResultFile(settings.markdown); !valid)
    fail(valid.error().message);
  if (LocalServer::program().empty()) {
    if (std::getenv("BACO_REQUIRE_ALL"))
      fail("nats-server is missing, and BACO_REQUIRE_ALL is set");
    std::puts("skipped: there is no nats-server");
    return 0;
  }
  double efficiency = 0;
  ServerFigures perTrial;
  std::vector<ResultTable> tables;
  auto add = [&](ResultTable table) {
    print(table);
    tables.push_back(std::move(table));
  };
  add(measureEfficiency(settings, efficiency, perTrial));
  add(measureConstants(settings, perTrial));
  add(measureSearches(settings));
  if (!settings.markdown.empty())
    if (Result<void> written =
            updateResultFile(settings.markdown, "baco-bench-cluster", tables,
                             describeRun(argc, argv));
        !written)
      fail(written.error().message);
  constexpr double leastEfficiency = 0.95;
  if (settings.check && efficiency < leastEfficiency) {
    std::puts("MISSED: less than 95 % of the workers' time is used");
    return 1;
  }
  return 0;
}
