//===- CallerShapes.cpp - Shapes that callers pass ------------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a copy of the module, upstream's inliner takes calls to where the extents
// are known, and its folders make static types of them.
//
//===----------------------------------------------------------------------===//

#include "ShapeVersions.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace baco::frontend;

namespace {
/// How many operations a function has when all it calls is inlined.
class InlinedSizes {
public:
  explicit InlinedSizes(ModuleOp module) : symbols(module) {}
  /// Calls `refuse` for functions that would become too large, or recursive
  /// ones.
  void visit(func::FuncOp function,
             llvm::function_ref<void(func::FuncOp)> refuse);

private:
  /// Larger callees aren't inlined, so that the module grows by a factor at
  /// most.
  static constexpr int64_t maxOps = 2000;
  /// The deepest nesting of calls, as the recursion needs stack.
  static constexpr int64_t deepest = 500;

  int64_t depth = 0;

  SymbolTable symbols;
  llvm::DenseMap<Operation *, int64_t> sizes;
};
} // namespace

void InlinedSizes::visit(func::FuncOp function,
                         llvm::function_ref<void(func::FuncOp)> refuse) {
  // Assume recursion until the size is known.
  if (!sizes.try_emplace(function, maxOps).second)
    return;
  int64_t size = 0;
  function.walk([&](Operation *op) {
    ++size;
    auto call = dyn_cast<func::CallOp>(op);
    auto callee =
        call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
    if (!callee || callee.isExternal() || callee.getNoInline())
      return;
    ++depth;
    if (depth < deepest)
      visit(callee, refuse);
    --depth;
    // Without an entry, it is too deep.
    auto known = sizes.find(callee);
    size += known == sizes.end() ? maxOps : known->second;
  });
  if (size < maxOps) {
    sizes[function] = size;
    return;
  }
  refuse(function);
  sizes[function] = 1;
}

LogicalResult baco::frontend::inlineAndFold(ModuleOp module,
                                            const llvm::StringSet<> &kept) {
  for (auto function : module.getOps<func::FuncOp>())
    if (kept.contains(function.getName()))
      function.setNoInline(true);
  InlinedSizes sizes(module);
  for (auto function : module.getOps<func::FuncOp>())
    sizes.visit(function, [](func::FuncOp large) { large.setNoInline(true); });
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.addPass(createInlinerPass());
  manager.addPass(createSCCPPass());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(memref::createResolveShapedTypeResultDimsPass());
  manager.addPass(createCSEPass());
  manager.addPass(createCanonicalizerPass());
  return manager.run(module);
}

/// Adds the known extents of `value` to `extents`.
static void addExtents(Value value, SmallVector<int64_t> &extents) {
  while (value) {
    auto type = dyn_cast<ShapedType>(value.getType());
    if (!type || !type.hasRank() ||
        static_cast<size_t>(type.getRank()) != extents.size())
      return;
    for (auto [extent, known] : llvm::zip_equal(extents, type.getShape()))
      if (ShapedType::isDynamic(extent))
        extent = known;
    Operation *op = value.getDefiningOp();
    value = isa_and_nonnull<memref::CastOp, tensor::CastOp>(op)
                ? op->getOperand(0)
                : Value();
  }
}

/// Whether `extents` are those of something to compute.
static bool isUseful(const Extents &extents) {
  return areKnown(extents) && llvm::none_of(extents, [](ArrayRef<int64_t> one) {
           return llvm::is_contained(one, 0);
         });
}

SmallVector<SmallVector<Extents>>
baco::frontend::findCallerShapes(ArrayRef<func::FuncOp> functions,
                                 ArrayRef<func::FuncOp> versions) {
  SmallVector<SmallVector<Extents>> shapes(functions.size());
  if (functions.empty())
    return shapes;
  auto module = functions.front()->getParentOfType<ModuleOp>();
  llvm::StringSet<> kept;
  llvm::StringMap<size_t> numbers;
  for (func::FuncOp version : versions)
    kept.insert(version.getName());
  for (auto [i, each] : llvm::enumerate(functions)) {
    func::FuncOp function = each;
    kept.insert(function.getName());
    numbers[function.getName()] = i;
  }
  // Calls that can't be inlined or folded just show no shapes.
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy = module.clone();
  if (failed(inlineAndFold(*copy, kept)))
    return shapes;
  copy->walk([&](func::CallOp call) {
    auto found = numbers.find(call.getCallee());
    if (found == numbers.end())
      return;
    func::FuncOp function = functions[found->second];
    Extents extents = extentsOf(function);
    for (auto [value, its] : llvm::zip_equal(call.getOperands(), extents))
      if (!its.empty())
        addExtents(value, its);
    SmallVector<Extents> &known = shapes[found->second];
    // A call with shapes that contradict each other isn't defined.
    if (llvm::errorToBool(deduceExtents(function, extents)) ||
        !isUseful(extents) || llvm::is_contained(known, extents))
      return;
    known.push_back(std::move(extents));
  });
  for (SmallVector<Extents> &known : shapes)
    llvm::stable_sort(known, [](const Extents &left, const Extents &right) {
      return sizeOf(left) > sizeOf(right);
    });
  return shapes;
}
