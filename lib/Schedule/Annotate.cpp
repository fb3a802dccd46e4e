//===- Annotate.cpp - Recipes for ops that have none ----------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which ops can be scheduled, and writes their recipes.
//
//===----------------------------------------------------------------------===//

#include "baco/Schedule/Annotate.h"
#include "AnnotateMatmul.h"

#include "baco/IR/BacoAttributes.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace baco;
using namespace baco::schedule;

namespace {
/// Makes the attributes of a matmul's recipe.
class RecipeWriter {
public:
  RecipeWriter(MLIRContext *context, const MatmulBlockings &blockings)
      : builder(context), context(context), blockings(blockings) {}

  RecipeAttr write();

private:
  Attribute size(StringRef name, ArrayRef<int64_t> values, int64_t best);
  Attribute order();
  Attribute tile(ArrayRef<Attribute> sizes, Attribute order = {});
  Attribute promote(int64_t operand);

  Builder builder;
  MLIRContext *context;
  const MatmulBlockings &blockings;
};
} // namespace

/// A knob, or a constant where there is nothing to choose.
Attribute RecipeWriter::size(StringRef name, ArrayRef<int64_t> values,
                             int64_t best) {
  IntegerAttr value = builder.getI64IntegerAttr(best);
  if (values.size() == 1)
    return value;
  auto domain = OrdinalAttr::get(context, values, /*log=*/true);
  return KnobAttr::get(context, name, domain, value, DenseF64ArrayAttr());
}

/// Of the loops over blocks of M and K: blocks of K outside by default, as then
/// each block of A is packed once, and C stays hot in between.
Attribute RecipeWriter::order() {
  ArrayAttr blocksOfKOutside = builder.getI64ArrayAttr({1, 0});
  if (!blockings.hasOrder)
    return blocksOfKOutside;
  auto domain = PermutationAttr::get(context, 2, PermutationMetric::Spearman);
  return KnobAttr::get(context, "order", domain, blocksOfKOutside,
                       DenseF64ArrayAttr());
}

Attribute RecipeWriter::tile(ArrayRef<Attribute> sizes, Attribute order) {
  return TileAttr::get(context, builder.getArrayAttr(sizes), order);
}

Attribute RecipeWriter::promote(int64_t operand) {
  constexpr int64_t cacheLineBytes = 64;
  return PromoteAttr::get(context, builder.getDenseI64ArrayAttr({operand}),
                          cacheLineBytes);
}

RecipeAttr RecipeWriter::write() {
  const Blocking &best = blockings.best;
  Attribute none = builder.getI64IntegerAttr(0);
  Attribute copyLength = blockings.copyLength
                             ? builder.getI64IntegerAttr(blockings.copyLength)
                             : Attribute();
  Attribute steps[] = {
      tile({size("MC", blockings.mc, best.mc), none,
            size("KC", blockings.kc, best.kc)},
           order()),
      promote(0),
      tile({none, size("NR", blockings.nr, best.nr), none}),
      promote(1),
      tile({size("MR", blockings.mr, best.mr), none, none}),
      tile({none, none, builder.getI64IntegerAttr(1)}),
      VectorizeAttr::get(context, copyLength),
      HoistAttr::get(context),
  };
  SmallVector<ConstraintAttr> where;
  for (const BlockingRule &rule : blockings.rules)
    where.push_back(ConstraintAttr::get(context, rule.expression, rule.reason,
                                        rule.advisory));
  return RecipeAttr::get(context, builder.getArrayAttr(steps), where);
}

/// Whether the size of `type` in bits is an int64_t.
static bool fitsMemory(MemRefType type) {
  int64_t bits = type.getElementTypeBitWidth();
  return llvm::none_of(type.getShape(), [&](int64_t extent) {
    return llvm::MulOverflow(bits, extent, bits);
  });
}

/// Why a matmul can't be scheduled by its types; empty if it can.
static std::string checkTypes(linalg::MatmulOp op) {
  if (!op.hasPureBufferSemantics())
    return "it works on tensors; bufferize it first";
  if (op.hasUserDefinedMaps())
    return "its operands are transposed or broadcast, which is not supported "
           "yet";
  auto first = cast<MemRefType>(op->getOperand(0).getType());
  for (Type operand : op->getOperandTypes()) {
    auto type = cast<MemRefType>(operand);
    if (!type.hasStaticShape())
      return "its shape is dynamic, and only static shapes are supported yet";
    if (llvm::is_contained(type.getShape(), 0))
      return "it is empty";
    if (!fitsMemory(type))
      return "it is too large: an operand has more bytes than can be addressed";
    if (!type.isLastDimUnitStride())
      return "elements of a row are not contiguous in memory";
    Type element = type.getElementType();
    if (element != first.getElementType() ||
        !(element.isF32() || element.isF64()))
      return "only f32 or f64 for all operands is supported yet";
  }
  return "";
}

/// The recipe of `op`, or why it has none.
static llvm::Expected<RecipeAttr> makeRecipe(linalg::LinalgOp op,
                                             const HostInfo &host) {
  auto matmul = dyn_cast<linalg::MatmulOp>(op.getOperation());
  if (!matmul)
    return llvm::createStringError("only linalg.matmul is supported yet");
  if (std::string why = checkTypes(matmul); !why.empty())
    return llvm::createStringError(why);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto type = cast<MemRefType>(op->getOperand(0).getType());
  MatmulShape shape{extents[0], extents[1], extents[2],
                    type.getElementTypeBitWidth() / 8};
  auto blockings = findBlockings(shape, host);
  if (!blockings)
    return blockings.takeError();
  return RecipeWriter(op.getContext(), *blockings).write();
}

/// Whether `op` is the outermost loop of a nest without linalg ops.
static bool isPlainLoopNest(Operation *op) {
  if (!isa<LoopLikeOpInterface>(op) ||
      op->getParentOfType<LoopLikeOpInterface>())
    return false;
  return !op->walk([](linalg::LinalgOp) {
              return WalkResult::interrupt();
            }).wasInterrupted();
}

int64_t baco::schedule::annotate(ModuleOp module, const HostInfo &host) {
  module.getContext()->getOrLoadDialect<BacoDialect>();
  int64_t count = 0;
  auto explain = [](Operation *op, StringRef why) {
    op->emitRemark() << "no automatic recipe: " << why;
  };
  module.walk([&](Operation *op) {
    if (op->hasAttr(BacoDialect::kRecipe))
      return;
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      auto recipe = makeRecipe(structured, host);
      if (!recipe)
        return explain(op, llvm::toString(recipe.takeError()));
      op->setAttr(BacoDialect::kRecipe, *recipe);
      ++count;
    } else if (isPlainLoopNest(op)) {
      explain(op, "only linalg.matmul is supported yet; write a schedule for "
                  "this loop nest");
    }
  });
  return count;
}
