//===- Interface.cpp - Interfaces of tuned functions ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The function on tensors is a call of the one on memrefs, between upstream's
// ops for the boundary of both. Bufferizing it leaves the call.
//
//===----------------------------------------------------------------------===//

#include "baco/Apply/Interface.h"

#include "baco/IR/Bufferization.h"
#include "baco/IR/Walk.h"
#include "baco/KernelAnalysis/KernelSignature.h"
#include "baco/Schedule/Bufferize.h"
#include "baco/Target/Sparse/TunedFormats.h"
#include "baco/Target/Sparse/TunedModule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace baco;
using namespace baco::apply;
using bufferization::BufferizationDialect;

Result<Interface> apply::parseInterface(StringRef text) {
  if (text == "original")
    return Interface::Original;
  if (text == "buffers")
    return Interface::Buffers;
  return Error{ErrorCode::InvalidArgument,
               "interface must be original or buffers, but is '" + text.str() +
                   "'"};
}

/// `prefetch` on plain indices.
static void expandPrefetch(affine::AffinePrefetchOp prefetch) {
  ImplicitLocOpBuilder builder(prefetch.getLoc(), prefetch);
  auto indices = affine::expandAffineMap(
      builder, builder.getLoc(), prefetch.getAffineMap(),
      llvm::to_vector_of<Value>(prefetch.getMapOperands()));
  // Only null for a map with symbols that divide.
  if (!indices)
    return;
  memref::PrefetchOp::create(builder, prefetch.getMemref(), *indices,
                             prefetch.getIsWrite(), prefetch.getLocalityHint(),
                             prefetch.getIsDataCache());
  prefetch.erase();
}

/// Shields functions on memrefs from upstream's deallocation of functions on
/// tensors: marks memory that is freed by hand, and expands prefetches, whose
/// affine form the deallocation refuses.
static void shieldFromDeallocation(ModuleOp module) {
  auto mark = UnitAttr::get(module.getContext());
  for (auto function : module.getOps<func::FuncOp>()) {
    bool frees = contains(function, llvm::IsaPred<memref::DeallocOp>);
    function.walk([&](Operation *op) {
      if (frees && isa<memref::AllocOp, memref::DeallocOp>(op))
        op->setDiscardableAttr(BufferizationDialect::kManualDeallocation, mark);
      else if (auto prefetch = dyn_cast<affine::AffinePrefetchOp>(op))
        expandPrefetch(prefetch);
    });
  }
}

//===----------------------------------------------------------------------===//
// Interface::Original
//===----------------------------------------------------------------------===//

namespace {
/// A function whose type a schedule has changed.
struct Changed {
  func::FuncOp original, onBuffers;
};

/// Gives functions their types again.
class Restorer {
public:
  Restorer(ModuleOp module, ModuleOp before, const llvm::StringSet<> &scheduled)
      : module(module), before(before), scheduled(scheduled), symbols(module) {}

  void run();

private:
  void find();
  void setAside();
  void restore(Changed changed);
  void removeUnused();

  ModuleOp module, before;
  const llvm::StringSet<> &scheduled;
  SymbolTable symbols;
  /// Changed functions by name, in the order in which they are found.
  llvm::MapVector<StringAttr, Changed> changed;
};
} // namespace

/// Finds the public functions that have changed, and those that they use where
/// they are as before.
void Restorer::find() {
  SmallVector<StringAttr> open;
  auto add = [&](StringAttr name) {
    auto original = before.lookupSymbol<func::FuncOp>(name);
    auto onBuffers = symbols.lookup<func::FuncOp>(name);
    if (!original || !onBuffers || original.isExternal() ||
        original.getFunctionType() == onBuffers.getFunctionType() ||
        !changed.insert({name, {original, onBuffers}}).second)
      return;
    open.push_back(name);
  };
  for (auto function : before.getOps<func::FuncOp>())
    if (function.isPublic() && hasTensorBoundary(function))
      add(function.getSymNameAttr());
  while (!open.empty()) {
    func::FuncOp original = changed.lookup(open.pop_back_val()).original;
    if (scheduled.contains(original.getName()))
      continue;
    if (auto uses = SymbolTable::getSymbolUses(original))
      for (const SymbolTable::SymbolUse &use : *uses)
        add(use.getSymbolRef().getRootReference());
  }
}

/// Lets functions on memrefs go on with each other under other names.
void Restorer::setAside() {
  for (auto &[name, one] : changed) {
    std::string other = name.str() + "_buffers";
    for (int number = 0; symbols.lookup(other) || before.lookupSymbol(other);)
      other = name.str() + "_buffers_" + std::to_string(number++);
    // The module has no nested symbol tables whose uses can't be followed.
    (void)symbols.rename(one.onBuffers, other);
    one.onBuffers.setPrivate();
    one.onBuffers->removeAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName());
  }
}

/// Whether `type` is that of memory that can be allocated as it is.
static bool isPlainMemory(Type type) {
  auto memory = dyn_cast<MemRefType>(type);
  return memory && memory.hasStaticShape() && memory.getLayout().isIdentity();
}

static bool isInMemory(Type type) { return isa<TensorType, MemRefType>(type); }

/// Whether `onBuffers` is `original`, or the same tensor in memory.
static bool isSame(Type original, Type onBuffers) {
  auto before = dyn_cast<RankedTensorType>(original);
  auto after = dyn_cast<MemRefType>(onBuffers);
  return original == onBuffers ||
         (before && after && before.getShape() == after.getShape() &&
          before.getElementType() == after.getElementType());
}

/// Whether the function on memrefs has those arguments of the original, and one
/// more for each result in memory, of a size that is known.
static bool canCall(Changed changed) {
  FunctionType before = changed.original.getFunctionType();
  FunctionType after = changed.onBuffers.getFunctionType();
  SmallVector<Type> expected(before.getInputs()), scalars;
  for (Type result : before.getResults())
    (isInMemory(result) ? expected : scalars).push_back(result);
  return expected.size() == after.getNumInputs() &&
         llvm::equal(scalars, after.getResults()) &&
         llvm::equal(expected, after.getInputs(), isSame) &&
         llvm::all_of(after.getInputs().drop_front(before.getNumInputs()),
                      isPlainMemory);
}

/// Writes the body of `function`, which has the type of the original.
static void writeCall(func::FuncOp function, func::FuncOp onBuffers) {
  auto builder = ImplicitLocOpBuilder::atBlockBegin(function.getLoc(),
                                                    function.addEntryBlock());
  SmallVector<Value> operands;
  for (auto [argument, memory] :
       llvm::zip(function.getArguments(), onBuffers.getArguments())) {
    Value operand = argument;
    // Bufferization may copy a written tensor that is needed later.
    if (isa<TensorType>(operand.getType()))
      operand = bufferization::ToBufferOp::create(
          builder, memory.getType(), operand,
          /*read_only=*/!target::mayWrite(memory));
    operands.push_back(operand);
  }
  for (Type type : onBuffers.getArgumentTypes().drop_front(operands.size()))
    operands.push_back(memref::AllocOp::create(
        builder, cast<MemRefType>(type),
        builder.getI64IntegerAttr(/*the alignment of timed memory=*/64)));
  auto call = func::CallOp::create(builder, onBuffers, operands);
  SmallVector<Value> results;
  ArrayRef<Value> allocated =
      ArrayRef(operands).drop_front(function.getNumArguments());
  ResultRange scalars = call.getResults();
  for (Type type : function.getResultTypes()) {
    if (!isInMemory(type)) {
      results.push_back(scalars.front());
      scalars = scalars.drop_front();
      continue;
    }
    Value result = allocated.consume_front();
    if (isa<TensorType>(type))
      result = bufferization::ToTensorOp::create(builder, type, result,
                                                 /*restrict=*/true,
                                                 /*writable=*/true);
    results.push_back(result);
  }
  func::ReturnOp::create(builder, results);
}

void Restorer::restore(Changed changed) {
  StringRef name = changed.original.getName();
  bool calls = scheduled.contains(name) && canCall(changed);
  if (scheduled.contains(name) && !calls)
    changed.original.emitWarning()
        << "'" << name
        << "' stays as it was, because the schedule makes a type of it that "
           "can't be called on tensors; use --interface=buffers";
  auto function =
      cast<func::FuncOp>(calls ? changed.original->cloneWithoutRegions()
                               : changed.original->clone());
  symbols.insert(function, changed.onBuffers->getIterator());
  target::removeOwnAttributes(function);
  if (calls)
    writeCall(function, changed.onBuffers);
}

/// Removes new private symbols that nothing uses any more.
void Restorer::removeUnused() {
  auto isOurs = [&](Operation *op) {
    auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    return name && isa<func::FuncOp, memref::GlobalOp>(op) &&
           SymbolTable::getSymbolVisibility(op) ==
               SymbolTable::Visibility::Private &&
           !before.lookupSymbol(name);
  };
  for (bool isDone = false; !isDone;) {
    isDone = true;
    SymbolTableCollection tables;
    SymbolUserMap users(tables, module);
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isOurs(&op) && users.useEmpty(&op)) {
        isDone = false;
        symbols.erase(&op);
      }
  }
}

void Restorer::run() {
  find();
  if (changed.empty())
    return;
  setAside();
  for (auto &[name, one] : changed)
    restore(one);
  removeUnused();
  shieldFromDeallocation(module);
}

//===----------------------------------------------------------------------===//
// InterfaceKeeper
//===----------------------------------------------------------------------===//

/// Whether bufferization changes the type of a function.
static bool hasTensorBoundaries(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), hasTensorBoundary);
}

InterfaceKeeper::InterfaceKeeper(ModuleOp module, Interface interface)
    : module(module), interface(interface) {
  if (interface == Interface::Original && hasTensorBoundaries(module))
    before = module.clone();
}

LogicalResult InterfaceKeeper::finish(const llvm::StringSet<> &scheduled) {
  module.getContext()
      ->loadDialect<arith::ArithDialect, BufferizationDialect,
                    memref::MemRefDialect>();
  if (before)
    Restorer(module, *before, scheduled).run();
  if (interface == Interface::Original || !hasTensorBoundaries(module) ||
      llvm::any_of(module.getOps<func::FuncOp>(), target::hasSparseBoundary))
    return success();
  shieldFromDeallocation(module);
  return schedule::bufferize(module);
}
