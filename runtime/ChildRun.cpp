//===- ChildRun.cpp - One checked call of a candidate ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prepares the environment of a checked call, and checks it afterwards:
// arguments, variables, stack, heap and the state of the processor.
//
//===----------------------------------------------------------------------===//

#include "ChildKernel.h"

#include "baco/Runtime/CheckedCall.h"
#include "baco/Verification/Heap.h"

#include <algorithm>
#include <cfenv>

using namespace baco;
using namespace baco::runtime;

void Child::inspect() {
  if (control.damagedArgument == 0)
    control.damagedArgument = operands->firstDamaged() + 1;
  if (control.changedArgument == 0)
    control.changedArgument = operands->firstChanged() + 1;
}

/// How the kernel's threads run in a pass of a check.
static TeamMode teamModeOf(const Command &command, bool hasAtomics) {
  if (command.pass == 0)
    return TeamMode::Free;
  return command.pass == apartPass && !hasAtomics ? TeamMode::Apart
                                                  : TeamMode::Shaken;
}

void Child::restoreState() {
  for (size_t i = 0; i < initialState.size(); ++i)
    std::ranges::copy(initialState[i], kernel.state[i].begin());
}

/// Later executions on the same inputs are compared with the first.
void Child::keepFirstOutputs(const Command &command) {
  if (command.check != 0 || !firstOutputs)
    return;
  operands->copyOutputs(firstOutputs.get());
  numExecutions = std::max<int64_t>(numExecutions, 1);
}

void Child::run(const Command &command) {
  const Check &check = context.checks[command.check];
  bool isAbsolute = command.kind == Command::RunAbsolute;
  // This must be known before the inputs are filled again.
  if (control.completed > 1) {
    operands->settle();
    inspect();
  }
  operands->protect(false);
  areTimed = false;
  control.isSkipped = !take(command.check);
  if (control.isSkipped)
    return;
  if (device) {
    runOnDevice();
    operands->copyOutputs(context.outputs);
    keepFirstOutputs(command);
    return;
  }
  // References are computed without the patterns, addresses and protection of
  // checks. Timed runs have no protection either.
  bool isHostile = !context.isUntimed, isAsTimed = check.timedExecutions > 0;
  std::optional<Pattern> stack;
  if (isHostile)
    stack = patternOf(check.call.stack);
  operands->use(arguments->signature(), arguments->inputs(),
                isHostile && !isPlain ? check.call.addresses
                                      : Addresses::Timed);
  operands->fill(isAbsolute);
  restoreState();
  makeCopies();
  operands->protect(isHostile && !isAsTimed);
  std::fesetenv(FE_DFL_ENV);
  if (!isAsTimed)
    poisonTeamStacks(stack);
  if (stack)
    poisonStack(*stack);
  if (isHostile && check.call.heap)
    poisonHeap(patternOf(*check.call.heap));
  // Threads that run at different times don't race.
  wakeTeam();
  if (kernel.isParallel)
    setTeamMode(teamModeOf(command, kernel.hasAtomics),
                command.check * passesOfParallel + command.pass,
                operands->writable());
  int64_t start = clockNs();
  if (isAsTimed)
    runAsTimed(check);
  else
    control.abiDamage |= callChecked(kernel.entry, operands->pointers(), stack);
  control.executionNs = clockNs() - start;
  setTeamMode(TeamMode::Free);
  // The kernel may have enabled traps, another rounding mode, or flushing of
  // subnormal numbers to zero.
  std::fesetenv(FE_DFL_ENV);
  poisonHeap(std::nullopt);
  poisonTeamStacks(std::nullopt);
  if (command.observesClock)
    control.conditions.referenceNs = timeReference();
  operands->copyOutputs(context.outputs);
  keepFirstOutputs(command);
  operands->protect(false);
  if (isAbsolute)
    operands->fill(false);
  operands->settle();
  inspect();
}
