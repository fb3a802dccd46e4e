//===- ExampleMessages.h - One message of each kind -------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_CLUSTER_EXAMPLEMESSAGES_H
#define BACO_UNITTESTS_CLUSTER_EXAMPLEMESSAGES_H

#include "baco/Cluster/Messages.h"

namespace baco::cluster::test {

inline Task makeTrial() {
  Task task;
  task.study = "0123456789abcdef";
  task.number = 12;
  task.attempt = 1;
  task.payload = "00112233445566778899aabbccddeeff";
  task.submit = {12, R"({"tile":4})", {100, std::nullopt}, 2.5};
  return task;
}

inline Task makeFinals() {
  Task task = makeTrial();
  task.kind = Task::Kind::Finals;
  task.rounds = {{{R"({"tile":4})", true}, {std::nullopt}}, {1000, 7, 1}};
  return task;
}

inline TaskResult makeResult() {
  TaskResult result;
  result.study = "0123456789abcdef";
  result.token = "t12";
  result.attempt = 1;
  result.worker = "host-1";
  result.plainNs = 100;
  runtime::Evaluated evaluated;
  evaluated.trial = 12;
  evaluated.outcome.status = Status::Ok;
  evaluated.outcome.timeNs = 5;
  evaluated.outcome.message = "\xff is no UTF-8";
  evaluated.outcome.metrics = {{"time", 5}, {"size", 40}};
  result.answer = evaluated;
  return result;
}

inline Machine makeMachine() {
  Machine machine;
  machine.id = "host-1";
  machine.host = "host";
  machine.description = {"znver4", "+avx512f", "l1=32"};
  machine.llvm = "22.1.8";
  machine.machineClass = classOf(machine.description, machine.llvm);
  machine.slots = 4;
  machine.refused = "a payload";
  machine.trouble = "a full store";
  machine.isDraining = true;
  machine.seenMs = 1234;
  return machine;
}

} // namespace baco::cluster::test

#endif // BACO_UNITTESTS_CLUSTER_EXAMPLEMESSAGES_H
