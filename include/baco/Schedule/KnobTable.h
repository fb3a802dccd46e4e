//===- KnobTable.h - A space to read ----------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_KNOBTABLE_H
#define BACO_SCHEDULE_KNOBTABLE_H

#include "baco/Schedule/Choices.h"
#include "baco/Space/Space.h"

namespace baco::schedule {

/// The parameters of `space`, which was extracted from `choices`, as text: each
/// with its default, its values, and what of the schedule reads it; then the
/// constraints with their reasons. `kernel` is the heading.
std::string writeKnobTable(llvm::StringRef kernel, const Space &space,
                           const Choices &choices);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_KNOBTABLE_H
