//===- NestOps.cpp - Transform ops on loop nests --------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/LoopCommands.h"
#include "baco/IR/Structured.h"
#include "baco/LoopNest/PrepareNest.h"
#include "baco/LoopNest/Restructure.h"
#include "baco/LoopTransforms/LoopTransforms.h"
#include "baco/TransformOps/BacoTransformOps.h"
#include "baco/TransformOps/RestructureProbe.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace baco;
using transform::RestructureOp;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// A list of commands, or a CHiLL script, which is read at once.
static ParseResult parseLoopCommands(OpAsmParser &parser, ArrayAttr &commands) {
  SMLoc loc = parser.getCurrentLocation();
  std::string script;
  if (failed(parser.parseOptionalString(&script)))
    return parser.parseAttribute(commands);
  FailureOr<ArrayAttr> read = parseLoopScript(
      parser.getContext(), script, [&] { return parser.emitError(loc); });
  if (failed(read))
    return failure();
  commands = *read;
  return success();
}

static void printLoopCommands(OpAsmPrinter &printer, Operation *,
                              ArrayAttr commands) {
  printer.printAttribute(commands);
}

#define GET_OP_CLASSES
#include "baco/TransformOps/NestOps.cpp.inc"

//===----------------------------------------------------------------------===//
// RestructureOp
//===----------------------------------------------------------------------===//

LogicalResult RestructureOp::verify() {
  for (auto [index, command] : llvm::enumerate(getCommands()))
    if (!isa<LoopCommandAttr>(command))
      return emitOpError() << "element " << index + 1 << " of the commands is "
                           << command << ", which is not a loop command";
  return success();
}

void RestructureOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::consumesHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::modifiesPayload(effects);
}

static bool isLoop(Operation *op) { return isa<LoopLikeOpInterface>(op); }

/// Loops, and ops that become loops if they can.
static bool isNest(Operation *op) { return isLoop(op) || isStructured(op); }

/// The first and the last operation of the nest that `targets` mean; fails
/// after `fail` was given the reason.
static FailureOr<std::pair<Operation *, Operation *>>
findNest(ArrayRef<Operation *> targets,
         function_ref<void(Operation *, const Twine &)> fail) {
  if (targets.empty()) {
    fail(nullptr, "the handle is empty: there is no loop to restructure");
    return failure();
  }
  Operation *first = targets.front(), *last = targets.front();
  if (!isa<FunctionOpInterface>(first) &&
      !first->getParentOfType<FunctionOpInterface>()) {
    fail(first, "this is not in a function");
    return failure();
  }
  if (auto function = dyn_cast<FunctionOpInterface>(first)) {
    Region &body = function.getFunctionBody();
    auto isCandidate = [](Operation &op) { return isNest(&op); };
    if (targets.size() != 1 || !body.hasOneBlock() ||
        llvm::none_of(body.front(), isCandidate)) {
      fail(first, "this is not one function with one block with loops");
      return failure();
    }
    first = &*llvm::find_if(body.front(), isCandidate);
    for (Operation &op : body.front())
      if (isNest(&op))
        last = &op;
    return std::make_pair(first, last);
  }
  for (Operation *target : targets) {
    if (target->getBlock() != first->getBlock()) {
      fail(target, "this is in another block than the first loop of the nest");
      return failure();
    }
    if (target->isBeforeInBlock(first))
      first = target;
    if (last->isBeforeInBlock(target))
      last = target;
  }
  return std::make_pair(first, last);
}

void RestructureProbe::meet(RestructureOp op, Operation *first,
                            Operation *last) {
  // The result of an earlier op depends on that op's knobs.
  for (Operation &part :
       llvm::make_range(first->getIterator(), std::next(last->getIterator())))
    if (part.walk([&](Operation *inner) {
              return written.contains(inner) ? WalkResult::interrupt()
                                             : WalkResult::advance();
            })
            .wasInterrupted())
      return;
  for (Operation *parent = first->getParentOp(); parent;
       parent = parent->getParentOp())
    if (written.contains(parent))
      return;
  visit(op, first, last);
}

void RestructureProbe::remember(ArrayRef<Operation *> ops) {
  written.insert(ops.begin(), ops.end());
}

DiagnosedSilenceableFailure
RestructureOp::apply(transform::TransformRewriter &rewriter,
                     transform::TransformResults &results,
                     transform::TransformState &state) {
  // Errors of the library become silenceable failures.
  std::optional<Diagnostic> reason;
  auto fail = [&](Operation *op, const Twine &message) {
    reason.emplace(op ? op->getLoc() : getLoc(), DiagnosticSeverity::Error);
    *reason << message;
  };
  results.set(cast<OpResult>(getResult()), {});
  auto giveUp = [&] {
    DiagnosedSilenceableFailure failure = emitSilenceableError()
                                          << "the loops can't be restructured: "
                                          << reason->str();
    failure.attachNote(reason->getLocation()) << "here";
    for (Diagnostic &note : reason->getNotes())
      failure.attachNote(note.getLocation()) << note.str();
    return failure;
  };
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  auto nest = findNest(targets, fail);
  if (failed(nest))
    return giveUp();
  auto [first, last] = *nest;
  if (failed(loopnest::prepareNest(rewriter, first, last, fail)))
    return giveUp();
  auto *probe = state.getExtension<RestructureProbe>();
  if (probe)
    probe->meet(*this, first, last);

  FailureOr<loopnest::RestructuredNest> written = failure();
  {
    ScopedDiagnosticHandler handler(getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !reason)
        reason.emplace(std::move(diagnostic));
      return success();
    });
    loopnest::RestructureOptions options;
    options.reassociate = !getStrict();
    written = loopnest::restructure(rewriter, first, last,
                                    getCommands().getValue(), options);
    if (succeeded(written) && failed(loopnest::applyMarks(*written)))
      written = failure();
    if (succeeded(written) && !getStrict()) {
      loopnest::hoistDivisions(written->ops);
      for (Operation *op : written->ops)
        loopnest::allowContraction(op);
    }
  }
  if (failed(written))
    return giveUp();
  if (probe)
    probe->remember(written->ops);
  loopnest::eraseUnreadBuffers(rewriter, written->ops);
  SmallVector<Operation *> loops = llvm::filter_to_vector(
      written->ops, [](Operation *op) { return isLoop(op); });
  results.set(cast<OpResult>(getResult()), loops);
  return DiagnosedSilenceableFailure::success();
}
