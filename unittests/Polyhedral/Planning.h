//===- Planning.h - Plans of programs in tests ------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_UNITTESTS_POLYHEDRAL_PLANNING_H
#define BACO_UNITTESTS_POLYHEDRAL_PLANNING_H

#include "PlanPrograms.h"
#include "baco/Polyhedral/Context.h"
#include "baco/Polyhedral/LoopPlan.h"

#include <gtest/gtest.h>

namespace plantest {

/// AVX-512 with caches of 48 KiB and 2 MiB.
inline const baco::polyhedral::MachineSizes machine{64, 32, 48 << 10, 2 << 20};

inline baco::polyhedral::LoopPlan planned(baco::polyhedral::Context &context,
                                          const std::vector<Text> &texts,
                                          int64_t size) {
  baco::Result<baco::polyhedral::LoopPlan> plan =
      planLoops(makeProgram(context.get(), texts, size), machine);
  EXPECT_TRUE(plan) << plan.error().message;
  return plan ? *plan : baco::polyhedral::LoopPlan();
}

inline std::vector<int64_t> valuesOf(const baco::polyhedral::LoopPlan &plan,
                                     const std::string &name) {
  for (const baco::polyhedral::PlanKnob &knob : plan.knobs)
    if (knob.name == name)
      return knob.values;
  return {};
}

} // namespace plantest

#endif // BACO_UNITTESTS_POLYHEDRAL_PLANNING_H
