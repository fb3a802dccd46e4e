//===- PlanProcess.cpp - Plans nests in a process of its own --------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Driver/PlanProcess.h"

#include "baco/CandidateCompiler/PlanMessages.h"
#include "baco/Driver/WorkerPath.h"
#include "baco/Measure/SpawnWorker.h"
#include "baco/Protocol/Channel.h"
#include "baco/Protocol/Clock.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;
using runtime::nowMs;
using target::PlanAnswer;
using target::PlanFrame;
using target::PlanQuestion;

static constexpr int64_t dayMs = 86'400'000;

Result<void> PlanLimits::validate() const {
  if (timeoutMs >= 0 && timeoutMs <= dayMs)
    return {};
  return {ErrorCode::InvalidArgument,
          "plan-timeout must be between 0 and a day (86400000 ms), but is " +
              std::to_string(timeoutMs)};
}

namespace {
class PlanProcess final : public schedule::NestPlanner {
public:
  PlanProcess(ModuleOp module, const schedule::HostInfo &host,
              const PlanLimits &limits)
      : NestPlanner(host), original(module), limits(limits) {}
  ~PlanProcess() override { end(); }

  void begin(func::FuncOp newFunction) override;
  llvm::Expected<RecipeAttr> planNest(Operation *outermost) override;
  size_t countRowFusionGroup(ArrayRef<Operation *> nests) override;
  llvm::Expected<RecipeAttr>
  planRowFusion(ArrayRef<Operation *> nests) override;

private:
  bool isInCopy() const { return function->getParentOp() != original; }
  Result<RecipeAttr> plan(PlanQuestion::Kind kind, ArrayRef<Operation *> nests,
                          int64_t timeoutMs);
  Result<PlanAnswer> ask(PlanQuestion::Kind kind, ArrayRef<Operation *> nests,
                         int64_t timeoutMs);
  Result<PlanAnswer> exchange(const PlanQuestion &question, int64_t timeoutMs);
  Result<void> start();
  Result<void> sendModule(int64_t timeoutMs);
  std::string end();
  Error tooLate() const;
  int64_t wholeMs() const {
    return limits.timeoutMs == 0 ? dayMs : limits.timeoutMs;
  }
  int64_t leftMs() const;
  /// Groups get half of the time, which leaves the other half for their parts.
  int64_t leftForGroupsMs() const { return leftMs() - wholeMs() / 2; }

  ModuleOp original;
  PlanLimits limits;
  func::FuncOp function;
  /// The numbers of the function's ops; filled when it is first asked about.
  llvm::DenseMap<Operation *, uint64_t> numbers;
  /// The time spent on plans of this function.
  int64_t spentMs = 0;
  /// Whether the time limit of the search leaves less time for the current plan
  /// than `timeoutMs` does. A plan gets only a part of the time limit.
  bool isBoundBySearch = false;

  pid_t process = -1;
  runtime::FrameChannel channel;
  /// Whether the process has the module that is tuned, and the current copy.
  bool isSent[2] = {false, false};
};
} // namespace

void PlanProcess::begin(func::FuncOp newFunction) {
  function = newFunction;
  numbers.clear();
  spentMs = 0;
  isSent[true] = false;
}

/// The remaining time of the function.
int64_t PlanProcess::leftMs() const {
  int64_t left = wholeMs() - spentMs;
  if (limits.end)
    left = std::min<int64_t>(
        left, std::chrono::duration_cast<std::chrono::milliseconds>(
                  *limits.end - std::chrono::steady_clock::now())
                  .count());
  return left;
}

Error PlanProcess::tooLate() const {
  std::string what = "planning '" + func::FuncOp(function).getName().str() +
                     "' took longer than ";
  if (isBoundBySearch)
    return {ErrorCode::TimedOut, what + "the time limit of the search"};
  return {ErrorCode::TimedOut, what + std::to_string(limits.timeoutMs) +
                                   " ms of wall time; raise 'plan-timeout'"};
}

Result<void> PlanProcess::start() {
  if (process > 0)
    return {};
  Result<std::string> program = findWorker(limits.worker);
  if (!program)
    return program.error();
  Result<measure::SpawnedWorker> worker =
      measure::spawnWorker(*program, {target::planArgument});
  if (!worker)
    return worker.error();
  process = worker->process;
  channel = runtime::FrameChannel(worker->socket);
  isSent[false] = isSent[true] = false;
  return {};
}

/// Kills the process, which needs no clean-up. Returns how it ended.
std::string PlanProcess::end() {
  channel = runtime::FrameChannel();
  return measure::endWorker(process, 0);
}

Result<void> PlanProcess::sendModule(int64_t timeoutMs) {
  if (isSent[isInCopy()])
    return {};
  std::string frame(
      1, static_cast<char>(isInCopy() ? PlanFrame::Copy : PlanFrame::Module));
  llvm::raw_string_ostream stream(frame);
  if (failed(
          writeBytecodeToFile(function->getParentOfType<ModuleOp>(), stream)))
    return {ErrorCode::Unsupported, "its module can't be written as bytecode"};
  isSent[isInCopy()] = true;
  return channel.sendFrame(frame, timeoutMs);
}

Result<PlanAnswer> PlanProcess::exchange(const PlanQuestion &question,
                                         int64_t timeoutMs) {
  if (Result<void> started = start(); !started)
    return started.error();
  int64_t deadline = nowMs() + timeoutMs;
  Result<void> sent = sendModule(timeoutMs);
  if (sent)
    sent = channel.sendFrame(static_cast<char>(PlanFrame::Question) +
                                 target::encode(question),
                             std::max<int64_t>(0, deadline - nowMs()));
  Result<std::optional<std::string>> frame = std::optional<std::string>();
  if (sent)
    frame = channel.receiveFrame(std::max<int64_t>(0, deadline - nowMs()));
  if (sent && frame && *frame)
    return target::decodePlanAnswer(**frame);
  bool isGone = channel.isClosed();
  if (!isGone) {
    end();
    return tooLate();
  }
  // It has ended by itself, or is about to.
  channel = runtime::FrameChannel();
  constexpr int64_t graceMs = 5000;
  return Error{ErrorCode::IOError, "the worker that planned '" +
                                       function.getName().str() + "' " +
                                       measure::endWorker(process, graceMs)};
}

Result<PlanAnswer> PlanProcess::ask(PlanQuestion::Kind kind,
                                    ArrayRef<Operation *> nests,
                                    int64_t timeoutMs) {
  isBoundBySearch = leftMs() < wholeMs() - spentMs;
  if (timeoutMs <= 0)
    return tooLate();
  if (numbers.empty())
    function->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { numbers.try_emplace(op, numbers.size()); });
  PlanQuestion question;
  question.kind = kind;
  question.host = host().str();
  question.isInCopy = isInCopy();
  question.function = function.getName();
  for (Operation *nest : nests)
    question.ops.push_back(numbers.lookup(nest));
  int64_t before = nowMs();
  Result<PlanAnswer> answer = exchange(question, timeoutMs);
  spentMs += nowMs() - before;
  if (!answer)
    return answer;
  for (const auto &[text, message] : answer->remarks) {
    auto location = dyn_cast_or_null<LocationAttr>(
        parseAttribute(text, function.getContext()));
    emitRemark(location ? Location(location) : nests.front()->getLoc())
        << message;
  }
  return answer;
}

Result<RecipeAttr> PlanProcess::plan(PlanQuestion::Kind kind,
                                     ArrayRef<Operation *> nests,
                                     int64_t timeoutMs) {
  Result<PlanAnswer> answer = ask(kind, nests, timeoutMs);
  if (!answer)
    return answer.error();
  if (!answer->error.empty())
    return {ErrorCode::Unsupported, answer->error};
  auto recipe = dyn_cast_or_null<RecipeAttr>(
      parseAttribute(answer->recipe, function.getContext()));
  if (!recipe)
    return {ErrorCode::Corrupt, "the worker's plan can't be parsed: use the "
                                "baco-worker of this version"};
  return recipe;
}

static llvm::Expected<RecipeAttr> toExpected(const Result<RecipeAttr> &recipe) {
  if (!recipe)
    return llvm::createStringError(recipe.error().message);
  return *recipe;
}

llvm::Expected<RecipeAttr> PlanProcess::planNest(Operation *outermost) {
  Result<RecipeAttr> recipe =
      plan(PlanQuestion::Kind::PlanNest, outermost, leftMs() - leftMs() / 4);
  if (recipe || recipe.error().code != ErrorCode::TimedOut)
    return toExpected(recipe);
  Result<RecipeAttr> simple =
      plan(PlanQuestion::Kind::PlanInnermostLoops, outermost, leftMs());
  if (!simple)
    return toExpected(recipe);
  remarkSimple(outermost, recipe.error().message);
  return *simple;
}

size_t PlanProcess::countRowFusionGroup(ArrayRef<Operation *> nests) {
  Result<PlanAnswer> answer =
      ask(PlanQuestion::Kind::CountRowFusionGroup, nests, leftForGroupsMs());
  return answer ? std::min<size_t>(answer->count, nests.size()) : 0;
}

llvm::Expected<RecipeAttr>
PlanProcess::planRowFusion(ArrayRef<Operation *> nests) {
  return toExpected(
      plan(PlanQuestion::Kind::PlanRowFusion, nests, leftForGroupsMs()));
}

std::unique_ptr<schedule::NestPlanner>
driver::makePlanner(ModuleOp module, const schedule::HostInfo &host,
                    const PlanLimits &limits) {
  std::unique_ptr<schedule::NestPlanner> planner;
  if (limits.timeoutMs == 0 && !limits.end)
    planner = std::make_unique<schedule::LocalPlanner>(host);
  else
    planner = std::make_unique<PlanProcess>(module, host, limits);
  planner->setMayGroup(limits.groups);
  return planner;
}
