//===- NatsQueue.cpp - The tuner's side of a cluster ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NatsQueue.h"

#include "Streams.h"

#include "baco/Support/Complaint.h"
#include "baco/Support/UniqueName.h"

#include <algorithm>
#include <cmath>
#include <unistd.h>

using namespace baco;
using namespace baco::cluster;

/// How often a tuner looks whether the task that it waits for is still there.
static constexpr int64_t checkEveryMs = 5000;

Result<std::vector<Machine>> cluster::readMachines(kvStore *bucket) {
  auto entries = entriesOf(bucket);
  if (!entries)
    return entries.error();
  std::vector<Machine> machines;
  for (const auto &[key, text] : *entries) {
    Result<Machine> machine = decodeMachine(text);
    if (!machine) {
      machine = Machine();
      machine->id = key;
      machine->cluster = 0;
    }
    // Memory of the server outlives a worker for a while.
    if (machine->cluster == 0 || machine->seenMs > nowMs() - aliveForMs)
      machines.push_back(std::move(*machine));
  }
  std::ranges::sort(machines, {}, &Machine::id);
  return machines;
}

bool cluster::isCompatible(const Machine &machine, const std::string &llvm,
                           std::string &why) {
  auto differ = [&](const std::string &what) {
    why = "worker " + machine.id + " has " + what;
    return false;
  };
  if (machine.cluster != clusterVersion)
    return differ("another version of the cluster's messages");
  if (machine.protocol != runtime::protocolVersion)
    return differ("version " + std::to_string(machine.protocol) +
                  " of the protocol, not " +
                  std::to_string(runtime::protocolVersion));
  // Commands are compiled by others.
  if (!llvm.empty() && machine.llvm != llvm)
    return differ("LLVM " + machine.llvm + ", not " + llvm);
  return true;
}

NatsQueue::NatsQueue(std::shared_ptr<Session> session, Machine machine,
                     const QueueOptions &options)
    : session(std::move(session)), chosen(std::move(machine)), options(options),
      study(drawUniqueName()), run(drawUniqueName()) {}

Result<std::unique_ptr<TaskQueue>>
NatsQueue::open(std::shared_ptr<Session> session, Machine machine,
                const std::string &payload, const QueueOptions &options) {
  std::unique_ptr<NatsQueue> queue(
      new NatsQueue(std::move(session), std::move(machine), options));
  const Session &opened = *queue->session;
  return attempt([&] {
    Bucket payloads = need(opened.bucket(payloadBucket));
    queue->machines = need(opened.bucket(machineBucket));
    queue->studies = need(opened.bucket(studyBucket));
    queue->payload = need(storePayload(opened, payloads.get(), payload));
    need(makeTaskConsumer(opened, queue->chosen.machineClass));
    queue->seenAtMs = nowMs();
    queue->keepAlive();
    queue->slotsAtFirst = queue->slotsNow;
    queue->listen();
    return std::unique_ptr<TaskQueue>(std::move(queue));
  });
}

NatsQueue::~NatsQueue() {
  // What fails here, the server forgets in time.
  (void)static_cast<bool>(forgetStudy());
}

/// Withdraws the study's tasks, and what only this run has a use for.
Result<void> NatsQueue::forgetStudy() {
  results.reset();
  kvStore_Delete(studies.get(), (chosen.machineClass + "." + study).c_str());
  jsErrCode code = static_cast<jsErrCode>(0);
  js_DeleteConsumer(session->js.get(), resultStream, study.c_str(), nullptr,
                    &code);
  return deleteMessages(*session, taskStream, subjectOf("*"));
}

void NatsQueue::listen() {
  results = need(subscribeToResults(*session, study));
}

Result<void> NatsQueue::identify(const std::string &name) {
  return attempt([&] {
    need(forgetStudy());
    study = name;
    isIdentified = true;
    listen();
    aliveAtMs = 0;
    keepAlive();
    // Before the results: what a worker is done with meanwhile is one.
    hasEarlierTasks = queuedTask("*").has_value();
    readRecorded();
  });
}

/// Reads the results that are there.
void NatsQueue::readRecorded() {
  while (!isStopped()) {
    jsConsumerInfo *found = nullptr;
    natsStatus status = natsSubscription_GetConsumerInfo(&found, results.get(),
                                                         nullptr, nullptr);
    std::unique_ptr<jsConsumerInfo, Destroy<jsConsumerInfo_Destroy>> info(
        found);
    if (status != NATS_OK)
      fail(natsError(status, "--nats: results"));
    // Those that are under way were delivered, but not acknowledged.
    if (info->NumPending == 0 && info->NumAckPending == 0)
      return;
    receive(/*timeoutMs=*/200);
  }
}

/// The last task of an earlier run that is still to be done, and that matches.
std::optional<Task> NatsQueue::queuedTask(const std::string &token) const {
  NatsMessage message =
      need(lastMessage(*session, taskStream, subjectOf(token)));
  if (!message)
    return std::nullopt;
  Result<Task> task =
      decodeTask({natsMsg_GetData(message.get()),
                  static_cast<size_t>(natsMsg_GetDataLength(message.get()))});
  // A worker ends what isn't one.
  return task ? std::optional(std::move(*task)) : std::nullopt;
}

/// Takes the result that an earlier run's attempt has got, if there is one.
bool NatsQueue::findRecorded(Pending &entry) {
  std::string token = entry.task.token();
  auto known = recorded.lower_bound({token, entry.task.attempt});
  if (known == recorded.end() || known->first.first != token)
    return false;
  entry.result = std::move(known->second);
  recorded.erase(known);
  return true;
}

/// Takes over what an earlier run has published, if it has.
void NatsQueue::adopt(Pending &entry) {
  if (std::optional<Task> queued = queuedTask(entry.task.token())) {
    entry.task.attempt = queued->attempt;
    attempts[entry.task.token()] = entry.task.attempt + 1;
    entry.isPublished = true;
    return;
  }
  // A worker may have handed it in just now: results are there before tasks
  // go.
  readRecorded();
  if (!entry.result)
    findRecorded(entry);
}

/// How many tasks this study may have on the server: workers take tasks in
/// their order, so that studies with as many tasks get as many workers. Twice
/// the slots, such that a late result keeps no worker waiting.
uint64_t NatsQueue::share() const {
  return std::max<uint64_t>(2,
                            2 * slotsNow / std::max<uint64_t>(1, numStudies));
}

Result<void> NatsQueue::submit(Task task) {
  task.study = study;
  task.payload = payload;
  std::string token = task.token();
  if (pending.count(token))
    return {ErrorCode::InvalidArgument, token + " was submitted before"};
  task.attempt = attempts[token]++;
  Pending &entry = pending[token];
  entry.task = std::move(task);
  if (findRecorded(entry))
    return {};
  held.push_back(token);
  return attempt([&] { publishMore(); });
}

void NatsQueue::publishMore() {
  while (!held.empty() && numPublished < share() && !isStopped()) {
    std::string token = held.front();
    held.pop_front();
    auto found = pending.find(token);
    // It may have been cancelled, or a worker of an earlier run is done with
    // it.
    if (found == pending.end() || found->second.result)
      continue;
    Pending &entry = found->second;
    if (hasEarlierTasks)
      insist([&] { adopt(entry); });
    if (entry.result)
      continue;
    if (!entry.isPublished)
      publish(entry);
    entry.isPublished = true;
    ++numPublished;
  }
}

/// Asks the server until it answers, unless it is away for too long.
void NatsQueue::insist(const std::function<void()> &ask) const {
  int64_t deadlineMs =
      nowMs() + static_cast<int64_t>(options.waitSeconds * 1000);
  for (bool isFirst = true;; isFirst = false) {
    Result<void> done = attempt(ask);
    if (done || nowMs() > deadlineMs || isStopped())
      return need(done);
    if (isFirst)
      announce(done.error().message + "; trying again");
    usleep(200000);
  }
}

/// Publishes a task again that the server doesn't have any more: somebody may
/// have purged the stream, or a disk was full.
void NatsQueue::checkLost(Pending &entry) {
  if (!entry.isPublished || nowMs() < entry.checkedMs + checkEveryMs)
    return;
  entry.checkedMs = nowMs();
  // The server may be away. Results are there before tasks go.
  Result<bool> isQueued = attempt([&] {
    bool isThere = queuedTask(entry.task.token()).has_value();
    if (!isThere)
      readRecorded();
    return isThere;
  });
  if (!isQueued || *isQueued || entry.result)
    return;
  announce("the server has lost " + entry.task.token() +
           "; it is queued again");
  publish(entry);
}

/// Publishes a task, once, however often the server has to be asked.
void NatsQueue::publish(Pending &entry) {
  const Task &task = entry.task;
  entry.checkedMs = nowMs();
  std::string text = encode(task);
  if (text.size() > maxTaskBytes)
    fail({ErrorCode::InvalidArgument,
          "a configuration of " + std::to_string(text.size()) +
              " bytes is too long for a task of a cluster"});
  std::string id = run + ":" + task.token() + ":" +
                   std::to_string(task.attempt) + ":" +
                   std::to_string(entry.numPublications++);
  jsPubOptions publication;
  jsPubOptions_Init(&publication);
  publication.MsgId = id.c_str();
  insist([&] {
    jsErrCode code = static_cast<jsErrCode>(0);
    natsStatus status = js_Publish(
        nullptr, session->js.get(), subjectOf(task.token()).c_str(),
        text.data(), static_cast<int>(text.size()), &publication, &code);
    if (status != NATS_OK)
      fail(natsError(status, "--nats: the server takes no task"));
  });
}

/// Tells others of this study, and looks for workers, from time to time.
void NatsQueue::keepAlive() {
  int64_t now = nowMs();
  if (now < aliveAtMs + aliveEveryMs)
    return;
  aliveAtMs = now;
  uint64_t revision = 0;
  kvStore_PutString(&revision, studies.get(),
                    (chosen.machineClass + "." + study).c_str(), "");
  auto others = entriesOf(studies.get());
  Result<std::vector<Machine>> found = readMachines(machines.get());
  // The server may be away for a while. What it has in memory is gone then.
  if (!others || !found) {
    (void)static_cast<bool>(makeStreams(*session));
    return;
  }
  numStudies = std::ranges::count_if(*others, [&](const auto &entry) {
    return entry.first.starts_with(chosen.machineClass + ".");
  });
  slotsNow = 0;
  for (const Machine &machine : *found) {
    if (machine.machineClass != chosen.machineClass)
      continue;
    if (!machine.isDraining)
      slotsNow += machine.slots;
    if (!machine.trouble.empty() && troubles.insert(machine.trouble).second)
      announce("worker " + machine.id + ": " + machine.trouble);
  }
  if (slotsNow > 0)
    seenAtMs = now;
}

/// Takes messages, of which there may be none, for at most so long.
void NatsQueue::receive(int64_t timeoutMs) {
  natsMsg *received = nullptr;
  natsStatus status =
      natsSubscription_NextMsg(&received, results.get(), timeoutMs);
  NatsMessage message(received);
  if (status == NATS_TIMEOUT)
    return;
  if (status != NATS_OK)
    fail(natsError(status, "--nats: results"));
  take(std::string(natsMsg_GetData(received),
                   static_cast<size_t>(natsMsg_GetDataLength(received))));
  natsMsg_Ack(received, nullptr);
  if (isIdentified)
    return;
  // Nobody else has a use for it. If this fails, it is deleted in some days.
  jsMsgMetaData *found = nullptr;
  natsMsg_GetMetaData(&found, received);
  std::unique_ptr<jsMsgMetaData, Destroy<jsMsgMetaData_Destroy>> data(found);
  if (data)
    (void)static_cast<bool>(
        deleteMessage(*session, resultStream, data->Sequence.Stream));
}

/// Takes a result, if it is one that this study has a use for.
void NatsQueue::take(const std::string &text) {
  Result<TaskResult> result = decodeResult(text);
  if (!result)
    return announce("ignored " + result.error().message);
  if (result->study != study)
    return;
  if (result->plainNs > 0)
    plain[result->worker] = result->plainNs;
  auto found = pending.find(result->token);
  if (found == pending.end() || found->second.task.attempt != result->attempt) {
    // One that says nothing about the candidate is of no use later.
    const auto *trial = std::get_if<runtime::Evaluated>(&result->answer);
    if (isIdentified && trial && trial->outcome.status != Status::Lost)
      recorded.try_emplace({result->token, result->attempt},
                           std::move(*result));
    return;
  }
  Pending &entry = found->second;
  // It may be delivered twice.
  if (entry.result)
    return;
  if (entry.isPublished)
    --numPublished;
  entry.result = std::move(*result);
}

Result<std::optional<TaskResult>>
NatsQueue::wait(const std::string &token, const std::function<bool()> &isOver) {
  auto found = pending.find(token);
  if (found == pending.end())
    return {ErrorCode::InvalidArgument, token + " was not submitted"};
  return attempt([&]() -> std::optional<TaskResult> {
    while (!found->second.result) {
      if (isStopped() || (isOver && isOver()))
        return std::nullopt;
      keepAlive();
      publishMore();
      checkLost(found->second);
      double goneSeconds = static_cast<double>(nowMs() - seenAtMs) * 1e-3;
      if (goneSeconds > options.waitSeconds)
        fail({ErrorCode::IOError,
              "no worker of class " + chosen.machineClass + " was seen for " +
                  std::to_string(std::lround(goneSeconds)) +
                  " s; start one, and the same command continues from here"});
      receive(/*timeoutMs=*/100);
    }
    std::optional<TaskResult> result = std::move(found->second.result);
    pending.erase(found);
    publishMore();
    return result;
  });
}

void NatsQueue::cancel(const std::string &token) {
  auto found = pending.find(token);
  if (found == pending.end())
    return;
  if (found->second.isPublished && !found->second.result) {
    --numPublished;
    // If a worker has it, its result is ignored.
    (void)static_cast<bool>(
        deleteMessages(*session, taskStream, subjectOf(token)));
  }
  pending.erase(found);
}
