//===- MatrixProduct.cpp - Ops that multiply matrices ---------------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/Analysis/MatrixProduct.h"

#include "IterationAccesses.h"
#include "baco/Analysis/RowGroup.h"
#include "baco/IR/BacoDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace baco;

std::optional<MatrixProduct> baco::matchGeneralProduct(linalg::LinalgOp op) {
  bool areNumbers = llvm::all_of(op->getOperandTypes(), [](Type type) {
    return isa<FloatType, IntegerType>(getElementTypeOrSelf(type));
  });
  bool areMatrices = llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isProjectedPermutation();
  });
  // Others are scales of rows or columns, or offsets.
  bool areOthersSmall =
      llvm::all_of(ArrayRef(op.getDpsInputOperands())
                       .drop_front(std::min<size_t>(2, op.getNumDpsInputs())),
                   [&](OpOperand *input) { return op.getRank(input) < 2; });
  if (op.getNumDpsInputs() < 2 || !areOthersSmall || !areNumbers ||
      !areMatrices || !isArithmetic(op) || !findRowCombiner(op))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims({maps[0], maps[1], maps.back()});
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      dims->k.size() != 1 || dims->batch.size() > 1)
    return std::nullopt;
  return MatrixProduct{dims->m[0],
                       dims->n[0],
                       dims->k[0],
                       dims->batch,
                       /*window=*/{},
                       getElementTypeOrSelf(op->getOperand(0).getType()),
                       getElementTypeOrSelf(op.getDpsInits()[0].getType())};
}

/// Whether the op extends the integers of each input by zeros.
static std::array<bool, 2> areUnsigned(linalg::LinalgOp op) {
  std::array<bool, 2> are;
  for (unsigned input : {0, 1})
    are[input] = llvm::any_of(op.getBlock()->getArgument(input).getUsers(),
                              llvm::IsaPred<arith::ExtUIOp>);
  return are;
}

std::optional<MatrixProduct> baco::matchMatrixProduct(linalg::LinalgOp op) {
  std::optional<MatrixProduct> product = matchGeneralProduct(op);
  if (!product || !linalg::isaContractionOpInterface(op) ||
      product->element != getElementTypeOrSelf(op->getOperand(1).getType()))
    return std::nullopt;
  product->isUnsigned = areUnsigned(op);
  return product;
}

std::optional<MatrixProduct>
baco::matchConvolutionProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !linalg::detail::isContractionBody(
          *op.getBlock(), [](Operation *first, Operation *second) {
            return isa<arith::MulFOp, arith::MulIOp>(first) &&
                   isa<arith::AddFOp, arith::AddIOp>(second);
          }))
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->outputImage.empty() ||
      dims->outputChannel.size() != 1 || dims->inputChannel.size() != 1 ||
      !dims->depth.empty() ||
      op.getStaticLoopRanges()[dims->outputChannel[0]] == 1)
    return std::nullopt;
  MatrixProduct product{dims->outputImage.back(),
                        dims->outputChannel[0],
                        dims->inputChannel[0],
                        dims->batch,
                        dims->filterLoop,
                        getElementTypeOrSelf(op->getOperand(0).getType()),
                        getElementTypeOrSelf(op.getDpsInits()[0].getType()),
                        areUnsigned(op)};
  llvm::append_range(product.batch, ArrayRef(dims->outputImage).drop_back());
  return product;
}

static std::optional<MatrixProduct>
matchMatricesOrConvolution(linalg::LinalgOp op) {
  std::optional<MatrixProduct> product = matchMatrixProduct(op);
  return product ? product : matchConvolutionProduct(op);
}

std::optional<unsigned> baco::iteratorOf(linalg::LinalgOp op, unsigned operand,
                                         unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(operand));
  auto iterator = dyn_cast<AffineDimExpr>(map.getResult(dim));
  return iterator ? std::optional(iterator.getPosition()) : std::nullopt;
}

std::optional<unsigned> baco::lastIteratorOf(linalg::LinalgOp op,
                                             unsigned operand) {
  return iteratorOf(op, operand, op.getRank(&op->getOpOperand(operand)) - 1);
}

bool baco::isAlongSum(linalg::LinalgOp op, const MatrixProduct &product,
                      unsigned input) {
  return lastIteratorOf(op, input) == product.k;
}

int64_t mma::depthOf(Type element) {
  if (element.isInteger(8))
    return 32;
  if (element.isF16() || element.isBF16())
    return 16;
  return element.isF32() ? 8 : 0;
}

int64_t baco::allowTF32(Operation *root) {
  int64_t count = 0;
  root->walk([&](linalg::LinalgOp op) {
    std::optional<MatrixProduct> product = matchMatricesOrConvolution(op);
    if (!product || !product->element.isF32() || !product->sum.isF32())
      return;
    op->setAttr(BacoDialect::kTF32, UnitAttr::get(op->getContext()));
    ++count;
  });
  return count;
}

/// Whether each input is extended to 32 bits at once, and then multiplied: what
/// overflows or changes its sign between is another product.
static bool areExtendedBefore(linalg::LinalgOp op) {
  return llvm::all_of(
      op.getBlock()->getArguments().take_front(2), [](BlockArgument input) {
        Operation *extension =
            input.hasOneUse() ? *input.user_begin() : nullptr;
        return isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension) &&
               extension->getResult(0).getType().isInteger(32) &&
               llvm::all_of(extension->getUsers(),
                            llvm::IsaPred<arith::MulIOp>);
      });
}

llvm::Expected<MatrixProduct>
baco::matchTensorCoreProduct(linalg::LinalgOp op) {
  std::optional<MatrixProduct> product = matchMatricesOrConvolution(op);
  bool isInteger = product && product->element.isInteger(8);
  if (!product || mma::depthOf(product->element) == 0 ||
      !(isInteger ? product->sum.isInteger(32) && areExtendedBefore(op)
                  : product->sum.isF32() ||
                        (product->sum.isF16() && product->element.isF16())))
    return llvm::createStringError(
        "tensor cores are for products of matrices, and convolutions, of f16, "
        "bf16 or f32 with sums in f32, of f16 with sums in f16, or of i8 with "
        "sums in i32");
  if (product->element.isF32() && !op->hasAttr(BacoDialect::kTF32))
    return llvm::createStringError(
        "tensor cores round f32 to tf32, which has 11 digits; allow that by "
        "the attribute 'baco.tf32' of the op");
  if (lastIteratorOf(op, 2) != product->n)
    return llvm::createStringError("the rows of the result are not contiguous");
  return *product;
}
