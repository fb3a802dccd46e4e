//===- CpuCost.cpp - Cycles of code for a CPU, by a model -----------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the parts together: over the functions that the entry calls.
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/CpuCost.h"

#include "baco/Support/CostUnit.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace baco;
using namespace baco::target;

namespace {

/// Costs of a function that are known before code generation.
struct FunctionCost {
  CyclesByLoop traffic;
  /// The cycles of calls of functions that the module doesn't have.
  double calls = 0;
  /// Functions of the module, and how often each is called.
  SmallVector<std::pair<Function *, double>> callees;
};

class CostFinder {
public:
  CostFinder(Module &module, TargetMachine &machine,
             const TargetMachine &costMachine, const schedule::HostInfo &host)
      : module(module), machine(machine), costMachine(costMachine), host(host) {
  }

  Expected<CpuCost> run(Function &entry);

private:
  Error inspect(Function &function, FunctionAnalysisManager &analyses);
  void inspectCall(const CallBase &call, double times, FunctionCost &cost);
  /// Adds a function that is called `times` times, with its callees.
  void add(Function &function, double times);

  Module &module;
  TargetMachine &machine;
  const TargetMachine &costMachine;
  const schedule::HostInfo &host;
  DenseMap<const Function *, FunctionCost> functions;
  FactsByBlock blocks;
  StringMap<MachineCycles> machineCycles;
  SmallPtrSet<const Function *, 8> active;
  double total = 0, compute = 0, traffic = 0, spills = 0;
};

} // namespace

void CostFinder::inspectCall(const CallBase &call, double times,
                             FunctionCost &cost) {
  constexpr double callCycles = 40, bytesPerCycle = 32;
  if (const auto *copy = dyn_cast<MemIntrinsic>(&call)) {
    const auto *length = dyn_cast<ConstantInt>(copy->getLength());
    cost.calls +=
        times *
        (callCycles +
         (length ? static_cast<double>(length->getZExtValue()) / bytesPerCycle
                 : 0));
    return;
  }
  Function *callee = call.getCalledFunction();
  if (callee && callee->isIntrinsic())
    return;
  if (callee && !callee->isDeclaration())
    cost.callees.emplace_back(callee, times);
  else
    cost.calls += times * callCycles;
}

Error CostFinder::inspect(Function &function,
                          FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto known = BlockFrequencies::compute(function, loops, evolution);
  if (!known)
    return known.takeError();
  FunctionCost &cost = functions[&function];
  for (const Instruction &instruction : instructions(function))
    if (const auto *call = dyn_cast<CallBase>(&instruction))
      inspectCall(*call, known->of(instruction.getParent()), cost);
  // The back end keeps names, and may free blocks.
  unsigned number = 0;
  for (BasicBlock &block : function)
    block.setName("block" + Twine(number++));
  StringMap<BlockFacts> &facts = blocks[function.getName()];
  for (BasicBlock &block : function) {
    const Loop *loop = loops.getLoopFor(&block);
    facts[block.getName()] = {known->of(&block),
                              loop ? loop->getHeader()->getName().str() : ""};
  }
  cost.traffic = cyclesOfTraffic(function, loops, evolution, *known, host);
  return Error::success();
}

void CostFinder::add(Function &function, double times) {
  const FunctionCost &cost = functions.find(&function)->second;
  const MachineCycles code = machineCycles.lookup(function.getName());
  // Most of the shorter one hides behind the longer.
  constexpr double shown = 0.2;
  auto addLoop = [&](double codeCycles, double trafficCycles) {
    compute += times * codeCycles;
    traffic += times * trafficCycles;
    total += times * (std::max(codeCycles, trafficCycles) +
                      shown * std::min(codeCycles, trafficCycles));
  };
  for (const auto &loop : code.cycles)
    addLoop(loop.second, cost.traffic.lookup(loop.first()));
  for (const auto &loop : cost.traffic)
    if (!code.cycles.count(loop.first()))
      addLoop(0, loop.second);
  addLoop(cost.calls, 0);
  spills += times * code.spills;
  // A function that calls itself counts once.
  if (!active.insert(&function).second)
    return;
  for (auto [callee, count] : cost.callees)
    add(*callee, times * count);
  active.erase(&function);
}

Expected<CpuCost> CostFinder::run(Function &entry) {
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager graphAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(graphAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, graphAnalyses,
                               moduleAnalyses);
  for (Function &function : module)
    if (!function.isDeclaration())
      if (Error error = inspect(function, functionAnalyses))
        return std::move(error);
  functionAnalyses.clear();
  auto cycles = cyclesOfMachineCode(module, machine, costMachine, blocks);
  if (!cycles)
    return cycles.takeError();
  machineCycles = std::move(*cycles);
  add(entry, 1);
  return CpuCost{total,
                 formatv("{0}: {1:f0} of code, {2:f0} of memory, {3:f0} loads "
                         "and stores of the stack",
                         StringRef(staticCostNote), compute, traffic, spills)
                     .str()};
}

Expected<CpuCost> target::costOfCode(Module &module, Function &entry,
                                     TargetMachine &machine,
                                     const TargetMachine &costMachine,
                                     const schedule::HostInfo &host) {
  return CostFinder(module, machine, costMachine, host).run(entry);
}
