//===- LegalityConstraints.h - Legality as constraints ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_SCHEDULE_LEGALITYCONSTRAINTS_H
#define BACO_LIB_SCHEDULE_LEGALITYCONSTRAINTS_H

#include "baco/Expression/Expression.h"
#include "baco/LoopNest/CommandLegality.h"
#include "baco/Space/Parameter.h"

namespace baco::schedule {

/// An expression that is false exactly at the leaves of the verdict that are
/// `meant`; `parameters` are those of its knobs.
Expression writeLegality(
    const loopnest::CommandLegality &verdict,
    llvm::ArrayRef<const Parameter *> parameters,
    llvm::function_ref<bool(const loopnest::CommandLegality::Node &)> meant);

/// The reason with the meaning of its names.
std::string describeRefusal(const loopnest::CommandRefusal &refusal);

} // namespace baco::schedule

#endif // BACO_LIB_SCHEDULE_LEGALITYCONSTRAINTS_H
