//===- OutlineGroup.cpp - A function for a group of ops -------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutlineGroup.h"
#include "OpWork.h"

#include "baco/IR/BacoDialect.h"
#include "baco/IR/ConstantArgument.h"
#include "baco/IR/Structured.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace baco;
using namespace baco::frontend;

namespace {
/// The values that a group uses and yields.
class Boundary {
public:
  explicit Boundary(const Group &group);

  /// Ops outside of the group that are repeated in its function, in order.
  llvm::SetVector<Operation *> repeated;
  /// The function's arguments.
  SmallVector<mlir::Value> arguments;
  /// The representative of a value in the group: the value itself, or an equal
  /// argument.
  llvm::MapVector<mlir::Value, mlir::Value> representative;
  /// Results of the group that are used outside.
  SmallVector<mlir::Value> results;
  /// The error says why there can't be such a function.
  llvm::Error check() const;

private:
  bool isInGroup(Operation *op) const;
  bool isRepeated(Operation *op) const;
  void use(mlir::Value value);
  void addArgument(mlir::Value value);

  const Group &group;
  llvm::DenseMap<Attribute, mlir::Value> globals;
};
} // namespace

bool Boundary::isInGroup(Operation *op) const {
  return llvm::any_of(
      group, [&](Operation *member) { return member->isAncestor(op); });
}

/// Whether the group uses `value`, and only as an output of ops.
static bool isOnlyInit(mlir::Value value, const Group &group) {
  auto uses = llvm::make_filter_range(value.getUses(), [&](OpOperand &use) {
    return llvm::is_contained(group, use.getOwner());
  });
  return !uses.empty() && llvm::all_of(uses, [](OpOperand &use) {
    auto structured = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
    return structured && structured.isDpsInit(&use);
  });
}

/// Whether a kernel has `constant` rather than an argument. Weights differ
/// between kernels that are otherwise equal.
static bool isRepeatedConstant(Operation *constant, const Group &group) {
  constexpr int64_t fewElements = 1024;
  Type type = constant->getResult(0).getType();
  if (!isa<ShapedType>(type))
    return true;
  DenseElementsAttr elements;
  bool isSmallSplat =
      isa<TensorType>(type) && matchPattern(constant, m_Constant(&elements)) &&
      elements.isSplat() && elements.getNumElements() < fewElements;
  return isSmallSplat || isOnlyInit(constant->getResult(0), group);
}

bool Boundary::isRepeated(Operation *op) const {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return isRepeatedConstant(op, group);
  // A program may fill the data that it computes with.
  if (isCheapProducer(op))
    return !isa<linalg::FillOp>(op) || isOnlyInit(op->getResult(0), group);
  if (isa<tensor::EmptyOp, tensor::ExtractSliceOp>(op))
    return true;
  // A cast may know the shape.
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return cast.getSource().getType().hasRank() &&
           (!cast.getType().hasStaticShape() ||
            cast.getSource().getType().hasStaticShape());
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return cast.getSource().getType().hasStaticShape();
  return isMemoryView(op);
}

void Boundary::addArgument(mlir::Value value) {
  if (auto global = value.getDefiningOp<memref::GetGlobalOp>()) {
    auto [known, isNew] = globals.try_emplace(global.getNameAttr(), value);
    representative[value] = known->second;
    if (!isNew)
      return;
  }
  representative[value] = value;
  arguments.push_back(value);
}

/// Takes note that the group, or an op that is repeated for it, uses `value`.
void Boundary::use(mlir::Value value) {
  Operation *definition = value.getDefiningOp();
  if (representative.contains(value) ||
      (definition && (isInGroup(definition) || repeated.contains(definition))))
    return;
  if (!definition || !isRepeated(definition))
    return addArgument(value);
  for (mlir::Value operand : definition->getOperands())
    use(operand);
  repeated.insert(definition);
}

Boundary::Boundary(const Group &group) : group(group) {
  for (Operation *op : group) {
    llvm::SetVector<mlir::Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (mlir::Value value : used)
      use(value);
    for (mlir::Value result : op->getResults())
      if (!llvm::all_of(result.getUsers(),
                        [&](Operation *user) { return isInGroup(user); }))
        results.push_back(result);
  }
}

llvm::Error Boundary::check() const {
  auto isCopied = [](Type type) {
    return type.isIntOrIndexOrFloat() || isa<RankedTensorType>(type);
  };
  for (Type type : ValueRange(arguments).getTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!isCopied(type) && !(memref && !memref.getMemorySpace()))
      return llvm::createStringError("it uses a value of type " +
                                     debugString(type));
  }
  for (Type type : ValueRange(results).getTypes())
    if (!isCopied(type))
      return llvm::createStringError(isa<VectorType>(type)
                                         ? "its result is a vector"
                                         : "its result is memory");
  return llvm::Error::success();
}

/// A name for the group, after its largest op.
static std::string nameFor(const Group &group, func::FuncOp caller) {
  Operation *main = group.front();
  for (Operation *op : group)
    if (roleOf(op) == OpRole::Tunable) {
      main = op;
      break;
    }
  for (Operation *op : group)
    if (isContraction(op)) {
      main = op;
      break;
    }
  StringRef kind =
      isStructured(main) ? main->getName().stripDialect() : StringRef("loops");
  return (caller.getName() + "_" + kind).str();
}

/// The function, with an empty body.
static func::FuncOp makeFunction(const Boundary &boundary, StringRef name,
                                 Location location, func::FuncOp before,
                                 SymbolTable &symbols) {
  Builder builder(before.getContext());
  auto type = builder.getFunctionType(ValueRange(boundary.arguments).getTypes(),
                                      ValueRange(boundary.results).getTypes());
  auto function = func::FuncOp::create(location, name, type);
  function.setPrivate();
  symbols.insert(function, std::next(before->getIterator()));
  function.addEntryBlock();
  return function;
}

/// Repeats the ops of the boundary that `user` needs, and that aren't there
/// yet. A fill comes right before the op that adds to it, so that both are
/// planned together.
static void repeatFor(Operation *user, const Boundary &boundary,
                      OpBuilder &builder, IRMapping &mapping) {
  llvm::SetVector<mlir::Value> used(user->operand_begin(), user->operand_end());
  getUsedValuesDefinedAbove(user->getRegions(), used);
  for (mlir::Value value : used) {
    Operation *definition = value.getDefiningOp();
    if (!definition || !boundary.repeated.contains(definition) ||
        mapping.contains(value))
      continue;
    repeatFor(definition, boundary, builder, mapping);
    builder.clone(*definition, mapping);
  }
}

/// Fills the function with the group, which gets a call before `first`.
static void moveGroup(const Group &group, Operation *first, Boundary &boundary,
                      func::FuncOp function) {
  OpBuilder builder(first);
  Location location = function.getLoc();
  auto call =
      func::CallOp::create(builder, location, function, boundary.arguments);
  Block &body = function.getBody().front();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  for (auto [value, argument] :
       llvm::zip_equal(boundary.arguments, body.getArguments()))
    mapping.map(value, argument);
  for (auto [value, same] : boundary.representative)
    mapping.map(value, mapping.lookup(same));
  for (auto [result, replacement] :
       llvm::zip_equal(boundary.results, call.getResults()))
    result.replaceUsesWithIf(replacement, [&](OpOperand &use) {
      return llvm::none_of(group, [&](Operation *member) {
        return member->isAncestor(use.getOwner());
      });
    });
  for (Operation *op : group) {
    repeatFor(op, boundary, builder, mapping);
    op->moveBefore(&body, body.end());
    op->walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
    });
  }
  func::ReturnOp::create(builder, location, boundary.results);
  // Repeated ops may have had no other use.
  for (Operation *op : llvm::reverse(boundary.repeated))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Whether `value` has the same contents each time.
static bool isConstantData(mlir::Value value) {
  Operation *definition = value.getDefiningOp();
  if (!definition || !isa<ShapedType>(value.getType()))
    return false;
  auto global = dyn_cast<memref::GetGlobalOp>(definition);
  if (!global)
    return definition->hasTrait<OpTrait::ConstantLike>();
  auto data = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      definition, global.getNameAttr());
  return data && data.getConstant();
}

/// Marks those arguments of `function` that callers pass constants.
static void markConstants(const Boundary &boundary, func::FuncOp function) {
  for (auto [number, value] : llvm::enumerate(boundary.arguments))
    if (isConstantData(value))
      function.setArgAttr(number, kConstantArgument,
                          UnitAttr::get(function.getContext()));
}

/// Gives arguments of `function` the inputs of those of `caller` that they are.
static void passInputs(const Boundary &boundary, func::FuncOp caller,
                       func::FuncOp function) {
  for (auto [number, value] : llvm::enumerate(boundary.arguments)) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &caller.getBody().front())
      continue;
    Attribute input =
        caller.getArgAttr(argument.getArgNumber(), BacoDialect::kInput);
    if (input && !llvm::errorToBool(checkInput(argument.getType(), input)))
      function.setArgAttr(number, BacoDialect::kInput, input);
  }
}

func::FuncOp baco::frontend::outlineGroup(const Group &group,
                                          func::FuncOp before,
                                          SymbolTable &symbols) {
  auto caller = group.front()->getParentOfType<func::FuncOp>();
  Boundary boundary(group);
  Operation *main = group.back();
  if (llvm::Error error = boundary.check()) {
    remarkItStays(main, llvm::toString(std::move(error)));
    return {};
  }
  Operation *first = gatherGroup(group);
  func::FuncOp function = makeFunction(boundary, nameFor(group, caller),
                                       main->getLoc(), before, symbols);
  // Moving the group erases constants that nothing else uses.
  markConstants(boundary, function);
  moveGroup(group, first, boundary, function);
  passInputs(boundary, caller, function);
  return function;
}
