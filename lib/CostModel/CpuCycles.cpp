//===- CpuCycles.cpp - Cycles of machine code -----------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass behind LLVM's last one for machine code. A block takes as long as the
// busiest unit of LLVM's model of the CPU; a loop of one block, as long as the
// longest chain from one iteration to the next, if that is longer. Spills are
// instructions like others.
//
//===----------------------------------------------------------------------===//

#include "baco/CostModel/CpuCost.h"

#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/PseudoSourceValue.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSchedule.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"

using namespace llvm;
using namespace baco;
using namespace baco::target;

namespace {

class CountCycles final : public MachineFunctionPass {
public:
  static char id;
  CountCycles(const FactsByBlock &blocks, const TargetMachine &costMachine,
              StringMap<MachineCycles> &result)
      : MachineFunctionPass(id), blocks(blocks), costMachine(costMachine),
        result(result) {}

protected:
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<MachineLoopInfoWrapperPass>();
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool runOnMachineFunction(MachineFunction &function) override;

private:
  BlockFacts factsOf(const MachineBasicBlock &block,
                     const MachineLoopInfo &loops,
                     const StringMap<BlockFacts> &known) const;
  double throughputOf(const MachineBasicBlock &block) const;
  double recurrenceOf(ArrayRef<const MachineBasicBlock *> blocks) const;
  double countSpills(const MachineBasicBlock &block) const;

  const FactsByBlock &blocks;
  const TargetMachine &costMachine;
  StringMap<MachineCycles> &result;
  TargetSchedModel model;
  const TargetRegisterInfo *registers = nullptr;
};

} // namespace

char CountCycles::id = 0;

/// The facts of the IR block that `block` comes from. A block that LLVM has
/// inserted has those of the loop around it.
BlockFacts CountCycles::factsOf(const MachineBasicBlock &block,
                                const MachineLoopInfo &loops,
                                const StringMap<BlockFacts> &known) const {
  if (const BasicBlock *from = block.getBasicBlock())
    if (auto found = known.find(from->getName()); found != known.end())
      return found->second;
  const MachineLoop *loop = loops.getLoopFor(&block);
  if (!loop)
    return {1, ""};
  const MachineBasicBlock *header = loop->getHeader();
  if (const BasicBlock *from = header->getBasicBlock())
    if (auto found = known.find(from->getName()); found != known.end())
      return found->second;
  return {1, ""};
}

/// The cycles of loads and stores of the stack in a cache that has one store
/// and two loads a cycle. LLVM doesn't always align slots to their size. Then
/// some slots span two lines.
static double stackCyclesOf(const MachineBasicBlock &block) {
  constexpr double lineBytes = 64, loadCycles = 0.5, storeCycles = 1;
  constexpr double twoLineLoadCycles = 1, twoLineStoreCycles = 3;
  double loads = 0, stores = 0;
  for (const MachineInstr &instruction : block)
    for (const MachineMemOperand *memory : instruction.memoperands()) {
      const PseudoSourceValue *slot = memory->getPseudoValue();
      if (!slot || !isa<FixedStackPseudoSourceValue>(slot) ||
          !memory->getSize().hasValue())
        continue;
      auto size = static_cast<double>(memory->getSize().getValue());
      auto align = static_cast<double>(memory->getAlign().value());
      double crossing = std::clamp((size - align) / lineBytes, 0.0, 1.0);
      if (memory->isLoad())
        loads += std::lerp(loadCycles, twoLineLoadCycles, crossing);
      if (memory->isStore())
        stores += std::lerp(storeCycles, twoLineStoreCycles, crossing);
    }
  return std::max(loads, stores);
}

double CountCycles::throughputOf(const MachineBasicBlock &block) const {
  SmallVector<double> busy(model.getNumProcResourceKinds(), 0);
  double numOps = 0;
  for (const MachineInstr &instruction : block) {
    if (instruction.isMetaInstruction())
      continue;
    if (!model.hasInstrSchedModel()) {
      ++numOps;
      continue;
    }
    const MCSchedClassDesc *kind = model.resolveSchedClass(&instruction);
    if (!kind->isValid()) {
      ++numOps;
      continue;
    }
    numOps += kind->NumMicroOps;
    for (auto entry = model.getWriteProcResBegin(kind),
              end = model.getWriteProcResEnd(kind);
         entry != end; ++entry)
      busy[entry->ProcResourceIdx] +=
          entry->ReleaseAtCycle - entry->AcquireAtCycle;
  }
  double cycles = std::max(numOps / std::max(1u, model.getIssueWidth()),
                           stackCyclesOf(block));
  for (unsigned i = 1; i < busy.size(); ++i)
    if (unsigned units = model.getProcResource(i)->NumUnits)
      cycles = std::max(cycles, busy[i] / units);
  return cycles;
}

/// Lets instructions begin when their operands are there, for some iterations.
double
CountCycles::recurrenceOf(ArrayRef<const MachineBasicBlock *> blocks) const {
  struct Definition {
    const MachineInstr *instruction = nullptr;
    unsigned operand = 0;
    double begin = 0;
  };
  SmallVector<const MachineInstr *> code;
  for (const MachineBasicBlock *block : blocks)
    for (const MachineInstr &instruction : *block)
      if (!instruction.isMetaInstruction())
        code.push_back(&instruction);
  DenseMap<unsigned, Definition> definitions;
  // The latency from a store into a slot of the stack to a load from it.
  constexpr double forwardCycles = 8;
  DenseMap<const PseudoSourceValue *, double> stored;
  constexpr int numIterations = 8, numWarmUps = 4;
  double middle = 0, last = 0;
  for (int i = 0; i < numIterations; ++i) {
    double latest = 0;
    for (const MachineInstr &instruction : llvm::make_pointee_range(code)) {
      double begin = 0;
      for (const auto &[index, operand] :
           llvm::enumerate(instruction.operands())) {
        if (!operand.isReg() || !operand.getReg().isPhysical() ||
            !operand.readsReg())
          continue;
        for (MCRegUnit unit : registers->regunits(operand.getReg().asMCReg()))
          if (auto found = definitions.find(static_cast<unsigned>(unit));
              found != definitions.end())
            begin = std::max(begin, found->second.begin +
                                        model.computeOperandLatency(
                                            found->second.instruction,
                                            found->second.operand, &instruction,
                                            static_cast<unsigned>(index)));
      }
      for (const MachineMemOperand *memory : instruction.memoperands())
        if (const PseudoSourceValue *slot = memory->getPseudoValue();
            slot && memory->isLoad())
          if (auto found = stored.find(slot); found != stored.end())
            begin = std::max(begin, found->second);
      for (const MachineMemOperand *memory : instruction.memoperands())
        if (const PseudoSourceValue *slot = memory->getPseudoValue();
            slot && memory->isStore())
          stored[slot] = begin + forwardCycles;
      for (const auto &[index, operand] :
           llvm::enumerate(instruction.operands()))
        if (operand.isReg() && operand.isDef() && operand.getReg().isPhysical())
          for (MCRegUnit unit : registers->regunits(operand.getReg().asMCReg()))
            definitions[static_cast<unsigned>(unit)] = {
                &instruction, static_cast<unsigned>(index), begin};
      latest = std::max(latest, begin);
    }
    if (i == numWarmUps - 1)
      middle = latest;
    last = latest;
  }
  return (last - middle) / (numIterations - numWarmUps);
}

double CountCycles::countSpills(const MachineBasicBlock &block) const {
  double count = 0;
  for (const MachineInstr &instruction : block)
    for (const MachineMemOperand *operand : instruction.memoperands())
      if (const PseudoSourceValue *value = operand->getPseudoValue())
        count += isa<FixedStackPseudoSourceValue>(value);
  return count;
}

bool CountCycles::runOnMachineFunction(MachineFunction &function) {
  auto known = blocks.find(function.getName());
  if (known == blocks.end())
    return false;
  const auto &loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  model.init(costMachine.getSubtargetImpl(function.getFunction()));
  registers = function.getSubtarget().getRegisterInfo();
  MachineCycles &sum = result[function.getName()];
  struct LoopCode {
    std::string name;
    double cycles = 0;
    SmallVector<std::pair<const MachineBasicBlock *, double>> blocks;
  };
  MapVector<const MachineLoop *, LoopCode> innermost;
  // The average cost of leaving a loop whose exit the CPU mispredicts.
  constexpr double exitCycles = 5;
  for (const MachineBasicBlock &block : function) {
    auto [times, name] = factsOf(block, loops, known->second);
    double &loopCycles = sum.cycles[name];
    double cycles = times * throughputOf(block);
    const MachineLoop *loop = loops.getLoopFor(&block);
    if (loop && loop->getHeader() == &block)
      if (const MachineBasicBlock *before = loop->getLoopPredecessor())
        loopCycles += exitCycles * factsOf(*before, loops, known->second).times;
    loopCycles += cycles;
    if (loop && loop->isInnermost()) {
      LoopCode &code = innermost[loop];
      code.name = name;
      code.cycles += cycles;
      code.blocks.emplace_back(&block, times);
    }
    sum.spills += times * countSpills(block);
  }
  for (auto &[loop, code] : innermost) {
    double times = 0;
    for (auto [block, count] : code.blocks)
      times = std::max(times, count);
    // The blocks that most iterations execute.
    SmallVector<const MachineBasicBlock *> way;
    for (auto [block, count] : code.blocks)
      if (2 * count > times)
        way.push_back(block);
    double waiting = times * recurrenceOf(way) - code.cycles;
    sum.cycles[code.name] += std::max(waiting, 0.0);
  }
  return false;
}

Expected<StringMap<MachineCycles>>
target::cyclesOfMachineCode(Module &module, TargetMachine &machine,
                            const TargetMachine &costMachine,
                            const FactsByBlock &blocks) {
  initializeCodeGen(*PassRegistry::getPassRegistry());
  StringMap<MachineCycles> result;
  legacy::PassManager passes;
  TargetPassConfig *config = machine.createPassConfig(passes);
  if (!config)
    return createStringError("LLVM makes no machine code for this target");
  config->setDisableVerify(true);
  passes.add(config);
  passes.add(new MachineModuleInfoWrapperPass(&machine));
  if (config->addISelPasses())
    return createStringError("LLVM makes no machine code for this target");
  config->addMachinePasses();
  config->setInitialized();
  passes.add(new CountCycles(blocks, costMachine, result));
  passes.run(module);
  return std::move(result);
}
