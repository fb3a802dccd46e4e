//===- Passes.h - Passes of baco --------------------------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the passes of Passes.td, and their registration.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMS_PASSES_H
#define BACO_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace baco {

#define GEN_PASS_DECL
#include "baco/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "baco/Transforms/Passes.h.inc"

} // namespace baco

#endif // BACO_TRANSFORMS_PASSES_H
