//===- GenerateStatements.h - Instances of statements -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clones statements with new iterators, writes the copies of data, and owns
// their buffers.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_LOOPNEST_GENERATESTATEMENTS_H
#define BACO_LIB_LOOPNEST_GENERATESTATEMENTS_H

#include "GenerateExpressions.h"

#include "baco/LoopNest/Extract.h"
#include "baco/LoopNest/Restructure.h"
#include "baco/Polyhedral/LoopSchedule.h"

#include "mlir/IR/IRMapping.h"

namespace baco::loopnest {

class StatementWriter {
public:
  /// Writes at the insertion point that `builder` then has, with the names that
  /// `names` then knows.
  StatementWriter(mlir::OpBuilder &builder, const Nest &nest,
                  const polyhedral::LoopSchedule &schedule,
                  const ExpressionReader &names)
      : builder(builder), nest(nest), schedule(schedule), names(names) {}

  void allocateBuffers(mlir::Location loc);
  /// Once nothing else uses them.
  void eraseBuffers();
  llvm::SmallVector<NestBuffer> takeBuffers();

  mlir::LogicalResult write(const polyhedral::GeneratedInstance &instance,
                            mlir::Location loc);

private:
  mlir::LogicalResult
  writeOriginal(const NestStatement &statement,
                const polyhedral::GeneratedInstance &instance);
  mlir::LogicalResult writeCopy(const polyhedral::GeneratedInstance &instance,
                                mlir::Location loc);
  mlir::LogicalResult redirect(const NestAccess &access,
                               const polyhedral::GeneratedAccess &generated,
                               mlir::IRMapping &mapping);
  void composeSubscripts(mlir::Operation *op);
  mlir::Value memref(const std::string &name) const;
  /// The subscripts as a map; fails if one isn't affine.
  mlir::FailureOr<mlir::AffineMap>
  subscripts(const polyhedral::GeneratedAccess &access, mlir::Location loc,
             llvm::SmallVector<mlir::Value> &operands) const;

  mlir::OpBuilder &builder;
  const Nest &nest;
  const polyhedral::LoopSchedule &schedule;
  const ExpressionReader &names;
  llvm::SmallVector<mlir::Value> buffers;
};

} // namespace baco::loopnest

#endif // BACO_LIB_LOOPNEST_GENERATESTATEMENTS_H
