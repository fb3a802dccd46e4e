//===- NarrowToBF16.h - bf16 from wider floats than f32 ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TARGET_CPU_NARROWTOBF16_H
#define BACO_TARGET_CPU_NARROWTOBF16_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace baco::target {

/// A pass, `baco-narrow-to-bf16`, that rounds f64 to bf16 without a call of
/// `__truncdfbf2` for each lane, which not every library has. The machine's
/// mode decides about denormals, as for f32.
std::unique_ptr<mlir::Pass> createNarrowToBF16Pass();

} // namespace baco::target

#endif // BACO_TARGET_CPU_NARROWTOBF16_H
