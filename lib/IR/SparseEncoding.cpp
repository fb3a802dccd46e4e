//===- SparseEncoding.cpp - Formats of sparse tensors in types ------------===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "baco/IR/SparseEncoding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sparse_tensor;
using baco::sparse::LevelKind;
using baco::sparse::StorageFormat;

SparseTensorEncodingAttr baco::encodingOf(Type type) {
  return getSparseTensorEncoding(type);
}

/// Sets the part of a dimension that `expression` is; fails if it isn't one.
static LogicalResult readPart(AffineExpr expression,
                              baco::sparse::Level &level) {
  if (auto dimension = dyn_cast<AffineDimExpr>(expression)) {
    level.dimension = dimension.getPosition();
    return success();
  }
  auto operation = dyn_cast<AffineBinaryOpExpr>(expression);
  auto number = operation ? dyn_cast<AffineConstantExpr>(operation.getRHS())
                          : AffineConstantExpr();
  if (!number || number.getValue() < 1 ||
      failed(readPart(operation.getLHS(), level)))
    return failure();
  int64_t value = number.getValue();
  if (operation.getKind() == AffineExprKind::FloorDiv) {
    if (level.modulus % value != 0 ||
        llvm::MulOverflow(level.divisor, value, level.divisor))
      return failure();
    level.modulus /= value;
    return success();
  }
  if (operation.getKind() != AffineExprKind::Mod ||
      (level.modulus % value != 0 && value % level.modulus != 0))
    return failure();
  level.modulus = level.modulus == 0 ? value : std::min(level.modulus, value);
  return success();
}

/// Why levels of that kind can't be packed; empty if they can.
static StringRef whyUnsupported(LevelType type) {
  switch (type.getLvlFmt()) {
  case LevelFormat::Dense:
  case LevelFormat::Compressed:
    return "";
  case LevelFormat::Singleton:
    return type.isa<LevelPropNonDefault::SoA>()
               ? ""
               : "is a singleton whose coordinates are stored among those of "
                 "the level above; write singleton(soa)";
  case LevelFormat::Batch:
    return "is 'batch'; use 'dense'";
  case LevelFormat::LooseCompressed:
    return "is 'loose_compressed'; use 'compressed'";
  case LevelFormat::NOutOfM:
    return "is 'structured'; use 'compressed' or 'dense'";
  case LevelFormat::Undef:
    break;
  }
  return "is undefined";
}

llvm::Expected<StorageFormat>
baco::storageFormat(SparseTensorEncodingAttr encoding) {
  if (encoding.isSlice())
    return llvm::createStringError("slices of tensors aren't supported; pass "
                                   "the whole tensor");
  if (encoding.getExplicitVal() || encoding.getImplicitVal())
    return llvm::createStringError(
        "'explicitVal' and 'implicitVal' aren't supported; store the values");
  StorageFormat format;
  format.positionWidth = encoding.getPosWidth() ? encoding.getPosWidth() : 64;
  format.coordinateWidth = encoding.getCrdWidth() ? encoding.getCrdWidth() : 64;
  for (auto [l, type] : llvm::enumerate(encoding.getLvlTypes())) {
    std::string where = "level " + std::to_string(l) + " ";
    if (StringRef why = whyUnsupported(type); !why.empty())
      return llvm::createStringError(where + why);
    sparse::Level level = {LevelKind::Dense, 0};
    if (failed(readPart(encoding.getDimToLvl().getResult(l), level)))
      return llvm::createStringError(
          where + "isn't a dimension, or a part of one by 'floordiv' and "
                  "'mod'");
    if (type.isa<LevelFormat::Compressed>())
      level.kind = LevelKind::Compressed;
    if (type.isa<LevelFormat::Singleton>())
      level.kind = LevelKind::Singleton;
    level.isUnique = !type.isa<LevelPropNonDefault::Nonunique>();
    format.levels.push_back(level);
  }
  return format;
}

static std::optional<LevelType> levelType(const baco::sparse::Level &level) {
  std::vector<LevelPropNonDefault> properties;
  if (!level.isUnique)
    properties.push_back(LevelPropNonDefault::Nonunique);
  switch (level.kind) {
  case LevelKind::Dense:
    return buildLevelType(LevelFormat::Dense, properties);
  case LevelKind::Compressed:
    return buildLevelType(LevelFormat::Compressed, properties);
  case LevelKind::Singleton:
    properties.push_back(LevelPropNonDefault::SoA);
    return buildLevelType(LevelFormat::Singleton, properties);
  }
  llvm_unreachable("unknown kind of level");
}

/// Whether the parts of each dimension determine it: each must begin where the
/// one with the next smaller divisor ends.
static bool areComplete(const StorageFormat &format, size_t rank) {
  for (size_t dimension = 0; dimension < rank; ++dimension) {
    SmallVector<baco::sparse::Level> parts;
    llvm::copy_if(format.levels, std::back_inserter(parts),
                  [&](const baco::sparse::Level &level) {
                    return level.dimension == dimension;
                  });
    llvm::sort(parts, [](const auto &a, const auto &b) {
      return a.divisor < b.divisor;
    });
    // 0: no part is missing.
    int64_t known = 1;
    for (const baco::sparse::Level &part : parts) {
      if (part.divisor != known)
        return false;
      known *= part.modulus;
    }
    if (known != 0)
      return false;
  }
  return true;
}

llvm::Expected<SparseTensorEncodingAttr>
baco::makeEncoding(MLIRContext *context, const StorageFormat &format) {
  SmallVector<LevelType> types;
  SmallVector<AffineExpr> levels;
  size_t rank = 0;
  for (auto [l, level] : llvm::enumerate(format.levels)) {
    std::optional<LevelType> type = levelType(level);
    if (!type || level.divisor < 1 || level.modulus < 0)
      return llvm::createStringError("level " + llvm::Twine(l) +
                                     " has no counterpart in sparse_tensor");
    types.push_back(*type);
    rank = std::max(rank, level.dimension + 1);
    AffineExpr part = getAffineDimExpr(level.dimension, context);
    part = part.floorDiv(level.divisor);
    levels.push_back(level.modulus > 0 ? part % level.modulus : part);
  }
  auto toLevels = AffineMap::get(rank, 0, levels, context);
  if (!areComplete(format, rank))
    return llvm::createStringError(
        "the levels don't determine the coordinates of each dimension");
  AffineMap toDimensions = inferLvlToDim(toLevels, context);
  if (!toDimensions)
    return llvm::createStringError(
        "sparse_tensor has no such levels: only a whole dimension, or its "
        "'floordiv' and, further in, its 'mod' by the same number");
  auto native = [](unsigned width) { return width == 64 ? 0U : width; };
  std::string why;
  ScopedDiagnosticHandler recorder(context, [&](Diagnostic &diagnostic) {
    why = diagnostic.str();
    return success();
  });
  auto encoding = SparseTensorEncodingAttr::getChecked(
      [&] { return emitError(UnknownLoc::get(context)); }, context,
      ArrayRef<LevelType>(types), toLevels, toDimensions,
      native(format.positionWidth), native(format.coordinateWidth), Attribute(),
      Attribute(), ArrayRef<SparseTensorDimSliceAttr>());
  if (!encoding)
    return llvm::createStringError(why);
  return encoding;
}

bool baco::reducesZerosToTensor(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 ||
      !encodingOf(op.getDpsInputs().front().getType()) ||
      cast<ShapedType>(op.getDpsInits().front().getType()).getRank() == 0)
    return false;
  Block &body = *op.getBlock();
  Operation *last = body.getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::AndIOp, arith::MulIOp, arith::MulFOp,
                         arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp,
                         arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>(
             last) &&
         llvm::is_contained(last->getOperands(), body.getArgument(0)) &&
         llvm::is_contained(last->getOperands(), body.getArgument(1));
}
