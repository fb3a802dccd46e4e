//===- NestPlanner.h - Plans nests, here or elsewhere -----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recipes of loop commands follow from the dependences of a nest, which may
// take any time to compute. So annotation asks for them through this interface:
// of this process, or of one that can be killed (Driver/PlanProcess.h).
//
//===----------------------------------------------------------------------===//

#ifndef BACO_SCHEDULE_NESTPLANNER_H
#define BACO_SCHEDULE_NESTPLANNER_H

#include "baco/IR/BacoAttributes.h"
#include "baco/Schedule/HostInfo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace baco::schedule {

/// Plans the nests of a function; see LoopNest/PlanNest.h for what these are.
class NestPlanner {
public:
  explicit NestPlanner(const HostInfo &host) : info(host) {}
  virtual ~NestPlanner();

  /// The machine to plan for.
  const HostInfo &host() const { return info; }

  /// Whether neighbors may have one recipe.
  bool mayGroup() const { return groups; }
  void setMayGroup(bool may) { groups = may; }

  /// The following calls are about nests in `function`, of which only
  /// attributes may change meanwhile. Limits for each kernel are reset.
  virtual void begin(mlir::func::FuncOp function) = 0;

  /// A recipe of loop commands for the nest of which `outermost` is the
  /// outermost loop, or why there is none. If planning takes too long, the
  /// recipe is a simple one, with a remark.
  virtual llvm::Expected<RecipeAttr> planNest(mlir::Operation *outermost) = 0;

  /// How many neighbors, from the first on, had better have one recipe; 0:
  /// none.
  virtual size_t
  countRowFusionGroup(llvm::ArrayRef<mlir::Operation *> nests) = 0;

  /// One recipe for such neighbors, or why there is none.
  virtual llvm::Expected<RecipeAttr>
  planRowFusion(llvm::ArrayRef<mlir::Operation *> nests) = 0;

protected:
  /// Says that the nest has a simple plan, and why.
  static void remarkSimple(mlir::Operation *outermost, llvm::StringRef why);

private:
  HostInfo info;
  bool groups = true;
};

/// Plans in this process, for as long as it takes.
class LocalPlanner final : public NestPlanner {
public:
  using NestPlanner::NestPlanner;
  void begin(mlir::func::FuncOp) override {}
  llvm::Expected<RecipeAttr> planNest(mlir::Operation *outermost) override;
  /// A simple plan at once.
  llvm::Expected<RecipeAttr> planInnermostLoops(mlir::Operation *outermost);
  size_t countRowFusionGroup(llvm::ArrayRef<mlir::Operation *> nests) override;
  llvm::Expected<RecipeAttr>
  planRowFusion(llvm::ArrayRef<mlir::Operation *> nests) override;
};

/// A recipe for neighbors that become a design for an FPGA (docs/FPGA.md), or
/// why there is none.
llvm::Expected<RecipeAttr> planDesign(llvm::ArrayRef<mlir::Operation *> nests);

} // namespace baco::schedule

#endif // BACO_SCHEDULE_NESTPLANNER_H
