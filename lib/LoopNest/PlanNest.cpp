//===- PlanNest.cpp - Commands and knobs for loops in IR ------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/PlanNest.h"
#include "Commands.h"
#include "SharedArguments.h"
#include "VectorPlan.h"
#include "baco/LoopNest/LowerStructured.h"
#include "baco/LoopNest/Raise.h"
#include "baco/Polyhedral/Context.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;

namespace {
/// Why a statement can't be computed on vectors.
struct ScalarOnly {
  Location location;
  std::string reason;
};
} // namespace

/// Finds out whether `statement` can't be computed on vectors, which all plans
/// but orders of loops offer. planVectorization finds out the same of loops in
/// their final order.
static std::optional<ScalarOnly>
findScalarOnly(const NestStatement &statement) {
  llvm::DenseSet<Value> varying(statement.iterators.begin(),
                                statement.iterators.end());
  for (Operation *op : statement.ops) {
    bool isAccess = addressOf(op).has_value();
    bool varies = llvm::any_of(op->getOperands(),
                               [&](Value v) { return varying.contains(v); });
    // What regions use from outside are no operands.
    if (op->getNumRegions() > 0 ||
        (varies && !isAccess && !isa<affine::AffineApplyOp>(op) &&
         !hasVectorForm(op)))
      return ScalarOnly{op->getLoc(), "'" + op->getName().getStringRef().str() +
                                          "' has no vector form"};
    Type element =
        isAccess ? getElementTypeOrSelf(addressOf(op)->memref) : Type();
    if (varies && element && !VectorType::isValidElementType(element))
      return ScalarOnly{op->getLoc(),
                        "there are no vectors of its element type"};
    if (varies)
      varying.insert_range(op->getResults());
  }
  return std::nullopt;
}

/// Plans a nest whose surroundings may be changed.
static Result<polyhedral::LoopPlan>
planInPlace(Operation *loop, const polyhedral::MachineSizes &host,
            std::vector<ScalarOnly> &scalars) {
  if (isStructuredNest(loop) && !(loop = lowerStructured(loop)))
    return {ErrorCode::Unsupported, "it has no loops"};
  Block *block = loop->getBlock();
  Operation *before = loop->getPrevNode();
  Operation *raised = demoteCarriedValues(raiseToAffine(loop));
  // Values that the loop carried are stored in front of it.
  Operation *first = raised;
  if (raised != loop)
    first = before ? before->getNextNode() : &block->front();
  FailureOr<Nest> nest = extractNest(first, raised);
  if (failed(nest))
    return {ErrorCode::Unsupported, "it can't be read"};
  polyhedral::Context context;
  polyhedral::Program program = toProgram(context.get(), *nest);
  if (isEmpty(program))
    return {ErrorCode::Unsupported, "it has no iterations"};
  for (auto [planned, statement] :
       llvm::zip_equal(program.statements, nest->statements))
    if (auto scalar = findScalarOnly(statement)) {
      planned.isScalar = true;
      scalars.push_back(std::move(*scalar));
    }
  return polyhedral::planLoops(program, host);
}

Result<polyhedral::LoopPlan>
baco::loopnest::planNest(Operation *outermost,
                         const polyhedral::MachineSizes &host) {
  auto function = outermost->getParentOfType<FunctionOpInterface>();
  if (!function)
    return {ErrorCode::Unsupported, "it isn't in a function"};
  IRMapping copies;
  OwningOpRef<Operation *> copy = function->clone(copies);
  std::string error;
  std::vector<ScalarOnly> scalars;
  Result<polyhedral::LoopPlan> plan(ErrorCode::Unsupported, "");
  {
    ScopedDiagnosticHandler capture(
        outermost->getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              error.empty())
            error = diagnostic.str();
          return success();
        });
    // The copy is in no module, so that nobody calls it.
    if (failed(checkCalls(outermost, outermost)))
      return {ErrorCode::Unsupported, error};
    try {
      plan = planInPlace(copies.lookup(outermost), host, scalars);
    } catch (const std::exception &exception) {
      plan = {ErrorCode::Unsupported, exception.what()};
    }
  }
  if (!plan && !error.empty())
    return {ErrorCode::Unsupported, error};
  for (const ScalarOnly &scalar : scalars)
    emitRemark(scalar.location) << "no vectors are tried: " << scalar.reason;
  return plan;
}
