//===- KernelDialects.h - Dialects of tuned functions -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TRANSFORMS_KERNELDIALECTS_H
#define BACO_LIB_TRANSFORMS_KERNELDIALECTS_H

#include "baco/Frontend/LowerFrontEnds.h"
#include "baco/Frontend/SpecializeShapes.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/Recipe/RegisterRecipes.h"
#include "baco/Schedule/Bufferize.h"

namespace baco {

/// Registers what taking in a module and applying schedules may make.
inline void registerKernelDialects(mlir::DialectRegistry &registry) {
  loopnest::registerGeneratedDialects(registry);
  frontend::registerFrontEndDialects(registry);
  schedule::registerBufferizeDialects(registry);
  frontend::registerSpecializeDialects(registry);
  // A plugin of passes can't register them.
  registerRecipes(registry);
}

} // namespace baco

#endif // BACO_LIB_TRANSFORMS_KERNELDIALECTS_H
