//===- RestructureProbe.h - Probe for restructured nests --------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nest that a `transform.baco.restructure` applies to is known while its
// schedule runs, and not before. An extension of the interpreter's state gives
// callers access to the nest at that moment.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_TRANSFORMOPS_RESTRUCTUREPROBE_H
#define BACO_TRANSFORMOPS_RESTRUCTUREPROBE_H

#include "baco/TransformOps/BacoTransformOps.h"

#include "llvm/ADT/DenseSet.h"

namespace baco {

class RestructureProbe : public mlir::transform::TransformState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RestructureProbe)

  /// A restructure op, and the first and the last operation of its nest, which
  /// is ready to be read. The nest must not be changed.
  using Visit = llvm::function_ref<void(mlir::transform::RestructureOp,
                                        mlir::Operation *, mlir::Operation *)>;

  /// `visit` must live as long as the state.
  RestructureProbe(mlir::transform::TransformState &state, Visit visit)
      : Extension(state), visit(visit) {}

  /// Visits the nest, unless it is one that earlier ops have written.
  void meet(mlir::transform::RestructureOp op, mlir::Operation *first,
            mlir::Operation *last);
  /// Records the ops that a restructure op has written.
  void remember(llvm::ArrayRef<mlir::Operation *> written);

private:
  Visit visit;
  llvm::DenseSet<mlir::Operation *> written;
};

} // namespace baco

#endif // BACO_TRANSFORMOPS_RESTRUCTUREPROBE_H
