//===- StructuredMatcher.cpp - Entries for stock tools --------------------===//
//---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matcher of transform.foreach_match sees one op, and its results are
// collected; shapes are compared there. Types, attributes and whether the op is
// the only one of its function are compared after that, by ops that may not
// stand in a matcher.
//
//===----------------------------------------------------------------------===//

#include "StructuredMatcher.h"

#include "baco/IR/BacoDialect.h"
#include "baco/Schedule/ExtractSpace.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgMatchOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace baco;
using namespace baco::apply;
using transform::NamedSequenceOp;

namespace {
/// How a sequence gets from its argument, a handle to the module, to the
/// function `name`.
class PathsToFunction {
public:
  /// `isAlone`: the module has nothing else, so that ops found in it are in the
  /// function.
  PathsToFunction(StringRef name, bool isAlone)
      : name(name), isAlone(isAlone) {}

  /// Adds the paths of `sequence` and of the sequences that it includes; false
  /// if one reaches something else, or needs a handle to the function after it
  /// consumed one.
  bool add(NamedSequenceOp sequence);

  /// Makes the argument of the sequences a handle to the function.
  void takeFunction() {
    for (NamedSequenceOp sequence : sequences)
      setArgument(sequence);
    for (transform::MatchOp match : matches)
      match.removeOpAttrsAttr();
    for (auto &[use, handle] : moved)
      use->set(handle);
  }

private:
  static void setArgument(NamedSequenceOp sequence);
  bool leadsToFunction(Operation *op);
  bool includesConsumer(Operation &op);

  StringRef name;
  bool isAlone;
  llvm::SetVector<NamedSequenceOp> sequences;
  llvm::SetVector<transform::MatchOp> matches;
  /// Uses of the argument after it has become invalid, and the handle that is
  /// still valid then.
  SmallVector<std::pair<OpOperand *, mlir::Value>> moved;
  /// Sequences that may replace the function. A sequence that includes one has
  /// no handle to the function any longer.
  llvm::SmallPtrSet<Operation *, 4> consumers;
};
} // namespace

/// Schedules by hand may take a handle to modules only, and needn't say that
/// they don't consume it.
void PathsToFunction::setArgument(NamedSequenceOp sequence) {
  MLIRContext *context = sequence.getContext();
  auto anyOp = transform::AnyOpType::get(context);
  sequence.getBody().getArgument(0).setType(anyOp);
  sequence.setFunctionTypeAttr(
      TypeAttr::get(FunctionType::get(context, anyOp, {})));
  if (!sequence.getArgAttr(0,
                           transform::TransformDialect::kArgConsumedAttrName))
    sequence.setArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName,
                        UnitAttr::get(context));
}

/// Whether `op`, on a function or a module, finds or changes only ops in
/// functions.
static bool staysInFunctions(Operation *op) {
  if (isa<transform::ApplyPatternsOp,
          transform::ApplyCommonSubexpressionEliminationOp,
          transform::ApplyDeadCodeEliminationOp>(op))
    return true;
  auto match = dyn_cast<transform::MatchOp>(op);
  if (!match)
    return false;
  // No function or module has one of these interfaces.
  if (match.getInterface())
    return true;
  return match.getOps() &&
         llvm::none_of(match.getOps()->getAsValueRange<StringAttr>(),
                       [](StringRef matched) {
                         return matched == func::FuncOp::getOperationName() ||
                                matched == ModuleOp::getOperationName();
                       });
}

/// Whether `op`, which takes the module, takes only the function from it.
bool PathsToFunction::leadsToFunction(Operation *op) {
  if (auto include = dyn_cast<transform::IncludeOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<NamedSequenceOp>(
        include, include.getTargetAttr());
    return callee && add(callee);
  }
  if (isAlone && staysInFunctions(op))
    return true;
  auto match = dyn_cast<transform::MatchOp>(op);
  if (!match || !match.getOps() ||
      !llvm::equal(match.getOps()->getAsValueRange<StringAttr>(),
                   ArrayRef(func::FuncOp::getOperationName())))
    return false;
  DictionaryAttr attributes = match.getOpAttrsAttr();
  auto wanted =
      attributes
          ? attributes.getAs<StringAttr>(SymbolTable::getSymbolAttrName())
          : StringAttr();
  bool isNamed = wanted && wanted.getValue() == name && attributes.size() == 1;
  if (!isNamed && !(isAlone && !attributes))
    return false;
  matches.insert(match);
  return true;
}

/// Whether `op`, or an op in it, may consume `handle`.
static bool mayConsume(Operation &op, mlir::Value handle) {
  return llvm::any_of(handle.getUsers(), [&](Operation *user) {
    if (user != &op)
      return op.isProperAncestor(user);
    auto transform = dyn_cast<transform::TransformOpInterface>(user);
    return !transform || transform::isHandleConsumed(handle, transform);
  });
}

/// Whether `op` includes a sequence that may replace the function.
bool PathsToFunction::includesConsumer(Operation &op) {
  auto include = dyn_cast<transform::IncludeOp>(op);
  return include && consumers.contains(SymbolTable::lookupNearestSymbolFrom(
                        include, include.getTargetAttr()));
}

bool PathsToFunction::add(NamedSequenceOp sequence) {
  // One that yields the module changes it.
  if (sequence.getFunctionType().getNumResults() != 0 ||
      sequence.getFunctionType().getNumInputs() != 1)
    return false;
  Block &body = sequence.getBody().front();
  BlockArgument root = body.getArgument(0);
  if (llvm::any_of(root.getUsers(),
                   [&](Operation *user) { return user->getBlock() != &body; }))
    return false;
  sequences.insert(sequence);
  SmallVector<mlir::Value> handles = {root};
  for (Operation &op : body) {
    for (OpOperand &use : op.getOpOperands()) {
      if (use.get() != root)
        continue;
      if (handles.empty() || !leadsToFunction(&op))
        return false;
      if (handles.front() != root)
        moved.emplace_back(&use, handles.front());
    }
    if (auto match = dyn_cast<transform::MatchOp>(op);
        match && matches.contains(match))
      handles.push_back(match.getResults());
    if (!includesConsumer(op) &&
        llvm::none_of(handles, [&](mlir::Value handle) {
          return mayConsume(op, handle);
        }))
      continue;
    handles.clear();
    // It leaves the function in its place, where an includer's handle, which is
    // only read by the include, stays valid.
    if (auto hoist = dyn_cast<transform::HoistRedundantVectorTransfersOp>(op))
      handles = {hoist.getTransformed()};
    else
      consumers.insert(sequence);
  }
  return true;
}

/// Whether the module of `function`, whose schedule was taken out, has nothing
/// else.
static bool isAlone(func::FuncOp function) {
  return llvm::hasSingleElement(
      *function->getParentOfType<ModuleOp>().getBody());
}

bool apply::takeFunction(NamedSequenceOp sequence, StringRef name,
                         func::FuncOp function) {
  PathsToFunction paths(name, function && isAlone(function));
  if (sequence.getBody().getArgument(0).use_empty() || !paths.add(sequence))
    return false;
  paths.takeFunction();
  return true;
}

/// Whether `function` only wraps `op`: its arguments are the operands of `op`,
/// in this order, its results are those of `op`, and nothing else matters for
/// the result.
static bool onlyWraps(func::FuncOp function, linalg::LinalgOp op) {
  auto isOurs = [](NamedAttribute attribute) {
    return attribute.getName().strref().starts_with("baco.");
  };
  return llvm::equal(function.getArguments(), op->getOperands()) &&
         llvm::equal(op->getBlock()->getTerminator()->getOperands(),
                     op->getResults()) &&
         llvm::all_of(function->getDiscardableAttrs(), isOurs) &&
         !function.getArgAttrsAttr() && !function.getResAttrsAttr();
}

/// The only op of `function` besides its terminator, if that is a named linalg
/// op whose name, types and attributes determine the computation, and the
/// function does nothing else; null if not. Two such functions with the same op
/// then have the same fingerprint.
static linalg::LinalgOp findOnlyOp(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return {};
  Block &block = function.getBody().front();
  auto only = dyn_cast<linalg::LinalgOp>(block.front());
  if (!only || isa<linalg::GenericOp>(only.getOperation()) ||
      only->getNextNode() != block.getTerminator() || only.hasDynamicShape() ||
      !onlyWraps(function, only))
    return {};
  Type element = getElementTypeOrSelf(only->getOperand(0).getType());
  for (mlir::Value operand : only->getOperands())
    if (getElementTypeOrSelf(operand.getType()) != element)
      return {};
  return only;
}

/// The attributes of `op` that determine its computation.
static DictionaryAttr describe(linalg::LinalgOp op) {
  NamedAttrList kept;
  for (NamedAttribute attribute : op->getAttrDictionary())
    if (attribute.getName() != "operandSegmentSizes" &&
        !attribute.getName().strref().starts_with("baco."))
      kept.append(attribute);
  return kept.getDictionary(op.getContext());
}

namespace {
/// Writes sequences that yield a function, or fail.
class MatcherWriter {
public:
  explicit MatcherWriter(ModuleOp library)
      : builder(library.getLoc(), library.getContext()),
        handle(transform::AnyOpType::get(library.getContext())),
        number(transform::ParamType::get(library.getContext(),
                                         builder.getI64Type())) {
    builder.setInsertionPointToEnd(library.getBody());
  }

  /// A matcher of functions with an op of the name and extents of `op`.
  void writeMatcher(linalg::LinalgOp op, StringRef name);
  /// A sequence that yields a function if its only linalg op is like `op` in
  /// its types and attributes.
  void writeGuard(linalg::LinalgOp op, StringRef name);

private:
  /// A sequence of what `body` writes for an op, which yields its result.
  void addSequence(StringRef name,
                   function_ref<mlir::Value(mlir::Value op)> body);
  void requireName(mlir::Value op, StringRef name) {
    transform::MatchOperationNameOp::create(builder, op,
                                            builder.getStrArrayAttr(name));
  }
  void requireEqual(mlir::Value actual, int64_t expected) {
    mlir::Value constant = transform::ParamConstantOp::create(
        builder, number, builder.getI64IntegerAttr(expected));
    transform::MatchParamCmpIOp::create(builder, actual, constant,
                                        transform::MatchCmpIPredicate::eq);
  }
  mlir::Value parentOf(mlir::Value op) {
    return transform::GetParentOp::create(
        builder, handle, op, /*isolated_from_above=*/false,
        /*allow_empty_results=*/false, /*op_name=*/StringAttr());
  }

  ImplicitLocOpBuilder builder;
  Type handle, number;
};
} // namespace

void MatcherWriter::addSequence(
    StringRef name, function_ref<mlir::Value(mlir::Value op)> body) {
  OpBuilder::InsertionGuard guard(builder);
  auto sequence =
      NamedSequenceOp::create(builder, name, handle, handle,
                              [](OpBuilder &, Location, BlockArgument) {});
  sequence.setArgAttr(0, transform::TransformDialect::kArgReadOnlyAttrName,
                      builder.getUnitAttr());
  builder.setInsertionPointToEnd(&sequence.getBody().front());
  mlir::Value result = body(sequence.getBody().getArgument(0));
  transform::YieldOp::create(builder, result);
}

void MatcherWriter::writeMatcher(linalg::LinalgOp op, StringRef name) {
  addSequence(name, [&](mlir::Value found) {
    requireName(found, op->getName().getStringRef());
    auto match = transform::MatchStructuredOp::create(
        builder, TypeRange(), found,
        /*failure_propagation_mode=*/nullptr);
    {
      OpBuilder::InsertionGuard guard(builder);
      Block &body = match.getBodyRegion().emplaceBlock();
      mlir::Value same = body.addArgument(handle, builder.getLoc());
      builder.setInsertionPointToEnd(&body);
      for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges()))
        requireEqual(
            transform::MatchStructuredDimOp::create(
                builder, number, same, ArrayRef(static_cast<int64_t>(loop)))
                .getResult(),
            extent);
      transform::MatchStructuredYieldOp::create(builder);
    }
    mlir::Value function = parentOf(found);
    requireName(function, func::FuncOp::getOperationName());
    return function;
  });
}

void MatcherWriter::writeGuard(linalg::LinalgOp op, StringRef name) {
  DictionaryAttr attributes = describe(op);
  addSequence(name, [&](mlir::Value function) {
    mlir::Value all = transform::MatchOp::create(
        builder, handle, function, /*ops=*/ArrayAttr(),
        transform::MatchInterfaceEnumAttr::get(
            builder.getContext(), transform::MatchInterfaceEnum::LinalgOp),
        /*op_attrs=*/DictionaryAttr(), /*filter_result_type=*/TypeAttr(),
        /*filter_operand_types=*/ArrayAttr());
    requireEqual(transform::NumAssociationsOp::create(builder, number, all), 1);
    return parentOf(transform::MatchOp::create(
        builder, handle, function,
        builder.getStrArrayAttr(op->getName().getStringRef()),
        /*interface=*/nullptr,
        attributes.empty() ? DictionaryAttr() : attributes,
        /*filter_result_type=*/TypeAttr(),
        builder.getTypeArrayAttr(llvm::to_vector(op->getOperandTypes()))));
  });
}

MatcherKind apply::addMatchers(NamedSequenceOp sequence, func::FuncOp function,
                               ModuleOp library) {
  linalg::LinalgOp op = function ? findOnlyOp(function) : linalg::LinalgOp();
  if (!op)
    return MatcherKind::Fingerprint;
  MatcherWriter writer(library);
  writer.writeMatcher(op, (kMatchPrefix + sequence.getSymName()).str());
  writer.writeGuard(op, (kGuardPrefix + sequence.getSymName()).str());
  return MatcherKind::Structure;
}
