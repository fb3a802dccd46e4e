//===- RegisterRecipes.h - Recipes for the tools ----------------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tools that read or write recipes register them by this.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_RECIPE_REGISTERRECIPES_H
#define BACO_RECIPE_REGISTERRECIPES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace baco {

/// Registers the transform ops that recipes expand to. Where the dialect is
/// loaded, its verifier checks recipes against their ops from now on.
void registerRecipes(mlir::DialectRegistry &registry);

} // namespace baco

#endif // BACO_RECIPE_REGISTERRECIPES_H
