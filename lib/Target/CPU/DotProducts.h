//===- DotProducts.h - Instructions that add several products ---*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CPU_DOTPRODUCTS_H
#define BACO_LIB_TARGET_CPU_DOTPRODUCTS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace baco::target {

/// Adds four products of an unsigned and a signed byte to each lane of i32. The
/// number of a register's bits follows.
inline constexpr llvm::StringLiteral dotProductOfBytes =
    "llvm.x86.avx512.vpdpbusd.";

/// A number that was extended to 32 bits.
struct Factor {
  mlir::Value value;
  bool isSigned;
};

struct ProductInstruction {
  llvm::StringRef intrinsic;
  /// Products that it adds to a lane.
  int64_t numTerms;
};

/// Lanes times (scalar - zero).
struct Product {
  Factor lanes, scalar;
  int64_t zero;

  mlir::Type element() const { return getElementTypeOrSelf(lanes.value); }
  bool isOfBytes() const { return element().isInteger(8); }
  ProductInstruction instruction() const;

  /// Whether one instruction can compute both.
  bool isLike(const Product &other) const;

  /// Whether bytes of one factor must change their sign.
  bool flipsScalar() const {
    return isOfBytes() && lanes.isSigned == scalar.isSigned;
  }

  /// What is subtracted from the number that stands for the scalar.
  int64_t offset() const;

  bool isSupported() const;
};

/// A sum of products, in their order, and of `start`.
struct ProductSum {
  mlir::Value start;
  llvm::SmallVector<Product> products;
  /// The additions, in their order.
  llvm::SmallVector<mlir::Operation *> parts;
};

/// The longest sum that `last` ends whose products are like each other, and
/// whose parts nothing else uses.
ProductSum matchSum(mlir::arith::AddIOp last);

/// What `value` extends to 32 bits: an integer of 8 or 16 bits, or a vector of
/// such; nullopt if it is something else.
std::optional<Factor> matchFactor(mlir::Value value);

/// The constant that is subtracted in `number`, which becomes what it is
/// subtracted from; 0 if there is none.
int64_t takeZeroPoint(mlir::Value &number);

/// Whether the target option `dot_products` of `function` is at least `level`.
bool mayUseDotProducts(mlir::func::FuncOp function, int64_t level);

/// Whether `sum` is of whole registers of i32.
bool isOfRegisters(mlir::arith::AddIOp sum);

/// Lets `builder` insert behind the latest of `values`, which dominate `user`,
/// in their block, or in `user` if they are in several blocks.
void insertBehind(mlir::OpBuilder &builder, llvm::ArrayRef<mlir::Value> values,
                  mlir::Block *user);

/// Element i of each of two or four `vectors`, which have the same type, then
/// element i + 1 of each.
mlir::Value interleave(mlir::ImplicitLocOpBuilder &builder,
                       llvm::ArrayRef<mlir::Value> vectors);

/// Adds products of `left` and `right`, as many as fill a lane, to each lane of
/// `sum`, whole registers of i32, by `intrinsic`, to whose name the bits of a
/// register are added. Of bytes, `left` has the unsigned ones.
mlir::Value addProducts(mlir::ImplicitLocOpBuilder &builder, mlir::Value sum,
                        mlir::Value left, mlir::Value right,
                        llvm::StringRef intrinsic);

/// A vector of `type` with `number`, of which only the low bits count, in each
/// lane.
mlir::Value splat(mlir::ImplicitLocOpBuilder &builder, int64_t number,
                  mlir::VectorType type);

/// Replaces sums of products of vectors of bytes, lane by lane, in `function`.
void replaceWindowSums(mlir::func::FuncOp function);

} // namespace baco::target

#endif // BACO_LIB_TARGET_CPU_DOTPRODUCTS_H
