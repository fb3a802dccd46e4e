//===- NatsWorker.cpp - The worker's side of a cluster --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NatsWorker.h"

#include <algorithm>
#include <limits>
#include <thread>
#include <unistd.h>

using namespace baco;
using namespace baco::cluster;

/// How long a slot waits for a task before it looks whether it is to leave.
static constexpr int64_t fetchMs = 1000;

/// Studies whose runners a slot keeps, as several take turns.
static constexpr size_t maxRunners = 3;

/// How long a worker tries to hand in a result while the server is away. After
/// that the task is given to another worker.
static constexpr int64_t handInMs = 600000;

/// A task that a worker has, and has not answered.
namespace {
struct Held {
  NatsMessage message;
  Task task;
  uint64_t sequence = 0;
  TaskRunner *runner = nullptr;
};
} // namespace

/// Takes tasks, one after another, or as many as its runner takes.
class NatsWorker::Slot {
public:
  Slot(NatsWorker &worker, uint64_t index) : worker(worker), index(index) {}
  void run();

private:
  bool subscribe();
  NatsMessage fetch(bool mayWait);
  void begin(NatsMessage message);
  void finishFirst();
  Result<TaskRunner *> runnerOf(const std::string &payload);
  void answer(Held &held, TaskResult result);
  bool handIn(const Held &held, TaskResult result);

  NatsWorker &worker;
  uint64_t index;
  NatsSubscription tasks;
  std::deque<Held> held;
  /// By payload; the last one was used last.
  std::list<std::pair<std::string, std::unique_ptr<TaskRunner>>> runners;
  uint64_t nextNumber = 0;
};

/// False if no tuner has made the consumer yet.
bool NatsWorker::Slot::subscribe() {
  if (tasks)
    return true;
  const std::string &machineClass = worker.options.machine.machineClass;
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = taskStream;
  options.Consumer = machineClass.c_str();
  options.ManualAck = true;
  natsSubscription *made = nullptr;
  jsErrCode code = static_cast<jsErrCode>(0);
  natsStatus status =
      js_PullSubscribe(&made, worker.session.js.get(),
                       ("baco.task." + machineClass + ".>").c_str(), nullptr,
                       nullptr, &options, &code);
  tasks.reset(made);
  return status == NATS_OK;
}

/// A task; null if there is none at the moment.
NatsMessage NatsWorker::Slot::fetch(bool mayWait) {
  if (!subscribe()) {
    if (mayWait)
      usleep(fetchMs * 500);
    return nullptr;
  }
  jsFetchRequest request;
  jsFetchRequest_Init(&request);
  request.Batch = 1;
  // With both, the server waits all the same if there is no task.
  if (mayWait)
    request.Expires = fetchMs * 1000000;
  else
    request.NoWait = true;
  natsMsgList list = {};
  natsStatus status =
      natsSubscription_FetchRequest(&list, tasks.get(), &request);
  NatsMessage message;
  if (status == NATS_OK && list.Count > 0) {
    message.reset(list.Msgs[0]);
    list.Msgs[0] = nullptr;
  }
  natsMsgList_Destroy(&list);
  if (status != NATS_OK && status != NATS_TIMEOUT && status != NATS_NOT_FOUND) {
    // The server is away, or somebody has deleted the consumer.
    tasks.reset();
    usleep(200000);
  }
  return message;
}

Result<TaskRunner *> NatsWorker::Slot::runnerOf(const std::string &payload) {
  auto known = std::ranges::find(
      runners, payload,
      &std::pair<std::string, std::unique_ptr<TaskRunner>>::first);
  if (known != runners.end()) {
    runners.splice(runners.end(), runners, known);
    return known->second.get();
  }
  Result<Payload> loaded = worker.cache.load(worker.payloads.get(), payload);
  if (!loaded)
    return loaded.error();
  // The one that was used least recently, unless it is at work.
  if (runners.size() >= maxRunners &&
      std::ranges::none_of(held, [&](const Held &one) {
        return one.runner == runners.front().second.get();
      }))
    runners.pop_front();
  auto made = worker.options.makeRunner(*loaded, index);
  if (!made)
    return made.error();
  runners.emplace_back(payload, std::move(*made));
  return runners.back().second.get();
}

void NatsWorker::Slot::begin(NatsMessage message) {
  Held taken;
  jsMsgMetaData *found = nullptr;
  natsMsg_GetMetaData(&found, message.get());
  std::unique_ptr<jsMsgMetaData, Destroy<jsMsgMetaData_Destroy>> data(found);
  Result<Task> task =
      decodeTask({natsMsg_GetData(message.get()),
                  static_cast<size_t>(natsMsg_GetDataLength(message.get()))});
  if (!task || !data) {
    // Nobody would understand it.
    worker.refuse(task ? "a task without its number" : task.error().message);
    natsMsg_Term(message.get(), nullptr);
    return;
  }
  taken.task = std::move(*task);
  taken.sequence = data->Sequence.Stream;
  taken.message = std::move(message);
  {
    std::lock_guard lock(worker.mutex);
    worker.underWay.push_back(taken.message.get());
  }
  ++worker.numBusy;
  auto refuse = [&](const Error &error) {
    worker.refuse(error.message);
    TaskResult result;
    result.answer = runtime::Refusal{error.message, error.code};
    answer(taken, std::move(result));
  };
  if (data->NumDelivered > maxDeliveries) {
    runtime::Evaluated lost;
    lost.outcome.timeNs = std::numeric_limits<double>::quiet_NaN();
    lost.outcome.message = std::to_string(maxDeliveries) +
                           " workers were gone before they were done with it";
    TaskResult result;
    result.answer = std::move(lost);
    return answer(taken, std::move(result));
  }
  Result<TaskRunner *> runner = runnerOf(taken.task.payload);
  if (!runner)
    return refuse(runner.error());
  taken.runner = *runner;
  taken.task.number = nextNumber++;
  if (Result<void> done = taken.runner->submit(taken.task); !done)
    return refuse(done.error());
  held.push_back(std::move(taken));
}

void NatsWorker::Slot::finishFirst() {
  Held first = std::move(held.front());
  held.pop_front();
  TaskResult result = first.runner->wait(first.task);
  if (const auto *refusal = std::get_if<runtime::Refusal>(&result.answer)) {
    worker.refuse(refusal->message);
    // What a runner refuses once, a new one may do: a process may have died.
    std::erase_if(runners, [&](const auto &entry) {
      return entry.second.get() == first.runner &&
             std::ranges::none_of(held, [&](const Held &one) {
               return one.runner == first.runner;
             });
    });
  }
  answer(first, std::move(result));
}

/// Hands in the result; false if the server is away for too long.
bool NatsWorker::Slot::handIn(const Held &held, TaskResult result) {
  // The number was replaced by the runner's.
  std::string subject = natsMsg_GetSubject(held.message.get());
  result.token = subject.substr(subject.rfind('.') + 1);
  result.study = held.task.study;
  result.attempt = held.task.attempt;
  result.worker = worker.options.machine.id;
  const auto *trial = std::get_if<runtime::Evaluated>(&result.answer);
  bool worked = trial
                    ? trial->outcome.status == Status::Ok
                    : !std::holds_alternative<runtime::Refusal>(result.answer);
  ++(worked ? worker.numDone : worker.numFailed);
  std::string text = encode(result);
  if (text.size() > maxTaskBytes) {
    result.answer = runtime::Refusal{
        "a result of " + std::to_string(text.size()) + " bytes is too long",
        ErrorCode::Unsupported};
    text = encode(result);
  }
  // Delivered twice, a task has one result.
  std::string id = result.study + ":" + result.token + ":" +
                   std::to_string(result.attempt) + ":" +
                   std::to_string(held.sequence);
  jsPubOptions publication;
  jsPubOptions_Init(&publication);
  publication.MsgId = id.c_str();
  std::string target = "baco.result." + result.study + "." + result.token;
  int64_t deadlineMs = nowMs() + handInMs;
  for (bool isFirst = true;; isFirst = false) {
    jsErrCode code = static_cast<jsErrCode>(0);
    natsStatus status = js_Publish(
        nullptr, worker.session.js.get(), target.c_str(), text.data(),
        static_cast<int>(text.size()), &publication, &code);
    if (status == NATS_OK) {
      worker.complain("");
      return true;
    }
    if (isFirst)
      worker.complain(natsError(status, "the server takes no result").message +
                      "; trying again");
    if (nowMs() > deadlineMs)
      return false;
    usleep(500000);
  }
}

/// Hands in the result, and then the task, which another worker gets if that
/// fails.
void NatsWorker::Slot::answer(Held &held, TaskResult result) {
  bool isDone = handIn(held, std::move(result));
  std::lock_guard lock(worker.mutex);
  worker.underWay.remove(held.message.get());
  --worker.numBusy;
  if (isDone)
    natsMsg_Ack(held.message.get(), nullptr);
}

void NatsWorker::Slot::run() {
  while (!worker.isDraining() || !held.empty()) {
    size_t depth = held.empty() ? 1 : held.front().runner->depth();
    while (!worker.isDraining() && held.size() < depth) {
      NatsMessage message = fetch(/*mayWait=*/held.empty());
      if (!message)
        break;
      begin(std::move(message));
      if (!held.empty())
        depth = held.front().runner->depth();
    }
    if (!held.empty())
      finishFirst();
  }
}

NatsWorker::NatsWorker(const Session &session, const WorkerOptions &options)
    : session(session), options(options),
      cache(options.cacheFolder, options.cacheBytes) {}

/// A task that can't be done. The status shows the last one.
void NatsWorker::refuse(const std::string &why) {
  log("refused: " + why);
  std::lock_guard lock(mutex);
  constexpr size_t most = 500;
  refused = why.substr(0, most);
}

/// What keeps results from being handed in; empty: nothing. Tuners are told.
void NatsWorker::complain(const std::string &what) {
  if (!what.empty())
    log(what);
  std::lock_guard lock(mutex);
  trouble = what;
}

/// Says that the tasks are still under way.
void NatsWorker::renewTasks() {
  std::lock_guard lock(mutex);
  for (natsMsg *message : underWay)
    natsMsg_InProgress(message, nullptr);
}

/// Tells the cluster of this worker.
void NatsWorker::describe() {
  Machine machine = options.machine;
  machine.busy = numBusy;
  machine.done = numDone;
  machine.failed = numFailed;
  machine.isDraining = isDraining();
  machine.seenMs = nowMs();
  {
    std::lock_guard lock(mutex);
    machine.refused = refused;
    machine.trouble = trouble;
  }
  std::string text = encode(machine);
  uint64_t revision = 0;
  kvStore_Put(&revision, machines.get(), machine.id.c_str(), text.data(),
              static_cast<int>(text.size()));
}

void NatsWorker::readDrain() {
  Result<uint64_t> wish = revisionOf(drains.get(), options.machine.id);
  // A server that was started again counts from 1.
  if (wish && *wish != 0 && *wish != oldWish && !drained.exchange(true))
    log("told to drain");
}

/// Waits for a tuner to make the buckets, if no one has yet.
Result<void> NatsWorker::openBuckets() {
  for (bool isFirst = true; !isDraining(); isFirst = false) {
    Result<Bucket> first = session.bucket(payloadBucket);
    Result<Bucket> second = session.bucket(machineBucket);
    Result<Bucket> third = session.bucket(drainBucket);
    if (first && second && third) {
      payloads = std::move(*first);
      machines = std::move(*second);
      drains = std::move(*third);
      if (Result<uint64_t> wish = revisionOf(drains.get(), options.machine.id))
        oldWish = *wish;
      return {};
    }
    if (isFirst)
      log("waiting for the first tuner");
    sleep(1);
  }
  return {};
}

Result<void> NatsWorker::run() {
  if (Result<void> opened = openBuckets(); !opened || !payloads)
    return opened;
  describe();
  log("ready: " + std::to_string(options.machine.slots) + " slots of class " +
      options.machine.machineClass);
  std::atomic<uint64_t> numAtWork = options.machine.slots;
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < options.machine.slots; ++i)
    threads.emplace_back([this, i, &numAtWork] {
      Slot(*this, i).run();
      --numAtWork;
    });
  int64_t renewedMs = nowMs(), describedMs = renewedMs;
  while (numAtWork > 0) {
    usleep(100000);
    int64_t now = nowMs();
    if (now >= renewedMs + session.ackWaitMs / 4) {
      renewedMs = now;
      renewTasks();
    }
    if (now >= describedMs + aliveEveryMs) {
      describedMs = now;
      describe();
      readDrain();
    }
  }
  for (std::thread &thread : threads)
    thread.join();
  log("left");
  kvStore_Delete(machines.get(), options.machine.id.c_str());
  return {};
}
