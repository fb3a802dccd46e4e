//===- TransformExtension.cpp - baco's transform ops ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/BacoDialect.h"
#include "baco/LoopNest/GeneratedDialects.h"
#include "baco/TransformOps/BacoTransformOps.h"
#include "baco/TransformOps/GpuOps.h"
#include "baco/TransformOps/SparseOps.h"

#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

namespace {
class BacoTransformExtension
    : public transform::TransformDialectExtension<BacoTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BacoTransformExtension)

  using Base::Base;

  void init() {
    declareDependentDialect<baco::BacoDialect>();
    baco::loopnest::forEachGeneratedDialect([&]<typename Dialect>() {
      this->template declareGeneratedDialect<Dialect>();
    });
    registerTransformOps<
#define GET_OP_LIST
#include "baco/TransformOps/NestOps.cpp.inc"
        >();
  }
};
} // namespace

void baco::registerTransformOps(DialectRegistry &registry) {
  registry.addExtensions<BacoTransformExtension>();
  registerGpuOps(registry);
  registerSparseOps(registry);
}

bool baco::needsBaco(ModuleOp schedule) {
  return schedule
      ->walk([](Operation *op) {
        return op->getName().getStringRef().starts_with("transform.baco.")
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}
