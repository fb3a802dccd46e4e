//===- StatusText.cpp - The state of a cluster, for people ----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Cluster/StatusText.h"

#include "baco/Report/Units.h"
#include "baco/Support/Json.h"

using namespace baco;
using namespace baco::cluster;

std::string cluster::writeStatus(const ClusterStatus &status) {
  if (status.machines.empty() && status.classes.empty())
    return "no workers\n";
  std::vector<std::vector<std::string>> rows = {
      {"worker", "class", "slots", "busy", "done", "failed", "seen", ""}};
  for (const Machine &machine : status.machines) {
    double seconds = static_cast<double>(status.readMs - machine.seenMs) * 1e-3;
    std::string remark = machine.isDraining ? "draining" : "";
    if (!machine.refused.empty())
      remark += (remark.empty() ? "" : "; ") + std::string("refused: ") +
                machine.refused;
    if (!machine.trouble.empty())
      remark += (remark.empty() ? "" : "; ") + machine.trouble;
    if (machine.cluster != clusterVersion) {
      rows.push_back({machine.id, "?", "?", "?", "?", "?", "?",
                      "another version of the cluster's messages"});
      continue;
    }
    rows.push_back(
        {machine.id, machine.machineClass, std::to_string(machine.slots),
         std::to_string(machine.busy), std::to_string(machine.done),
         std::to_string(machine.failed),
         std::to_string(std::max(0L, std::lround(seconds))) + " s ago",
         remark});
  }
  std::string text =
      report::alignColumns(rows, /*firstRight=*/2, /*numRight=*/5) + "\n";
  rows = {{"class", "queued", "running", "tuners"}};
  for (const ClusterStatus::Class &one : status.classes)
    rows.push_back({one.name, std::to_string(one.queued),
                    std::to_string(one.running), std::to_string(one.studies)});
  text += report::alignColumns(rows, /*firstRight=*/1, /*numRight=*/3);
  text += "\n" + std::to_string(status.results) + " results are kept, " +
          std::to_string(status.resultBytes >> 10) + " KiB\n";
  return text;
}

std::string cluster::writeStatusJson(const ClusterStatus &status) {
  Json workers = Json::array(), classes = Json::array();
  for (const Machine &machine : status.machines)
    workers.push_back({{"id", machine.id},
                       {"host", machine.host},
                       {"class", machine.machineClass},
                       {"cpu", machine.description.cpu},
                       {"llvm", machine.llvm},
                       {"protocol", machine.protocol},
                       {"slots", machine.slots},
                       {"busy", machine.busy},
                       {"done", machine.done},
                       {"failed", machine.failed},
                       {"refused", machine.refused},
                       {"trouble", machine.trouble},
                       {"draining", machine.isDraining},
                       {"seen_ms", machine.seenMs}});
  for (const ClusterStatus::Class &one : status.classes)
    classes.push_back({{"name", one.name},
                       {"queued", one.queued},
                       {"running", one.running},
                       {"tuners", one.studies}});
  Json json = {{"workers", std::move(workers)},
               {"classes", std::move(classes)},
               {"results", status.results},
               {"result_bytes", status.resultBytes}};
  return printJson(json, 2) + "\n";
}
