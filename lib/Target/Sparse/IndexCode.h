//===- IndexCode.h - Writes loops on indices and memory ---------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_SPARSE_INDEXCODE_H
#define BACO_LIB_TARGET_SPARSE_INDEXCODE_H

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace baco::target {

/// An index that code changes; LLVM keeps it in a register.
struct Variable {
  mlir::Value memory;
};

/// Writes code in a `func.func` where its builder stands, which moves into
/// loops and out of them. Memrefs have rank 1; numbers are not negative.
class IndexCode {
public:
  using Body = llvm::function_ref<void(mlir::Value)>;

  /// With `freesMemory`, it has code for that; otherwise passes that follow add
  /// it.
  explicit IndexCode(mlir::ImplicitLocOpBuilder &builder,
                     bool freesMemory = false)
      : builder(builder), freesMemory(freesMemory) {}

  mlir::Type indexType() { return builder.getIndexType(); }
  mlir::Type integerType(unsigned width) {
    return builder.getIntegerType(width);
  }

  mlir::Value constant(int64_t value);
  mlir::Value valueOf(mlir::OpFoldResult value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value smaller(mlir::Value x, mlir::Value y);
  mlir::Value larger(mlir::Value x, mlir::Value y);
  /// x floordiv divisor, of which the remainder by `modulus` is taken unless it
  /// is 0.
  mlir::Value partOf(mlir::Value x, int64_t divisor, int64_t modulus = 0);
  /// An index or an integer as one of another width.
  mlir::Value cast(mlir::Value value, mlir::Type type);

  mlir::Value isTrue();
  mlir::Value isNotEqual(mlir::Value x, mlir::Value y);
  mlir::Value either(mlir::Value x, mlir::Value y);
  /// Also if `value` is a floating-point number.
  mlir::Value isNotZero(mlir::Value value);

  mlir::Value load(mlir::Value memory, mlir::Value at);
  mlir::Value loadIndex(mlir::Value memory, mlir::Value at) {
    return cast(load(memory, at), indexType());
  }
  void store(mlir::Value value, mlir::Value memory, mlir::Value at);
  void storeIndex(mlir::Value value, mlir::Value memory, mlir::Value at);
  mlir::Value length(mlir::Value memory);
  mlir::Value allocate(mlir::Type element, mlir::Value length);
  /// Frees what this code has allocated.
  void free(mlir::Value memory);
  /// The first `length` elements.
  mlir::Value takeFirst(mlir::Value memory, mlir::Value length);
  void copy(mlir::Value from, mlir::Value to);
  /// Makes the first `length` elements zero.
  void clear(mlir::Value memory, mlir::Value length);
  /// Makes each of the elements behind the first, `number` of them, at least
  /// the one before it.
  void accumulateMaximum(mlir::Value memory, mlir::Value number);

  Variable declare(int64_t value);
  mlir::Value get(Variable variable);
  void set(Variable variable, mlir::Value value);

  void loop(mlir::Value begin, mlir::Value end, Body body);
  void when(mlir::Value condition, llvm::function_ref<void()> body);

private:
  mlir::ImplicitLocOpBuilder &builder;
  bool freesMemory;
};

} // namespace baco::target

#endif // BACO_LIB_TARGET_SPARSE_INDEXCODE_H
