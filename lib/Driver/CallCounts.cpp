//===- CallCounts.cpp - How often functions are called --------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallCounts.h"

#include "baco/Analysis/TripCount.h"

using namespace mlir;
using namespace baco;
using namespace baco::driver;

CallCounts::CallCounts(ModuleOp module) {
  module->walk([&](func::CallOp call) {
    if (auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee()))
      callers[callee].push_back(call);
  });
}

/// How often `call` runs in one execution of its function.
static std::optional<double> tripsTo(func::CallOp call, func::FuncOp function) {
  double trips = 1;
  Operation *op = call;
  while (op != function) {
    // Code after a branch may not run, or may run again.
    if (!op->getParentRegion()->hasOneBlock())
      return std::nullopt;
    op = op->getParentOp();
    if (op == function)
      break;
    auto loop = dyn_cast<LoopLikeOpInterface>(op);
    std::optional<double> some = loop ? tripCount(loop) : std::nullopt;
    if (!some)
      return std::nullopt;
    trips *= *some;
  }
  return trips;
}

std::optional<double> CallCounts::of(func::FuncOp function) {
  if (auto found = known.find(function); found != known.end())
    return found->second;
  known[function] = std::nullopt;
  auto calls = callers.find(function);
  if (calls == callers.end())
    return known[function] = 1;
  double total = 0;
  for (func::CallOp call : calls->second) {
    auto caller = call->getParentOfType<func::FuncOp>();
    std::optional<double> runs = caller ? of(caller) : std::nullopt;
    std::optional<double> trips = caller ? tripsTo(call, caller) : std::nullopt;
    if (!runs || !trips)
      return std::nullopt;
    total += *runs * *trips;
  }
  return known[function] = total;
}
