//===- Restructure.cpp - Loops in another order ---------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/LoopNest/Restructure.h"
#include "Generate.h"
#include "RestructureBy.h"
#include "baco/Analysis/MemoryRoots.h"
#include "baco/IR/LoopCommands.h"
#include "baco/IR/Walk.h"
#include "baco/LoopNest/PrepareNest.h"
#include "baco/LoopPlanner/LoopPlan.h"
#include "baco/Polyhedral/Context.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "baco-restructure"

using namespace mlir;
using namespace baco;
using namespace baco::loopnest;
using polyhedral::LoopSchedule;

/// The stride of a row of a memref in elements; 0 if unknown.
static int64_t elementStride(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return 0;
  if (strides.empty())
    return 1;
  return ShapedType::isDynamic(strides.back()) ? 0 : strides.back();
}

/// How many products of such elements fill 32 bits with their sum. (Those of
/// bf16 would, too, but x86's instruction takes denormal numbers for 0.)
static int64_t dotTerms(Type element) {
  return element.isInteger(8) ? 4 : element.isInteger(16) ? 2 : 1;
}

/// Whether only `accesses` of the nest use the memory that `memref` is.
static bool isTemporary(mlir::Value memref,
                        const llvm::DenseSet<Operation *> &accesses) {
  return isa_and_present<memref::AllocOp, memref::AllocaOp>(
             memref.getDefiningOp()) &&
         llvm::all_of(memref.getUsers(), [&](Operation *user) {
           return accesses.contains(user) || isa<memref::DeallocOp>(user) ||
                  isOpTriviallyDead(user);
         });
}

/// The extents of an array in the dimensions whose subscripts are unknown. A
/// known one that leaves the array must still depend on what it meets there.
static isl::set unknownElements(const isl::set &elements,
                                const NestAccess &access) {
  unsigned rank = elements.tuple_dim();
  return access.lastSubscript ? isl::manage(isl_set_eliminate(
                                    elements.copy(), isl_dim_set, rank - 1, 1))
                              : elements;
}

polyhedral::Program baco::loopnest::toProgram(isl::ctx context,
                                              const Nest &nest) {
  polyhedral::Program program;
  program.context = isl::set(context, nest.context());
  program.measured = isl::set(context, nest.measured());
  llvm::DenseSet<Operation *> accesses;
  for (const NestStatement &statement : nest.statements)
    for (const NestAccess &access : statement.accesses)
      accesses.insert(access.op);
  for (size_t index = 0; index < nest.arrays.size(); ++index) {
    auto type = cast<MemRefType>(nest.arrays[index].memref.getType());
    int64_t bits = type.getElementType().isIntOrFloat()
                       ? type.getElementTypeBitWidth()
                       : 64;
    program.arrays.push_back({"A" + std::to_string(index),
                              isl::set(context, nest.elements(index)),
                              (bits + 7) / 8, elementStride(type),
                              isTemporary(nest.arrays[index].memref, accesses),
                              isConstantMemory(nest.arrays[index].memref),
                              dotTerms(type.getElementType())});
  }
  size_t depth = nest.depth();
  size_t index = 0;
  for (const NestStatement &statement : nest.statements) {
    polyhedral::Statement converted;
    converted.domain = isl::set(context, nest.domain(index));
    converted.schedule = isl::map(context, nest.schedule(index, depth));
    for (const NestAccess &access : statement.accesses) {
      isl::map relation(context, nest.relation(index, access));
      if (!access.subscripts)
        relation = relation.intersect_range(
            unknownElements(program.arrays[access.array].elements, access));
      converted.accesses.push_back(
          {relation, access.isWrite, access.contiguousLoop});
    }
    converted.reduction = statement.reduction;
    program.statements.push_back(std::move(converted));
    ++index;
  }
  return program;
}

bool baco::loopnest::isEmpty(const polyhedral::Program &program) {
  return llvm::all_of(program.statements,
                      [](const polyhedral::Statement &statement) {
                        return statement.domain.is_empty();
                      });
}

Result<void> baco::loopnest::applyCommand(Attribute command,
                                          LoopSchedule &schedule) {
  auto loopCommand = dyn_cast<LoopCommandAttr>(command);
  if (!loopCommand)
    return Error{ErrorCode::InvalidArgument, "this is not a loop command"};
  for (auto [argument, field] : llvm::zip_equal(
           loopCommand.getInfo().arguments(), loopCommand.getArguments()))
    if (!argument.isText() && isa<StringAttr, KnobAttr>(field))
      return Error{ErrorCode::InvalidArgument,
                   debugString(field) +
                       " has no value; choose one with --baco-concretize"};
  return polyhedral::applyCommand(toLoopCommand(loopCommand), {}, schedule);
}

static FailureOr<RestructuredNest>
tryRestructure(const Nest &nest, Operation *first, ScheduleChange change,
               const polyhedral::LoopScheduleOptions &options) {
  polyhedral::Context context(maxNestWork);
  polyhedral::Program program = toProgram(context.get(), nest);
  // A nest that never runs has no loops.
  if (isEmpty(program))
    return RestructuredNest();
  Result<LoopSchedule> schedule = LoopSchedule::create(program, options);
  if (!schedule)
    return first->emitError()
           << "this nest can't be scheduled: " << schedule.error().message;
  if (failed(change(nest, *schedule)))
    return failure();
  if (Result<void> legal = schedule->checkLegal(); !legal)
    return first->emitError() << "the new order of the loops is illegal: "
                              << legal.error().message;
  Result<polyhedral::GeneratedCode> code = schedule->generate();
  if (!code)
    return first->emitError()
           << "no loops for the new order: " << code.error().message;
  OpBuilder builder(first);
  return generate(builder, first->getLoc(), nest, *schedule, *code);
}

FailureOr<RestructuredNest>
baco::loopnest::restructureBy(RewriterBase &rewriter, Operation *first,
                              Operation *last, ScheduleChange change,
                              const polyhedral::LoopScheduleOptions &options) {
  FailureOr<Nest> nest = extractNest(first, last);
  if (failed(nest))
    return failure();
  FailureOr<RestructuredNest> result = failure();
  try {
    result = tryRestructure(*nest, first, change, options);
  } catch (const std::exception &error) {
    return first->emitError()
           << "this nest can't be scheduled: " << error.what();
  }
  if (failed(result))
    return failure();
  SmallVector<Operation *> old;
  for (Operation &op : opsFrom(first, last))
    old.push_back(&op);
  for (Operation *op : llvm::reverse(old))
    rewriter.eraseOp(op);
  return result;
}

FailureOr<RestructuredNest>
baco::loopnest::restructure(RewriterBase &rewriter, Operation *first,
                            Operation *last, ArrayRef<Attribute> commands,
                            const RestructureOptions &options) {
  polyhedral::LoopScheduleOptions scheduleOptions;
  scheduleOptions.reassociate = options.reassociate;
  auto follow = [&](const Nest &, LoopSchedule &schedule) -> LogicalResult {
    for (Attribute command : commands) {
      LDBG() << first->getLoc() << ": " << command;
      if (Result<void> done = applyCommand(command, schedule); !done)
        return first->emitError()
               << debugString(command) << ": " << done.error().message;
    }
    return success();
  };
  return restructureBy(rewriter, first, last, follow, scheduleOptions);
}
