//===- VectorOps.cpp - Transform ops for affine loops ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of lib/LoopNest for schedules.
//
//===----------------------------------------------------------------------===//

#include "baco/TransformOps/VectorOps.h"
#include "IntegerOperand.h"

#include "baco/LoopTransforms/ScalarReplacement.h"
#include "baco/LoopTransforms/UnrollLoops.h"
#include "baco/LoopTransforms/Vectorize.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace baco;
using affine::AffineForOp;

#define GET_OP_CLASSES
#include "baco/TransformOps/VectorOps.cpp.inc"

/// Applies `change` to each targeted loop. The first error that it reports
/// becomes a silenceable one.
static DiagnosedSilenceableFailure
changeLoops(transform::TransformOpInterface op,
            const transform::TransformState &state, Value target,
            function_ref<LogicalResult(AffineForOp)> change) {
  for (Operation *payload : state.getPayloadOps(target)) {
    auto loop = dyn_cast<AffineForOp>(payload);
    if (!loop) {
      auto diag = emitSilenceableFailure(op)
                  << "only 'affine.for' loops can be changed";
      diag.attachNote(payload->getLoc()) << "the target is this";
      return diag;
    }
    SmallVector<Diagnostic> errors;
    LogicalResult changed = success();
    {
      ScopedDiagnosticHandler handler(op->getContext(),
                                      [&](Diagnostic &diagnostic) {
                                        errors.push_back(std::move(diagnostic));
                                        return success();
                                      });
      changed = change(loop);
    }
    if (succeeded(changed))
      continue;
    return DiagnosedSilenceableFailure::silenceableFailure(std::move(errors));
  }
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure
VectorizeLoopOp::apply(transform::TransformRewriter &,
                       transform::TransformResults &,
                       transform::TransformState &state) {
  std::optional<int64_t> width;
  auto read =
      readInteger(*this, "width", getWidth(), getWidthParam(), state, width);
  if (!read.succeeded())
    return read;
  return changeLoops(*this, state, getTarget(), [&](AffineForOp loop) {
    return baco::loopnest::vectorizeLoop(loop, *width);
  });
}

void VectorizeLoopOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::onlyReadsHandle(getWidthParamMutable(), effects);
  transform::modifiesPayload(effects);
}

LogicalResult VectorizeLoopOp::verify() {
  return verifyInteger(*this, "width", getWidth(), getWidthParam(), "by",
                       /*isNeeded=*/true);
}

DiagnosedSilenceableFailure
UnrollLoopOp::apply(transform::TransformRewriter &,
                    transform::TransformResults &,
                    transform::TransformState &state) {
  std::optional<int64_t> factor;
  auto read = readInteger(*this, "factor", getFactor(), getFactorParam(), state,
                          factor);
  if (!read.succeeded())
    return read;
  return changeLoops(*this, state, getTarget(), [&](AffineForOp loop) {
    return factor ? baco::loopnest::unrollByFactor(loop, *factor)
                  : baco::loopnest::unrollFully(loop);
  });
}

void UnrollLoopOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::onlyReadsHandle(getFactorParamMutable(), effects);
  transform::modifiesPayload(effects);
}

LogicalResult UnrollLoopOp::verify() {
  return verifyInteger(*this, "factor", getFactor(), getFactorParam(), "by",
                       /*isNeeded=*/false);
}

DiagnosedSilenceableFailure
ScalarReplacementOp::apply(transform::TransformRewriter &,
                           transform::TransformResults &,
                           transform::TransformState &state) {
  for (Operation *payload : state.getPayloadOps(getTarget()))
    baco::loopnest::replaceWithScalars(payload);
  return DiagnosedSilenceableFailure::success();
}

void ScalarReplacementOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::modifiesPayload(effects);
}

namespace {
class VectorOpsExtension
    : public transform::TransformDialectExtension<VectorOpsExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VectorOpsExtension)

  void init() {
    // The dialects of generated ops.
    declareGeneratedDialect<affine::AffineDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<ub::UBDialect>();
    declareGeneratedDialect<vector::VectorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "baco/TransformOps/VectorOps.cpp.inc"
        >();
  }
};
} // namespace

void baco::registerVectorOps(DialectRegistry &registry) {
  registry.addExtensions<VectorOpsExtension>();
}
