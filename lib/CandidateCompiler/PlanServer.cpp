//===- PlanServer.cpp - Plans nests for another process -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tuner kills this process when a plan takes too long, so no time is
// limited here. Memory is limited, because isl aborts when an allocation fails.
//
//===----------------------------------------------------------------------===//

#include "baco/CandidateCompiler/PlanMessages.h"

#include "baco/CandidateCompiler/Dialects.h"
#include "baco/IR/BacoDialect.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/Protocol/Channel.h"
#include "baco/Schedule/NestPlanner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <csignal>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define DEBUG_TYPE "baco-serve-plans"

using namespace mlir;
using namespace baco;
using namespace baco::target;
using schedule::HostInfo;
using schedule::LocalPlanner;

/// Address space of this process.
static constexpr uint64_t maxBytes = uint64_t(16) << 30;

static constexpr int64_t forever = int64_t(1) << 40;

static DialectRegistry makePlanRegistry() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

namespace {
class PlanServer {
public:
  PlanServer() : context(makePlanRegistry(), MLIRContext::Threading::DISABLED) {
    context.printOpOnDiagnostic(false);
    // Attributes that only the tuner registers are parsed, but unknown.
    context.allowUnregisteredDialects();
    loopnest::loadGeneratedDialects(&context);
    context.loadDialect<BacoDialect>();
  }

  void takeModule(StringRef bytecode, bool isCopy);
  PlanAnswer answer(const PlanQuestion &question);

private:
  /// The ops that the question is about; empty if they don't exist.
  SmallVector<Operation *> findOps(const PlanQuestion &question);
  void plan(const PlanQuestion &question, ArrayRef<Operation *> ops,
            const HostInfo &host, PlanAnswer &answer);

  MLIRContext context;
  /// The module that is tuned, and a copy.
  OwningOpRef<ModuleOp> modules[2];
  /// The ops of the function of the last question.
  Operation *function = nullptr;
  std::vector<Operation *> ops;
};
} // namespace

void PlanServer::takeModule(StringRef bytecode, bool isCopy) {
  function = nullptr;
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  // The reader wants data to be aligned in memory as they are in the file.
  const llvm::Align largest(4096);
  auto aligned = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
      bytecode.size(), "", largest);
  // A missing function is reported at the question about it.
  modules[isCopy] = nullptr;
  if (!aligned)
    return;
  llvm::copy(bytecode, aligned->getBufferStart());
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(aligned), SMLoc());
  modules[isCopy] =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context, false));
}

SmallVector<Operation *> PlanServer::findOps(const PlanQuestion &question) {
  ModuleOp module = modules[question.isInCopy].get();
  auto asked =
      module ? module.lookupSymbol<func::FuncOp>(question.function) : nullptr;
  if (!asked)
    return {};
  if (function != asked) {
    function = asked;
    ops.clear();
    asked->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  }
  SmallVector<Operation *> found;
  for (uint64_t number : question.ops)
    if (number < ops.size())
      found.push_back(ops[number]);
  return found.size() == question.ops.size() ? found
                                             : SmallVector<Operation *>();
}

void PlanServer::plan(const PlanQuestion &question, ArrayRef<Operation *> ops,
                      const HostInfo &host, PlanAnswer &answer) {
  LDBG() << "question " << static_cast<int>(question.kind) << " on "
         << ops.size() << " ops of '" << question.function << "'";
  LocalPlanner planner(host);
  if (question.kind == PlanQuestion::Kind::CountRowFusionGroup) {
    answer.count = planner.countRowFusionGroup(ops);
    return;
  }
  auto planIt = [&]() {
    if (question.kind == PlanQuestion::Kind::PlanRowFusion)
      return planner.planRowFusion(ops);
    if (question.kind == PlanQuestion::Kind::PlanInnermostLoops)
      return planner.planInnermostLoops(ops.front());
    return planner.planNest(ops.front());
  };
  llvm::Expected<RecipeAttr> recipe = planIt();
  if (!recipe)
    answer.error = llvm::toString(recipe.takeError());
  else
    llvm::raw_string_ostream(answer.recipe) << *recipe;
}

PlanAnswer PlanServer::answer(const PlanQuestion &question) {
  PlanAnswer answer;
  llvm::Expected<HostInfo> host = HostInfo::parse(question.host);
  SmallVector<Operation *> ops = findOps(question);
  if (!host || ops.empty()) {
    llvm::consumeError(host.takeError());
    answer.error = "the worker can't read its module";
    return answer;
  }
  ScopedDiagnosticHandler recorder(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
      return success();
    std::string location;
    llvm::raw_string_ostream(location) << diagnostic.getLocation();
    answer.remarks.emplace_back(std::move(location), diagnostic.str());
    return success();
  });
  plan(question, ops, *host, answer);
  return answer;
}

/// Has this process die with the thread that started it. False if that is gone
/// already.
static bool dieWithTuner() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd entry{runtime::workerSocket, POLLRDHUP, 0};
  return poll(&entry, 1, 0) == 0;
}

bool baco::target::servePlans() {
  if (!dieWithTuner())
    return true;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur > maxBytes) {
    limit.rlim_cur = maxBytes;
    setrlimit(RLIMIT_AS, &limit);
  }
  runtime::FrameChannel channel(runtime::workerSocket);
  PlanServer server;
  while (true) {
    Result<std::optional<std::string>> frame = channel.receiveFrame(forever);
    if (!frame || !*frame || (*frame)->empty())
      return channel.isClosed();
    StringRef content = StringRef(**frame).drop_front();
    auto kind = static_cast<PlanFrame>((**frame)[0]);
    if (kind != PlanFrame::Question) {
      server.takeModule(content, kind == PlanFrame::Copy);
      continue;
    }
    Result<PlanQuestion> question = decodePlanQuestion(content);
    if (!question)
      return false;
    if (!channel.sendFrame(encode(server.answer(*question)), forever))
      return channel.isClosed();
  }
}
