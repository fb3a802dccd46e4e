//===- CopyDecoder.h - Decoder for functions that copy ----------*- C++ -*-===//
//
// Part of the baco project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value has a place among the registers, which are words: a scalar one, a
// vector one for each element, a memref three. Ops are decoded once, since a
// network has tens of millions of weights: interpreting its attributes takes
// longer than most ops.
//
//===----------------------------------------------------------------------===//

#ifndef BACO_LIB_TARGET_CONSTANTS_COPYDECODER_H
#define BACO_LIB_TARGET_CONSTANTS_COPYDECODER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace baco::target::copies {

/// A register. An index or an i64 is in it as it is, an i1 as 0 or 1; of what
/// has other types, as many of the low bits count as the type has.
using Word = uint64_t;

/// The place of a value: the first of its registers, and their number. Elements
/// of a vector are in row-major order.
struct Place {
  unsigned first = 0, count = 0;
};

/// The registers of a memref: the number of its memory, the byte at which it
/// begins, and the offset of its first element from there, in elements.
enum MemRefRegister : uint8_t { Memory, Start, Offset, numMemRefRegisters };

struct Instruction;
using Program = std::vector<Instruction>;

/// An op, decoded.
struct Instruction {
  /// Operands are those of the op in its order, except where the kind says
  /// others.
  enum Kind : uint8_t {
    /// Sets the result to `numbers`.
    Constant,
    /// Applies `compute` to two scalars.
    Integer,
    /// Compares two scalars by `predicate`.
    Compare,
    /// Chooses between two values of any one type by a scalar.
    Select,
    /// Takes elements of the operands, which count as one vector.
    Shuffle,
    /// Sets as many lanes as the operand says, from the first on.
    Mask,
    /// Makes a memref that begins some bytes behind the first element of a
    /// memref of bytes: operands are that memref, the number of bytes, and
    /// sizes, which aren't needed.
    View,
    /// Gives a memref another offset: operands are the memref, and the offset
    /// if it isn't constant.
    Recast,
    /// Reads a scalar or a row of elements: operands are the memref, the
    /// subscripts, and, if there is a mask, a vector for lanes that are off.
    Load,
    /// Writes a scalar or a row of elements: operands are the value, the
    /// memref, and the subscripts.
    Store,
    /// Runs its only body for each value of the induction variable, which is
    /// the result: operands are the lower bound, the upper bound, and the step.
    For,
    /// Runs the first of two bodies if the operand isn't 0, and otherwise the
    /// second one, which may be empty.
    If,
  };
  Kind kind;
  mlir::Operation *op;
  Place result;
  llvm::SmallVector<Place, 4> operands;
  /// Constant: the registers. Shuffle: for each element of the result the
  /// register of the operands. Load, Store: a stride for each subscript, in
  /// elements. Recast: the offset if it is constant, in elements.
  llvm::SmallVector<int64_t, 4> numbers;
  /// Load, Store: the bytes of an element, from 1 to 8, and the place of a
  /// mask.
  int64_t bytes = 0;
  std::optional<Place> mask;
  /// Integer: computes the result.
  int64_t (*compute)(int64_t, int64_t) = nullptr;
  mlir::arith::CmpIPredicate predicate = mlir::arith::CmpIPredicate::eq;
  std::vector<Program> bodies;
};

/// Gives places to the values of a function, and makes instructions of its ops.
class Decoder {
public:
  /// Appends the instructions of `block` to `program`. An error names the op
  /// that isn't known here; the instructions before it are in `program` then.
  llvm::Error decode(mlir::Block &block, Program &program);
  /// The place of `value`, which gets the next registers when it is first asked
  /// for.
  Place place(mlir::Value value);
  /// The registers of all places so far.
  unsigned numRegisters = 0;

private:
  /// Fills the instruction for `op`; false if it isn't known.
  bool decode(mlir::Operation *op, Instruction &made);
  bool decodeVector(mlir::Operation *op, Instruction &made);
  bool decodeAccess(mlir::Operation *op, Instruction &made);
  bool decodeView(mlir::Operation *op, Instruction &made);

  llvm::DenseMap<mlir::Value, Place> places;
};

/// An error whose message is the name of `op` in quotes, a space, and `what`.
llvm::Error describe(mlir::Operation *op, const llvm::Twine &what);

} // namespace baco::target::copies

#endif // BACO_LIB_TARGET_CONSTANTS_COPYDECODER_H
