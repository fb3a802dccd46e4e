//===- PlanNest.cpp - Commands and knobs for loops in IR ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/PlanNest.h"
#include "ArgumentAliasing.h"
#include "RestructureBy.h"
#include "baco/LoopNest/ExpandSoftmax.h"
#include "baco/LoopNest/PrepareNest.h"
#include "baco/Polyhedral/Context.h"

#include "baco/LoopNest/VectorPlan.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-plan-nest"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;

namespace {
/// A reason why a plan isn't better.
struct Finding {
  Location location;
  std::string text;
};
} // namespace

/// Finds out whether `statement` can't be computed on vectors, which all plans
/// but orders of loops offer. planVectorization finds out the same of loops in
/// their final order.
static std::optional<Finding> findScalarOnly(const NestStatement &statement) {
  llvm::DenseSet<mlir::Value> varying(statement.iterators.begin(),
                                      statement.iterators.end());
  for (Operation *op : statement.ops) {
    bool isAccess = addressOf(op).has_value();
    bool varies = llvm::any_of(
        op->getOperands(), [&](mlir::Value v) { return varying.contains(v); });
    // Values that regions capture are not operands.
    if (isa<LoopLikeOpInterface>(op))
      return Finding{op->getLoc(), describeNotAffine(op)};
    if (op->getNumRegions() > 0 ||
        (varies && !isAccess && !isa<affine::AffineApplyOp>(op) &&
         !hasVectorForm(op)))
      return Finding{op->getLoc(), "'" + op->getName().getStringRef().str() +
                                       "' has no vector form"};
    Type element =
        isAccess ? getElementTypeOrSelf(addressOf(op)->memref) : Type();
    if (varies && element && !VectorType::isValidElementType(element))
      return Finding{op->getLoc(), "its element type can't be vectorized"};
    if (varies)
      varying.insert_range(op->getResults());
  }
  return std::nullopt;
}

/// Reports memory that is accessed through views that may alias.
static void findOverlappingViews(const Nest &nest,
                                 std::vector<Finding> &findings) {
  llvm::SmallDenseSet<size_t> said;
  for (const NestStatement &statement : nest.statements)
    for (const NestAccess &access : statement.accesses)
      if (nest.arrays[access.array].isOpaque &&
          said.insert(access.array).second)
        findings.push_back(
            {access.op->getLoc(),
             "views of the same memory may alias, so that any access may touch "
             "any element: use disjoint subviews with constant offsets, sizes "
             "and strides"});
}

namespace {
/// A function of the program of nests.
using Reader = function_ref<Result<void>(const polyhedral::Program &)>;
} // namespace

/// Reads nests whose surroundings may be changed.
static Result<void> readInPlace(Operation *first, Operation *last,
                                uint64_t maxWork,
                                std::vector<Finding> &findings, Reader reader) {
  std::string reason;
  IRRewriter rewriter(first->getContext());
  if (failed(prepareNest(
          rewriter, first, last,
          [&](Operation *, const Twine &why) { reason = why.str(); })))
    return {ErrorCode::Unsupported, reason};
  FailureOr<Nest> nest = extractNest(first, last);
  if (failed(nest))
    return {ErrorCode::Unsupported, "the nest can't be read"};
  findOverlappingViews(*nest, findings);
  polyhedral::Context context(maxWork);
  polyhedral::Program program = toProgram(context.get(), *nest);
  if (isEmpty(program))
    return {ErrorCode::Unsupported, "it has no iterations"};
  for (auto [planned, statement] :
       llvm::zip_equal(program.statements, nest->statements)) {
    planned.callsLibrary = llvm::any_of(statement.ops, callsLibrary);
    planned.isInteger =
        llvm::all_of(statement.accesses, [](const NestAccess &access) {
          auto address = addressOf(access.op);
          return address && getElementTypeOrSelf(address->memref).isInteger();
        });
    planned.isCopy = statement.accesses.size() == 2 &&
                     statement.ops.size() == statement.accesses.size();
    if (auto scalar = findScalarOnly(statement)) {
      planned.isScalar = true;
      findings.push_back({scalar->location, "not vectorized: " + scalar->text});
    }
  }
  return reader(program);
}

/// A module with a copy of `function`, and of the globals that it reads:
/// whether these are constant decides on plans.
static OwningOpRef<ModuleOp> copyWithGlobals(FunctionOpInterface function,
                                             IRMapping &copies) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(function->getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  builder.clone(*function, copies);
  llvm::SmallPtrSet<Operation *, 8> copied;
  SymbolTableCollection tables;
  function->walk([&](memref::GetGlobalOp get) {
    auto global = tables.lookupNearestSymbolFrom<memref::GlobalOp>(
        get, get.getNameAttr());
    if (global && copied.insert(global).second)
      builder.clone(*global);
  });
  return module;
}

/// Reads a copy of the nests `first` ... `last` of one block. If `isSpoken`,
/// remarks say which statements can't be computed on vectors.
static Result<void> readNests(Operation *first, Operation *last, bool isSpoken,
                              Reader reader, uint64_t maxWork = maxNestWork) {
  auto function = first->getParentOfType<FunctionOpInterface>();
  if (!function)
    return {ErrorCode::Unsupported, "the nest isn't in a function"};
  IRMapping copies;
  OwningOpRef<ModuleOp> copy = copyWithGlobals(function, copies);
  std::string error;
  std::optional<Location> culprit;
  std::vector<Finding> findings;
  Result<void> done;
  {
    ScopedDiagnosticHandler capture(
        first->getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              error.empty()) {
            error = diagnostic.str();
            culprit = diagnostic.getLocation();
          }
          return success();
        });
    // The functions that it calls aren't beside the copy.
    if (failed(checkCalls(first, last)))
      return {ErrorCode::Unsupported, error};
    try {
      done = readInPlace(copies.lookup(first), copies.lookup(last), maxWork,
                         findings, reader);
    } catch (const std::exception &exception) {
      done = {ErrorCode::Unsupported, exception.what()};
    }
  }
  if (!done && !error.empty()) {
    if (isSpoken && culprit != first->getLoc())
      emitRemark(*culprit) << error;
    return {ErrorCode::Unsupported, error};
  }
  if (isSpoken)
    for (const Finding &finding : findings)
      emitRemark(finding.location) << finding.text;
  return done;
}

/// Plans nests by `planner`.
static Result<polyhedral::LoopPlan> planBy(
    Operation *first, Operation *last, const polyhedral::MachineSizes &host,
    Result<polyhedral::LoopPlan> (*planner)(const polyhedral::Program &,
                                            const polyhedral::MachineSizes &),
    bool isSpoken = true, uint64_t maxWork = maxNestWork) {
  Result<polyhedral::LoopPlan> plan(ErrorCode::Unsupported, "");
  auto read = readNests(
      first, last, isSpoken,
      [&](const polyhedral::Program &program) {
        plan = planner(program, host);
        if (plan)
          polyhedral::findExtents(*plan, program);
        return Result<void>();
      },
      maxWork);
  if (!read)
    plan = read.error();
  LDBG() << first->getLoc() << ": "
         << (plan ? "planned as\n" + plan->str()
                  : "no plan: " + plan.error().message);
  return plan;
}

Result<polyhedral::LoopPlan>
baco::loopnest::planNest(Operation *outermost,
                         const polyhedral::MachineSizes &host) {
  return planBy(outermost, outermost, host, polyhedral::planLoops);
}

Result<polyhedral::LoopPlan>
baco::loopnest::planNestSimply(Operation *outermost,
                               const polyhedral::MachineSizes &host) {
  return planBy(outermost, outermost, host, polyhedral::planInnermostLoops,
                /*isSpoken=*/false, maxSimpleWork);
}

/// The number of `ops`, from the first on, that become the first `numNests`
/// nests.
static size_t countOps(ArrayRef<Operation *> ops, size_t numNests) {
  size_t count = 0, made = 0;
  for (Operation *op : ops) {
    made += isa<linalg::SoftmaxOp>(op) ? numSoftmaxOps : 1;
    if (made > numNests)
      break;
    ++count;
  }
  return count;
}

size_t
baco::loopnest::countRowFusionGroup(ArrayRef<Operation *> nests,
                                    const polyhedral::MachineSizes &host) {
  size_t count = 0;
  // A nest that can't be read or vectorized ends a chain.
  for (size_t last = nests.size(); last-- > 0 && count == 0;) {
    if (last == 0 && !isa<linalg::SoftmaxOp>(nests.front()))
      break;
    Result<void> read =
        readNests(nests.front(), nests[last],
                  /*isSpoken=*/false,
                  [&](const polyhedral::Program &program) -> Result<void> {
                    if (llvm::any_of(program.statements,
                                     [](const auto &s) { return s.isScalar; }))
                      return {ErrorCode::Unsupported, "it has no vectors"};
                    count = polyhedral::countRowFusionGroup(program, host);
                    return {};
                  });
    if (read)
      break;
  }
  size_t ops = count < 2 ? 0 : countOps(nests, count);
  return ops > 1 || isa<linalg::SoftmaxOp>(nests.front()) ? ops : 0;
}

Result<polyhedral::LoopPlan>
baco::loopnest::planRowFusion(ArrayRef<Operation *> nests,
                              const polyhedral::MachineSizes &host) {
  return planBy(nests.front(), nests.back(), host, polyhedral::planRowFusion);
}

Result<polyhedral::LoopPlan>
baco::loopnest::planDesign(ArrayRef<Operation *> nests) {
  return planBy(
      nests.front(), nests.back(), polyhedral::MachineSizes(),
      [](const polyhedral::Program &program, const polyhedral::MachineSizes &) {
        return polyhedral::planDesign(program);
      },
      /*isSpoken=*/false);
}
